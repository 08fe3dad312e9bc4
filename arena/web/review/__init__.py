"""Reviews of matches: chances from playouts and what a strong bot would have done, computed on request."""
