"""Honest: a CUDA graph of its own with buffers of its own, filled and read in every call."""

import torch

_GRAPHS = {}


def _record(x):
    fixed = torch.empty_like(x)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.softmax(fixed, dim=-1)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = torch.softmax(fixed, dim=-1)
    return graph, fixed, result


def softmax(x):
    if x.shape not in _GRAPHS:
        _GRAPHS[x.shape] = _record(x)
    graph, fixed, result = _GRAPHS[x.shape]
    fixed.copy_(x)
    graph.replay()
    return result.clone()
