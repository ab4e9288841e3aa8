/* The cache of compiled kernels: what was put there comes back, whatever else lies there does
   not, and several processes do not disturb each other.  */

#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host.h"
#include "../../src/core/store.h"

static char top[64], folder[128];

static void
use (const char *path)
{
  static int k = -1;
  for (int i = 0; k < 0 && i < sg_config_count (); i++)
    if (strcmp (sg_config_name (i), "cache") == 0)
      k = i;
  CHECK (sg_config_set_string (k, path) == SG_OK, "%s", sg_message ());
}

static sg_store_key
key_of (const char *text)
{
  return (sg_store_key) { .text = text, .size = strlen (text) };
}

/* True if KEY is found with this code; false if it is not found.  */
static bool
finds (const char *key, const char *code)
{
  void *data;
  size_t n;
  if (! sg_store_find (key_of (key), &data, &n))
    return false;
  CHECK (n == strlen (code) && memcmp (data, code, n) == 0, "%s: %zu bytes", key, n);
  sg_free (data);
  return true;
}

static void
keep (const char *key, const char *code)
{
  sg_store_keep (key_of (key), code, strlen (code));
}

/* The names of the files; temporary ones too if HIDDEN.  */
static int
list (char name[][80], int room, bool hidden)
{
  int n = 0;
  DIR *d = opendir (folder);
  for (struct dirent *e; d && (e = readdir (d)); )
    if (strcmp (e->d_name, ".") && strcmp (e->d_name, "..") && (hidden || e->d_name[0] != '.')
        && n < room)
      snprintf (name[n++], 80, "%.79s", e->d_name);
  if (d)
    closedir (d);
  return n;
}

static void
path_of_only (char path[256])
{
  char name[4][80];
  int n = list (name, 4, true);
  CHECK (n == 1, "%d files", n);
  snprintf (path, 256, "%s/%.80s", folder, n ? name[0] : "none");
}

static void
clear (void)
{
  char name[64][80], path[256];
  int n = list (name, 64, true);
  for (int i = 0; i < n; i++)
    {
      snprintf (path, sizeof path, "%s/%.80s", folder, name[i]);
      unlink (path);
    }
}

static void
test_there_and_back (void)
{
  CHECK (! finds ("a", "x"), "an empty cache");
  CHECK (access (folder, F_OK) != 0, "looking makes no folder");
  keep ("a", "code of a");
  keep ("b", "code of b");
  CHECK (finds ("a", "code of a") && finds ("b", "code of b"), "what was put there");
  CHECK (! finds ("c", "") && ! finds ("", ""), "what was not");
  keep ("a", "newer code");
  CHECK (finds ("a", "newer code"), "the newer");
  sg_store_drop (key_of ("a"));
  CHECK (! finds ("a", "") && finds ("b", "code of b"), "dropped");
  struct stat st;
  CHECK (stat (folder, &st) == 0 && (st.st_mode & 0777) == 0700, "mode %o", st.st_mode);
  clear ();
}

