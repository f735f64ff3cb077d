"""PyTorch's scaled dot-product attention, each backend forced: what our kernels are measured beside."""

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

framework = "torch"


def flash(q, k, v, *, CAUSAL=0):
    """FlashAttention-2."""
    return _forced(SDPBackend.FLASH_ATTENTION, q, k, v, CAUSAL)


def cudnn(q, k, v, *, CAUSAL=0):
    return _forced(SDPBackend.CUDNN_ATTENTION, q, k, v, CAUSAL)


def efficient(q, k, v, *, CAUSAL=0):
    """Memory-efficient attention, of xFormers' making."""
    return _forced(SDPBackend.EFFICIENT_ATTENTION, q, k, v, CAUSAL)


def math(q, k, v, *, CAUSAL=0):
    """Matrix products and a softmax, each its own kernel."""
    return _forced(SDPBackend.MATH, q, k, v, CAUSAL)


def default(q, k, v, *, CAUSAL=0):
    """The backend that PyTorch picks by itself."""
    return scaled_dot_product_attention(q, k, v, is_causal=bool(CAUSAL))


def _forced(backend: SDPBackend, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: int) -> torch.Tensor:
    # With one backend allowed PyTorch raises where that one cannot take the case; it never falls back.
    with sdpa_kernel(backend):
        return scaled_dot_product_attention(q, k, v, is_causal=bool(causal))
