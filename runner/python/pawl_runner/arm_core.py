"""The name of an Arm core by the numbers of its maker; runner/src/cpu/arm_core_name.hpp has the same table."""

_CORES = {
    (0x41, 0xD03): "Cortex-A53",
    (0x41, 0xD07): "Cortex-A57",
    (0x41, 0xD08): "Cortex-A72",
    (0x41, 0xD0B): "Cortex-A76",
    (0x41, 0xD41): "Cortex-A78",
    (0x41, 0xD42): "Cortex-A78AE",
    (0x41, 0xD0C): "Neoverse-N1",
    (0x41, 0xD49): "Neoverse-N2",
    (0x41, 0xD8E): "Neoverse-N3",
    (0x41, 0xD40): "Neoverse-V1",
    (0x41, 0xD4F): "Neoverse-V2",
    (0x41, 0xD84): "Neoverse-V3",
    (0x4E, 0x004): "Carmel",
    (0xC0, 0xAC3): "Ampere-1",
    (0xC0, 0xAC4): "Ampere-1a",
}


def name(implementer: str, part: str) -> str:
    return _CORES.get((int(implementer, 0), int(part, 0)), f"Arm {implementer} {part}")
