"""Pawl's runner for kernels that are Python functions. It speaks docs/protocol.md."""
