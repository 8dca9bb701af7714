#include "episode.h"

#include <stdlib.h>
#include <string.h>

bool episode_copy_texts(episode_t *episode, size_t count) {
  text_t *texts[] = {&episode->guid, &episode->title, &episode->summary, &episode->author,
                     &episode->media_url};
  char *end = episode->storage = malloc(count + 1);
  if (end == NULL) {
    return false;
  }
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    memcpy(end, texts[i]->bytes, texts[i]->count);
    texts[i]->bytes = end;
    end += texts[i]->count;
  }
  return true;
}

double episode_checksum(const episode_t *episode) {
  int64_t integers = episode->id + episode->number +
                     (episode->has_season ? episode->season : -1) + episode->media_size +
                     (int64_t)(episode->guid.count + episode->title.count +
                               episode->summary.count + episode->author.count +
                               episode->media_url.count) +
                     episode->is_explicit;
  return (double)integers + episode->duration + episode->rating + episode->published_at;
}

episode_t *episodes_next(episodes_t *array) {
  if (array->count == array->capacity) {
    size_t capacity = array->capacity ? array->capacity * 2 : 64;
    episode_t *larger = realloc(array->episodes, capacity * sizeof *larger);
    if (larger == NULL) {
      return NULL;
    }
    array->episodes = larger;
    array->capacity = capacity;
  }
  return &array->episodes[array->count];
}

double episodes_checksum(const episodes_t *array) {
  double sum = 0;
  for (size_t i = 0; i < array->count; i++) {
    sum += episode_checksum(&array->episodes[i]);
  }
  return sum;
}

void episodes_free(episodes_t *array) {
  for (size_t i = 0; i < array->count; i++) {
    free(array->episodes[i].storage);
  }
  free(array->episodes);
}
