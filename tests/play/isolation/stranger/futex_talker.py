"""Two bots that talk through a futex in a page of a library that both have mapped.

Run as the sender, the receiver, or the receiver by another call.
"""

import ctypes
import errno
import struct
import sys
import threading

LIBRARY = ctypes.CDLL(None, use_errno=True)
ADDRESS = ctypes.cast(LIBRARY.getpid, ctypes.c_void_p).value or 0
WORD = ADDRESS & ~3
X86 = sys.maxsize > 1 << 32 and __import__("os").uname().machine == "x86_64"
FUTEX, SET_TID_ADDRESS, SET_ROBUST_LIST = (202, 218, 273) if X86 else (98, 96, 99)
FUTEX_WAITV, FUTEX2_WAIT = 449, 455
WAIT, WAIT_BITSET, LOCK_PI, WAIT_REQUEUE_PI = 0, 9, 6, 11
REALTIME = 256
ANY_BIT = 0xFFFFFFFF


def main(arguments: list[str]) -> None:
    """Send by exits of threads until the input ends, or print how a wait for them ended."""
    (role,) = arguments
    if role == "send":
        send()
    else:
        sys.stdout.write("waiting\n")
        sys.stdout.flush()
        sys.stdout.write(receive(role))
    sys.stdout.flush()


def send() -> None:
    """Start threads at whose end the kernel wakes whoever waits for the word, until the input ends.

    They are not joined: from Python 3.13 on that waits for a word of their own, which the kernel leaves
    alone.
    """
    over = threading.Event()
    threading.stack_size(65536)  # their stacks are never used again

    def wait_for_end() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=wait_for_end, daemon=True).start()
    while not over.wait(0.01):
        arguments = SET_TID_ADDRESS, ctypes.c_void_p(WORD)
        threading.Thread(target=LIBRARY.syscall, args=arguments, daemon=True).start()


def receive(how: str) -> str:
    """Wait at most thirty seconds for somebody to wake the word: a busy machine starts the sender late."""
    value = ctypes.c_uint32.from_address(WORD).value
    word, timeout = ctypes.c_void_p(WORD), struct.pack("qq", 30, 0)
    long = ctypes.c_long
    if how == "wait":
        result = LIBRARY.syscall(FUTEX, word, long(WAIT), long(value), timeout, None, long(0))
    elif how == "wait-bitset":
        flags, until = long(WAIT_BITSET | REALTIME), struct.pack("qq", 1 << 40, 0)
        result = LIBRARY.syscall(FUTEX, word, flags, long(value), until, None, long(ANY_BIT))
    elif how == "waitv":
        waiter = struct.pack("QQII", value, WORD, 2, 0)
        until = struct.pack("qq", 1 << 40, 0)
        result = LIBRARY.syscall(FUTEX_WAITV, waiter, long(1), long(0), until, long(0))
    else:
        until = struct.pack("qq", 1 << 40, 0)
        result = LIBRARY.syscall(FUTEX2_WAIT, word, long(value), long(ANY_BIT), long(2), until, long(0))
    return "woken" if result >= 0 else errno.errorcode[ctypes.get_errno()]
