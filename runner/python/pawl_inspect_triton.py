"""
What the text of a file says about its Triton kernels, for `pawl adopt`: nothing of the file runs, and neither a GPU nor
Triton is needed.
"""

from __future__ import annotations

import ast
import re
from typing import Any, Iterator

from pawl_candidate.definitions import names_of, needed_statements, work_left_out
from pawl_inspect_text import imports_in, parameters_of
from pawl_inspect_values import Config, Unknown, Values, short

#: A configuration's own settings, beside the parameters of its kernel.
OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg")
#: What Triton takes where a configuration does not say; the others have no default that can be written.
DEFAULTS = {"num_warps": 4, "num_stages": 3, "num_ctas": 1}
#: Functions that try kernels out and are none.
TRIES = re.compile(r"^(test|bench|benchmark|main|run|profile|verify|validate|unit_test|check|demo|plot)(_|$)|_(test|bench|benchmark)$")
#: Functions that say what is right, by their names.
WORDS = "naive|torch|pytorch|ref|reference|golden|eager|expected|native"
REFERENCE = re.compile(rf"^({WORDS})(_|$)|_({WORDS})$")
#: Settings of every launch, whatever its kernel.
LAUNCH_SETTINGS = ("num_warps", "num_stages")
#: Fewer would be no block, and flags are 0 and 1.
LEAST_BLOCK = 8
MOST_CONFIGS = 1000


