#include "CFloors.h"
#include "elements.h"
#include "episode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int digits(const char *text, int count) {
  int number = 0;
  for (int i = 0; i < count; i++) {
    number = number * 10 + (text[i] - '0');
  }
  return number;
}

double floor_seconds_from_2001(const char *text, size_t count) {
  bool is_utc = count >= 20 && text[count - 1] == 'Z';
  if (!is_utc && (count < 25 || (text[count - 6] != '+' && text[count - 6] != '-'))) {
    return NAN;
  }
  size_t zone = count - (is_utc ? 1 : 6);
  if (zone != 19 && (text[19] != '.' || zone > 29)) {
    return NAN;
  }
  double fraction = 0, unit = 1;
  for (size_t place = 20; place < zone; place++) {
    fraction = fraction * 10 + (text[place] - '0');
    unit *= 10;
  }
  int64_t offset = is_utc ? 0 : digits(text + zone + 1, 2) * 3600 + digits(text + zone + 4, 2) * 60;
  int64_t month = digits(text + 5, 2);
  int64_t year = digits(text, 4) - (month <= 2);
  int64_t era = year / 400, year_of_era = year % 400;
  int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + digits(text + 8, 2) - 1;
  int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  int64_t days = era * 146097 + day_of_era - 730791;
  return (double)(days * 86400 + digits(text + 11, 2) * 3600 + digits(text + 14, 2) * 60 +
                  digits(text + 17, 2) - (text[zone] == '-' ? -offset : offset)) +
         fraction / unit;
}

/// Points to the text of a value. Returns its length, or a huge number if the
/// value is not a string.
static size_t borrow_text(text_t *text, json_t *value) {
  text->bytes = (char *)json_string_value(value);
  text->count = json_string_length(value);
  return text->bytes ? text->count : SIZE_MAX / 8;
}

bool episode_extract(json_t *object, episode_t *episode) {
  json_t *media = json_object_get(object, "media");
  json_t *season = json_object_get(object, "season");
  json_t *published_at = json_object_get(object, "published_at");
  size_t count = 0;
  count += borrow_text(&episode->guid, json_object_get(object, "guid"));
  count += borrow_text(&episode->title, json_object_get(object, "title"));
  count += borrow_text(&episode->summary, json_object_get(object, "summary"));
  count += borrow_text(&episode->author, json_object_get(object, "author"));
  count += borrow_text(&episode->media_url, json_object_get(media, "url"));
  if (count >= SIZE_MAX / 8 || !json_is_string(published_at)) {
    return false;
  }
  if (!episode_copy_texts(episode, count)) {
    return false;
  }
  episode->id = json_integer_value(json_object_get(object, "id"));
  episode->number = json_integer_value(json_object_get(object, "number"));
  episode->has_season = season != NULL;
  episode->season = json_integer_value(season);
  episode->media_size = json_integer_value(json_object_get(media, "size"));
  episode->published_at =
      floor_seconds_from_2001(json_string_value(published_at), json_string_length(published_at));
  episode->duration = json_number_value(json_object_get(object, "duration"));
  episode->rating = json_number_value(json_object_get(object, "rating"));
  episode->is_explicit = json_is_true(json_object_get(object, "explicit"));
  return true;
}

static bool add(json_t *object, void *array) {
  episode_t *episode = episodes_next(array);
  if (episode == NULL || !episode_extract(object, episode)) {
    return false;
  }
  ((episodes_t *)array)->count += 1;
  return true;
}

double floor_decode_episodes(const char *bytes, size_t count) {
  episodes_t array = {0};
  double sum = elements_read(bytes, count, add, &array) ? episodes_checksum(&array) : NAN;
  episodes_free(&array);
  return sum;
}
