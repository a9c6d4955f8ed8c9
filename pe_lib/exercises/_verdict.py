"""What the reader sees of a check."""

import html
from dataclasses import dataclass


@dataclass(frozen=True, repr=False)
class Verdict:
    """The outcome of :func:`pe_lib.exercises.check`; true exactly if the answer is right.

    Attributes
    ----------
    name : str
        Of the exercise.
    right : bool
    details : tuple of (str, str)
        Label and text of what there is to say: the input that shows the mistake, what the answer
        gave there, a hint, the answer's own output and warnings.
    """

    name: str
    right: bool
    details: tuple = ()

    @property
    def message(self):
        """The whole verdict as text, one detail a line."""
        lines = [f"{self._headline} ({self.name})"]
        lines += [f"  {label}: {text}" for label, text in self.details]
        return "\n".join(lines)

    @property
    def _headline(self):
        return "Right" if self.right else "Not yet"

    def __bool__(self):
        return self.right

    def __repr__(self):
        return self.message

    def _repr_html_(self):
        """HTML for notebooks: a status region whose first words say the outcome."""
        details = "".join(
            f"<dt>{html.escape(label)}</dt><dd>{html.escape(text)}</dd>"
            for label, text in self.details
        )
        outcome = "right" if self.right else "not-yet"
        return (
            f'<div class="pe-verdict pe-verdict-{outcome}" role="status">'
            f"<p><strong>{self._headline}</strong> <code>{html.escape(self.name)}</code></p>"
            + (f"<dl>{details}</dl>" if details else "")
            + "</div>"
        )
