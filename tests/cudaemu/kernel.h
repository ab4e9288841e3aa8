/* What a compiled kernel and the driver know of each other; C and C++.  */

#ifndef EMU_KERNEL_H
#define EMU_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define EMU_SHARED_MAX 232448          /* bytes of dynamic shared memory */

typedef struct emu_dim
{
  unsigned int x, y, z;
} emu_dim;

typedef enum emu_warpop
{
  EMU_WARP_SYNC, EMU_WARP_SHFL, EMU_WARP_BALLOT, EMU_WARP_MATCH
} emu_warpop;

typedef enum emu_vote { EMU_VOTE_NONE, EMU_VOTE_COUNT, EMU_VOTE_AND, EMU_VOTE_OR } emu_vote;

/* The thread that runs now, and what it can ask of the driver.  A module has one, which the
   driver fills.  Places in the text tell one barrier from another.  */
typedef struct emu_env
{
  emu_dim thread, block, block_dim, grid_dim;
  unsigned int lane;
  int (*barrier) (const char *file, int line, emu_vote vote, int value);
  uint64_t (*warp) (const char *file, int line, emu_warpop op, uint32_t mask, uint64_t value,
                    unsigned int source);
  void (*access) (uintptr_t at, size_t bytes, int write);
  void (*trap) (const char *what);
  uintptr_t arena;                     /* memory of the device, */
  size_t arena_bytes;
  const unsigned char *shadow;         /* for each 8 bytes of it how many may be used; 0: all */
} emu_env;

/* The parts of a module: its environment, its static shared memory, its dynamic one.  */
typedef struct emu_module_parts
{
  emu_env *env;
  char *fixed, *fixed_end, *dynamic;
} emu_module_parts;

/* A kernel as the driver calls it: the sizes and alignments of its arguments.  */
typedef struct emu_entry
{
  void (*call) (void **arg);
  int narg;
  const unsigned short *size, *align;
} emu_entry;

#endif
