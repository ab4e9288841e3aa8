# The emulated driver, for tests: $(EMU) holds libraries with the names of CUDA's, and what
# they need to compile kernels.  See tests/cudaemu/emu.h.

EMU = $(BUILD)/cudaemu
EMU_DIR = ../tests/cudaemu
EMU_LIBNAMES = libcuda.so.1 libnvrtc.so.13 libcublas.so.13

.PHONY: cudaemu
cudaemu: $(EMU_LIBNAMES:%=$(EMU)/%) $(EMU)/shim.h.gch $(EMU)/runtime.o

# How kernels are compiled: every access to memory calls a check, if the compiler can do that.
EMU_CXX = $(firstword $(or $(shell $(MKOCTFILE) -p CXX 2>/dev/null),$(CXX)))
EMU_CHECKS = -fsanitize=kernel-address --param asan-instrumentation-with-call-threshold=0 \
  --param asan-stack=0 --param asan-globals=0
EMU_CXXFLAGS = -O1 -fPIC -w -fno-exceptions -fno-rtti -fvisibility=hidden -fno-fast-math \
  -fno-threadsafe-statics -fdiagnostics-color=never -fno-diagnostics-show-caret \
  $(shell echo 'int x;' | $(EMU_CXX) $(EMU_CHECKS) -x c++ -fsyntax-only - 2>/dev/null \
    && echo $(EMU_CHECKS))
EMU_LIBS = -lm -lgcc -lc
EMU_CC = $(CC) $(CPPFLAGS) $(DEPFLAGS) -std=gnu11 -O2 -g -fPIC -fvisibility=hidden $(WARN) \
  -I$(EMU)

$(EMU)/compiler.h: $(EMU_DIR)/emu.mk
	@mkdir -p $(@D)
	@{ printf '#define EMU_CXX "%s"\n#define EMU_CXXFLAGS ' '$(EMU_CXX)'; \
	   printf '"%s", ' $(EMU_CXXFLAGS); printf '\n#define EMU_LIBS '; \
	   printf '"%s", ' $(EMU_LIBS); echo; } > $@

$(EMU)/%.o: $(EMU_DIR)/%.c $(EMU)/compiler.h
	$(call say,CC    $<)
	$(Q)$(EMU_CC) -c $< -o $@

$(EMU)/kernel.h: $(EMU_DIR)/kernel.h $(EMU)/compiler.h
	@cp $< $@

$(EMU)/shim.h: $(EMU_DIR)/shim.h $(EMU)/kernel.h
	@cp $< $@

# Kernels compiled before are of no use when what they were compiled with has changed.
$(EMU)/shim.h.gch: $(EMU)/shim.h $(EMU)/runtime.o
	$(call say,PCH   $<)
	@rm -rf $(EMU)/cubins || true
	$(Q)$(EMU_CXX) $(EMU_CXXFLAGS) -std=gnu++17 -ffp-contract=off -x c++-header $< -o $@

# Their counts outlive dlclose.
EMU_LINK = $(CC) -shared -Wl,-soname,$(@F) -Wl,-rpath,'$$ORIGIN' -Wl,-z,defs -Wl,-z,nodelete -o $@

$(EMU)/libcuda.so.1: $(addprefix $(EMU)/,driver.o transfer.o module.o queue.o memory.o \
    launch.o fault.o)
	$(call say,LINK  $@)
	$(Q)$(EMU_LINK) $^ -ldl -lpthread

$(EMU)/libnvrtc.so.13: $(EMU)/nvrtc.o $(EMU)/text.o $(EMU)/libcuda.so.1
	$(call say,LINK  $@)
	$(Q)$(EMU_LINK) $^ -ldl

$(EMU)/libcublas.so.13: $(EMU)/cublas.o $(EMU)/libcuda.so.1
	$(call say,LINK  $@)
	$(Q)$(EMU_LINK) $^ -ldl

# Its own test runs where the compilers make code for the machine they run on.
ifeq ($(shell $(CC) -dumpmachine),$(shell $(EMU_CXX) -dumpmachine))
ctests: cudaemu $(BUILD)/tests/test_emu
endif
