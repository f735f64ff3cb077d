"""
Values that a file's text says, for `pawl adopt`: nothing of the file runs. Lists of `triton.Config` are written out,
built by comprehensions and loops, returned by functions and filtered by others; what such code usually consists of is
worked out here, and everything else is `Unknown`.
"""

from __future__ import annotations

import ast
import itertools
import operator
from typing import Any, Callable

#: More than any list of configurations needs; a file may be hostile.
MOST_STEPS = 200_000
MOST_ITEMS = 10_000
LARGEST = 2**53

OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.Pow: operator.pow,
}
COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
}
#: Pawl's kernels in Triton run on CUDA devices; everything else about the machine is not known here.
ON_CUDA = {"torch.version.hip": None}
BACKEND = (".get_current_target().backend", "cuda")


class Unknown(Exception):
    """What the text does not say, in a few words."""


class Config:
    """What `triton.Config` was given."""

    def __init__(self, kwargs: dict[str, Any], num_warps: Any = None, num_stages: Any = None, num_ctas: Any = None, maxnreg: Any = None, **_: Any) -> None:
        self.kwargs = kwargs
        self.num_warps = num_warps
        self.num_stages = num_stages
        self.num_ctas = num_ctas
        self.maxnreg = maxnreg


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class Values:
    """Evaluates expressions over the top level of a module, of which nothing runs."""

    def __init__(self, tree: ast.Module, full_name: Callable[[ast.AST], str | None]) -> None:
        self._body = tree.body
        self._functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        self._full_name = full_name
        self._steps = 0
        self._depth = 0
        self._line = 0

    def of(self, node: ast.AST) -> Any:
        """What an expression of the top level is, at its place: what follows it has not run then."""
        self._steps = 0
        self._depth = 0
        self._line = node.lineno
        try:
            return self._value(node, {})
        except Unknown:
            raise
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            raise Unknown(f"working it out raised {type(error).__name__}") from error

    def _value(self, node: ast.AST, scope: dict[str, Any]) -> Any:
        self._step()
        method = getattr(self, f"_value_{type(node).__name__}", None)
        if method is None:
            raise Unknown(f"`{short(node)}` has to be run")
        return method(node, scope)

    def _value_Constant(self, node: ast.Constant, scope: dict[str, Any]) -> Any:
        return node.value

    def _value_Name(self, node: ast.Name, scope: dict[str, Any]) -> Any:
        if node.id in scope:
            return scope[node.id]
        if node.id in self._functions:
            return self._functions[node.id]
        return self._global(node.id)

    def _global(self, name: str) -> Any:
        """What the statements of the top level that set or change a name make of it."""
        found: dict[str, Any] = {}
        self._depth += 1
        if self._depth > 50:
            raise Unknown(f"`{name}` depends on itself")
        for statement in self._body:
            if statement.lineno < self._line and changes(statement, name):
                self._run(statement, found)
        self._depth -= 1
        if name not in found:
            raise Unknown(f"`{name}` is not set in the file")
        return found[name]

    def _value_List(self, node: ast.List, scope: dict[str, Any]) -> list[Any]:
        items: list[Any] = []
        for each in node.elts:
            if isinstance(each, ast.Starred):
                items.extend(self._items(each.value, scope))
            else:
                items.append(self._value(each, scope))
        return items

    def _value_Tuple(self, node: ast.Tuple, scope: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(self._value_List(node, scope))  # type: ignore[arg-type]

    def _value_Dict(self, node: ast.Dict, scope: dict[str, Any]) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values):
            if key is None:
                made.update(self._value(value, scope))
            else:
                made[self._value(key, scope)] = self._value(value, scope)
        return made

    def _value_BinOp(self, node: ast.BinOp, scope: dict[str, Any]) -> Any:
        left, right = self._value(node.left, scope), self._value(node.right, scope)
        work = OPERATORS.get(type(node.op))
        numbers = all(isinstance(each, (int, float)) for each in (left, right))
        lists = isinstance(node.op, ast.Add) and type(left) is type(right) and isinstance(left, (list, tuple, str))
        if work is None or not (numbers or lists):
            raise Unknown(f"`{short(node)}` has to be run")
        if isinstance(node.op, (ast.Pow, ast.LShift)) and abs(right) > 64:
            raise Unknown(f"`{short(node)}` is too large")
        result = work(left, right)
        if numbers and not (isinstance(result, (int, float)) and abs(result) <= LARGEST):
            raise Unknown(f"`{short(node)}` is too large")
        return result if numbers else self._bounded(result)

    def _value_UnaryOp(self, node: ast.UnaryOp, scope: dict[str, Any]) -> Any:
        value = self._value(node.operand, scope)
        if isinstance(node.op, ast.Not):
            return not value
        if isinstance(node.op, ast.USub):
            return -value
        raise Unknown(f"`{short(node)}` has to be run")

    def _value_BoolOp(self, node: ast.BoolOp, scope: dict[str, Any]) -> Any:
        is_and = isinstance(node.op, ast.And)
        value: Any = None
        for each in node.values:
            value = self._value(each, scope)
            if bool(value) != is_and:
                break
        return value

    def _value_Compare(self, node: ast.Compare, scope: dict[str, Any]) -> bool:
        left = self._value(node.left, scope)
        for op, each in zip(node.ops, node.comparators):
            right = self._value(each, scope)
            if not COMPARISONS[type(op)](left, right):
                return False
            left = right
        return True

    def _value_IfExp(self, node: ast.IfExp, scope: dict[str, Any]) -> Any:
        return self._value(node.body if self._value(node.test, scope) else node.orelse, scope)

    def _value_Lambda(self, node: ast.Lambda, scope: dict[str, Any]) -> Any:
        return node

    def _value_Subscript(self, node: ast.Subscript, scope: dict[str, Any]) -> Any:
        return self._value(node.value, scope)[self._value(node.slice, scope)]

    def _value_Attribute(self, node: ast.Attribute, scope: dict[str, Any]) -> Any:
        name = self._full_name(node)
        if name in ON_CUDA:
            return ON_CUDA[name]
        if ast.unparse(node).endswith(BACKEND[0]):
            return BACKEND[1]
        if isinstance(node.value, ast.Name) and node.value.id in scope and isinstance(scope[node.value.id], Config):
            return vars(scope[node.value.id])[node.attr]
        raise Unknown(f"`{short(node)}` has to be run")

    def _value_ListComp(self, node: ast.ListComp, scope: dict[str, Any]) -> list[Any]:
        made: list[Any] = []
        self._comprehend(node.elt, node.generators, dict(scope), made)
        return made

    _value_GeneratorExp = _value_ListComp

    def _comprehend(self, element: ast.expr, loops: list[ast.comprehension], scope: dict[str, Any], made: list[Any]) -> None:
        if not loops:
            made.append(self._value(element, scope))
            self._bounded(made)
            return
        for item in self._items(loops[0].iter, scope):
            self._bind(loops[0].target, item, scope)
            if all(self._value(test, scope) for test in loops[0].ifs):
                self._comprehend(element, loops[1:], scope, made)

    def _value_Call(self, node: ast.Call, scope: dict[str, Any]) -> Any:
        name = self._full_name(node.func)
        if name == "triton.Config" or (name is not None and name.endswith(".Config") and name.startswith("triton.")):
            return Config(*self._arguments(node, scope), **self._keywords(node, scope))
        if isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            return self._value(node.func.value, scope).get(*self._arguments(node, scope))
        known = KNOWN.get(name or "")
        if known is not None:
            return self._bounded(known(*self._arguments(node, scope), **self._keywords(node, scope)))
        if name == "filter":
            keep, items = node.args
            function = self._value(keep, scope)
            return [item for item in self._items(items, scope) if self._called(function, [item], {})]
        if name in self._functions:
            return self._called(self._functions[name], self._arguments(node, scope), self._keywords(node, scope))
        raise Unknown(f"`{short(node)}` has to be run")

    def _called(self, function: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if not isinstance(function, (ast.FunctionDef, ast.Lambda)):
            raise Unknown("a filter is not a function of the file")
        self._depth += 1
        if self._depth > 50:
            raise Unknown("its functions call one another too deep")
        names = [each.arg for each in function.args.args]
        defaults = function.args.defaults
        scope = {name: self._value(value, {}) for name, value in zip(names[len(names) - len(defaults) :], defaults)}
        scope.update(zip(names, arguments), **keywords)
        try:
            if isinstance(function, ast.Lambda):
                return self._value(function.body, scope)
            for statement in function.body:
                self._run(statement, scope)
            return None
        except _Return as result:
            return result.value
        finally:
            self._depth -= 1

    def _run(self, node: ast.stmt, scope: dict[str, Any]) -> None:
        self._step()
        if isinstance(node, ast.Return):
            raise _Return(None if node.value is None else self._value(node.value, scope))
        if isinstance(node, ast.Assign):
            value = self._value(node.value, scope)
            for target in node.targets:
                self._bind(target, value, scope)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._bind(node.target, self._value(node.value, scope), scope)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            both = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
            scope[node.target.id] = self._value(both, scope)
        elif isinstance(node, ast.If):
            for each in node.body if self._value(node.test, scope) else node.orelse:
                self._run(each, scope)
        elif isinstance(node, ast.For) and not node.orelse:
            for item in self._items(node.iter, scope):
                self._bind(node.target, item, scope)
                for each in node.body:
                    self._run(each, scope)
        elif isinstance(node, ast.Expr):
            self._append(node.value, scope)
        elif not isinstance(node, ast.Pass):
            raise Unknown(f"`{short(node)}` has to be run")

    def _append(self, node: ast.expr, scope: dict[str, Any]) -> None:
        """`configs.append(…)`, `configs.extend(…)`; texts say nothing."""
        if isinstance(node, ast.Constant):
            return
        method = node.func if isinstance(node, ast.Call) else None
        if not isinstance(method, ast.Attribute) or method.attr not in ("append", "extend") or len(node.args) != 1:
            raise Unknown(f"`{short(node)}` has to be run")
        whole = self._value(method.value, scope)
        if method.attr == "append":
            whole.append(self._value(node.args[0], scope))
        else:
            whole.extend(self._items(node.args[0], scope))
        self._bounded(whole)

    def _bind(self, target: ast.AST, value: Any, scope: dict[str, Any]) -> None:
        if isinstance(target, ast.Name):
            scope[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == len(value):
            for each, part in zip(target.elts, value):
                self._bind(each, part, scope)
        else:
            raise Unknown(f"`{short(target)}` has to be run")

    def _items(self, node: ast.AST, scope: dict[str, Any]) -> Any:
        value = self._value(node, scope)
        if not isinstance(value, (list, tuple, range, dict)):
            raise Unknown(f"`{short(node)}` is not a list")
        return self._bounded(value)

    def _arguments(self, node: ast.Call, scope: dict[str, Any]) -> list[Any]:
        return self._value_List(ast.List(node.args, ast.Load()), scope)

    def _keywords(self, node: ast.Call, scope: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for each in node.keywords:
            if each.arg == "pre_hook":
                continue
            if each.arg is None:
                made.update(self._value(each.value, scope))
            else:
                made[each.arg] = self._value(each.value, scope)
        return made

    def _bounded(self, value: Any) -> Any:
        if isinstance(value, (list, tuple, range, dict, str)) and len(value) > MOST_ITEMS:
            raise Unknown(f"a list has more than {MOST_ITEMS} items")
        return value

    def _step(self) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise Unknown("working it out takes too long")


def product(*lists: Any, repeat: int = 1) -> list[Any]:
    size = 1
    for each in lists * min(repeat, 64):
        size *= len(each)
    if size > MOST_ITEMS or repeat > 64:
        raise Unknown(f"a list has more than {MOST_ITEMS} items")
    return list(itertools.product(*lists, repeat=repeat))


KNOWN: dict[str, Callable[..., Any]] = {
    "dict": dict,
    "int": int,
    "bool": bool,
    "len": len,
    "list": list,
    "max": max,
    "min": min,
    "range": range,
    "reversed": lambda items: list(items)[::-1],
    "sorted": lambda items: sorted(items),
    "tuple": tuple,
    "zip": lambda *lists: list(zip(*lists)),
    "enumerate": lambda items: list(enumerate(items)),
    "itertools.product": product,
    "triton.cdiv": lambda a, b: -(-a // b),
    "triton.next_power_of_2": lambda n: 1 << max(0, n - 1).bit_length(),
    "torch.cuda.is_available": lambda: True,
}


def changes(statement: ast.stmt, name: str) -> bool:
    """It assigns the name, or appends to it."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return True
        if (
            isinstance(node, ast.Attribute)
            and node.attr in ("append", "extend")
            and isinstance(node.value, ast.Name)
            and node.value.id == name
        ):
            return True
    return False


def short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:59]}…"
