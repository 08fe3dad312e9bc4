"""The arena as a page: Python and the arena run in the reader's browser, in a worker without a network."""
