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
  /// The allocation that contains all texts.
  char *storage;
} episode_t;

/// Reads an episode from a JSON object. Returns false if the object is not an
/// episode. The caller frees `storage`.
bool episode_extract(json_t *object, episode_t *episode);

/// Copies the texts of an episode, `count` bytes in all, into the new
/// allocation `storage`. Returns false if the allocation fails.
bool episode_copy_texts(episode_t *episode, size_t count);

double episode_checksum(const episode_t *episode);

/// An array of episodes that own their texts.
typedef struct {
  episode_t *episodes;
  size_t count, capacity;
} episodes_t;

/// Ensures capacity for one more episode and returns a pointer to it. Null if
/// the allocation fails.
episode_t *episodes_next(episodes_t *array);

/// Returns the sum of all checksums.
double episodes_checksum(const episodes_t *array);

void episodes_free(episodes_t *array);

#endif
