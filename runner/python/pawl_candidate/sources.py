"""
Modules of a project are what their source files say. Python would also run a `.pyc` that lies beside them, whatever
the source says, and a review does not show those. Installed packages keep theirs: compiling NumPy takes a second,
PyTorch six.
"""

from __future__ import annotations

import importlib.machinery as machinery
import os
import site
import sys
from types import CodeType


class SourceLoader(machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


_finder_of = machinery.FileFinder.path_hook(
    (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES), (SourceLoader, machinery.SOURCE_SUFFIXES)
)


def installed_folders() -> tuple[str, ...]:
    return tuple(
        os.path.join(os.path.realpath(folder), "")
        for folder in {sys.prefix, sys.base_prefix, *site.getsitepackages(), site.getusersitepackages()}
    )


def use_sources() -> None:
    installed = installed_folders()

    def hook(folder: str) -> object:
        if os.path.join(os.path.realpath(folder or "."), "").startswith(installed):
            raise ImportError("an installed package", path=folder)
        return _finder_of(folder)

    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()
