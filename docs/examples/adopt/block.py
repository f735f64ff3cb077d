import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, hidden=64, dropout=0.5):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, hidden)
        self.drop = nn.Dropout(dropout)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        return x + self.down(self.drop(torch.relu(self.up(self.norm(x)))))
