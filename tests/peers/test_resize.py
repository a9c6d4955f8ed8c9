"""Resized tables and depth-wise convolutions against PyTorch, and ViT's against transformers."""

import types

import numpy as np
import pytest

from pe_lib import convolutional, learned

GRIDS = [
    ((14, 14), (16, 16)),
    ((14, 14), (24, 20)),
    ((24, 20), (14, 14)),
    ((16, 16), (5, 31)),
    ((3, 2), (3, 2)),
    ((2, 2), (1, 7)),
    ((5, 4), (2, 9)),
]
MODES = {"linear": "bilinear", "cubic": "bicubic"}


def interpolated(torch, table, grid, new_grid, **options):
    """The same table through torch.nn.functional.interpolate."""
    patches = torch.from_numpy(table.reshape(1, *grid, -1)).permute(0, 3, 1, 2)
    patches = torch.nn.functional.interpolate(patches, size=new_grid, **options)
    return patches.permute(0, 2, 3, 1).reshape(-1, table.shape[1]).numpy()


@pytest.mark.parametrize(("grid", "new_grid"), GRIDS)
@pytest.mark.parametrize("method", MODES)
@pytest.mark.parametrize("align_corners", [False, True])
def test_interpolation_in_two_dimensions(torch, grid, new_grid, method, align_corners):
    table = np.random.default_rng(0).normal(size=(grid[0] * grid[1], 3))
    got = learned.resize_2d(table, grid, new_grid, method=method, align_corners=align_corners)
    want = interpolated(
        torch, table, grid, new_grid, mode=MODES[method], align_corners=align_corners
    )
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("grid", "new_grid"), GRIDS)
@pytest.mark.parametrize("method", MODES)
def test_antialiased_interpolation(torch, grid, new_grid, method):
    """As timm and transformers' DINOv2 with registers resize their tables."""
    table = np.random.default_rng(0).normal(size=(grid[0] * grid[1], 3))
    got = learned.resize_2d(table, grid, new_grid, method=method, antialias=True)
    want = interpolated(torch, table, grid, new_grid, mode=MODES[method], antialias=True)
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("old", "new"), [(14, 16), (16, 14), (5, 1), (1, 5), (512, 1024)])
@pytest.mark.parametrize("align_corners", [False, True])
def test_interpolation_in_one_dimension(torch, old, new, align_corners):
    table = np.random.default_rng(0).normal(size=(old, 3))
    got = learned.resize_1d(table, new, method="linear", align_corners=align_corners)
    want = torch.nn.functional.interpolate(
        torch.from_numpy(table.T[None].copy()), size=new, mode="linear", align_corners=align_corners
    )
    np.testing.assert_allclose(got, want[0].numpy().T, rtol=0, atol=1e-12)


def test_pytorch_takes_the_first_row_for_all_in_an_antialiased_column(torch):
    """PyTorch 2.13 is wrong for an image one cell wide: its rows all come out as the first.

    An image one cell high is right; so are two equal columns.
    """
    column = np.arange(6.0)[:, None] ** 2
    options = {"mode": "bicubic", "antialias": True}
    got = learned.resize_2d(column, (6, 1), (4, 1), method="cubic", antialias=True)
    row = interpolated(torch, column, (1, 6), (1, 4), **options)
    np.testing.assert_allclose(got, row, rtol=0, atol=1e-12)
    twice = interpolated(torch, column.repeat(2, axis=0), (6, 2), (4, 2), **options)[::2]
    np.testing.assert_allclose(got, twice, rtol=0, atol=1e-12)
    alone = interpolated(torch, column, (6, 1), (4, 1), **options)
    np.testing.assert_allclose(alone, np.full((4, 1), got[0, 0]), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("module", "embeddings", "antialias"),
    [
        ("vit.modeling_vit", "ViTEmbeddings", False),
        ("dinov2.modeling_dinov2", "Dinov2Embeddings", False),
        (
            "dinov2_with_registers.modeling_dinov2_with_registers",
            "Dinov2WithRegistersEmbeddings",
            True,
        ),
    ],
)
def test_tables_of_vision_models_in_transformers(peer, torch, module, embeddings, antialias):
    """They compute in float32: right to 1e-5, and to no more."""
    kind = getattr(peer(f"transformers.models.{module}"), embeddings)
    grid, new_grid, patch, dim = (14, 14), (16, 61), 2, 4
    table = np.random.default_rng(0).normal(size=(1 + 14 * 14, dim)).astype(np.float32)
    model = types.SimpleNamespace(
        position_embeddings=torch.from_numpy(table[None]),
        patch_size=patch,
        patch_embeddings=types.SimpleNamespace(patch_size=(patch, patch)),
        config=types.SimpleNamespace(patch_size=patch),
    )
    patches = torch.zeros(1, 1 + 16 * 61, dim)
    want = kind.interpolate_pos_encoding(model, patches, new_grid[0] * patch, new_grid[1] * patch)
    got = learned.resize_2d(
        table, grid, new_grid, method="cubic", num_prefix_tokens=1, antialias=antialias
    )
    np.testing.assert_allclose(got, want[0].numpy(), rtol=0, atol=1e-5)


@pytest.mark.parametrize("size", [1, 3, 5])
def test_depth_wise_convolution(torch, size):
    """Plus the features themselves, as timm's PosConv adds them."""
    rng = np.random.default_rng(0)
    x, weight = rng.normal(size=(2, 5, 6, 3)), rng.normal(size=(size, size, 3))
    bias = rng.normal(size=3)
    images = torch.from_numpy(x).permute(0, 3, 1, 2)
    filters = torch.from_numpy(weight).permute(2, 0, 1)[:, None]
    around = torch.nn.functional.conv2d(
        images, filters, torch.from_numpy(bias), padding=size // 2, groups=3
    )
    want = (images + around).permute(0, 2, 3, 1).numpy()
    np.testing.assert_allclose(convolutional.encode(x, weight, bias), want, rtol=0, atol=1e-12)
