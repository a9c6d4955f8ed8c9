"""The mechanisms of ``pe_lib`` as exact SymPy matrices."""

import sympy as sp

from pe_lib import _checks
from pe_lib._layout import pair_slices
from pe_lib.symbolic._accept import exact_matrix, exact_scalar


def rotation(angle):
    r"""Rotation of the plane, counterclockwise.

    .. math:: \begin{pmatrix} \cos\theta & -\sin\theta \\ \sin\theta & \cos\theta \end{pmatrix}

    Parameters
    ----------
    angle : int or SymPy expression
        In radians.

    Returns
    -------
    ImmutableMatrix, shape (2, 2)

    Raises
    ------
    TypeError, ValueError
        If the angle is not one exact expression.

    Examples
    --------
    >>> rotation(sp.pi / 2).tolist()
    [[0, -1], [1, 0]]
    """
    angle = exact_scalar("angle", angle)
    cos, sin = sp.cos(angle), sp.sin(angle)
    return sp.ImmutableMatrix([[cos, -sin], [sin, cos]])


def frequencies(dim):
    r"""Symbols :math:`\omega_0, \dots, \omega_{d/2-1}` for the frequencies, all positive.

    Parameters
    ----------
    dim : int
        Number of channels d, positive and even.

    Returns
    -------
    tuple of Symbol, length dim/2
        In rad per token. What is proved for the symbols holds for every choice of frequencies.

    Raises
    ------
    TypeError, ValueError
        If ``dim`` is not a positive even integer.

    Examples
    --------
    >>> frequencies(4)
    (omega_0, omega_1)
    """
    return sp.symbols(f"omega_:{_checks.even_dim(dim) // 2}", positive=True)


def encode(p, dim, *, layout):
    r"""Sinusoidal code of one position, as a column.

    The form of :func:`pe_lib.sinusoidal.encode`: a pair holds
    :math:`(\sin \omega_i p, \cos \omega_i p)`.

    Parameters
    ----------
    p : int or SymPy expression
        In tokens.
    dim : int
        Number of channels, positive and even.
    layout : {"interleaved", "half"}

    Returns
    -------
    ImmutableMatrix, shape (dim, 1)

    Raises
    ------
    TypeError, ValueError
        If ``p`` is not one exact expression, ``dim`` not positive and even, ``layout`` unknown.

    Examples
    --------
    >>> encode(sp.Symbol("p"), 4, layout="half").T
    Matrix([[sin(omega_0*p), sin(omega_1*p), cos(omega_0*p), cos(omega_1*p)]])
    """
    p = exact_scalar("p", p)
    code = sp.zeros(_checks.even_dim(dim), 1)
    for (sine, cosine), omega in zip(_pairs(dim, layout), frequencies(dim), strict=True):
        code[sine], code[cosine] = sp.sin(omega * p), sp.cos(omega * p)
    return code.as_immutable()


def shift_matrix(k, dim, *, layout):
    r"""The matrix :math:`M_k` with ``encode(p + k) = M_k encode(p)`` for every p.

    The form of :func:`pe_lib.sinusoidal.shift_matrix`.

    Parameters
    ----------
    k : int or SymPy expression
        The shift, in tokens.
    dim, layout
        As in :func:`encode`.

    Returns
    -------
    ImmutableMatrix, shape (dim, dim)

    Raises
    ------
    TypeError, ValueError
        As :func:`encode`.

    Examples
    --------
    >>> shift_matrix(sp.Symbol("k"), 2, layout="half").tolist()
    [[cos(k*omega_0), sin(k*omega_0)], [-sin(k*omega_0), cos(k*omega_0)]]
    """
    k = exact_scalar("k", k)
    # A pair is stored as (sine, cosine), so the block is the transposed rotation.
    return _blocks([rotation(omega * k).T for omega in frequencies(dim)], dim, layout)


def rope_matrix(m, dim, *, layout):
    r"""The matrix R(m) by which :func:`pe_lib.rope.rotate` turns a column at position m.

    Parameters
    ----------
    m : int or SymPy expression
        The position, in tokens.
    dim, layout
        As in :func:`encode`.

    Returns
    -------
    ImmutableMatrix, shape (dim, dim)

    Raises
    ------
    TypeError, ValueError
        As :func:`encode`.

    Examples
    --------
    >>> rope_matrix(sp.Symbol("m"), 2, layout="half").tolist()
    [[cos(m*omega_0), -sin(m*omega_0)], [sin(m*omega_0), cos(m*omega_0)]]
    """
    m = exact_scalar("m", m)
    return _blocks([rotation(omega * m) for omega in frequencies(dim)], dim, layout)


