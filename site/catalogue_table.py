"""Print ``pe_lib.catalogue.SCHEMES`` as tables: the directive ``catalogue``, one per family."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from pe_lib.catalogue import SCHEMES

LENGTH, NUM_HEADS, DIM = 4096, 32, 128  # of one layer of a model as in Llama 2
HEAD = [
    "Scheme",
    "Parameters",
    "Memory",
    "Bounded",
    "Relative",
    "Directional",
    "Past training",
    "Used by",
]


def count(number):
    """A number of numbers, short enough for a table."""
    for size, unit in ((10**9, "billion"), (10**6, "million")):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:,}"


def row(name, scheme):
    """The cells of one scheme, in reStructuredText."""
    function = f"{scheme.function.__module__}.{scheme.function.__name__}"
    public = ".".join(part for part in function.split(".") if not part.startswith("_"))
    finding = scheme.finding
    if finding:
        verdict = "works" if finding.extrapolates else "fails"
        finding = f"{verdict}: :cite:t:`{finding.citation}`, {finding.conditions}"
    return [
        f":func:`{name.replace('_', ' ')} <{public}>` :cite:p:`{scheme.citation}`",
        *(count(number(LENGTH, NUM_HEADS, DIM)) for number in (scheme.parameters, scheme.memory)),
        *(
            "yes" if said else "no"
            for said in (scheme.bounded, scheme.relative, scheme.directional)
        ),
        finding or "–",
        ", ".join(scheme.models) or "–",
    ]


class Catalogue(SphinxDirective):
    """The schemes of one family as a table with a head."""

    required_arguments = 1

    def run(self):
        """Write the table as a list-table and let Sphinx read it."""
        family = self.arguments[0]
        rows = [row(name, scheme) for name, scheme in SCHEMES.items() if scheme.family == family]
        if not rows:
            raise self.error(f"no scheme of pe_lib.catalogue is of the family {family!r}")
        lines = [".. list-table::", "   :header-rows: 1", "   :class: catalogue", ""]
        for cells in [HEAD, *rows]:
            lines += [f"   {'  ' if i else '* '}- {cell}" for i, cell in enumerate(cells)]
        table = self.parse_text_to_nodes("\n".join(lines))
        # In MyST each block of reStructuredText counts its citations from id1 again.
        for part in table:
            for node in part.findall(nodes.Element):
                node["ids"] = [f"{family}-{identity}" for identity in node["ids"]]
        return table


def setup(app):
    """Register with Sphinx."""
    app.add_directive("catalogue", Catalogue)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
