/* What the tables (*.def) say, as data and look-ups.  */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "symgpu.h"

#define COUNT(a) ((int) (sizeof (a) / sizeof (a)[0]))

/* ---- status --------------------------------------------------------------------- */

static const char *const status_identifier[SG_NSTATUS] = {
#define STATUS(id, octid, text) [SG_##id] = octid,
#include "status.def"
};

const char *
sg_status_identifier (sg_status s)
{
  return (unsigned) s < SG_NSTATUS ? status_identifier[s] : "";
}

/* ---- classes ---------------------------------------------------------------------- */

static const struct
{
  const char *name;
  uint8_t bytes;
  uint8_t kind;
} class_info[SG_NCLASS] = {
#define TYPE(id, name, ctype, bytes, kind) [SG_##id] = { name, bytes, SG_KIND_##kind },
#include "type.def"
};

#define TYPE(id, name, ctype, bytes, kind) \
  _Static_assert (sizeof (ctype) == bytes, "bytes of " name);
#include "type.def"

const char *
sg_class_name (sg_class c)
{
  return class_info[c].name;
}

size_t
sg_class_bytes (sg_class c)
{
  return class_info[c].bytes;
}

sg_kind
sg_class_kind (sg_class c)
{
  return (sg_kind) class_info[c].kind;
}

/* ---- operations ------------------------------------------------------------------- */

/* The words of the columns.  */
enum
{
  OUT_SAME = SG_OUT_SAME, OUT_FLT = SG_OUT_FLT, OUT_KEEP = SG_OUT_KEEP, OUT_IDX = SG_OUT_IDX,
#define TYPE(id, name, ctype, bytes, kind) OUT_##id = SG_##id,
#include "type.def"
  INTS_DBL = 0, INTS_KEEP = 1
};

/* 1 if the expression is NATIVE, which puts its own 1 in front of the 0.  */
#define NATIVE ~, 1
#define SECOND(a, b, ...) b
#define IS_NATIVE(...) SECOND (__VA_ARGS__, 0, 0)

