"""Mend the markup that sphinx-proof and sphinx-exercise give their boxes.

sphinx-proof writes "Proof." into the first paragraph, gives every proof of a page the same id and
the classes of a theorem. Here a folded proof gets a title to unfold it by, any other an emphasized
first word, none an id, and all the class ``proof-box``. The contents of all boxes lose the ids
that repeat from box to box.
"""

from docutils import nodes
from sphinx_proof.nodes import proof_node


def mark_up_proofs(app, doctree):
    """Rewrite the proofs of a page that has just been read."""
    for proof in doctree.findall(proof_node):
        box = proof[0]
        box["ids"] = []
        box["classes"] = ["proof-box", *(set(box["classes"]) - {"proof"})]
        word, found, _ = box[0].astext().partition(". ")
        first = next(box[0].findall(nodes.Text))
        first.parent.replace(first, nodes.Text(first.removeprefix(word + found)))
        if "dropdown" in box["classes"]:
            box.insert(0, nodes.title("", word))
        else:
            box[0].insert(0, [nodes.emphasis("", f"{word}."), nodes.Text(" ")])


def drop_repeated_ids(app, doctree, docname):
    """Take the ids from the sections inside boxes, once all references are resolved."""
    for section in doctree.findall(nodes.section):
        if isinstance(section.parent, nodes.Admonition):
            section["ids"] = []


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-read", mark_up_proofs)
    app.connect("doctree-resolved", drop_repeated_ids)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
