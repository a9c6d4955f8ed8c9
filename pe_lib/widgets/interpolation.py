"""Read beyond the training length: which pairs meet angles that training never showed."""

import numpy as np
import traitlets

from pe_lib import _checks, context, frequencies
from pe_lib.plots import stills
from pe_lib.widgets._figure import InteractiveFigure, trait_errors

#: Model -> tokens in training, base.
MODELS = {
    "LLaMA 1": (2048, 10_000.0),
    "Llama 2": (4096, 10_000.0),
    "Llama 3": (8192, 500_000.0),
}
#: Rotated channels of one head, in all of them.
DIM = 128
#: Longest sequence and largest factor.
LONGEST, LARGEST = 1_048_576, 1000.0


class ContextExplorer(InteractiveFigure):
    """The angles that each pair of a model saw in training, and those that it meets now.

    Parameters
    ----------
    model : {"LLaMA 1", "Llama 2", "Llama 3"}
        Sets the length of training and the base; a head rotates 128 channels.
    length : int
        Tokens now, 2 to 1,048,576.
    factor : float
        s of the method, 1 to 1000.
    method : {"none", "linear", "ntk"}
        What is done to the frequencies.
    pair : int
        The channel pair shown closely, 0 to 63.

    Raises
    ------
    traitlets.TraitError
        If a value is out of its range.

    Examples
    --------
    >>> explorer = ContextExplorer(model="LLaMA 1", length=8192, factor=4)
    >>> int(explorer.new().sum())
    23
    >>> explorer.method = "linear"
    >>> int(explorer.new().sum())
    0
    """

    _settings = ("model", "length", "factor", "method", "pair")

    figure = traitlets.Unicode("interpolation", read_only=True).tag(sync=True)
    room = traitlets.Dict({"wide": "41rem", "narrow": "57.5rem"}, read_only=True).tag(sync=True)
    models = traitlets.List(read_only=True).tag(sync=True)
    model = traitlets.Enum(list(MODELS), "LLaMA 1").tag(sync=True)
    length = traitlets.Int(8192).tag(sync=True)
    factor = traitlets.Float(4.0).tag(sync=True)
    method = traitlets.Enum(["none", "linear", "ntk"], "none").tag(sync=True)
    pair = traitlets.Int(45).tag(sync=True)

    @traitlets.default("models")
    def _default_models(self):
        return [[name, *setting] for name, setting in MODELS.items()]

    @traitlets.validate("length")
    def _check_length(self, proposal):
        if not 2 <= proposal.value <= LONGEST:
            raise traitlets.TraitError(
                f"length must lie between 2 and {LONGEST}, got {proposal.value}"
            )
        return proposal.value

    @traitlets.validate("factor")
    def _check_factor(self, proposal):
        with trait_errors():
            factor = _checks.scalar("factor", proposal.value)
        if not 1 <= factor <= LARGEST:
            raise traitlets.TraitError(
                f"factor must lie between 1 and {LARGEST:.0f}, got {factor:g}"
            )
        return factor

    @traitlets.validate("pair")
    def _check_pair(self, proposal):
        if not 0 <= proposal.value < DIM // 2:
            raise traitlets.TraitError(
                f"pair must be at least 0 and below {DIM // 2}, got {proposal.value}"
            )
        return proposal.value

    @property
    def trained(self):
        """Tokens in training."""
        return MODELS[self.model][0]

    @property
    def base(self):
        """The model's base."""
        return MODELS[self.model][1]

    def frequencies(self):
        """Return the frequencies of training, in rad per token."""
        return frequencies(DIM, base=self.base)

    def scaled(self):
        """Return the frequencies that are used now, in rad per token."""
        if self.method == "linear":
            return context.linear(self.frequencies(), factor=self.factor).frequencies
        if self.method == "ntk":
            return context.ntk(DIM, base=self.base, factor=self.factor).frequencies
        return self.frequencies()

    def seen(self):
        """Return each pair's largest angle in training, in rad."""
        return self.frequencies() * (self.trained - 1)

    def met(self):
        """Return each pair's largest angle now, in rad."""
        return self.scaled() * (self.length - 1)

    def new(self):
        """Return which pairs meet angles that training never showed.

        These have not closed their circle in training, and turn as far as the first distance that
        training did not have, or farther.
        """
        omega = self.frequencies()
        return (2 * np.pi / omega > self.trained) & (self.met() >= omega * self.trained)

    def still(self):
        """Draw the present state."""
        return stills.context_explorer(
            self.seen(),
            self.met(),
            self.new(),
            self.pair,
            f"{self.model} at {self.length} tokens, method {self.method}, factor {self.factor:g}",
        )
