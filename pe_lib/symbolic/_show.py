"""How a proof looks: one line of text, or LaTeX that both KaTeX and MathJax can render."""

import re

import sympy as sp

_WIDEST = 69  # printed characters that fit on one line of a page
_MOST_LINES = 8
_MOST_NAMES = 6

_NAME = r"(\\?[a-zA-Z]+(?:_\{\w+\})?)"
_PLAIN = r"[^(){}]*(?:_\{\w+\}[^(){}]*)*"
_BRACKETED = rf"\\left\({_PLAIN}\\right\)"
_SAFELY_FOLLOWED = r"(?=\s*(?:$|[-+&}]|\\\\|\\(?:sin|cos|tan|end|right)))"
_SIGNS = ("positive", "negative", "nonnegative", "nonpositive", "nonzero")
_KINDS = ("prime", "even", "odd", "integer", "rational", "real", "imaginary")


def text(lhs, rhs, method):
    """One line; what is too long to be read is described instead."""
    if isinstance(lhs, sp.MatrixBase):
        return f"Proof: two {lhs.rows} x {lhs.cols} matrices are equal, by {method}"
    return f"Proof: {in_words(lhs)} = {in_words(rhs)}, by {method}"


def in_words(side):
    """The expression as text or, where that is too long, its size."""
    return str(side) if len(str(side)) <= _WIDEST else _described(side)


def latex(lhs, rhs, method):
    """Display LaTeX: lhs = rhs, and below it for which values and in which way.

    Sides that SymPy brings to one form by itself are written once. A matrix too wide for the page
    is written entry by entry.
    """
    if not isinstance(lhs, sp.MatrixBase):
        lines = _stated(lhs, rhs, _or_described)
    elif max(_width(lhs), _width(rhs)) <= _WIDEST:
        lines = _stated(lhs, rhs, _formula)
    else:
        lines = _entries(lhs, rhs)
    rows = getattr(lhs, "rows", 1)
    lines = [line + _room_below(line, rows) for line in lines]
    symbols = lhs.free_symbols | rhs.free_symbols
    notes = [*([_note(_domain(symbols))] if symbols else []), _note(f"proved by {method}")]
    body = r" \\[4pt] ".join([*lines, *notes])
    return rf"$$\begin{{gathered}} {body} \end{{gathered}}$$"


def _stated(lhs, rhs, written):
    """The equation, or what both of its sides are."""
    if lhs == rhs:
        return [_note("both sides come out as"), written(lhs)]
    return _equation(written(lhs), written(rhs), _width(lhs) + _width(rhs))


def _equation(left, right, width):
    """One line, or two where one would be too wide."""
    return [f"{left} = {right}"] if width <= _WIDEST else [left, f"= {right}"]


def _entries(lhs, rhs):
    """The shape and the different equations; that equal numbers are equal goes without saying."""
    size = f"{lhs.rows} by {lhs.cols}"
    if lhs == rhs:
        title, kind = f"both sides come out as one {size} matrix, with the entries", "entries"
        sides = [side for side in dict.fromkeys(lhs.flat()) if side.free_symbols]
        shown = [([_formula(side)], _width(side)) for side in sides]
    else:
        title, kind = f"two {size} matrices, equal entry by entry:", "equations"
        pairs = dict.fromkeys(zip(lhs.flat(), rhs.flat(), strict=True))
        shown = [_entry(*pair) for pair in pairs if pair[0] != pair[1] or pair[0].free_symbols]
    lines = [_note(title)]
    for number, (entry, widest) in enumerate(shown):
        if widest > _WIDEST or len(lines) + len(entry) > _MOST_LINES:
            rest = f"more {kind}" if number else f"{kind}, too long to show"
            return [*lines, _note(f"({len(shown) - number} {rest})")]
        lines += entry
    return lines


def _entry(left, right):
    """The lines of one equation, and the width of its wider side."""
    widths = _width(left), _width(right)
    return _equation(_formula(left), _formula(right), sum(widths)), max(widths)


def _room_below(line, rows):
    r"""An invisible bar deeper than the line, which ``\\[4pt]`` does not keep off the next one."""
    fractions = r"\frac" in line
    if "matrix}" not in line:
        rows = 1 if fractions else 0
    depth = (1.2 if fractions else 0.6) * rows + 0.2
    return rf"\rule[-{depth:.1f}em]{{0em}}{{1em}}" if rows else ""


def _note(words):
    return rf"{{\small\text{{{words}}}}}".replace(r"\text{}", "")


def _or_described(side):
    return _formula(side) if _width(side) <= _WIDEST else rf"\text{{{_described(side)}}}"


def _described(side):
    return f"(an expression of {sp.count_ops(side)} operations)"


def _domain(symbols):
    """For which values: the words for each kind of symbol, and their names if they are few."""
    by_kind = {}
    for symbol in sorted(symbols, key=sp.default_sort_key):
        by_kind.setdefault(_kind(symbol), []).append(symbol)
    phrases = []
    for (kind, is_all), group in by_kind.items():
        few = len(group) <= _MOST_NAMES
        names = rf"}}{', '.join(map(sp.latex, group))}\text{{" if few else "symbols"
        phrases.append(f"{kind} {names}" + ("" if is_all else " under further assumptions"))
    *most, last = phrases
    return f"for all {', '.join(most)}{' and ' if most else ''}{last}"


def _kind(symbol):
    """Words for the symbol's assumptions, and whether they say all that is assumed."""
    words = [word for word in _SIGNS if getattr(symbol, f"is_{word}")][:1]
    words += [word for word in _KINDS if getattr(symbol, f"is_{word}")][:1] or ["complex"]
    said = sp.Symbol("x", **dict.fromkeys(words, True)).assumptions0
    nothing = sp.Symbol("x").assumptions0  # means complex too
    return " ".join(words), symbol.assumptions0 in (said, nothing)


def _formula(side):
    """LaTeX without the brackets that a reader does not need."""
    written = sp.latex(side, mat_str="matrix", mat_delim="(")
    if r"\frac" in written:
        written = written.replace(r"\\", r"\\[10pt]")  # counted from a row without fractions
    written = re.sub(rf"\{{\\left\({_NAME} \\right\)\}}{_SAFELY_FOLLOWED}", r" \1", written)
    return re.sub(rf"\{{\\left\(({_PLAIN}(?:{_BRACKETED}{_PLAIN})?) \\right\)\}}", r"(\1)", written)


def _width(side):
    """Printed characters of the widest line, roughly; a matrix is as wide as its columns."""
    if isinstance(side, sp.MatrixBase):
        return sum(2 + max(map(_width, side.col(j))) for j in range(side.cols))
    printed = re.sub(r"\\(?:left|right|frac|operatorname|quad)\b", "", _formula(side))
    printed = re.sub(r"\\(?:sin|cos|tan|log|exp)\b", "xxxx", printed)  # with the space around it
    printed = re.sub(r"[{}_^\s]", "", re.sub(r"\\[a-zA-Z]+", "x", printed))
    return len(re.sub(r"(?<=[^(])[-+]", "xxx", printed))
