"""PyTorch's own fused AdamW step, in place."""

import torch


def adamw(params_memory, grads_memory, m_memory, v_memory, *, t, num_parameters, learning_rate, beta1, beta2, eps, weight_decay):
    step = torch.full((), float(t), device=params_memory.device)
    torch._fused_adamw_(
        [params_memory], [grads_memory], [m_memory], [v_memory], [], [step],
        amsgrad=False, lr=learning_rate, beta1=beta1, beta2=beta2, weight_decay=weight_decay, eps=eps, maximize=False,
    )
