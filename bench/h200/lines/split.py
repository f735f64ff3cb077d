"""Writes the two versions of planted files, and where their faults are.

  python3 split.py OUT FILE...

A line that ends in `// fault: KIND` is the fault; one that ends in `// faulty` belongs to it; `//= LINE` stands in
their place in the mended version (in Python files with # for //). The marks themselves are in neither version, and
the faulty one begins with three lines more, so that nothing stays where it was between the two. OUT/faults.tsv has
one row per fault: file, line in the faulty version, kind.
"""

import pathlib
import re
import sys

MARK = re.compile(r"\s*(?://|#) (?:fault: (?P<kind>[\w-]+)|faulty)$")
MENDED = re.compile(r"^(?P<indent>\s*)(?://|#)= (?P<line>.*)$")


def versions(text, comment):
    faulty = [f"{comment} A comment that the mended version does not have,", f"{comment} so that", f"{comment} lines move."]
    mended = []
    faults = []
    for line in text.split("\n"):
        instead = MENDED.match(line)
        mark = MARK.search(line)
        if instead:
            mended.append(instead["indent"] + instead["line"])
        elif mark:
            faulty.append(line[: mark.start()])
            if mark["kind"]:
                faults.append((len(faulty), mark["kind"]))
        else:
            faulty.append(line)
            mended.append(line)
    return {"faulty": "\n".join(faulty), "mended": "\n".join(mended)}, faults


def main(out, files):
    rows = []
    for name in files:
        source = pathlib.Path(name)
        both, faults = versions(source.read_text(), "#" if source.suffix == ".py" else "//")
        rows += [f"{source.name}\t{line}\t{kind}" for line, kind in faults]
        for version, text in both.items():
            target = pathlib.Path(out, version, source.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
    pathlib.Path(out, "faults.tsv").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
