"""
A CUDA file of a PyTorch extension in two: what the device runs, which needs none of PyTorch's headers, and what the
host runs, which needs no CUDA compiler. nvcc reads PyTorch's headers three times, and they take nine tenths of its time.

What cannot be told apart by reading raises `Unsplittable`, and what was told apart wrongly does not compile or leaves
a symbol without a definition: the file is compiled whole then.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Iterator


class Unsplittable(Exception):
    """The file is to be compiled whole."""


@dataclass
class Parts:
    device: str
    host: str
    #: Functions that one part may need of the other.
    names: set[str] = field(default_factory=set)


_TOKEN = re.compile(
    r"""
    (?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)
  | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^\s()\\"]{0,16})\(.*?\)(?P=mark)")
  | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
  | (?P<char>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
  | (?P<space>\s+)
  | (?P<number>\.?\d(?:[eEpP][+-]|'\w|[\w.])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<mark3><<<|>>>)
  | (?P<mark2>::|->)
  | (?P<other>.)
    """,
    re.X | re.S,
)
#: A directive with the lines that it continues on, and with comments that run over lines.
_DIRECTIVE = re.compile(r"[ \t]*\#(?:/\*.*?\*/|\\\n|[^\n])*", re.S)

_TORCH = re.compile(
    r"^(?:torch|at|c10|pybind11|py|caffe2|TORCH_\w+|AT_\w+|C10_\w+|PYBIND11_\w+|Tensor|TensorOptions|Scalar|Py[A-Z]\w*)$"
)
_HOST_HEADERS = re.compile(r"^(?:torch|ATen|c10|pybind11|caffe2)/|^Python\.h$")
#: What g++ cannot read, and only device code uses.
_DEVICE_HEADERS = re.compile(r"^(?:mma\.h|cooperative_groups|cub/|cuda/|cute/|cutlass/|curand_kernel\.h|cuda_pipeline)")
_MARKS = {"__device__", "__constant__", "__shared__", "__managed__"}
_BEFORE_LAUNCH = {";", "{", "}", ")", ":", "else", "do"}


@dataclass
class Token:
    kind: str
    text: str

    @property
    def blank(self) -> bool:
        return self.kind in ("space", "comment")


def tokens_of(text: str) -> Iterator[Token]:
    at, line_start = 0, True
    while at < len(text):
        directive = _DIRECTIVE.match(text, at) if line_start else None
        if directive is not None:
            yield Token("directive", directive.group())
            at, line_start = directive.end(), False
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            raise Unsplittable(f"the text at {text[at : at + 20]!r}")
        kind = match.lastgroup if match.lastgroup != "mark" else "raw"
        found = match.group()
        yield Token("raw" if match.group("raw") else str(kind), found)
        at = match.end()
        line_start = found.endswith("\n") if kind == "space" else line_start and kind == "comment"
        if kind == "space" and "\n" in found:
            # A directive may be indented.
            line_start = True


@dataclass
class Item:
    """A declaration, a definition, a directive, or the beginning or end of a namespace."""

    kind: str
    tokens: list[Token]
    #: Where a function's body begins.
    body: int | None = None

    @property
    def text(self) -> str:
        return "".join(token.text for token in self.tokens)

    @property
    def words(self) -> list[str]:
        return [token.text for token in self.tokens if token.kind == "word"]


def items_of(text: str) -> Iterator[Item]:
    current: list[Token] = []
    round_depth = curly = scopes = 0
    body: int | None = None
    equals = False

    def significant() -> list[Token]:
        return [token for token in current if not token.blank]

    for token in tokens_of(text):
        if token.kind == "directive" and not significant():
            yield Item("directive", [*current, token, Token("space", "\n")])
            current = []
            continue
        current.append(token)
        if token.blank or token.kind == "directive":
            continue
        mark = token.text if token.kind == "other" else ""
        if mark == "(":
            round_depth += 1
        elif mark == ")":
            round_depth -= 1
        elif mark == "{":
            if curly == 0 and round_depth == 0:
                before = [one.text for one in significant()[:-1]]
                if _opens_scope(before, significant()):
                    scopes += 1
                    yield Item("scope", current)
                    current, body, equals = [], None, False
                    continue
                if body is None and _is_function(before, equals):
                    body = len(current) - 1
            curly += 1
        elif mark == "}":
            if curly == 0:
                if scopes == 0 or len(significant()) > 1:
                    raise Unsplittable("a brace that closes nothing")
                scopes -= 1
                yield Item("scope", current)
                current = []
                continue
            curly -= 1
            if curly == 0 and round_depth == 0 and body is not None:
                yield Item("function", current, body)
                current, body, equals = [], None, False
        elif mark == "=" and curly == 0 and round_depth == 0:
            equals = True
        elif mark == ";" and curly == 0 and round_depth == 0:
            yield Item("declaration", current)
            current, body, equals = [], None, False
        if round_depth < 0:
            raise Unsplittable("a parenthesis that closes nothing")
    rest = significant()
    if rest and not (len(rest) > 0 and all(token.kind in ("word", "other", "string") for token in rest)):
        raise Unsplittable("the end of the file")
    if rest or curly or round_depth or scopes:
        raise Unsplittable("the end of the file")
    if current:
        yield Item("directive", current)


def _opens_scope(before: list[str], tokens: list[Token]) -> bool:
    if before[:1] == ["namespace"] or before[:2] == ["inline", "namespace"]:
        return True
    return len(before) == 2 and before[0] == "extern" and tokens[1].kind == "string"


def _is_function(before: list[str], equals: bool) -> bool:
    if "(" not in before or (equals and "operator" not in before):
        return False
    rest = before
    while rest[:1] == ["template"]:
        rest = rest[_end_of_angles(rest, 1) :]
    return rest[:1] not in (["struct"], ["class"], ["union"], ["enum"], ["typedef"])


def _end_of_angles(words: list[str], at: int) -> int:
    depth = 0
    for index in range(at, len(words)):
        depth += {"<": 1, "<<<": 3, ">": -1, ">>>": -3}.get(words[index], 0)
        if depth == 0:
            return index + 1
    raise Unsplittable("a template without an end")


def split(source: str) -> Parts:
    device: list[str] = []
    host: list[str] = []
    parts = Parts("", "")
    kept: list[str] = []
    for item in items_of(source):
        words = set(item.words)
        if item.kind == "directive":
            _place_directive(item.text, device, host)
        elif item.kind == "scope":
            text = _named(item)
            device.append(text)
            host.append(text)
        elif "__global__" in words:
            parts.names.add(_function_name(item))
            text = _without_static(item)
            device.append(text)
            host.append(_declaration(item))
        elif any(_TORCH.match(word) for word in words) or "<<<" in (token.text for token in item.tokens):
            if words & _MARKS:
                raise Unsplittable("device code that uses PyTorch")
            if item.kind == "function":
                parts.names.add(_function_name(item))
            host.append(_with_plain_launches(item, kept))
        elif words & _MARKS:
            device.append(item.text)
            if "__host__" in words or item.kind == "declaration" and words & {"struct", "class", "union"}:
                host.append(item.text)
        elif item.kind == "function" and "constexpr" not in words:
            parts.names.add(_function_name(item))
            host.append(item.text)
        else:
            device.append(item.text)
            host.append(item.text)
    keep = "".join(f"  (void)&{name};\n" for name in dict.fromkeys(kept))
    parts.device = "".join(device) + (f"\nstatic void pawl_keep() {{\n{keep}}}\n" if keep else "")
    parts.host = "".join(host)
    return parts


def _place_directive(text: str, device: list[str], host: list[str]) -> None:
    if "<<<" in text:
        raise Unsplittable("a macro that launches")
    include = re.match(r'\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")', text)
    if include is None:
        if re.match(r"\s*#\s*include", text) or "__global__" in text:
            raise Unsplittable("a macro that stands for a file or for a kernel")
        device.append(text)
        host.append(text)
        return
    name = include.group(1) or include.group(2)
    if _HOST_HEADERS.match(name):
        host.append(text)
        return
    if include.group(1) is None:
        raise Unsplittable("a header of its own")
    device.append(text)
    if not _DEVICE_HEADERS.match(name):
        host.append(text)


def _named(item: Item) -> str:
    """A namespace without a name would be another one in each part."""
    words = [token.text for token in item.tokens if not token.blank]
    if words == ["namespace", "{"]:
        return item.text.replace("namespace", "inline namespace pawl_unnamed", 1)
    return item.text


def _without_static(item: Item) -> str:
    end = item.body if item.body is not None else len(item.tokens)
    kept = [token for at, token in enumerate(item.tokens) if at >= end or token.text != "static"]
    return "".join(token.text for token in kept)


def _declaration(item: Item) -> str:
    text = _without_static(item)
    if item.body is None:
        return text
    body = "".join(token.text for token in item.tokens[item.body :])
    return text[: len(text) - len(body)] + ";\n"


def _function_name(item: Item) -> str:
    """The last word before the first parenthesis that is not one of an attribute."""
    name = ""
    depth = 0
    skipped = {"__launch_bounds__", "__attribute__", "alignas", "__align__", "__cluster_dims__", "__maxnreg__", "decltype"}
    for token in item.tokens[: item.body]:
        if token.text == "(":
            if depth == 0 and name and name not in skipped:
                return name
            depth += 1
        elif token.text == ")":
            depth -= 1
        elif token.kind == "word" and depth == 0:
            name = token.text
    return name


def _with_plain_launches(item: Item, kept: list[str]) -> str:
    """`k<<<grid, block>>>(x)` as what nvcc makes of it for the host compiler: a call of the function that launches k."""
    tokens = list(item.tokens)
    if any(token.kind == "directive" and "<<<" in token.text for token in tokens):
        raise Unsplittable("a macro that launches")
    for at in [index for index, token in enumerate(tokens) if token.text == "<<<"]:
        begin = _begin_of_name(tokens, at)
        close = _closing(tokens, at + 1, ">>>")
        opening = _next(tokens, close + 1)
        if tokens[opening].text != "(":
            raise Unsplittable("a launch without arguments")
        after = _next(tokens, _closing(tokens, opening + 1, ")") + 1)
        before = _previous(tokens, begin - 1)
        if tokens[before].text not in _BEFORE_LAUNCH or tokens[after].text != ";":
            raise Unsplittable("a launch inside an expression")
        name = "".join(token.text for token in tokens[begin:at]).strip()
        if "<" in name:
            kept.append(name)
        tokens[begin] = Token("word", "__cudaPushCallConfiguration(")
        for index in range(begin + 1, at + 1):
            tokens[index] = Token("space", "")
        tokens[close] = Token("word", f") ? (void)0 : {name}")
    return "".join(token.text for token in tokens)


def _next(tokens: list[Token], at: int) -> int:
    while at < len(tokens) and tokens[at].blank:
        at += 1
    if at >= len(tokens):
        raise Unsplittable("a launch without an end")
    return at


def _previous(tokens: list[Token], at: int) -> int:
    while at >= 0 and tokens[at].blank:
        at -= 1
    if at < 0:
        raise Unsplittable("a launch without a beginning")
    return at


def _closing(tokens: list[Token], at: int, mark: str) -> int:
    depth = 0
    for index in range(at, len(tokens)):
        text = tokens[index].text if tokens[index].kind in ("other", "mark3") else ""
        if depth == 0 and text == mark:
            return index
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text, 0)
    raise Unsplittable("a launch without an end")


def _begin_of_name(tokens: list[Token], launch: int) -> int:
    at = _previous(tokens, launch - 1)
    if tokens[at].text == ">":
        depth = 0
        while True:
            depth += {">": 1, ">>>": 3, "<": -1}.get(tokens[at].text, 0)
            if depth == 0:
                break
            at -= 1
            if at < 0 or tokens[at].text in (";", "{", "}"):
                raise Unsplittable("a launch of something unusual")
        at = _previous(tokens, at - 1)
    if tokens[at].kind != "word":
        raise Unsplittable("a launch of something unusual")
    while True:
        before = _previous(tokens, at - 1)
        if tokens[before].text != "::":
            return at
        at = _previous(tokens, before - 1)
        if tokens[at].kind != "word":
            return before