def permutation_matrix(order):
    """The matrix P that reorders rows: row i of P X is row ``order[i]`` of X.

    Parameters
    ----------
    order : sequence of int
        Each of 0, ..., T - 1 once.

    Returns
    -------
    ImmutableMatrix, shape (T, T)

    Raises
    ------
    TypeError, ValueError
        If ``order`` is not a permutation.

    Examples
    --------
    >>> (permutation_matrix([2, 0, 1]) * sp.Matrix(["a", "b", "c"])).T
    Matrix([[c, a, b]])
    """
    try:
        order = list(order)
    except TypeError:
        raise TypeError(f"order must be a sequence of integers, got {order!r}") from None
    order = [_checks.integer("order", index, minimum=0) for index in order]
    length = len(order)
    if not order or sorted(order) != list(range(length)):
        raise ValueError(f"order must hold each of 0, ..., T - 1 once, got {order}")
    return sp.ImmutableMatrix(length, length, lambda i, j: int(order[i] == j))


def softmax(matrix):
    """Softmax of every row, as :func:`pe_lib.attention.softmax` over the last axis.

    Parameters
    ----------
    matrix : SymPy matrix, shape (Tq, Tk)
        In logits.

    Returns
    -------
    ImmutableMatrix, shape (Tq, Tk)

    Raises
    ------
    TypeError, ValueError
        If it is not a matrix of exact expressions, or empty.

    Examples
    --------
    >>> softmax(sp.Matrix([[0, 0]]))
    Matrix([[1/2, 1/2]])
    """
    powers = exact_matrix("matrix", matrix).applyfunc(sp.exp)
    totals = [sum(powers.row(i)) for i in range(powers.rows)]
    return sp.ImmutableMatrix(*powers.shape, lambda i, j: powers[i, j] / totals[i])


def attention(q, k, v):
    r"""Scaled dot-product attention, :math:`\mathrm{softmax}(q k^\top / \sqrt{D})\, v`.

    The form of :func:`pe_lib.attention.attention`.

    Parameters
    ----------
    q : SymPy matrix, shape (Tq, D)
    k : SymPy matrix, shape (Tk, D)
    v : SymPy matrix, shape (Tk, Dv)

    Returns
    -------
    ImmutableMatrix, shape (Tq, Dv)

    Raises
    ------
    TypeError, ValueError
        If one is not a matrix of exact expressions, or the shapes do not fit.

    Examples
    --------
    >>> attention(sp.zeros(1, 2), sp.ones(2, 2), matrix("v", 2, 1))
    Matrix([[v_00/2 + v_10/2]])
    """
    q, k, v = (exact_matrix(*named) for named in (("q", q), ("k", k), ("v", v)))
    if q.cols != k.cols:
        raise ValueError(
            f"q and k must have the same number of channels, got shapes {q.shape} and {k.shape}"
        )
    if v.rows != k.rows:
        raise ValueError(f"v must have one row per key, got {v.rows} rows for {k.rows} keys")
    return softmax(q * k.T / sp.sqrt(q.cols)) * v


def matrix(name, rows, cols):
    """A matrix of real symbols, numbered from 0.

    Parameters
    ----------
    name : str
        Of the entries: ``matrix("x", 2, 2)`` holds x_00, x_01, x_10, x_11.
    rows, cols : int
        At least 1.

    Returns
    -------
    ImmutableMatrix, shape (rows, cols)

    Raises
    ------
    TypeError, ValueError
        If ``name`` is not a name or a size not a positive integer.

    Examples
    --------
    >>> matrix("x", 1, 3)
    Matrix([[x_00, x_01, x_02]])
    """
    if not isinstance(name, str) or not name:
        raise TypeError(f"name must be a name for the entries, got {name!r}")
    rows = _checks.integer("rows", rows, minimum=1)
    cols = _checks.integer("cols", cols, minimum=1)
    comma = "," if max(rows, cols) > 10 else ""  # else x_111 could be (1, 11) or (11, 1)
    return sp.ImmutableMatrix(
        rows, cols, lambda i, j: sp.Symbol(f"{name}_{i}{comma}{j}", real=True)
    )


def _pairs(dim, layout):
    """The two channels of every pair."""
    first, second = (range(dim)[part] for part in pair_slices(_checks.even_dim(dim), layout))
    return list(zip(first, second, strict=True))


def _blocks(blocks, dim, layout):
    """The matrix that acts on pair i by the 2 x 2 matrix ``blocks[i]``."""
    whole = sp.zeros(dim, dim)
    for pair, block in zip(_pairs(dim, layout), blocks, strict=True):
        for row in range(2):
            for col in range(2):
                whole[pair[row], pair[col]] = block[row, col]
    return whole.as_immutable()