/* Every byte of a file changed, and every length.  */
static void
test_damage (void)
{
  char path[256], whole[512];
  keep ("key", "some code");
  path_of_only (path);
  int fd = open (path, O_RDONLY);
  int n = read (fd, whole, sizeof whole);
  close (fd);
  for (int i = 0; i < 2 * n + 3; i++)
    {
      char bad[520];
      memcpy (bad, whole, n);
      if (i < n)
        bad[i] ^= 0x10;
      int size = i < n ? n : i < 2 * n ? i - n : n + (i - 2 * n) * 3 + 1;
      memset (bad + n, 'x', 7);
      fd = open (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
      CHECK (write (fd, bad, size) == size, "written");
      close (fd);
      CHECK (! finds ("key", "some code"), "damage number %d", i);
      CHECK (access (path, F_OK) != 0, "number %d was left there", i);
    }
  keep ("key", "some code");
  CHECK (finds ("key", "some code"), "made anew");
  clear ();
}

/* A file of another key under this name: the hash alone is not trusted.  */
static void
test_foreign_key (void)
{
  char mine[256], other[256];
  keep ("other", "code of another");
  path_of_only (other);
  keep ("mine", "my code");
  sg_store_drop (key_of ("other"));
  path_of_only (mine);
  clear ();
  keep ("other", "code of another");
  CHECK (rename (other, mine) == 0, "renamed");
  CHECK (! finds ("mine", ""), "another's code");
  clear ();
}

static void
test_links_and_modes (void)
{
  char path[256], elsewhere[256], outside[128];
  keep ("key", "code");
  path_of_only (path);
  snprintf (elsewhere, sizeof elsewhere, "%s/elsewhere", top);
  CHECK (rename (path, elsewhere) == 0 && symlink (elsewhere, path) == 0, "linked");
  CHECK (! finds ("key", "code"), "a link is not followed");
  keep ("key", "code");
  CHECK (finds ("key", "code"), "and is replaced");
  CHECK (access (elsewhere, F_OK) == 0, "what it pointed to stays");
  chmod (path, 0666);
  CHECK (! finds ("key", "code"), "others may write the file");
  clear ();

  keep ("key", "code");
  chmod (folder, 0777);
  CHECK (! finds ("key", "code"), "others may write the folder");
  chmod (folder, 0700);
  CHECK (finds ("key", "code"), "nobody may");
  if (geteuid () == 0)
    {
      CHECK (chown (path, 12345, 12345) == 0, "given away");
      CHECK (! finds ("key", "code"), "another's file");
      keep ("key", "code");
      CHECK (chown (folder, 12345, 12345) == 0, "given away");
      CHECK (! finds ("key", "code"), "another's folder");
      CHECK (chown (folder, 0, 0) == 0, "taken back");
    }
  snprintf (outside, sizeof outside, "%s/link", top);
  CHECK (symlink (folder, outside) == 0, "linked");
  use (outside);
  CHECK (! finds ("key", "code"), "a folder that is a link");
  use (folder);
  unlink (outside);
  unlink (elsewhere);
  mkdir (path, 0700);
  clear ();
  rmdir (path);
  CHECK (mkfifo (path, 0600) == 0, "a pipe");
  CHECK (! finds ("key", "code"), "a pipe has no code");
  clear ();
}

static void
test_bound (void)
{
  static char big[40000];
  char name[64][80], text[20];
  int64_t old = sg_store_limit;
  sg_store_limit = 200000;
  memset (big, 'x', sizeof big - 1);
  for (int i = 0; i < 10; i++)
    {
      snprintf (text, sizeof text, "key %d", i);
      keep (text, big);
      /* Times have a resolution.  */
      nanosleep (&(struct timespec) { .tv_nsec = 20000000 }, NULL);
      if (i > 0)
        CHECK (finds ("key 0", big), "what is used stays");
    }
  int n = list (name, 64, true);
  CHECK (n == 4 || n == 5, "%d files", n);
  CHECK (finds ("key 9", big), "the newest");
  sg_store_limit = old;
  clear ();

  int fd = open (folder, O_RDONLY | O_DIRECTORY);
  int left = openat (fd, ".123-4", O_WRONLY | O_CREAT, 0600);
  struct timespec then[2] = { { .tv_sec = 1000000 }, { .tv_sec = 1000000 } };
  futimens (left, then);
  close (left);
  left = openat (fd, ".123-5", O_WRONLY | O_CREAT, 0600);
  close (left);
  close (fd);
  keep ("key", "code");
  n = list (name, 64, true);
  CHECK (n == 2, "%d files: one that was left behind goes, one that is new stays", n);
  clear ();
}

/* Eight processes write and read the same keys.  */
static void
test_processes (void)
{
  static char code[4][20000];
  char key[20];
  for (int k = 0; k < 4; k++)
    memset (code[k], 'a' + k, sizeof code[k] - 1);
  fflush (stdout);
  pid_t pid[8];
  for (int p = 0; p < 8; p++)
    if ((pid[p] = fork ()) == 0)
      {
        int before = failed;
        for (int i = 0; i < 100; i++)
          {
            snprintf (key, sizeof key, "key %d", (i + p) % 4);
            keep (key, code[(i + p) % 4]);
            snprintf (key, sizeof key, "key %d", i % 4);
            finds (key, code[i % 4]);
          }
        fflush (stdout);
        _exit (failed > before);
      }
  for (int p = 0; p < 8; p++)
    {
      int status;
      waitpid (pid[p], &status, 0);
      CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0, "process %d: %d", p, status);
    }
  for (int k = 0; k < 4; k++)
    {
      snprintf (key, sizeof key, "key %d", k);
      CHECK (finds (key, code[k]), "%s", key);
    }
  char name[64][80];
  CHECK (list (name, 64, true) == 4, "nothing is left behind");
  clear ();
}

static void
test_where (void)
{
  char path[200];
  use ("off");
  CHECK (! sg_store_folder (path, sizeof path), "off");
  keep ("key", "code");
  CHECK (! finds ("key", "code"), "off");
  use ("");
  setenv ("XDG_CACHE_HOME", "/one", 1);
  setenv ("HOME", "/two", 1);
  CHECK (sg_store_folder (path, sizeof path) && strcmp (path, "/one/symgpu") == 0, "%s", path);
  setenv ("XDG_CACHE_HOME", "one", 1);
  CHECK (sg_store_folder (path, sizeof path) && strcmp (path, "/two/.cache/symgpu") == 0, "%s",
         path);
  unsetenv ("HOME");
  CHECK (! sg_store_folder (path, sizeof path), "nowhere");
  use ("/proc/no/such/folder");
  keep ("key", "code");
  CHECK (! finds ("key", "code"), "a folder that cannot be made");
  use (folder);
}

int
main (void)
{
  snprintf (top, sizeof top, "/tmp/symgpu-store-XXXXXX");
  if (! mkdtemp (top))
    return 1;
  snprintf (folder, sizeof folder, "%s/a/b", top);
  use (folder);
  test_there_and_back ();
  test_damage ();
  test_foreign_key ();
  test_links_and_modes ();
  test_bound ();
  test_processes ();
  test_where ();
  rmdir (folder);
  snprintf (folder, sizeof folder, "%s/a", top);
  rmdir (folder);
  CHECK (rmdir (top) == 0, "all is removed");
  return finish ();
}
