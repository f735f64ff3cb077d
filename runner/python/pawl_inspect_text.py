"""What the text of a Python file says, for `pawl adopt`; shared by what reads it."""

from __future__ import annotations

import ast
from typing import Any


def parameters_of(arguments: ast.arguments) -> list[dict[str, Any]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    plain = len(positional) - len(arguments.defaults)
    found = [{"name": each.arg, "has_default": at >= plain, "by_name": False} for at, each in enumerate(positional)]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults)
    return [*found, *({"name": each.arg, "has_default": value is not None, "by_name": True} for each, value in named)]


def imports_in(tree: ast.AST) -> list[str]:
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names.append(node.module)
    return names