static const sg_opinfo op_info[SG_NOP] = {
  [SG_LEAF] = { .id = "LEAF", .name = "leaf", .family = SG_FAM_LEAF, .in = SG_IN_NONE,
                .out = SG_OUT_SAME, .text = "a value" },
#define EW(id_, name_, n_, in_, out_, guard_, ulp_, lo_, hi_, expr) \
  [SG_##id_] = { .id = #id_, .name = name_, .family = SG_FAM_EW, .n = n_, .in = SG_IN_##in_, \
                 .out = OUT_##out_, .guard = SG_GUARD_##guard_, \
                 .native = IS_NATIVE (expr), .ints = false, .ulp = ulp_, \
                 .lo = lo_, .hi = hi_, .text = #expr },
#define EW3(id_, name_, expr) \
  [SG_##id_] = { .id = #id_, .name = name_, .family = SG_FAM_EW, .n = 3, .in = SG_IN_NONE, \
                 .out = SG_OUT_SAME, .lo = -9, .hi = 9, .text = #expr },
#include "op.def"
#define RED(id_, name_, out_, ints_, ulp_) \
  [SG_##id_] = { .id = #id_, .name = name_, .family = SG_FAM_RED, .n = 1, .in = SG_IN_NONE, \
                 .out = OUT_##out_, .ints = INTS_##ints_, .ulp = ulp_, \
                 .lo = -9, .hi = 9, .text = "" },
#define SCAN(id_, name_, out_, ints_, ulp_) \
  [SG_##id_] = { .id = #id_, .name = name_, .family = SG_FAM_SCAN, .n = 1, .in = SG_IN_NONE, \
                 .out = OUT_##out_, .ints = INTS_##ints_, .ulp = ulp_, \
                 .lo = -9, .hi = 9, .text = "" },
#include "red.def"
#define MOVE(id_, name_, comment) \
  [SG_##id_] = { .id = #id_, .name = name_, .family = SG_FAM_MOVE, .n = 0, .in = SG_IN_NONE, \
                 .out = SG_OUT_SAME, .text = comment },
#include "move.def"
};

const sg_opinfo *
sg_op_info (sg_op op)
{
  return &op_info[op];
}

static const bool cplx_lines[SG_NOP] = {
#define CL(id, name) [SG_##id] = true,
#include "cplx.def"
};

bool
sg_op_has_cplx_lines (sg_op op)
{
  return cplx_lines[op];
}

/* By operation, on the CPU and on a GPU, of doubles and singles.  */
static const double exact[SG_NOP][2][2] = {
#define EXACT(id, cpu, cpu32, cuda, cuda32) \
  [SG_##id] = { { cpu, cpu32 }, { cuda + 0.5, cuda32 + 0.5 } },
#include "exact.def"
};

double
sg_op_exact (sg_op op, sg_backend b, bool single)
{
  return b == SG_NATIVE ? 0 : exact[op][b == SG_CUDA][single];
}

int
sg_op_ulp (sg_op op, sg_backend b, bool single)
{
  double more = b == SG_CUDA ? exact[op][1][single] - exact[op][0][single] : 0;
  return more > 0 ? (int) ceil (op_info[op].ulp + more) : op_info[op].ulp;
}

static const uint8_t cplx_out[SG_NOP][SG_NCX] = {
#define CX(form, id, out, re, im) [SG_##id][SG_CX_##form] = SG_CX_##out,
#define CZ(form, id, out, text) [SG_##id][SG_CX_##form] = SG_CX_##out,
#include "cplx.def"
};

sg_cplx_out
sg_op_cplx (sg_op op, sg_cplx_form form)
{
  return (sg_cplx_out) cplx_out[op][form];
}

int
sg_op_find (sg_family f, const char *name, int n)
{
  for (int k = 0; k < SG_NOP; k++)
    {
      const sg_opinfo *i = &op_info[k];
      /* A position has the name of its value, which is what is looked for.  */
      if (i->family == f && i->out != SG_OUT_IDX && (i->n == 0 || i->n == n)
          && strcmp (i->name, name) == 0)
        return k;
    }
  return -1;
}

/* ---- backends --------------------------------------------------------------------- */

static const char *const backend_name[SG_NBACKEND] = { [SG_NATIVE] = "native",
                                                       [SG_CPU] = "cpu", [SG_CUDA] = "cuda" };

const char *
sg_backend_name (sg_backend b)
{
  return backend_name[b];
}

int
sg_backend_find (const char *name)
{
  for (int b = 0; b < SG_NBACKEND; b++)
    if (strcmp (backend_name[b], name) == 0)
      return b;
  return -1;
}

/* ---- configuration and counters ---------------------------------------------------- */

sg_config sg_cfg = {
#define CONFIG(name, lo, hi, def, text) .name = def,
#define CONFIG_STRING(name, def, text) .name = def,
#define CONFIG_WORD(name, words, def, text) .name = def,
#include "config.def"
};

static const struct
{
  const char *name;
  int64_t *value;            /* NULL: a text */
  int64_t lo, hi;
  const char **string;
  const char *words;         /* separated by spaces; VALUE is the position of one */
  const char *text;
} config_info[] = {
#define CONFIG(name, lo, hi, def, text) { #name, &sg_cfg.name, lo, hi, NULL, NULL, text },
#define CONFIG_STRING(name, def, text) { #name, NULL, 0, 0, &sg_cfg.name, NULL, text },
#define CONFIG_WORD(name, words, def, text) { #name, &sg_cfg.name, 0, 0, NULL, words, text },
#include "config.def"
};

static char *string_owned[COUNT (config_info)];

int
sg_config_count (void)
{
  return COUNT (config_info);
}

const char *
sg_config_name (int k)
{
  return config_info[k].name;
}

const char *
sg_config_text (int k)
{
  return config_info[k].text;
}

int64_t
sg_config_get (int k)
{
  return config_info[k].value ? *config_info[k].value : 0;
}

bool
sg_config_is_string (int k)
{
  return config_info[k].string != NULL;
}

const char *
sg_config_words (int k)
{
  return config_info[k].words;
}

/* Word number I of a row, with no 0 behind it.  */
static const char *
word_at (int k, int64_t i, size_t *length)
{
  const char *w = config_info[k].words;
  for (; i > 0; i--)
    w += strcspn (w, " ") + 1;
  *length = strcspn (w, " ");
  return w;
}

const char *
sg_config_get_string (int k)
{
  static char word[16];
  if (config_info[k].words)
    {
      size_t n;
      const char *w = word_at (k, *config_info[k].value, &n);
      snprintf (word, sizeof word, "%.*s", (int) n, w);
      return word;
    }
  return config_info[k].string ? *config_info[k].string : "";
}

static sg_status
set_word (int k, const char *value)
{
  const char *w = config_info[k].words;
  for (int64_t i = 0;; i++)
    {
      size_t n = strcspn (w, " ");
      if (strlen (value) == n && memcmp (w, value, n) == 0)
        {
          *config_info[k].value = i;
          return SG_OK;
        }
      if (! w[n])
        break;
      w += n + 1;
    }
  return sg_fail (SG_BAD_ARGUMENT, "%s must be one of these words, not %s: %s", config_info[k].name, value,
                  config_info[k].words);
}

sg_status
sg_config_set_string (int k, const char *value)
{
  if (k < 0 || k >= COUNT (config_info) || ! (config_info[k].string || config_info[k].words))
    return sg_fail (SG_BAD_ARGUMENT, "there is no text setting number %d", k);
  if (config_info[k].words)
    return set_word (k, value);
  size_t n = strlen (value) + 1;
  char *p = sg_malloc (n);
  if (! p)
    return sg_fail (SG_NOMEM, "out of memory for the setting %s", config_info[k].name);
  memcpy (p, value, n);
  *config_info[k].string = p;
  sg_free (string_owned[k]);
  string_owned[k] = p;
  return SG_OK;
}

sg_status
sg_config_set (int k, int64_t value)
{
  if (k < 0 || k >= COUNT (config_info))
    return sg_fail (SG_BAD_ARGUMENT, "there is no setting number %d", k);
  if (! config_info[k].value)
    return sg_fail (SG_BAD_ARGUMENT, "%s must be a text, not a number", config_info[k].name);
  if (config_info[k].words)
    {
      char text[32];
      snprintf (text, sizeof text, "%" PRId64, value);
      return set_word (k, text);
    }
  if (value < config_info[k].lo || value > config_info[k].hi)
    return sg_fail (SG_BAD_ARGUMENT,
                    "%s must be an integer from %" PRId64 " to %" PRId64 ", not %" PRId64,
                    config_info[k].name, config_info[k].lo, config_info[k].hi, value);
  *config_info[k].value = value;
  return SG_OK;
}

sg_counters sg_count;

static const struct
{
  const char *name;
  int64_t *value;
  const char *text;
} counter_info[] = {
#define COUNTER(name, text) { #name, &sg_count.name, text },
#include "counter.def"
};

int
sg_counter_count (void)
{
  return COUNT (counter_info);
}

const char *
sg_counter_name (int k)
{
  return counter_info[k].name;
}

const char *
sg_counter_text (int k)
{
  return counter_info[k].text;
}

int64_t
sg_counter_get (int k)
{
  return *counter_info[k].value;
}
