#ifndef FAULTY_FILES_H
#define FAULTY_FILES_H

#include <stddef.h>
#include <stdint.h>

/// The calls of SQLite that can fail.
enum {
  faulty_open,
  faulty_read,
  faulty_write,
  faulty_sync,
  faulty_truncate,
  faulty_lock,
  faulty_unlock,
  faulty_file_size,
  faulty_shm_map,
  faulty_shm_lock,
  faulty_delete,
  faulty_access,
  faulty_call_count
};

/// What a call does before it fails.
enum {
  /// Nothing.
  faulty_before,
  /// A write stores the first half of its bytes.
  faulty_halfway,
  /// Everything.
  faulty_after
};

/// Adds a file system to SQLite, which becomes the default. It forwards all calls to the former
/// default, and injects faults into calls for files of one folder. Returns an SQLite code.
int faulty_install(void);

/// Selects the folder whose files are affected, or none. The path ends with a slash.
void faulty_watch(const char *folder);

/// Sets all counters to zero, and makes calls fail.
///
/// - `call`: The kind of the calls, or -1 for no fault.
/// - `number`: The number of the first call that fails, from 1.
/// - `count`: The number of successive calls that fail.
/// - `code`: The SQLite code of the failure.
void faulty_arm(int call, int number, int count, int moment, int code);

/// Ends the faults. Returns the number of calls that have failed.
int faulty_disarm(void);

/// The number of calls since the counters were set to zero.
int faulty_count(int call);

/// A change of a file.
typedef struct {
  /// `faulty_open` if the file was created, `faulty_write`, `faulty_truncate`, `faulty_sync` or
  /// `faulty_delete`.
  int call;
  /// The name of the file in the folder.
  char name[64];
  /// The offset of the bytes, or the size of the truncated file. For a deletion, whether the
  /// folder was synchronized.
  int64_t offset;
  const unsigned char *bytes;
  size_t count;
} faulty_event;

/// Begins to record changes, or ends and forgets them.
void faulty_record(int isRecording);

/// Whether synchronizations do nothing but report success.
void faulty_ignore_syncs(int isIgnoring);

size_t faulty_event_count(void);
faulty_event faulty_event_at(size_t index);

#endif