class TritonFile:
    def __init__(self, tree: ast.Module, source: str) -> None:
        self._tree = tree
        self._lines = source.splitlines()
        self._aliases = aliases_in(tree)
        self._values = Values(tree, self.full_name)
        self._definitions = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        self._kernels = {
            name: node
            for name, node in self._definitions.items()
            if isinstance(node, ast.FunctionDef) and any(self._is(each, "triton.jit") for each in node.decorator_list)
        }
        self._inside = {name for node in self._kernels.values() for name in names_of(node)[0]}

    def look(self) -> dict[str, Any]:
        hosts = list(self._hosts())
        return {
            "kernels": [self._kernel(node) for node in self._kernels.values()],
            "hosts": hosts,
            "references": [self._reference(node) for node in self._references({host["name"] for host in hosts})],
        }

    def full_name(self, node: ast.AST) -> str | None:
        """`triton.language.constexpr` of `tl.constexpr`, whatever it was imported as."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        return ".".join([self._aliases.get(node.id, node.id), *reversed(parts)])

    def _is(self, decorator: ast.expr, name: str) -> bool:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        found = self.full_name(called) or ""
        # As it is exported, and where it is defined: `triton.jit`, `triton.runtime.jit`.
        return found.startswith("triton") and found.rpartition(".")[2] == name.rpartition(".")[2]

    def _kernel(self, node: ast.FunctionDef) -> dict[str, Any]:
        autotune = next(
            (each for each in node.decorator_list if isinstance(each, ast.Call) and self._is(each, "triton.autotune")), None
        )
        return {
            "name": node.name,
            "line": node.lineno,
            "constants": self._constants(node),
            "autotune": None if autotune is None else self._configs(autotune),
        }

    def _constants(self, node: ast.FunctionDef) -> list[str]:
        """Its `constexpr` parameters."""
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        return [
            each.arg
            for each in every
            if each.annotation is not None and ast.unparse(each.annotation).strip("'\"").rpartition(".")[2] == "constexpr"
        ]

    def _configs(self, autotune: ast.Call) -> dict[str, Any]:
        """The configurations, or why they cannot be read."""
        given = next((each.value for each in autotune.keywords if each.arg == "configs"), None)
        given = autotune.args[0] if given is None and autotune.args else given
        try:
            if given is None:
                raise Unknown("it lists none")
            configs = self._values.of(given)
            if not isinstance(configs, (list, tuple)) or not configs:
                raise Unknown(f"`{short(given)}` is not a list of configurations")
            if len(configs) > MOST_CONFIGS:
                raise Unknown(f"there are more than {MOST_CONFIGS}")
            return {"configs": flattened(configs), "unknown": None}
        except Unknown as error:
            return {"configs": None, "unknown": str(error)}

    def _hosts(self) -> Iterator[dict[str, Any]]:
        """Functions that launch kernels, themselves or through others of the file."""
        for name, node in self._definitions.items():
            is_try = TRIES.search(name) or any("perf_report" in ast.unparse(each) for each in node.decorator_list)
            if isinstance(node, ast.FunctionDef) and name not in self._kernels and not is_try and self._comes_to_kernels(name):
                yield self._host(name, node.lineno, node.args, False)
        for node in self._tree.body:
            applied = self._applied(node)
            if applied is not None and self._comes_to_kernels(applied[0]):
                name, forward = applied
                yield self._host(name, node.lineno, forward.args, True)

    def _applied(self, node: ast.stmt) -> tuple[str, ast.FunctionDef] | None:
        """`attention = Attention.apply`, of an autograd function: its `forward`, which also gets a context."""
        if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
            return None
        value = node.value
        if not (isinstance(value, ast.Attribute) and value.attr == "apply" and isinstance(value.value, ast.Name)):
            return None
        found = self._definitions.get(value.value.id)
        forward = method_of(found, "forward") if isinstance(found, ast.ClassDef) else None
        return None if forward is None else (node.targets[0].id, forward)

    def _host(self, name: str, line: int, arguments: ast.arguments, is_applied: bool) -> dict[str, Any]:
        reached = self._reached(name)
        parameters = parameters_of(arguments)[1 if is_applied else 0 :]
        kept = needed_statements(self._tree, [name])
        return {
            "name": name,
            "line": line,
            "parameters": parameters,
            "applied": is_applied,
            "returns": any(returns_something(each) for each in reached[:1]),
            "launches": [launch for each in reached for launch in self._launches(each)],
            "settings": self._settings(reached[0], arguments) if reached and not is_applied else {},
            "left_out": [[each.lineno, each.end_lineno or each.lineno] for each in work_left_out(self._tree, kept)],
        }

    def _reached(self, name: str) -> list[ast.stmt]:
        """Functions and classes that a call of this name comes to; kernels are not looked into."""
        seen, open_names, found = {name}, [name], []
        while open_names:
            current = open_names.pop()
            for node in self._tree.body if current not in self._kernels else []:
                if current not in names_of(node)[1]:
                    continue
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    # Gradients are off: of an autograd function nothing but `forward` is called.
                    is_autograd = isinstance(node, ast.ClassDef) and method_of(node, "backward") is not None
                    node = (method_of(node, "forward") if is_autograd else None) or node
                    found.append(node)
                elif not (isinstance(node, ast.Assign) and self._applied(node) is not None):
                    continue
                names = names_of(node)[0] - seen
                seen |= names
                open_names.extend(sorted(names))
        return found

    def _comes_to_kernels(self, name: str) -> bool:
        return any(names_of(each)[0] & self._kernels.keys() for each in self._reached(name))

    def _launches(self, function: ast.AST) -> Iterator[dict[str, Any]]:
        for kernel, launch in self._launch_calls(function):
            yield {"kernel": kernel, "line": launch.lineno, "literals": self._literals(function, launch, kernel)}

    def _launch_calls(self, function: ast.AST) -> Iterator[tuple[str, ast.Call]]:
        """`kernel[grid](…)`."""
        for node in ast.walk(function):
            launched = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript) else None
            if isinstance(launched, ast.Name) and launched.id in self._kernels:
                yield launched.id, node

    def _literals(self, function: ast.AST, launch: ast.Call, kernel: str) -> dict[str, int]:
        """
        Numbers that a launch gives its kernel's constants, where nothing else of the function has the same number: a
        grid or a buffer that is computed from it would not change with it.
        """
        if kernel in self._inside:
            return {}
        numbers = [
            each.value for each in ast.walk(function) if isinstance(each, ast.Constant) and type(each.value) is int
        ]
        given = {each.arg: each.value.value for each in launch.keywords if each.arg and isinstance(each.value, ast.Constant)}
        return {
            name: value
            for name, value in given.items()
            if self._is_setting(kernel, name, value) and (name in LAUNCH_SETTINGS or numbers.count(value) == 1)
        }

    def _settings(self, function: ast.AST, arguments: ast.arguments) -> dict[str, int]:
        """Parameters of the function that it hands to a kernel as constants, with their defaults."""
        every = [*arguments.posonlyargs, *arguments.args]
        defaults = dict(zip([each.arg for each in every][len(every) - len(arguments.defaults) :], arguments.defaults))
        defaults.update({each.arg: value for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults) if value})
        found = {}
        for kernel, launch in self._launch_calls(function):
            for each in launch.keywords:
                default = defaults.get(each.value.id) if isinstance(each.value, ast.Name) else None
                if each.arg and isinstance(default, ast.Constant) and self._is_setting(kernel, each.arg, default.value):
                    found[each.value.id] = default.value
        return found

    def _is_setting(self, kernel: str, name: str, value: Any) -> bool:
        if type(value) is not int:
            return False
        is_block = name in self._constants(self._kernels[kernel]) and value >= LEAST_BLOCK and value & (value - 1) == 0
        return is_block or name in LAUNCH_SETTINGS

    def _references(self, hosts: set[str]) -> list[ast.FunctionDef]:
        return [
            node
            for name, node in self._definitions.items()
            if isinstance(node, ast.FunctionDef)
            and REFERENCE.search(name)
            and not TRIES.search(name)
            and name not in self._kernels
            and name not in hosts
            and not any(names_of(each)[0] & (hosts | set(self._kernels)) for each in self._reached(name))
        ]

    def _reference(self, node: ast.FunctionDef) -> dict[str, Any]:
        kept = needed_statements(self._tree, [node.name])
        return {
            "name": node.name,
            "parameters": parameters_of(node.args),
            "source": self._text(kept),
            "imports": sorted({name for each in kept for name in imports_in(each)}),
        }

    def _text(self, statements: list[ast.stmt]) -> str:
        """The lines of these statements, decorators included."""
        parts = []
        for node in statements:
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
            gap = "\n\n" if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else ""
            parts.append(gap + "\n".join(self._lines[first - 1 : node.end_lineno]) + "\n")
        return "".join(parts)


def returns_something(function: ast.AST) -> bool:
    """A function within it may return what it likes, so this is said too often rather than too rarely."""
    return any(isinstance(each, ast.Return) and each.value is not None for each in ast.walk(function))


def method_of(node: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    return next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == name), None)


def flattened(configs: Any) -> list[dict[str, Any]]:
    """Each as one mapping. An option that no configuration sets is Triton's affair."""
    if not all(isinstance(each, Config) for each in configs):
        raise Unknown("they are not all triton.Config")
    named = [name for name in OPTIONS if any(getattr(each, name) is not None for each in configs)]
    found = []
    for each in configs:
        options = {name: getattr(each, name) if getattr(each, name) is not None else DEFAULTS.get(name) for name in named}
        flat = {**each.kwargs, **options}
        if not all(isinstance(name, str) and type(value) in (bool, int, float, str) for name, value in flat.items()):
            raise Unknown("their values are not all numbers or texts")
        if found and flat.keys() != found[0].keys():
            raise Unknown("they do not all set the same parameters")
        if flat not in found:
            found.append(flat)
    return found


def aliases_in(tree: ast.Module) -> dict[str, str]:
    """What names of imported things stand for."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = alias.name if alias.asname else alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            found.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return found
