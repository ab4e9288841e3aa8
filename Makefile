# symgpu: the targets of a developer.  "make demo" and "make check" do all of their set-up.
#
#   make             build in place; then: octave --path inst --path src
#   make demo        the main job: an autoencoder on handwritten digits
#   make check       all tests; last line: N passed, N failed
#   make check-cuda  the tests on backend "cuda" with an emulated device, all of them
#   make check-gpu   C tests and the benchmark on a GPU; needs no Octave
#   make gpu-bundle  an Octave with the package, packed for a machine with a GPU and without Octave
#   make fuzz        random programs against plain Octave: N=100000 SEED=7 WAYS=cuda
#   make stress      Ctrl-C at random moments: N=1000 BACKENDS="cpu cuda"
#   make soak        random programs until N=1000000 evaluations are done, without growth
#   make bench       speed, against plain Octave, numexpr, NumPy, JAX and PyTorch; QUICK=1: a shorter look
#   make conformance Octave's own tests with wrapped inputs: BACKENDS="native cpu cuda"
#   make doc         the manual, doc/symgpu.info, .html and .pdf; installs TeX where apt can
#   make dist        symgpu-$(VERSION).tar.gz, reproducible
#   make release     all of it, then the tarball, its checksum and the entry for the package index
#   make install     build the package and install it with pkg
#   make asan, tsan  the C tests under AddressSanitizer and UBSan, ThreadSanitizer
#   make check-octaves   the tests on the Octaves of Debian 12, 13 and testing; as root
#   make check-aarch64   the C tests for aarch64, under qemu
#   make check-nvrtc every kernel text through NVIDIA's compiler, for all architectures
#   make golden      the texts of tests/golden anew
#   make lint        shellcheck, clang-tidy; format: clang-format
#   make clean
#
# WERROR=1: warnings are errors.  J=n: n compilations at a time.

PACKAGE = symgpu
VERSION = 0.1.0
OCTAVE ?= octave-cli
MKOCTFILE ?= mkoctfile
OCTAVE_CONFIG ?= octave-config
export OCTAVE MKOCTFILE OCTAVE_CONFIG

TARBALL = $(PACKAGE)-$(VERSION).tar.gz
RUN_OCTAVE = $(OCTAVE) --no-gui --norc --silent --no-history
IN_PLACE = $(RUN_OCTAVE) --path "$(CURDIR)/src" --path "$(CURDIR)/inst"

comma = ,

# As many jobs as processors, unless make was told.
J = $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(J))

.PHONY: all doc gpu-bundle setup check check-cuda check-gpu cudaemu fuzz stress soak demo conformance bench check-nvrtc golden dist release install check-octaves check-aarch64 asan tsan lint format clean

all:
	@$(MAKE) --no-print-directory -C src $(JOBS) all

setup:
	@tools/setup.sh

check: setup
	@tests/run

# Every call of the table-driven test: tens of thousands of kernels.
check-cuda: setup
	@TABLE_SAMPLE=1 CHECK_LIMIT=14400 tests/run cuda

# Backend "cuda" has the GPU of the machine, or else an emulated one.  CUDA_PATH is the folder
# where CUDA's libraries are looked for first.
EMULATED = $(CURDIR)/build/cudaemu
CUDA_PATH ?= $(if $(wildcard /dev/nvidia[0-9]* /dev/dxg),,$(EMULATED))
CUDA_FLAGS = cuda_path=$(CUDA_PATH)$(if $(filter $(EMULATED),$(CUDA_PATH)),$(comma)cache=$(EMULATED)/cubins)
cudaemu:
	@$(MAKE) --no-print-directory -C src $(JOBS) cudaemu

# With an emulated device sizes are small, and the figures mean nothing.
check-gpu: $(if $(filter $(EMULATED),$(CUDA_PATH)),cudaemu)
	@CUDA_PATH="$(CUDA_PATH)" tools/check-gpu.sh $(if $(filter $(EMULATED),$(CUDA_PATH)),4000 32)

gpu-bundle: all
	@tools/gpu-bundle.sh

SOME_SEED = $(or $(SEED),fix (1e6 * rem (now ()$(comma) 1)))

N = 10000
fuzz: setup
	@$(MAKE) --no-print-directory all $(if $(WAYS),cudaemu)
	@SYMGPU_FLAGS="$(if $(WAYS),$(CUDA_FLAGS))" $(IN_PLACE) --path "$(CURDIR)/tests" --eval \
	  "fuzz ($(N)$(comma) $(SOME_SEED)$(if $(WAYS),$(comma) 1$(comma) '$(WAYS)'))" < /dev/null

