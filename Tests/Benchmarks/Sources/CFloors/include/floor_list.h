#ifndef FLOOR_LIST_H
#define FLOOR_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A list of rows that uses SQLite directly: a connection, its prepared
/// statements and the ordered row IDs.
typedef struct floor_list floor_list;

/// Opens a connection. Returns NULL on failure.
floor_list *floor_list_open(const char *path);
void floor_list_close(floor_list *list);

/// Prepares a statement and returns its number, or -1 on failure.
int floor_list_prepare(floor_list *list, const char *sql);

/// Reads all row IDs in order into newly allocated memory, and the numbers of
/// the second column if the statement has one. Returns the number of rows, or
/// -1 on failure.
int64_t floor_list_scan(floor_list *list, int select);

/// Returns the row IDs that the last scan or merge produced.
const int64_t *floor_list_ids(const floor_list *list);

/// Reads rows of eight columns in one transaction into structs that own their
/// texts. `ids` are the parameters of the statement. Returns the checksum of
/// all values, or NaN on failure.
double floor_list_read(floor_list *list, int select, const int64_t *ids, size_t count);

/// A row ID and the number to write to the row.
typedef struct {
  int64_t id;
  double value;
} floor_edit;

/// Runs a statement of two parameters, a row ID and a number, for each edit in
/// one transaction. Returns false on failure.
bool floor_list_write(floor_list *list, int edit, const floor_edit *edits, size_t count);

/// Finds the row directly before a row in the list. `evaluate` reads the sort
/// values of the row, and its ID last. `probe` takes these values as
/// parameters. Returns the ID of the previous row, 0 if the row is the first,
/// -1 if it does not exist, or -2 on failure.
int64_t floor_list_predecessor(floor_list *list, int evaluate, int probe, int64_t id);

/// Changes the numbers of rows and restores the order of the list, which is
/// descending by number, with one merge. The scan must have read the numbers.
/// Returns false on failure.
bool floor_list_merge(floor_list *list, const floor_edit *edits, size_t count);

/// Reads a number of a row, and returns how many of the given numbers are equal
/// to it. -1 if the row does not exist.
int64_t floor_list_compare(floor_list *list, int evaluate, int64_t id, const double *numbers,
                           size_t count);

#endif
