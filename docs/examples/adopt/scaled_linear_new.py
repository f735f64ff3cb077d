import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, x):
        product = torch.addmm(self.linear.bias, x, self.linear.weight.t(), beta=0.5, alpha=0.5)
        return product.clamp_(min=0)
