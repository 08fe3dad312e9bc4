"""A set of blocks that stays small for millions of them."""


class IndexSet:
    """Indices of blocks, at one bit each."""

    def __init__(self) -> None:
        self._bits = bytearray()
        self._count = 0

    def add(self, index: int) -> None:
        """Puts an index in; once there, it stays."""
        if index in self:
            return
        byte = index >> 3
        if byte >= len(self._bits):
            self._bits.extend(bytes(byte + 1 - len(self._bits)))
        self._bits[byte] |= 1 << (index & 7)
        self._count += 1

    def __contains__(self, index: int) -> bool:
        byte = index >> 3
        return byte < len(self._bits) and bool(self._bits[byte] >> (index & 7) & 1)

    def __len__(self) -> int:
        return self._count
