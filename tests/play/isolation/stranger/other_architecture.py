"""A bot that asks the kernel as a 32-bit program would, where the calls have other numbers."""

import ctypes
import mmap
import sys

GETPID = bytes.fromhex("b814000000cd80c3")  # mov eax, 20; int 0x80; ret


def main(arguments: list[str]) -> None:
    """Says `asking`, then asks; says what it got if it lives."""
    sys.stdout.write("asking\n")
    sys.stdout.flush()
    writable = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=writable)
    code.write(GETPID)
    call = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
    sys.stdout.write(f"{call()}\n")
