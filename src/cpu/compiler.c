/* The system's C compiler, run beside the program by a thread that has little claim to the processors.

   Nothing waits for it: as long as the functions of a text are not there the interpreter does what they
   would.  What it makes is kept on disk, like the kernels of a GPU, and comes from there in later
   sessions.  It is run without a shell, with an environment of its own, in a folder that is made for one
   compilation.  */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../core/profile.h"
#include "../core/store.h"
#include "../render/render.h"
#include "compiler.h"
#include "cpu.h"

#define OBJECTS_MAX 2048
#define NBUCKETS 512
#define QUEUE 64
#define NICE 5

typedef enum state { UNKNOWN, ABSENT, READY, FAILED } state;

struct sg_object
{
  uint64_t hash;
  char *text;
  int nfn;
  bool asked[2];             /* to look for it, to compile it */
  bool counted;
  atomic_int state;
  sg_object_fn *fn;          /* these are set before the state is READY: the functions, */
  double seconds;            /* what the compiler has taken, */
  bool waited;               /* and whether the program waited for it */
  sg_object *next;
};

typedef struct job
{
  sg_object *o;
  bool compile;
  char *folder;              /* of the store, owned; NULL: there is none */
  char *compiler, *place;    /* paths, owned: what to run, where to make a folder */
} job;

static sg_object *bucket[NBUCKETS];
static int nobject;

static struct
{
  pthread_mutex_t lock;
  pthread_cond_t wake;
  job queue[QUEUE];
  int first, n;
  bool started;
  pid_t running;             /* the compiler, 0: none */
  char folder[64 + 32];      /* that it works in, "": none */
} work = { .lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER };

/* A forked child has no thread for it.  */
static bool forked;

static void
in_child (void)
{
  forked = true;
}

/* ---- files ------------------------------------------------------------------------------ */

static void *
read_whole (const char *path, size_t *size)
{
  struct stat st;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  char *p = NULL;
  if (fd < 0)
    return NULL;
  if (fstat (fd, &st) == 0 && st.st_size > 0)
    p = malloc ((size_t) st.st_size);
  if (p && read (fd, p, (size_t) st.st_size) != (ssize_t) st.st_size)
    {
      free (p);
      p = NULL;
    }
  *size = p ? (size_t) st.st_size : 0;
  close (fd);
  return p;
}

static bool
write_whole (const char *path, const char *data, size_t size)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0700);
  if (fd < 0)
    return false;
  size_t at = 0;
  for (ssize_t n; at < size && (n = write (fd, data + at, size - at)) > 0; )
    at += (size_t) n;
  return close (fd) == 0 && at == size;
}

/* The text, and beside it the headers that it includes.  */
static bool
write_source (const char *folder, const char *source, const char *text)
{
  static const char *const needed[] = { "sg_math.h", "sg_block.h" };
  char path[sizeof work.folder + 16];
  bool good = write_whole (source, text, strlen (text));
  for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
    for (const sg_header *h = sg_render_headers; good && h->name; h++)
      if (strcmp (h->name, needed[k]) == 0)
        {
          snprintf (path, sizeof path, "%s/%s", folder, h->name);
          good = write_whole (path, h->text, strlen (h->text));
        }
  return good;
}

/* A compiler that was stopped leaves files.  */
static void
remove_folder (const char *folder)
{
  DIR *d = opendir (folder);
  for (struct dirent *x; d && (x = readdir (d)); )
    unlinkat (dirfd (d), x->d_name, 0);
  if (d)
    closedir (d);
  rmdir (folder);
}

static bool
load (sg_object *o, const char *path)
{
  void *lib = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  sg_object_fn *fn = lib ? malloc ((size_t) o->nfn * sizeof *fn) : NULL;
  for (int k = 0; fn && k < o->nfn; k++)
    {
      char name[32];
      snprintf (name, sizeof name, "sg_s%d", k);
      *(void **) &fn[k] = dlsym (lib, name);
      if (! fn[k])
        {
          free (fn);
          fn = NULL;
        }
    }
  if (! fn && lib)
    dlclose (lib);
  o->fn = fn;
  return fn != NULL;
}

/* ---- the compiler -------------------------------------------------------------------------- */

static const char *
find_compiler (void)
{
  static const char *const paths[] = { "/usr/local/bin/cc", "/usr/local/bin/gcc", "/usr/bin/cc",
                                       "/usr/bin/gcc", "/usr/bin/clang" };
  if (*sg_cfg.compiler)
    return *sg_cfg.compiler == '/' && access (sg_cfg.compiler, X_OK) == 0 ? sg_cfg.compiler : NULL;
  for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
    if (access (paths[k], X_OK) == 0)
      return paths[k];
  return NULL;
}

const char *
sg_cpu_compiler (void)
{
  const char *path = find_compiler ();
  return path ? path : *sg_cfg.compiler ? "the setting compiler names no program" : "there is none";
}

