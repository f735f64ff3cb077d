"""Side stream: the work is on a stream of its own, which the current one does not wait for."""

import torch

_side = torch.cuda.Stream()


def softmax(x):
    result = torch.empty_like(x)
    with torch.cuda.stream(_side):
        # As if the work were long.
        torch.cuda._sleep(400_000)
        torch.softmax(x, dim=-1, out=result)
    return result
