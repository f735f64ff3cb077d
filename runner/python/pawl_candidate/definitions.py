"""
A module without what it does beside defining things: files that were written as scripts run benchmarks when they are
imported. Of such a file a wrapper that `pawl adopt` wrote imports only what one function needs.
"""

from __future__ import annotations

import ast
import builtins
import dis
import functools
import os
import sys
from types import CodeType, ModuleType
from typing import Iterable

LOADS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS", "LOAD_CLASSDEREF")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
IMPORTS = (ast.Import, ast.ImportFrom)


def definitions_of(path: str, *names: str) -> ModuleType:
    """The module of a file with the statements that these names need, and no others."""
    path = os.path.abspath(path)
    with open(path, encoding="utf-8") as file:
        source = file.read()
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    module = ModuleType(f"pawl_definitions_{os.path.basename(path).partition('.')[0]}")
    module.__file__ = path
    # Triton and PyTorch read the sources of functions again, by file and line.
    sys.modules[module.__name__] = module
    kept = needed_statements(ast.parse(source, path), names)
    exec(compile(ast.Module(kept, []), path, "exec", dont_inherit=True), module.__dict__)
    return module


def needed_statements(tree: ast.Module, names: Iterable[str]) -> list[ast.stmt]:
    """Those at the top level that these names need, and settings of imported modules (`torch.backends… = True`)."""
    statements = [Statement(node) for node in tree.body]
    imported = {name for one in statements if isinstance(one.node, IMPORTS) for name in one.stores}
    defined = {name for one in statements if one.is_definition for name in one.stores}
    used = {name for one in statements for name in one.loads}
    needed = set(names)
    kept: set[int] = set()
    while True:
        found = {
            at
            for at, one in enumerate(statements)
            if at not in kept and (one.is_needed(needed, used) or one.is_setting(imported, defined, needed))
        }
        if not found:
            return [one.node for at, one in enumerate(statements) if at in kept]
        kept |= found
        needed.update(name for at in found for name in statements[at].loads)


def work_left_out(tree: ast.Module, kept: list[ast.stmt]) -> list[ast.stmt]:
    """Statements that are not kept and compute something: no definitions, imports, constants or texts."""
    others = [Statement(node) for node in tree.body if node not in kept]
    return [one.node for one in others if one.computes]


class Statement:
    def __init__(self, node: ast.stmt) -> None:
        self.node = node
        self.loads, self.stores = names_of(node)

    @property
    def is_definition(self) -> bool:
        return isinstance(self.node, (*FUNCTIONS, ast.ClassDef))

    @property
    def computes(self) -> bool:
        if self.is_definition or isinstance(self.node, IMPORTS) or self._is_main:
            return False
        return any(isinstance(each, (ast.Call, ast.For, ast.While)) for each in ast.walk(self.node))

    def is_needed(self, needed: set[str], used: set[str]) -> bool:
        if self._is_main:
            return False
        if isinstance(self.node, ast.ImportFrom) and self.node.module == "__future__":
            return True
        # What is imported and never named is imported for what that does.
        if isinstance(self.node, IMPORTS) and not self.stores & used:
            return True
        return bool(self.stores & needed)

    def is_setting(self, imported: set[str], defined: set[str], needed: set[str]) -> bool:
        """`torch.set_default_device("cuda")`, `os.environ["X"] = "1"`: of modules, and of nothing computed here."""
        node = self.node
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            changed = [node.value.func]
        elif isinstance(node, ast.Assign):
            changed = node.targets
        else:
            return False
        roots = [root_of(each) for each in changed]
        if any(isinstance(each, ast.Name) for each in changed) or not all(root in imported for root in roots):
            return False
        calls = {root_of(each.func) for each in ast.walk(node) if isinstance(each, ast.Call)}
        return not calls & defined and self.loads <= imported | defined | needed | set(dir(builtins))

    @property
    def _is_main(self) -> bool:
        return isinstance(self.node, ast.If) and any(
            isinstance(each, ast.Name) and each.id == "__name__" for each in ast.walk(self.node.test)
        )


def root_of(node: ast.AST) -> str | None:
    """`torch` of `torch.backends.cuda`."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


@functools.lru_cache(maxsize=None)
def names_of(node: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    """Global names that a statement reads, when it runs or when what it defines is called, and those that it sets."""
    loads: set[str] = set()
    stores: set[str] = set()
    # Python's own compiler knows which names are global.
    top = compile(ast.Module([node], []), "-", "exec", dont_inherit=True)
    open_codes: list[CodeType] = [top]
    while open_codes:
        code = open_codes.pop()
        open_codes.extend(each for each in code.co_consts if isinstance(each, CodeType))
        for one in dis.get_instructions(code):
            if one.opname in LOADS:
                loads.add(one.argval)
            elif one.opname == "STORE_GLOBAL" or (one.opname == "STORE_NAME" and code is top):
                stores.add(one.argval)
    return frozenset(loads), frozenset(stores)
