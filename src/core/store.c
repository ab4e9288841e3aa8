/* Compiled kernels on disk.  One file each, named by a hash of its key: a header, the key, the
   code.  A file appears under its name when it is complete; whatever else is found there is
   removed and made anew.  The folder and the files must be the user's own and nobody else's to
   write: code that is run comes from nowhere else.  */

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store.h"

int64_t sg_store_limit = INT64_C (256) << 20;

#define MAGIC "symgpu store 1\n"
#define FILE_MAX ((int64_t) 64 << 20)
#define STALE 3600           /* seconds after which a temporary file was left behind */

typedef struct header
{
  char magic[16];
  uint64_t key, code;        /* bytes */
  uint64_t check;            /* of both */
} header;

uint64_t
sg_store_hash (uint64_t h, const void *data, size_t n)
{
  const unsigned char *p = data;
  for (size_t i = 0; i < n; i++)
    h = (h ^ p[i]) * 0x100000001b3u;
  return h;
}

#define HASH_B 0x6c62272e07bb0142u

static void
file_name (sg_store_key key, char name[40])
{
  snprintf (name, 40, "%016llx%016llx", (unsigned long long) sg_store_hash (SG_HASH_START, key.text, key.size),
            (unsigned long long) sg_store_hash (HASH_B, key.text, key.size));
}

/* ---- the folder --------------------------------------------------------------------------- */

bool
sg_store_folder (char *path, size_t size)
{
  const char *set = sg_cfg.cache, *xdg = getenv ("XDG_CACHE_HOME"), *home = getenv ("HOME");
  int n;
  if (strcmp (set, "off") == 0)
    return false;
  if (*set)
    n = snprintf (path, size, "%s", set);
  else if (xdg && *xdg == '/')
    n = snprintf (path, size, "%s/symgpu", xdg);
  else if (home && *home == '/')
    n = snprintf (path, size, "%s/.cache/symgpu", home);
  else
    return false;
  return n > 0 && n < (int) size;
}

static void
make_folders (char *path)
{
  for (char *p = path + 1; *p; p++)
    if (*p == '/')
      {
        *p = '\0';
        mkdir (path, 0700);
        *p = '/';
      }
  mkdir (path, 0700);
}

static bool
is_mine (int fd, mode_t kind, mode_t others)
{
  struct stat st;
  return fstat (fd, &st) == 0 && (st.st_mode & S_IFMT) == kind && st.st_uid == geteuid ()
         && (st.st_mode & others) == 0;
}

/* -1: there is no folder that can be trusted.  */
static int
open_folder (const char *folder, bool make)
{
  char path[4096];
  if (folder ? snprintf (path, sizeof path, "%s", folder) >= (int) sizeof path
      : ! sg_store_folder (path, sizeof path))
    return -1;
  if (make)
    make_folders (path);
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && ! is_mine (fd, S_IFDIR, 077))
    {
      close (fd);
      fd = -1;
    }
  return fd;
}

/* ---- reading ------------------------------------------------------------------------------ */

static char *
read_file (int fd, size_t *size)
{
  struct stat st;
  if (fstat (fd, &st) != 0 || st.st_size < (off_t) sizeof (header) || st.st_size > FILE_MAX)
    return NULL;
  size_t n = st.st_size, at = 0;
  char *p = sg_malloc (n);
  while (p && at < n)
    {
      ssize_t got = read (fd, p + at, n - at);
      if (got <= 0)
        {
          sg_free (p);
          return NULL;
        }
      at += got;
    }
  *size = n;
  return p;
}

/* True if this is all of a file of this key.  */
static bool
is_whole (const char *p, size_t n, sg_store_key key)
{
  header h;
  memcpy (&h, p, sizeof h);
  return memcmp (h.magic, MAGIC, sizeof h.magic) == 0 && h.key == key.size
         && h.code <= n && h.code > 0 && sizeof h + h.key + h.code == n
         && memcmp (p + sizeof h, key.text, key.size) == 0
         && h.check == sg_store_hash (SG_HASH_START, p + sizeof h, h.key + h.code);
}

