#include "faulty_files.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// A file of the watched folder. The file of the former default follows in the same memory.
typedef struct {
  sqlite3_file base;
  char name[64];
  sqlite3_file *real;
} file;

static sqlite3_vfs *original;
static sqlite3_vfs system_with_faults;

// All following variables are guarded by the lock.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char watched[1024];
static int counts[faulty_call_count];
static struct { int call, number, count, moment, code, failures; } fault = {.call = -1};
static int is_recording, ignores_syncs;
static faulty_event *events;
static size_t event_count, event_capacity;

// Declares a variable with a value that is read under the lock.
#define LOCKED(type, name, value)  \
  pthread_mutex_lock(&mutex);      \
  type name = value;               \
  pthread_mutex_unlock(&mutex)

// Counts a call. Returns whether it fails, and with which code.
static int fails(int call, int *moment, int *code) {
  pthread_mutex_lock(&mutex);
  int number = ++counts[call];
  int result = fault.call == call && number >= fault.number &&
               number - fault.number < fault.count;
  if (result) fault.failures++;
  *moment = fault.moment;
  *code = fault.code;
  pthread_mutex_unlock(&mutex);
  return result;
}

static void record(int call, const char *name, int64_t offset, const void *bytes, size_t count) {
  size_t length = strlen(name);
  // The index of the log does not survive a loss of power.
  if (length > 4 && strcmp(name + length - 4, "-shm") == 0) return;
  pthread_mutex_lock(&mutex);
  if (is_recording) {
    if (event_count == event_capacity) {
      event_capacity = event_capacity ? event_capacity * 2 : 256;
      events = realloc(events, event_capacity * sizeof(faulty_event));
    }
    faulty_event *event = &events[event_count++];
    memset(event, 0, sizeof *event);
    event->call = call;
    strncpy(event->name, name, sizeof event->name - 1);
    event->offset = offset;
    if (count > 0) {
      unsigned char *copy = malloc(count);
      memcpy(copy, bytes, count);
      event->bytes = copy;
      event->count = count;
    }
  }
  pthread_mutex_unlock(&mutex);
}

// The name of a file in the watched folder, or null for all other files.
static const char *watched_name(const char *path) {
  if (path == NULL) return NULL;
  LOCKED(size_t, length, strncmp(path, watched, strlen(watched)) == 0 ? strlen(watched) : 0);
  return length > 0 ? path + length : NULL;
}

// Performs a call, or fails before or after it.
#define PERFORM(call, body)                                          \
  do {                                                               \
    int moment, code;                                                \
    int is_failing = fails(call, &moment, &code);                    \
    if (is_failing && moment == faulty_before) return code;          \
    int performed = body;                                            \
    return is_failing && performed == SQLITE_OK ? code : performed;  \
  } while (0)

#define REAL(f) (((file *)(f))->real)

static int file_close(sqlite3_file *f) {
  int result = REAL(f)->pMethods ? REAL(f)->pMethods->xClose(REAL(f)) : SQLITE_OK;
  f->pMethods = NULL;
  return result;
}

static int file_read(sqlite3_file *f, void *bytes, int count, sqlite3_int64 offset) {
  PERFORM(faulty_read, REAL(f)->pMethods->xRead(REAL(f), bytes, count, offset));
}

static int write_and_record(sqlite3_file *f, const void *bytes, int count, sqlite3_int64 offset) {
  int result = REAL(f)->pMethods->xWrite(REAL(f), bytes, count, offset);
  if (result == SQLITE_OK) record(faulty_write, ((file *)f)->name, offset, bytes, (size_t)count);
  return result;
}

static int file_write(sqlite3_file *f, const void *bytes, int count, sqlite3_int64 offset) {
  int moment, code;
  if (!fails(faulty_write, &moment, &code)) return write_and_record(f, bytes, count, offset);
  if (moment == faulty_halfway) write_and_record(f, bytes, count / 2, offset);
  if (moment == faulty_after) write_and_record(f, bytes, count, offset);
  return code;
}

static int truncate_and_record(sqlite3_file *f, sqlite3_int64 size) {
  int result = REAL(f)->pMethods->xTruncate(REAL(f), size);
  if (result == SQLITE_OK) record(faulty_truncate, ((file *)f)->name, size, NULL, 0);
  return result;
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size) {
  PERFORM(faulty_truncate, truncate_and_record(f, size));
}

static int sync_and_record(sqlite3_file *f) {
  LOCKED(int, ignores, ignores_syncs);
  // The process does not end, so the data need not be written to the disk.
  if (!ignores) record(faulty_sync, ((file *)f)->name, 0, NULL, 0);
  return SQLITE_OK;
}

static int file_sync(sqlite3_file *f, int flags) {
  (void)flags;
  PERFORM(faulty_sync, sync_and_record(f));
}

static int file_size(sqlite3_file *f, sqlite3_int64 *size) {
  PERFORM(faulty_file_size, REAL(f)->pMethods->xFileSize(REAL(f), size));
}

static int file_lock(sqlite3_file *f, int level) {
  PERFORM(faulty_lock, REAL(f)->pMethods->xLock(REAL(f), level));
}

static int file_unlock(sqlite3_file *f, int level) {
  PERFORM(faulty_unlock, REAL(f)->pMethods->xUnlock(REAL(f), level));
}

static int file_check_lock(sqlite3_file *f, int *result) {
  return REAL(f)->pMethods->xCheckReservedLock(REAL(f), result);
}

