/*
 * A library for LD_PRELOAD that stands between a program and the C library. It numbers the
 * operations on files below a folder, and can record them, make one of them fail, or kill the
 * process there. Settings, in the environment:
 *
 *   FAULT_FOLDER  the absolute path of the folder
 *   FAULT_LOG     a file that gets every operation, with the bytes of every write
 *   FAULT         "NUMBER KIND" or "NUMBER KIND always"; the first operation has the number 1
 *
 * Kinds of faults:
 *
 *   kill    SIGKILL before the operation
 *   inside  SIGKILL after half of the bytes of a write, or after another operation
 *   EIO     the operation fails as on a broken disk
 *   ENOSPC  the operation fails as on a full disk, if it needs space
 *   short   a write stores only half of its bytes
 *   open    no file that a process has open is renamed or replaced, as on Windows; the number is 0
 *
 * With "always", the later operations fail too. A program can set a new fault, and start counting
 * again, by removing the file "/fault/NUMBER KIND"; "/fault/0 none" ends all faults. In the same way,
 * "/fault/log PATH" begins a new log, and "/fault/log " ends it.
 *
 * SQLite writes the -shm file through memory, where nothing can be seen here; only its opening and
 * its size are. After a power cut, SQLite does not read it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* The function of the C library that this library hides. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder = "";
static int log_file = -1;
static long number;
static long target;
static char kind[16] = "none";
static int always;

static void set_fault(const char *text) {
  char more[16] = "";
  number = 0;
  if (sscanf(text, "%ld %15s %15s", &target, kind, more) < 2) target = 0;
  always = strcmp(more, "always") == 0;
}

static void set_log(const char *path) {
  if (log_file >= 0) close(log_file);
  log_file = path[0] == '\0' ? -1 : REAL(openat)(AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULT_LOG");
  if (getenv("FAULT_FOLDER") != NULL) folder = getenv("FAULT_FOLDER");
  if (getenv("FAULT") != NULL) set_fault(getenv("FAULT"));
  if (path != NULL) set_log(path);
}

static int is_watched(const char *path) {
  size_t length = strlen(folder);
  return length > 0 && strncmp(path, folder, length) == 0 &&
         (path[length] == '/' || path[length] == '\0');
}

/* Finds the path of a descriptor. Returns 0 if it is not in the folder. */
static int path_of_file(int file, char path[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return is_watched(path);
}

/* Finds the absolute path of a name in a folder. Returns 0 if it is not in the folder. */
static int path_of_name(int at, const char *name, char path[PATH_MAX]) {
  char start[PATH_MAX] = "";
  if (name[0] == '/') return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && is_watched(path);
  if (at == AT_FDCWD ? getcwd(start, sizeof start) == NULL : !path_of_file(at, start)) return 0;
  return snprintf(path, PATH_MAX, "%s/%s", start, name) < PATH_MAX && is_watched(path);
}

static void record(char letter, long long offset, size_t length, const char *path, const char *to,
                   const void *bytes) {
  if (log_file < 0) return;
  dprintf(log_file, "%c\t%lld\t%zu\t%s\t%s\n", letter, offset, length, path, to);
  for (size_t done = 0; done < length;) {
    ssize_t written = REAL(write)(log_file, (const char *)bytes + done, length - done);
    if (written < 0) abort();
    done += written;
  }
}

enum step { PROCEED, FAIL, HALF, DIE_AFTER };

/* Counts an operation and decides what happens to it. */
static enum step next_step(int needs_space) {
  number += 1;
  if (target == 0 || number < target || (number > target && !always)) return PROCEED;
  if (strcmp(kind, "kill") == 0) raise(SIGKILL);
  if (strcmp(kind, "inside") == 0) return DIE_AFTER;
  if (strcmp(kind, "short") == 0) return HALF;
  if (strcmp(kind, "ENOSPC") == 0 && !needs_space) return PROCEED;
  errno = strcmp(kind, "ENOSPC") == 0 ? ENOSPC : EIO;
  return FAIL;
}

/*
 * Runs a call that is not a write: CALL sets `result`. It is recorded if it succeeds.
 */
#define OPERATION(needs_space, CALL, RECORD)          \
  do {                                                \
    pthread_mutex_lock(&lock);                        \
    enum step step = next_step(needs_space);          \
    if (step != FAIL) CALL;                           \
    int saved = errno;                                \
    if (step == DIE_AFTER) raise(SIGKILL);            \
    if (step != FAIL && result >= 0) RECORD;          \
    pthread_mutex_unlock(&lock);                      \
    errno = saved;                                    \
  } while (0)

static int open_file(int at, const char *name, int flags, mode_t mode) {
  char path[PATH_MAX];
  int result = -1;
  if (!path_of_name(at, name, path)) return REAL(openat)(at, name, flags, mode);
  int creates = (flags & O_CREAT) != 0 && access(path, F_OK) != 0;
  char letter = creates ? 'C' : (flags & O_TRUNC) != 0 ? 'Z' : 'O';
  OPERATION(creates, result = REAL(openat)(at, name, flags, mode),
            record(letter, 0, 0, path, "", NULL));
  return result;
}

/* The mode is only there if the flags say that the file may be created. */
#define READ_MODE                              \
  mode_t mode = 0;                             \
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {  \
    va_list list;                              \
    va_start(list, flags);                     \
    mode = va_arg(list, mode_t);               \
    va_end(list);                              \
  }

int open(const char *name, int flags, ...) { READ_MODE return open_file(AT_FDCWD, name, flags, mode); }
int open64(const char *name, int flags, ...) { READ_MODE return open_file(AT_FDCWD, name, flags, mode); }
int openat(int at, const char *name, int flags, ...) { READ_MODE return open_file(at, name, flags, mode); }
int openat64(int at, const char *name, int flags, ...) { READ_MODE return open_file(at, name, flags, mode); }
int __open_2(const char *name, int flags) { return open_file(AT_FDCWD, name, flags, 0); }
int __open64_2(const char *name, int flags) { return open_file(AT_FDCWD, name, flags, 0); }
int creat(const char *name, mode_t mode) {
  return open_file(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

/* Writes at an offset; -1 means the position of the descriptor. */
static ssize_t write_file(int file, const void *bytes, size_t length, off64_t offset) {
  char path[PATH_MAX];
  int moves = offset < 0;
  if (!path_of_file(file, path))
    return moves ? REAL(write)(file, bytes, length) : REAL(pwrite64)(file, bytes, length, offset);
  pthread_mutex_lock(&lock);
  ssize_t result = -1;
  enum step step = next_step(1);
  if (step != FAIL) {
    size_t part = step == PROCEED ? length : (length + 1) / 2;
    if (moves)
      offset = lseek64(file, 0, (fcntl(file, F_GETFL) & O_APPEND) != 0 ? SEEK_END : SEEK_CUR);
    result = moves ? REAL(write)(file, bytes, part) : REAL(pwrite64)(file, bytes, part, offset);
    if (step == DIE_AFTER) raise(SIGKILL);
    int saved = errno;
    if (result > 0) record('W', offset, result, path, "", bytes);
    errno = saved;
  }
  int saved = errno;
  pthread_mutex_unlock(&lock);
  errno = saved;
  return result;
}

/* Writes pieces one by one, which is a short write if one of them fails. */
static ssize_t write_pieces(int file, const struct iovec *pieces, int count, off64_t offset) {
  ssize_t total = 0;
  for (int at = 0; at < count; at += 1) {
    ssize_t written =
        write_file(file, pieces[at].iov_base, pieces[at].iov_len, offset < 0 ? -1 : offset + total);
    if (written < 0) return total > 0 ? total : -1;
    total += written;
    if ((size_t)written < pieces[at].iov_len) break;
  }
  return total;
}

/* Only files in the folder: the pieces for a pipe or a socket must arrive as one. */
#define PIECES(name, offset, ...)                                                     \
  char path[PATH_MAX];                                                                \
  return path_of_file(file, path) ? write_pieces(file, pieces, count, offset) : REAL(name)(__VA_ARGS__);

ssize_t write(int file, const void *bytes, size_t length) { return write_file(file, bytes, length, -1); }
ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) { return write_file(file, bytes, length, at); }
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) { return write_file(file, bytes, length, at); }
ssize_t writev(int file, const struct iovec *pieces, int count) { PIECES(writev, -1, file, pieces, count) }
ssize_t pwritev(int file, const struct iovec *pieces, int count, off_t at) { PIECES(pwritev, at, file, pieces, count, at) }
ssize_t pwritev64(int file, const struct iovec *pieces, int count, off64_t at) { PIECES(pwritev64, at, file, pieces, count, at) }

/* A copy within the kernel could not be recorded. The callers then write the bytes themselves. */
ssize_t sendfile(int to, int from, off_t *at, size_t length) {
  char path[PATH_MAX];
  if (!path_of_file(to, path)) return REAL(sendfile)(to, from, at, length);
  errno = EINVAL;
  return -1;
}
ssize_t sendfile64(int to, int from, off64_t *at, size_t length) { return sendfile(to, from, at, length); }
ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *at, size_t length, unsigned flags) {
  char path[PATH_MAX];
  if (!path_of_file(to, path)) return REAL(copy_file_range)(from, start, to, at, length, flags);
  errno = ENOSYS;
  return -1;
}