static bool
find_in (int dir, const char *name, sg_store_key key, void **data, size_t *size)
{
  int fd = openat (dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return false;
  size_t n = 0;
  char *p = is_mine (fd, S_IFREG, 022) ? read_file (fd, &n) : NULL;
  bool found = p && is_whole (p, n, key);
  if (found)
    {
      size_t skip = sizeof (header) + key.size;
      futimens (fd, NULL);
      memmove (p, p + skip, n - skip);
      *data = p;
      *size = n - skip;
    }
  else
    {
      unlinkat (dir, name, 0);
      sg_free (p);
    }
  close (fd);
  return found;
}

bool
sg_store_find (sg_store_key key, void **data, size_t *size)
{
  char name[40];
  int dir = open_folder (key.folder, false);
  if (dir < 0)
    return false;
  file_name (key, name);
  bool found = find_in (dir, name, key, data, size);
  close (dir);
  return found;
}

void
sg_store_drop (sg_store_key key)
{
  char name[40];
  int dir = open_folder (key.folder, false);
  if (dir < 0)
    return;
  file_name (key, name);
  unlinkat (dir, name, 0);
  close (dir);
}

/* ---- writing ------------------------------------------------------------------------------ */

typedef struct entry
{
  char name[64];
  double used;               /* when last: seconds */
  int64_t bytes;
} entry;

static int
by_age (const void *a, const void *b)
{
  const entry *x = a, *y = b;
  return (x->used > y->used) - (x->used < y->used);
}

static double
time_of (const struct stat *st)
{
#ifdef __linux__
  return (double) st->st_mtim.tv_sec + 1e-9 * (double) st->st_mtim.tv_nsec;
#else
  return (double) st->st_mtime;
#endif
}

/* The files of the folder, up to ROOM of them; temporary ones that were left behind go.  */
static int
list_files (int dir, entry *e, int room)
{
  int n = 0, fd = dup (dir);
  DIR *d = fd >= 0 ? fdopendir (fd) : NULL;
  if (! d)
    {
      if (fd >= 0)
        close (fd);
      return 0;
    }
  rewinddir (d);
  for (struct dirent *x; (x = readdir (d)) && n < room; )
    {
      struct stat st;
      if (strlen (x->d_name) >= sizeof e->name
          || fstatat (dir, x->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 || ! S_ISREG (st.st_mode))
        continue;
      if (x->d_name[0] == '.' && st.st_mtime + STALE < time (NULL))
        unlinkat (dir, x->d_name, 0);
      if (x->d_name[0] == '.')
        continue;
      strcpy (e[n].name, x->d_name);
      e[n].used = time_of (&st);
      e[n++].bytes = st.st_size;
    }
  closedir (d);
  return n;
}

#define FILES_MAX 16384

static void
keep_bound (int dir)
{
  entry *e = sg_malloc (FILES_MAX * sizeof *e);
  if (! e)
    return;
  int n = list_files (dir, e, FILES_MAX);
  int64_t sum = 0;
  for (int i = 0; i < n; i++)
    sum += e[i].bytes;
  if (sum > sg_store_limit || n == FILES_MAX)
    qsort (e, n, sizeof *e, by_age);
  for (int i = 0; i < n && (sum > sg_store_limit || (n == FILES_MAX && i < n / 4)); i++)
    {
      unlinkat (dir, e[i].name, 0);
      sum -= e[i].bytes;
    }
  sg_free (e);
}

void
sg_store_info (sg_store_about *out)
{
  *out = (sg_store_about) { .limit = sg_store_limit };
  entry *e = sg_malloc (FILES_MAX * sizeof *e);
  int dir = open_folder (NULL, false), n = e && dir >= 0 ? list_files (dir, e, FILES_MAX) : 0;
  if (! sg_store_folder (out->folder, sizeof out->folder))
    out->folder[0] = '\0';
  out->files = n;
  for (int i = 0; i < n; i++)
    out->bytes += e[i].bytes;
  if (dir >= 0)
    close (dir);
  sg_free (e);
}

static bool
write_all (int fd, const void *data, size_t n)
{
  for (size_t at = 0; at < n; )
    {
      ssize_t put = write (fd, (const char *) data + at, n - at);
      if (put <= 0)
        return false;
      at += put;
    }
  return true;
}

static bool
write_file (int fd, sg_store_key key, const void *data, size_t size)
{
  header h = { .magic = MAGIC, .key = key.size, .code = size };
  h.check = sg_store_hash (sg_store_hash (SG_HASH_START, key.text, key.size), data, size);
  return write_all (fd, &h, sizeof h) && write_all (fd, key.text, key.size)
         && write_all (fd, data, size);
}

void
sg_store_keep (sg_store_key key, const void *data, size_t size)
{
  static atomic_uint serial;
  char name[40], temporary[64];
  int dir = open_folder (key.folder, true);
  if (dir < 0)
    return;
  file_name (key, name);
  snprintf (temporary, sizeof temporary, ".%ld-%u", (long) getpid (), serial++);
  /* One of this name is of a process that is gone.  */
  unlinkat (dir, temporary, 0);
  int fd = openat (dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd >= 0)
    {
      bool done = write_file (fd, key, data, size);
      done = close (fd) == 0 && done;
      if (! done || renameat (dir, temporary, dir, name) != 0)
        unlinkat (dir, temporary, 0);
      keep_bound (dir);
    }
  close (dir);
}
