"""Random numbers that are the same in every process."""

from __future__ import annotations

import random
import sys

SEED = 0


def seed_frameworks() -> None:
    random.seed(SEED)
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None:
        numpy.random.seed(SEED)
    if torch is not None:
        torch.manual_seed(SEED)