/* Defines a function of a descriptor with a record. */
#define FILE_FUNCTION(name, parameters, arguments, needs_space, letter, size)              \
  int name parameters {                                                                    \
    char path[PATH_MAX];                                                                   \
    int result = -1;                                                                       \
    if (!path_of_file(file, path)) return REAL(name) arguments;                            \
    OPERATION(needs_space, result = REAL(name) arguments,                                  \
              record(letter, size, 0, path, "", NULL));                                    \
    return result;                                                                         \
  }

FILE_FUNCTION(ftruncate, (int file, off_t size), (file, size), 1, 'T', size)
FILE_FUNCTION(ftruncate64, (int file, off64_t size), (file, size), 1, 'T', size)
FILE_FUNCTION(fallocate, (int file, int mode, off_t at, off_t size), (file, mode, at, size), 1, 'A', at + size)
FILE_FUNCTION(fallocate64, (int file, int mode, off64_t at, off64_t size), (file, mode, at, size), 1, 'A', at + size)
FILE_FUNCTION(fsync, (int file), (file), 1, 'S', 0)
FILE_FUNCTION(fdatasync, (int file), (file), 1, 'S', 0)

/* Returns the number of the error rather than setting it. */
int posix_fallocate(int file, off_t at, off_t size) { return fallocate(file, 0, at, size) < 0 ? errno : 0; }
int posix_fallocate64(int file, off64_t at, off64_t size) { return posix_fallocate(file, at, size); }

