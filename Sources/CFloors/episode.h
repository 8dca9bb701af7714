#ifndef EPISODE_H
#define EPISODE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  char *bytes;
  size_t count;
} text_t;

typedef struct {
  int64_t id, number, season, media_size;
  text_t guid, title, summary, author, media_url;
  double published_at, duration, rating;
  bool is_explicit, has_season;
  /// The allocation that holds all text.
  char *storage;
} episode_t;

/// Takes the values of an episode out of an object; false where it is none.
/// `storage` is to be freed.
bool episode_extract(json_t *object, episode_t *episode);

/// Seconds from 2001 to a date such as `2026-11-20T08:30:00Z`; NaN where the text
/// is none.
double seconds_from_2001(const char *text, size_t count);

/// Copies the texts of an episode, which lie elsewhere and have so many bytes in
/// all, into one allocation of its own, `storage`; false where there is no memory.
bool episode_own_texts(episode_t *episode, size_t count);

double episode_checksum(const episode_t *episode);

/// Episodes that own their text.
typedef struct {
  episode_t *episodes;
  size_t count, capacity;
} episodes_t;

/// Makes room for one more episode behind the last and returns it; null where
/// there is no memory.
episode_t *episodes_next(episodes_t *array);

/// The sum of all checksums.
double episodes_checksum(const episodes_t *array);

void episodes_free(episodes_t *array);

#endif
