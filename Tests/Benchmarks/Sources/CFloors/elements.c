#include "CFloors.h"
#include "elements.h"

bool elements_read(const char *bytes, size_t count, bool (*read)(json_t *element, void *context),
                   void *context) {
  const char *position = bytes, *end = bytes + count;
  bool is_good = position < end && *position++ == '[';
  while (is_good && position < end && *position != ']') {
    json_error_t error;
    json_t *element = json_loadb(position, (size_t)(end - position),
                                 JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &error);
    if (element == NULL) {
      floor_record_failure(error.text);
    }
    is_good = element != NULL && read(element, context);
    json_decref(element);
    position += error.position;
    while (position < end && (*position == ',' || *position == '\n' || *position == ' ')) {
      position += 1;
    }
  }
  return is_good;
}
