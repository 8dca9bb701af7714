#ifndef CFLOORS_H
#define CFLOORS_H

#include <stddef.h>

/// Reads an array of episodes with Jansson, an element at a time, into an array
/// of structs that own their text, and returns the checksum of all values; NaN
/// where the text is not such an array.
double floor_decode_episodes(const char *bytes, size_t count);

#endif