/* Compiler flags that follow from the instruction set of the kernels in use.  */
static const char *
isa_flag (void)
{
  static char flag[40];
  const char *isa = sg_kernels_get ()->isa;
  if (strncmp (isa, "x86-64", 6) != 0)
    return NULL;
  snprintf (flag, sizeof flag, "-march=%s", isa);
  return flag;
}

/* As the kernels are compiled, see kernels.mk: errno and floating-point exceptions do not matter; NaN,
   infinities, signs of 0 and the order of operations do.  Memory may be of several types in turn.  */
#define FLAGS "-std=gnu11", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", \
  "-fno-strict-aliasing", "-w", "-shared", "-fPIC", "-nostdlib"

static const char *const flags[] = { FLAGS };

/* True if it went well.  */
static bool
wait_for (pid_t pid)
{
  int status;
  pid_t got;
  do
    got = waitpid (pid, &status, 0);
  while (got < 0 && errno == EINTR);
  return got == pid && WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

/* Start the compiler on the file SOURCE in FOLDER.  */
static bool
start (const job *j, const char *folder, const char *source, const char *out, pid_t *pid)
{
  char path[] = "PATH=/usr/local/bin:/usr/bin:/bin", locale[] = "LC_ALL=C", tmp[128];
  const char *arg[32];
  int n = 0;

  snprintf (tmp, sizeof tmp, "TMPDIR=%s", folder);
  char *env[] = { path, locale, tmp, NULL };
  arg[n++] = j->compiler;
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    arg[n++] = flags[k];
  if (isa_flag ())
    arg[n++] = isa_flag ();
  arg[n++] = source;
  arg[n++] = "-o";
  arg[n++] = out;
  arg[n] = NULL;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attr;
  sigset_t none, all;
  sigemptyset (&none);
  sigfillset (&all);
  posix_spawn_file_actions_init (&actions);
  posix_spawnattr_init (&attr);
  posix_spawn_file_actions_addopen (&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen (&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen (&actions, 2, "/dev/null", O_WRONLY, 0);
  /* A group of its own: what is typed at the terminal is not for it.  */
  posix_spawnattr_setflags (&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
                                   | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup (&attr, 0);
  posix_spawnattr_setsigmask (&attr, &none);
  posix_spawnattr_setsigdefault (&attr, &all);
  bool good = posix_spawn (pid, j->compiler, &actions, &attr, (char **) arg, env) == 0;
  posix_spawnattr_destroy (&attr);
  posix_spawn_file_actions_destroy (&actions);
  return good;
}

static void
set_running (pid_t pid)
{
  pthread_mutex_lock (&work.lock);
  work.running = pid;
  pthread_mutex_unlock (&work.lock);
}

static bool
run_compiler (const job *j, const char *folder, const char *out)
{
  char source[sizeof work.folder + 16];
  pid_t pid;
  snprintf (source, sizeof source, "%s/k.c", folder);
  if (! write_source (folder, source, j->o->text) || ! start (j, folder, source, out, &pid))
    return false;
  set_running (pid);
  double from = sg_now ();
  bool good = wait_for (pid);
  j->o->seconds = sg_now () - from;
  set_running (0);
  return good;
}

/* ---- the work --------------------------------------------------------------------------- */

/* From the store, else from the compiler; OUT is a file to be made.  */
static state
make (const job *j, sg_store_key key, const char *folder, const char *out)
{
  void *data = NULL;
  size_t size = 0;
  if (j->folder && sg_store_find (key, &data, &size))
    {
      bool good = write_whole (out, data, size) && load (j->o, out);
      free (data);
      if (good)
        return READY;
      unlink (out);
      sg_store_drop (key);
    }
  if (! j->compile || ! j->compiler)
    return ABSENT;
  if (! run_compiler (j, folder, out) || ! load (j->o, out))
    return FAILED;
  data = j->folder ? read_whole (out, &size) : NULL;
  if (data)
    sg_store_keep (key, data, size);
  free (data);
  return READY;
}

/* What the code depends on.  */
static char *
key_text (const sg_object *o)
{
  static const char form[] = "loop 1\n%s\n%016llx\n%s";
  const char *isa = sg_kernels_get ()->isa;
  uint64_t h = sg_render_headers_hash ();
  size_t room = sizeof form + strlen (isa) + 16 + strlen (o->text);
  char *p = malloc (room);
  if (p)
    snprintf (p, room, form, isa, (unsigned long long) h, o->text);
  return p;
}

static void
name_folder (const char *folder)
{
  pthread_mutex_lock (&work.lock);
  snprintf (work.folder, sizeof work.folder, "%s", folder);
  pthread_mutex_unlock (&work.lock);
}

static void
do_job (const job *j)
{
  char folder[sizeof work.folder], out[sizeof folder + 16];
  char *text = key_text (j->o);
  state s = FAILED;

  if (text && snprintf (folder, sizeof folder, "%s/symgpu-XXXXXX", j->place) < (int) sizeof folder
      && mkdtemp (folder))
    {
      name_folder (folder);
      snprintf (out, sizeof out, "%s/k.so", folder);
      s = make (j, (sg_store_key) { text, strlen (text), j->folder }, folder, out);
      remove_folder (folder);
      name_folder ("");
    }
  free (text);
  atomic_store_explicit (&j->o->state, s, memory_order_release);
}

static void
clear_job (job *j)
{
  free (j->folder);
  free (j->compiler);
  free (j->place);
}

static void *
worker (void *arg)
{
  (void) arg;
#ifdef __linux__
  setpriority (PRIO_PROCESS, 0, NICE);   /* of this thread */
#endif
  pthread_mutex_lock (&work.lock);
  for (;;)
    {
      while (work.n == 0)
        pthread_cond_wait (&work.wake, &work.lock);
      job j = work.queue[work.first];
      work.first = (work.first + 1) % QUEUE;
      work.n--;
      pthread_mutex_unlock (&work.lock);
      do_job (&j);
      clear_job (&j);
      pthread_mutex_lock (&work.lock);
    }
  return NULL;
}

/* When the program ends: nothing of a compilation stays behind.  */
static void
at_exit (void)
{
  if (forked)
    return;
  pthread_mutex_lock (&work.lock);
  work.n = 0;
  if (work.running > 0)
    kill (-work.running, SIGKILL);
  if (*work.folder)
    remove_folder (work.folder);
  pthread_mutex_unlock (&work.lock);
}

/* With the lock.  */
static bool
make_thread (void)
{
  if (work.started)
    return true;
  sigset_t all, old;
  pthread_attr_t attr;
  pthread_t id;
  if (pthread_attr_init (&attr) != 0)
    return false;
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  work.started = pthread_create (&id, &attr, worker, NULL) == 0;
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  pthread_attr_destroy (&attr);
  return work.started;
}

static void
watch_process (void)
{
  pthread_atfork (NULL, NULL, in_child);
  atexit (at_exit);
}

/* False: the queue is full.  */
static bool
enqueue (job j)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, watch_process);
  pthread_mutex_lock (&work.lock);
  bool room = work.n < QUEUE && make_thread ();
  if (room)
    {
      work.queue[(work.first + work.n++) % QUEUE] = j;
      pthread_cond_signal (&work.wake);
    }
  pthread_mutex_unlock (&work.lock);
  return room;
}

static char *
copy (const char *s)
{
  return s ? strdup (s) : NULL;
}

static job
new_job (sg_object *o, bool compile)
{
  char folder[4096];
  const char *tmp = getenv ("TMPDIR");
  return (job) { .o = o, .compile = compile,
                 .folder = copy (sg_store_folder (folder, sizeof folder) ? folder : NULL),
                 .compiler = copy (find_compiler ()),
                 .place = copy (tmp && *tmp == '/' && strlen (tmp) < 64 ? tmp : "/tmp") };
}

/* ---- objects ------------------------------------------------------------------------------ */

sg_object *
sg_object_of (const char *text, int nfn)
{
  uint64_t h = sg_store_hash (SG_HASH_START, text, strlen (text));
  sg_object **at = &bucket[h % NBUCKETS];
  for (sg_object *o = *at; o; o = o->next)
    if (o->hash == h && strcmp (o->text, text) == 0)
      return o;
  sg_object *o = nobject < OBJECTS_MAX ? calloc (1, sizeof *o) : NULL;
  if (! o)
    return NULL;
  *o = (sg_object) { .hash = h, .text = strdup (text), .nfn = nfn, .next = *at };
  if (! o->text)
    {
      free (o);
      return NULL;
    }
  *at = o;
  nobject++;
  return o;
}

void
sg_object_ask (sg_object *o, bool compile, bool sync)
{
  int s = atomic_load_explicit (&o->state, memory_order_acquire);
  if (forked || s == READY || s == FAILED || o->asked[compile])
    return;
  job j = new_job (o, compile);
  bool taken = j.place && ! sync && enqueue (j);
  o->waited = sync;
  if (j.place && sync)
    do_job (&j);
  if (! taken)
    clear_job (&j);
  o->asked[compile] = taken || sync;
}

const char *
sg_object_text (const sg_object *o)
{
  return o->text;
}

const sg_object_fn *
sg_object_functions (sg_object *o)
{
  if (atomic_load_explicit (&o->state, memory_order_acquire) != READY)
    return NULL;
  if (! o->counted)
    {
      o->counted = true;
      sg_count.loops_compiled++;
      if (sg_profile_on && o->seconds > 0)
        sg_profile_compiled (o->seconds, o->waited);
    }
  return o->fn;
}
