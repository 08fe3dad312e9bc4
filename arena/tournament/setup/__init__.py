"""The config of a tournament, from a file or command-line options."""
