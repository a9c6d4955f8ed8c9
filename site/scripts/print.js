// On paper nothing unfolds and nobody reads a solution by accident: for print, folded boxes open where
// they stand and the solutions move to the end of the page. Afterwards the page is as it was.
{
  const restore = [];

  const changeForPrint = () => {
    if (restore.length) return;
    const article = document.querySelector("article");
    for (const box of article.querySelectorAll("details:not(.hide, [open])")) {
      box.open = true;
      restore.push(() => (box.open = false));
    }
    const solutions = [...article.querySelectorAll(".solution")];
    if (!solutions.length) return;
    const end = document.createElement("section");
    end.className = "printed-solutions";
    end.append(Object.assign(document.createElement("h2"), { textContent: "Solutions" }));
    for (const solution of solutions) {
      const place = document.createComment("solution");
      solution.replaceWith(place);
      end.append(solution);
      restore.push(() => place.replaceWith(solution));
    }
    article.append(end);
    restore.push(() => end.remove());
  };

  addEventListener("beforeprint", changeForPrint);
  addEventListener("afterprint", () => restore.splice(0).forEach((undo) => undo()));
}
