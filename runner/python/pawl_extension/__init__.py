"""Builds PyTorch extensions (`load_inline`, `load`) faster, with the same result."""
