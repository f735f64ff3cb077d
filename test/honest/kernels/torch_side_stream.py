"""Honest: half of the work on a stream of its own, which waits for the current one and is waited for."""

import torch

_SIDE = None


def softmax(x):
    global _SIDE
    if _SIDE is None:
        _SIDE = torch.cuda.Stream()
    current = torch.cuda.current_stream()
    result = torch.empty_like(x)
    half = x.shape[0] // 2
    _SIDE.wait_stream(current)
    with torch.cuda.stream(_SIDE):
        result[half:] = torch.softmax(x[half:], dim=-1)
    result[:half] = torch.softmax(x[:half], dim=-1)
    current.wait_stream(_SIDE)
    return result
