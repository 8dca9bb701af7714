#ifndef CFLOORS_H
#define CFLOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "floor_list.h"

/// Gives memory that is not in use back to the system, where that can be asked
/// for, so that what runs next does not find it as others have left it.
void floor_release_memory(void);

/// The version of Jansson that floors are built with.
const char *floor_jansson_version(void);

/// Reads an array of episodes with Jansson, an element at a time, into an array
/// of structs that own their text, and returns the checksum of all values; NaN
/// where the text is not such an array.
double floor_decode_episodes(const char *bytes, size_t count);

/// Reads an array of a timeline's posts likewise.
double floor_decode_posts(const char *bytes, size_t count);

/// Reads an array of outlines likewise.
double floor_decode_outlines(const char *bytes, size_t count);

/// An episode whose text lies elsewhere, in UTF-8.
typedef struct {
  int64_t id, number, season, media_size;
  const char *guid, *title, *summary, *author, *media_url;
  int guid_count, title_count, summary_count, author_count, media_url_count;
  double published_at, duration, rating;
  bool is_explicit, has_season;
} floor_episode;

/// Writes episodes in one transaction to the store in a file, by an upsert of 13
/// parameters, and returns how many rows were written; -1 where that failed.
/// `settings` are statements that set the connection up.
int64_t floor_import(const char *path, const char *settings, const char *upsert,
                     const floor_episode *episodes, size_t count);

/// Reads an array of episodes as `floor_decode_episodes` does and writes each
/// as `floor_import` does, without keeping them.
int64_t floor_import_json(const char *path, const char *settings, const char *upsert,
                          const char *bytes, size_t count);

/// Reads rows of 13 columns into an array of structs that own their text, and
/// returns the checksum of all values; NaN where that failed.
double floor_fetch(const char *path, const char *settings, const char *select);

/// Gives the rows of some identities a title and a rating in one transaction, by
/// an update of three parameters, and returns how many rows were written; -1
/// where that failed.
int64_t floor_update(const char *path, const char *settings, const char *update,
                     const int64_t *ids, size_t count, const char *title, double rating);

#endif
