"""dev/check_rooms as a module."""

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

CHECK = Path(__file__).resolve().parents[2] / "dev" / "check_rooms"
sys.dont_write_bytecode = True
loader = SourceFileLoader("check_rooms", str(CHECK))
check_rooms = module_from_spec(spec_from_loader("check_rooms", loader))
loader.exec_module(check_rooms)