# stress.m and soak.m, on each of BACKENDS.
stress: N = 1000
stress: BACKENDS = cpu cuda
soak: N = 1000000
soak: BACKENDS = cpu
stress soak: setup
	@$(MAKE) --no-print-directory all $(if $(filter cuda,$(BACKENDS)),cudaemu)
	@status=0; for b in $(BACKENDS); do echo "backend $$b"; flags=backend=$$b; \
	  case $$b in cuda) flags="$$flags,$(CUDA_FLAGS)" ;; esac; \
	  SYMGPU_FLAGS=$$flags $(IN_PLACE) --path "$(CURDIR)/tests" --eval "$@ ($(N)$(comma) $(SOME_SEED))" \
	    < /dev/null || status=1; done; exit $$status

# On backend "cuda" too: with an emulated device where there is no GPU.
demo: setup
	@$(MAKE) --no-print-directory all $(if $(filter $(EMULATED),$(CUDA_PATH)),cudaemu)
	@SYMGPU_FLAGS="$(CUDA_FLAGS)" $(IN_PLACE) --eval "symgpu_demo (\"outdir\", \"build\")" < /dev/null

# Octave's own installed tests with their inputs wrapped.  The harness is not part of the
# project: CONFORMANCE names its folder, AREAS what to run, LEVEL how much to wrap.
CONFORMANCE ?= ../shared/conformance
AREAS ?= core
LEVEL ?= 2
BACKENDS ?= native cpu
conformance: all $(if $(filter cuda,$(BACKENDS)),cudaemu)
	@status=0; for b in $(BACKENDS); do echo "backend $$b"; flags=backend=$$b; \
	  case $$b in cuda) flags="$$flags,$(CUDA_FLAGS)" ;; esac; \
	  SYMGPU_FLAGS=$$flags python3 $(CONFORMANCE)/run_bist.py --wrap symarray --strictvalues \
	    --path src --path inst --known tests/conformance.skip --level $(LEVEL) $(AREAS) \
	    || status=1; done; exit $$status

bench: setup
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory -C src rates
	@bench/peers.sh build/bench/venv
	@$(IN_PLACE) bench/bench.m build/bench/rates build/goals.json $(if $(QUICK),quick) < /dev/null
	@python3 bench/bench.py $(if $(QUICK),--quick) build $(IN_PLACE)

# NVRTC of the system, or else its wheel, in build/nvrtc.
ARCHS ?= sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120
check-nvrtc:
	@$(MAKE) --no-print-directory -C src $(JOBS) nvrtc
	@build/tests/nvrtc none > build/nvrtc.log; if grep -q 'not installed' build/nvrtc.log; then \
	  python3 -m pip install -q --no-deps --target build/nvrtc nvidia-cuda-nvrtc-cu12; fi
	@build/tests/nvrtc $(ARCHS)

golden:
	@$(MAKE) --no-print-directory -C src $(JOBS) ../build/tests/test_render
	@build/tests/test_render write && git --no-pager diff --stat tests/golden

# Not a part of the package's files: made from doc/symgpu.texi and the help of the functions.
doc: all
	@OCTAVE="$(OCTAVE)" tools/setup.sh doc
	@$(IN_PLACE) tools/doc.m INDEX doc/functions.texi < /dev/null
	@cd doc && makeinfo --no-split symgpu.texi && makeinfo --html --no-split symgpu.texi
	@cd doc && texi2pdf --batch --quiet --build=clean --build-dir="$(CURDIR)/build/tex" symgpu.texi
	@ls doc/symgpu.info doc/symgpu.html doc/symgpu.pdf

dist:
	@tools/dist.sh $(TARBALL)

install: dist
	$(RUN_OCTAVE) --eval "pkg install -verbose $(TARBALL)"

check-octaves:
	@tools/check-octaves.sh $(SUITES)

check-aarch64:
	@tools/check-aarch64.sh

release:
	@tools/release.sh

asan tsan:
	@tests/run $@

lint:
	@tools/lint.sh

format:
	clang-format -i $(wildcard src/*.cc src/*.h src/core/*.[ch] src/cpu/*.[ch] src/render/*.[ch] kernels/*.h \
	  kernels/cpu/*.[ch] tests/c/*.[ch] tests/cudaemu/*.[ch] tests/gpu/*.c bench/*.[ch])

clean:
	$(MAKE) --no-print-directory -C src clean
	rm -f $(PACKAGE)-*.tar.gz