int unlinkat(int at, const char *name, int flags) {
  char path[PATH_MAX];
  int result = -1;
  if (strncmp(name, "/fault/", 7) == 0) {
    if (strncmp(name + 7, "log ", 4) == 0) set_log(name + 11);
    else set_fault(name + 7);
    return 0;
  }
  if (!path_of_name(at, name, path)) return REAL(unlinkat)(at, name, flags);
  OPERATION(0, result = REAL(unlinkat)(at, name, flags),
            record((flags & AT_REMOVEDIR) != 0 ? 'D' : 'U', 0, 0, path, "", NULL));
  return result;
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }
int remove(const char *name) {
  struct stat found;
  return unlinkat(AT_FDCWD, name, lstat(name, &found) == 0 && S_ISDIR(found.st_mode) ? AT_REMOVEDIR : 0);
}

int mkdirat(int at, const char *name, mode_t mode) {
  char path[PATH_MAX];
  int result = -1;
  if (!path_of_name(at, name, path)) return REAL(mkdirat)(at, name, mode);
  OPERATION(1, result = REAL(mkdirat)(at, name, mode), record('M', 0, 0, path, "", NULL));
  return result;
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

/* Returns 1 if a process has the file at a path open. */
static int is_open(const char *path) {
  struct stat wanted, found;
  struct dirent *process, *file;
  char name[PATH_MAX];
  int result = 0;
  if (stat(path, &wanted) != 0) return 0;
  DIR *processes = opendir("/proc");
  while (processes != NULL && (process = readdir(processes)) != NULL) {
    snprintf(name, sizeof name, "/proc/%s/fd", process->d_name);
    DIR *files = opendir(name);
    while (files != NULL && (file = readdir(files)) != NULL) {
      snprintf(name, sizeof name, "/proc/%s/fd/%s", process->d_name, file->d_name);
      if (stat(name, &found) == 0 && found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino)
        result = 1;
    }
    if (files != NULL) closedir(files);
  }
  if (processes != NULL) closedir(processes);
  return result;
}

int renameat(int from_at, const char *from, int to_at, const char *to) {
  char old_path[PATH_MAX], path[PATH_MAX];
  int result = -1;
  if (!path_of_name(from_at, from, old_path) || !path_of_name(to_at, to, path))
    return REAL(renameat)(from_at, from, to_at, to);
  if (strcmp(kind, "open") == 0 && (is_open(old_path) || is_open(path))) {
    errno = EBUSY;
    return -1;
  }
  OPERATION(1, result = REAL(renameat)(from_at, from, to_at, to),
            record('R', 0, 0, old_path, path, NULL));
  return result;
}
int rename(const char *from, const char *to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }
