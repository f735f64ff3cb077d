"""
What GPU MODE's own check says of a submission on this GPU: its reference, its inputs, its comparison, in a process of its own.

    gpumode_own_check.py TASK_FOLDER SUBMISSION...     a line of JSON for each submission

Nothing of the suite is part of this repository: TASK_FOLDER lies in a checkout of it.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Calls for the files of the task as its own evaluation does: reference, task and utils beside the submission.
CHECK = """
import json, sys
import torch
from reference import check_implementation, generate_input
from submission import custom_kernel

said = []
for spec in json.load(open("specs.json")):
    data = generate_input(**spec)
    copies = tuple(one.clone() if isinstance(one, torch.Tensor) else one for one in data)
    answer = check_implementation(data, custom_kernel(copies))
    said.append(answer if isinstance(answer, str) else list(answer))
print(json.dumps(said))
"""


def task_of(folder):
    """Files and tests of a task. Their rows in task.yml are JSON, and a GPU machine may have no reader of YAML."""
    task, section = {}, None
    for line in (folder / "task.yml").read_text().splitlines():
        if line[:1].isalpha():
            section = line.split(":")[0]
        elif line.strip().startswith("- {"):
            task.setdefault(section, []).append(json.loads(line.strip()[2:]))
    return task


def asked(folder, submission):
    task = task_of(folder)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for one in task["files"]:
            source = submission if one["source"] == "@SUBMISSION@" else folder / one["source"]
            shutil.copy(source, scratch / one["name"])
        (scratch / "specs.json").write_text(json.dumps(task["tests"]))
        (scratch / "check.py").write_text(CHECK)
        run = subprocess.run([sys.executable, "check.py"], cwd=scratch, capture_output=True, text=True, timeout=180)
        if run.returncode != 0:
            return {"error": run.stderr[-300:]}
        return {"said": json.loads(run.stdout.splitlines()[-1])}


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1]).resolve()
    for name in sys.argv[2:]:
        submission = pathlib.Path(name).resolve()
        print(json.dumps({"submission": os.path.relpath(submission, folder.parent), **asked(folder, submission)}), flush=True)
