#ifndef ELEMENTS_H
#define ELEMENTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/// Calls a function with each element of an array, parsed by Jansson one at a
/// time; false where the text is no array, or the function returned that.
bool elements_read(const char *bytes, size_t count, bool (*read)(json_t *element, void *context),
                   void *context);

#endif
