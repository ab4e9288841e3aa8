# The kernels: one source, compiled once for each instruction set.  For ../../src/Makefile,
# which gives KDIR, BUILD and CC_C.

KERNEL_SETS = generic $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),v2 v3 v4)
KERNEL_MARCH = $(if $(filter generic,$(1)),,-march=x86-64-$(1))

# errno and floating-point exceptions do not matter; NaN, infinities, signs of 0 and the order
# of operations do.
KERNEL_CFLAGS = -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math

KERNEL_OBJ += $(KERNEL_SETS:%=$(BUILD)/kernels/%.o)

$(KERNEL_SETS:%=$(BUILD)/kernels/%.o): $(BUILD)/kernels/%.o: $(KDIR)/kernels.c $(KDIR)/kernels.mk \
  $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC    $< ($*))
	$(Q)$(CC_C) $(KERNEL_CFLAGS) $(call KERNEL_MARCH,$*) -DSG_ISA=$* -c $< -o $@
