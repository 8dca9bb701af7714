#include "CFloors.h"
#include "elements.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *floor_jansson_version(void) { return JANSSON_VERSION; }

/// The sum over the elements of an array, and the function that gives the value
/// of an element.
typedef struct {
  double (*value)(json_t *);
  double sum;
} sum_t;

static bool add(json_t *element, void *sum) {
  ((sum_t *)sum)->sum += ((sum_t *)sum)->value(element);
  return true;
}

/// Sums the values of the elements of an array. NaN if the text is not an
/// array.
static double sum_of_elements(const char *bytes, size_t count, double (*value)(json_t *)) {
  sum_t sum = {.value = value, .sum = 0};
  return elements_read(bytes, count, add, &sum) ? sum.sum : NAN;
}

/// Returns the length of a text, and copies the text as a program that stores
/// it would.
static double copied_length(json_t *text) {
  char *copy = strndup(json_is_string(text) ? json_string_value(text) : "", json_string_length(text));
  double length = copy ? (double)json_string_length(text) : NAN;
  free(copy);
  return length;
}

static double post(json_t *object) {
  json_t *user = json_object_get(object, "user");
  json_t *reply = json_object_get(object, "in_reply_to_status_id");
  json_t *date = json_object_get(object, "created_at");
  json_t *tag;
  size_t index, inner;
  json_t *bound;
  /// Adds integers exactly, and rounds their sum once.
  int64_t sum = json_integer_value(json_object_get(object, "id")) +
                json_integer_value(json_object_get(object, "repost_count")) +
                json_integer_value(json_object_get(object, "favorite_count")) +
                (json_is_integer(reply) ? json_integer_value(reply) : -1) +
                json_is_true(json_object_get(object, "possibly_sensitive")) +
                json_integer_value(json_object_get(user, "id")) +
                json_integer_value(json_object_get(user, "followers_count"));
  double lengths = copied_length(json_object_get(object, "text")) +
                   copied_length(json_object_get(object, "lang")) +
                   copied_length(json_object_get(user, "name")) +
                   copied_length(json_object_get(user, "screen_name")) +
                   copied_length(json_object_get(user, "location"));
  json_array_foreach(json_object_get(json_object_get(object, "entities"), "hashtags"), index, tag) {
    lengths += copied_length(json_object_get(tag, "text"));
    json_array_foreach(json_object_get(tag, "indices"), inner, bound) {
      sum += json_integer_value(bound);
    }
  }
  return (double)(sum + (int64_t)lengths) +
         floor_seconds_from_2001(json_string_value(date), json_string_length(date));
}

double floor_decode_posts(const char *bytes, size_t count) {
  return sum_of_elements(bytes, count, post);
}

static double outline(json_t *object) {
  json_t *ring, *point, *number;
  size_t one, two, three;
  double sum = (double)json_integer_value(json_object_get(object, "id")) +
               copied_length(json_object_get(object, "name"));
  json_array_foreach(json_object_get(object, "rings"), one, ring) {
    json_array_foreach(ring, two, point) {
      json_array_foreach(point, three, number) { sum += json_number_value(number); }
    }
  }
  return sum;
}

double floor_decode_outlines(const char *bytes, size_t count) {
  return sum_of_elements(bytes, count, outline);
}
