#ifndef CFLOORS_H
#define CFLOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "floor_list.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Returns unused memory to the system, if the platform supports this, so that
/// a contender does not reuse memory of the previous one.
void floor_release_memory(void);

/// Returns the cause of the last failure on this thread.
const char *floor_failure(void);

/// Records the cause of a failure on this thread.
void floor_record_failure(const char *message);

/// Returns the version of Jansson that the floors are built with.
const char *floor_jansson_version(void);

/// Returns the seconds from 2001 to a date such as `2026-11-20T08:30:00.000Z` or
/// `2026-11-20T09:30:00+01:00`. NaN if the text is not a date.
double floor_seconds_from_2001(const char *text, size_t count);

/// Parses an array of episodes with Jansson, one element at a time, into an
/// array of structs that own their texts. Returns the checksum of all values,
/// or NaN if the text is not an array of episodes.
double floor_decode_episodes(const char *bytes, size_t count);

/// Parses an array of timeline posts in the same way.
double floor_decode_posts(const char *bytes, size_t count);

/// Parses an array of outlines in the same way.
double floor_decode_outlines(const char *bytes, size_t count);

/// An episode with pointers to UTF-8 text that it does not own.
typedef struct {
  int64_t id, number, season, media_size;
  const char *guid, *title, *summary, *author, *media_url;
  int guid_count, title_count, summary_count, author_count, media_url_count;
  double published_at, duration, rating;
  bool is_explicit, has_season;
} floor_episode;

/// Writes episodes to a database file in one transaction, with an upsert
/// statement of 13 parameters. `settings` are SQL statements to configure the
/// connection. Returns the number of rows written, or -1 on failure.
int64_t floor_import(const char *path, const char *settings, const char *upsert,
                     const floor_episode *episodes, size_t count);

/// Parses episodes like `floor_decode_episodes` and writes each one like
/// `floor_import`, without an array of episodes in memory.
int64_t floor_import_json(const char *path, const char *settings, const char *upsert,
                          const char *bytes, size_t count);

/// Reads rows of 13 columns into an array of structs that own their texts.
/// Returns the checksum of all values, or NaN on failure.
double floor_fetch(const char *path, const char *settings, const char *select);

/// Sets the title and the rating of the rows with the given IDs in one
/// transaction, with an update statement of three parameters. Returns the
/// number of rows written, or -1 on failure.
int64_t floor_update(const char *path, const char *settings, const char *update,
                     const int64_t *ids, size_t count, const char *title, double rating);

#ifdef __cplusplus
}
#endif

#endif
