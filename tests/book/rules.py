"""The rules that every chapter keeps, each a function from a notebook to its faults.

Each rule yields a sentence per fault. ``test_rules.py`` shows of every rule that a faulty notebook
breaks it; ``test_chapters.py`` holds the chapters to all of them.
"""

import ast
import re

MAX_LINES = 15
MAX_PROSE_WORDS = 150
MIN_EXERCISES = 4


def sources(notebook, kind):
    """Yield (index, text) of the cells of one kind."""
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == kind:
            yield index, cell.source


def prose(notebook):
    """All markdown of the notebook, without blocks of plain code."""
    kept, fence = [], None
    for line in "\n\n".join(text for _, text in sources(notebook, "markdown")).splitlines():
        opening = re.match(r"(`{3,})(.*)", line)
        if fence is None and opening and opening[2].strip() and not opening[2].startswith("{"):
            fence = opening[1]
        if fence is None:
            kept.append(line)
        elif line.rstrip() == fence:
            fence = None
    return "\n".join(kept)


def one_title(notebook):
    """Exactly one H1, in the first cell."""
    titles = [
        (index, line)
        for index, text in sources(notebook, "markdown")
        for line in text.splitlines()
        if re.match(r"#\s", line)
    ]
    if len(titles) != 1:
        yield f"{len(titles)} first-level headings: {[line for _, line in titles]}"
    elif titles[0][0] != 0:
        yield f"the title stands in cell {titles[0][0]}, not in the first"


def short_cells(notebook):
    """No code cell is longer than MAX_LINES."""
    for index, text in sources(notebook, "code"):
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > MAX_LINES:
            yield f"cell {index} has {len(lines)} lines: {lines[0]!r}"


def no_trailing_semicolon(notebook):
    """No cell hides what it shows behind a semicolon."""
    for index, text in sources(notebook, "code"):
        if text.rstrip().endswith(";"):
            yield f"cell {index} ends with a semicolon"


def executed(notebook):
    """Every code cell was executed, once, from top to bottom, without an error."""
    counts = []
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        if not cell.source.strip():
            yield f"cell {index} is empty"
        counts.append(cell.execution_count)
        if any(output.output_type == "error" for output in cell.outputs):
            yield f"cell {index} stores an error"
    if counts != list(range(1, len(counts) + 1)):
        yield f"execution counts are {counts}"


def outputs_stored(notebook):
    """A cell whose last line is a value stores an output.

    Silent by design: calls into ``np.testing``, and ``assert`` statements.
    """
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        last = ast.parse(cell.source).body[-1]
        is_value = isinstance(last, ast.Expr)
        silent = is_value and ast.unparse(last).startswith("np.testing.")
        if is_value and not silent and not cell.outputs:
            yield f"cell {index} shows {ast.unparse(last)[:40]!r} but stores no output"


def only_stable_outputs(notebook):
    """No stored output holds an address in memory, a time, or a stray warning."""
    for index, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                yield f"cell {index} writes to stderr: {output.text[:60]!r}"
            text = output.get("text", "") or output.get("data", {}).get("text/plain", "")
            if re.search(r"\b0x[0-9a-f]{6,}", text):
                yield f"cell {index} stores an address: {text[:60]!r}"


def figures_described(notebook):
    """A cell that shows a picture has a caption, a name and alt text that is not the caption."""
    for index, cell in enumerate(notebook.cells):
        shown = [mime for output in cell.get("outputs", []) for mime in output.get("data", {})]
        if not any(mime.startswith("image/") for mime in shown):
            continue
        described = cell.metadata.get("mystnb", {})
        caption = described.get("figure", {}).get("caption", "")
        alt = described.get("image", {}).get("alt", "")
        if not described.get("figure", {}).get("name", "").startswith("fig-"):
            yield f"cell {index} shows a picture without a name fig-..."
        if len(caption.split()) < 5:
            yield f"cell {index} shows a picture without a caption that says what to see"
        if len(alt.split()) < 8 or alt == caption:
            yield f"cell {index} shows a picture without alt text of its own"


def labels_well_formed(notebook):
    """Every label says what it names, and every ``math`` directive has one."""
    text = prose(notebook)
    for label in re.findall(r":label: *(\S+)", text):
        if not re.fullmatch(r"(eq|thm|lem|def|prop|cor|rem|ex)-[a-z0-9-]+", label):
            yield f"label {label!r} does not begin with its kind: eq-, thm-, ex- ..."
    for block in re.findall(r"^[`:]{3,}\{math\}.*?^[`:]{3,}", text, flags=re.MULTILINE | re.DOTALL):
        if ":label:" not in block:
            yield f"an equation without a label: {block.splitlines()[1][:50]!r}"


def exercises_solved(notebook):
    """At least MIN_EXERCISES exercises, each with a solution of its own."""
    text = prose(notebook)
    exercises = _labels(text, "exercise")
    solutions = re.findall(r"\{solution(?:-start)?\}\s*(\S+)", text)
    if len(exercises) < MIN_EXERCISES:
        yield f"{len(exercises)} exercises"
    if sorted(exercises) != sorted(solutions):
        yield f"exercises {sorted(exercises)} but solutions to {sorted(solutions)}"
    checks = [text for _, text in sources(notebook, "code") if "exercises.check(" in text]
    if len({re.search(r"check\(\s*[\"']([^\"']+)", text)[1] for text in checks}) < 2:
        yield "fewer than two exercises that check themselves"


def proofs_and_play(notebook):
    """At least one machine proof and one figure that moves."""
    code = "\n".join(text for _, text in sources(notebook, "code"))
    if "prove(" not in code:
        yield "no identity is proved"
    if "widgets." not in code:
        yield "no interactive figure"


def short_prose(notebook):
    """At most MAX_PROSE_WORDS words of running text between two headings, blocks or cells."""
    for index, text in sources(notebook, "markdown"):
        outside = re.sub(r"^([:`]{3,})\{?.*?^\1\s*$", "\n#\n", text, flags=re.M | re.S)
        outside = re.sub(r"\$\$.*?\$\$", "\n#\n", outside, flags=re.S)
        for piece in re.split(r"^(?:#.*|\|.*|[-*\d].*)$", outside, flags=re.M):
            if len(piece.split()) > MAX_PROSE_WORDS:
                yield f"cell {index} runs on for {len(piece.split())} words: {piece.split()[:6]}"


def closing_sections(notebook):
    """The chapter ends with its key points and its sources."""
    headings = re.findall(r"^## (.+)$", prose(notebook), flags=re.MULTILINE)
    if headings[-2:] != ["Key points", "Sources"]:
        yield f"the last sections are {headings[-2:]}"


def citations_known(notebook, keys):
    """Every cited key stands in references.bib, and something is cited."""
    cited = {
        key.strip()
        for group in re.findall(r"\{cite[a-z:]*\}`([^`]+)`", prose(notebook))
        for key in group.split(",")
    }
    if not cited:
        yield "nothing is cited"
    for key in sorted(cited - set(keys)):
        yield f"{key!r} is cited but not in references.bib"


def _labels(text, directive):
    """Labels of all directives of one kind, in order."""
    return re.findall(rf"\{{{directive}(?:-start)?\}}[^\n]*\n(?::[^\n]*\n)*?:label: (\S+)", text)


EVERY_NOTEBOOK = [
    one_title,
    short_cells,
    no_trailing_semicolon,
    executed,
    outputs_stored,
    only_stable_outputs,
    figures_described,
    labels_well_formed,
]
EVERY_CHAPTER = [exercises_solved, proofs_and_play, short_prose, closing_sections]
