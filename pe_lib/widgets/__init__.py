"""The book's interactive figures: live in a notebook, and on the published page without a kernel.

Each is a small anywidget whose traits are the whole contract. The JavaScript in ``src`` draws
them; its bundle, ``static/figures.js``, is made by ``make widgets``.
"""

from pe_lib.widgets.alibi import AlibiHeads
from pe_lib.widgets.construction import WaveExplorer
from pe_lib.widgets.interpolation import ContextExplorer
from pe_lib.widgets.permutation import PermutationPlayground
from pe_lib.widgets.rope import RopeDials
from pe_lib.widgets.rotation import RotationExplorer

__all__ = [
    "AlibiHeads",
    "ContextExplorer",
    "PermutationPlayground",
    "RopeDials",
    "RotationExplorer",
    "WaveExplorer",
]