static int file_control(sqlite3_file *f, int operation, void *argument) {
  return REAL(f)->pMethods->xFileControl(REAL(f), operation, argument);
}

static int file_sector_size(sqlite3_file *f) {
  return REAL(f)->pMethods->xSectorSize(REAL(f));
}

static int file_characteristics(sqlite3_file *f) {
  return REAL(f)->pMethods->xDeviceCharacteristics(REAL(f));
}

static int file_shm_map(sqlite3_file *f, int region, int size, int extends, void volatile **map) {
  int moment, code;
  if (fails(faulty_shm_map, &moment, &code)) {
    *map = NULL;
    return code;
  }
  return REAL(f)->pMethods->xShmMap(REAL(f), region, size, extends, map);
}

static int file_shm_lock(sqlite3_file *f, int offset, int count, int flags) {
  // SQLite ignores errors of unlocking.
  if (!(flags & SQLITE_SHM_LOCK)) {
    return REAL(f)->pMethods->xShmLock(REAL(f), offset, count, flags);
  }
  PERFORM(faulty_shm_lock, REAL(f)->pMethods->xShmLock(REAL(f), offset, count, flags));
}

static void file_shm_barrier(sqlite3_file *f) { REAL(f)->pMethods->xShmBarrier(REAL(f)); }

static int file_shm_unmap(sqlite3_file *f, int deletes) {
  return REAL(f)->pMethods->xShmUnmap(REAL(f), deletes);
}

// Version 2 has no memory mapping, so that all reads and writes are calls.
static const sqlite3_io_methods methods = {
    2,           file_close,        file_read,       file_write,      file_truncate,
    file_sync,   file_size,         file_lock,       file_unlock,     file_check_lock,
    file_control, file_sector_size, file_characteristics, file_shm_map, file_shm_lock,
    file_shm_barrier, file_shm_unmap, NULL, NULL};

static int system_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *opened, int flags,
                       int *result_flags) {
  (void)vfs;
  const char *name = watched_name(path);
  // The former default uses the memory for itself.
  if (name == NULL) return original->xOpen(original, path, opened, flags, result_flags);
  int moment, code, exists = 0;
  opened->pMethods = NULL;
  if (fails(faulty_open, &moment, &code)) return code;
  original->xAccess(original, path, SQLITE_ACCESS_EXISTS, &exists);
  file *f = (file *)opened;
  f->real = (sqlite3_file *)(f + 1);
  f->real->pMethods = NULL;
  memset(f->name, 0, sizeof f->name);
  strncpy(f->name, name, sizeof f->name - 1);
  int result = original->xOpen(original, path, f->real, flags, result_flags);
  if (result == SQLITE_OK) {
    if (!exists) record(faulty_open, f->name, 0, NULL, 0);
    opened->pMethods = &methods;
  }
  return result;
}

static int delete_and_record(const char *path, const char *name, int syncs) {
  int result = original->xDelete(original, path, 0);
  if (result == SQLITE_OK) record(faulty_delete, name, syncs, NULL, 0);
  return result;
}

static int system_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  (void)vfs;
  const char *name = watched_name(path);
  if (name == NULL) return original->xDelete(original, path, syncs);
  PERFORM(faulty_delete, delete_and_record(path, name, syncs));
}

static int system_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  (void)vfs;
  if (watched_name(path) == NULL) return original->xAccess(original, path, flags, result);
  PERFORM(faulty_access, original->xAccess(original, path, flags, result));
}

int faulty_install(void) {
  original = sqlite3_vfs_find(NULL);
  if (original == NULL) return SQLITE_ERROR;
  system_with_faults = *original;
  system_with_faults.pNext = NULL;
  system_with_faults.zName = "faulty";
  system_with_faults.szOsFile = (int)sizeof(file) + original->szOsFile;
  system_with_faults.xOpen = system_open;
  system_with_faults.xDelete = system_delete;
  system_with_faults.xAccess = system_access;
  return sqlite3_vfs_register(&system_with_faults, 1);
}

void faulty_watch(const char *folder) {
  pthread_mutex_lock(&mutex);
  watched[0] = 0;
  if (folder != NULL) strncpy(watched, folder, sizeof watched - 1);
  pthread_mutex_unlock(&mutex);
}

void faulty_arm(int call, int number, int count, int moment, int code) {
  pthread_mutex_lock(&mutex);
  memset(counts, 0, sizeof counts);
  fault.call = call;
  fault.number = number;
  fault.count = count;
  fault.moment = moment;
  fault.code = code;
  fault.failures = 0;
  pthread_mutex_unlock(&mutex);
}

int faulty_disarm(void) {
  pthread_mutex_lock(&mutex);
  int failures = fault.failures;
  fault.call = -1;
  pthread_mutex_unlock(&mutex);
  return failures;
}

int faulty_count(int call) {
  LOCKED(int, count, counts[call]);
  return count;
}

void faulty_record(int isRecording) {
  pthread_mutex_lock(&mutex);
  for (size_t index = 0; index < event_count; index++) free((void *)events[index].bytes);
  event_count = 0;
  is_recording = isRecording;
  pthread_mutex_unlock(&mutex);
}

void faulty_ignore_syncs(int isIgnoring) {
  pthread_mutex_lock(&mutex);
  ignores_syncs = isIgnoring;
  pthread_mutex_unlock(&mutex);
}

size_t faulty_event_count(void) {
  LOCKED(size_t, count, event_count);
  return count;
}

faulty_event faulty_event_at(size_t index) {
  LOCKED(faulty_event, event, events[index]);
  return event;
}
