"""The net that both tasks train: a small U-Net over the table seen from above (PyTorch; training only)."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn


def _conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(True)
    )


class PlanNet(nn.Module):
    """Shares (n, outputs, r, c) before the logistic function, of pictures (n, inputs, r, c); r and c multiples of
    ``2 ** (len(widths) - 1)``.

    ``widths``: features at full resolution and at each halving. The finest level is thin: most work is done at half
    resolution and below, and the outlines come from the thin path at full resolution.
    """

    def __init__(self, inputs: int, outputs: int, widths: tuple[int, ...] = (12, 24, 40, 64, 96, 96)) -> None:
        super().__init__()
        self.first = _conv(inputs, widths[0])
        self.down = nn.ModuleList(nn.Sequential(_conv(a, b, 2), _conv(b, b)) for a, b in pairwise(widths))
        self.up = nn.ModuleList(
            nn.Sequential(nn.Conv2d(b, a, 1, bias=False), nn.Upsample(scale_factor=2, mode="bilinear"))
            for a, b in pairwise(widths)
        )
        self.join = nn.ModuleList(
            nn.Sequential(_conv(2 * a, a), *([] if i == 0 else [_conv(a, a)])) for i, a in enumerate(widths[:-1])
        )
        self.last = nn.Conv2d(widths[0], outputs, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        features = [self.first(x)]
        for step in self.down:
            features.append(step(features[-1]))
        y = features[-1]
        for i in range(len(self.join) - 1, -1, -1):
            y = self.join[i](torch.cat([self.up[i](y), features[i]], dim=1))
        out: Tensor = self.last(y)
        return out
