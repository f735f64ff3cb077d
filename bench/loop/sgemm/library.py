"""cuBLAS in single precision, through PyTorch, in place."""

import torch

torch.backends.cuda.matmul.allow_tf32 = False


def product(A, B, C, *, M, N, K, alpha, beta):
    torch.addmm(C, A, B, beta=beta, alpha=alpha, out=C)
