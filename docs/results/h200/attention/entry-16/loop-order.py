"""The loop over keys in the machine code of the causal kernel, of one cubin after the other: how many instructions it
has, how many of them take an operand from the reuse cache, and how many lines differ from the first cubin's loop
(registers and addresses aside); and a digest of the other kernel's code.

    nvcc -std=c++17 -O3 -Irunner/include -gencode=arch=compute_90a,code=sm_90a -cubin -DDEPTH=128 -DBLOCK_M=128 \
      -DBLOCK_N=64 -DSTAGES=4 -DBLOCKS_PER_SM=1 -DORDERED=1 -DRESIDENT=0 -DBOLD=1 -DPOLY=0 -DCHAINED=0 -DSELF=0 \
      kernels/attention/hopper/attention.cu -o NAME.cubin
    python3 loop-order.py BEFORE.cubin NAME.cubin ...

The code is cut out of the file because nvdisasm 11.8, which was at hand, does not know CUDA 13's."""

import difflib
import hashlib
import re
import struct
import subprocess
import sys
import tempfile


CAUSAL, UNMASKED = "ILb1", "ILb0"  # in the kernels' mangled names


def code_of(cubin: str, kernel: str) -> bytes:
    data = open(cubin, "rb").read()
    (table,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
    for name, _, _, _, offset, length in sections:
        start = sections[names][4] + name
        text = data[start : data.index(b"\0", start)].decode()
        if text.startswith(".text") and kernel in text:
            return data[offset : offset + length]
    sys.exit(f"{cubin}: no such kernel")


def instructions_of(cubin: str) -> list[tuple[int, str]]:
    with tempfile.NamedTemporaryFile() as raw:
        raw.write(code_of(cubin, CAUSAL))
        raw.flush()
        listing = subprocess.run(["nvdisasm", "-b", "SM90", raw.name], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", listing, re.MULTILINE)
    return [(int(address, 16), text) for address, text in found]


def loop_of(cubin: str) -> list[str]:
    """The shortest loop with products and exponentials in it."""
    code = instructions_of(cubin)
    loops = []
    for address, text in code:
        target = re.search(r"BRA.*0x([0-9a-f]+)", text)
        if target and int(target[1], 16) < address:
            body = [line for at, line in code if int(target[1], 16) <= at <= address]
            if any("HGMMA" in line for line in body) and any("MUFU.EX2" in line for line in body):
                loops.append(body)
    return min(loops, key=len)


def plain(line: str) -> str:
    return re.sub(r"\bU?(R|P|B)\d+\b|0x[0-9a-f]+|\.reuse", "", line)


first = None
for cubin in sys.argv[1:]:
    loop = loop_of(cubin)
    first = first or [plain(line) for line in loop]
    differ = sum(line[0] in "+-" for line in difflib.ndiff(first, [plain(line) for line in loop]))
    print(f"{cubin}: {len(loop)} instructions, {sum('.reuse' in line for line in loop)} with reuse, {differ} lines differ; "
          f"unmasked code {hashlib.md5(code_of(cubin, UNMASKED)).hexdigest()[:8]}")
