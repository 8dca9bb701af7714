#ifndef FLOOR_LIST_H
#define FLOOR_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A list of rows in a store, by SQLite alone: a connection, its prepared
/// statements and the identities of the rows in order.
typedef struct floor_list floor_list;

/// Opens a connection; NULL where that failed.
floor_list *floor_list_open(const char *path);
void floor_list_close(floor_list *list);

/// Prepares a statement and returns its number; -1 where that failed.
int floor_list_prepare(floor_list *list, const char *sql);

/// Reads the identities of all rows, in order, into new memory, and the numbers
/// in a second column where the statement has one. Returns how many rows there
/// are; -1 where that failed.
int64_t floor_list_scan(floor_list *list, int select);

/// The identities that were read last.
const int64_t *floor_list_ids(const floor_list *list);

/// Reads rows of eight columns in one transaction into structs that own their
/// text: those with some identities, which are the statement's parameters.
/// Returns the checksum of their values; NaN where that failed.
double floor_list_read(floor_list *list, int select, const int64_t *ids, size_t count);

/// A row and the number that is written to it.
typedef struct {
  int64_t id;
  double value;
} floor_edit;

/// Runs a statement of two parameters, a row and a number, for each edit, in one
/// transaction. False where that failed.
bool floor_list_write(floor_list *list, int edit, const floor_edit *edits, size_t count);

/// Reads what says where a row stands, its identity last, and finds the row
/// before it by a statement with these values as parameters. Returns that row;
/// 0 where there is none, -1 where the row itself is gone, -2 where reading
/// failed.
int64_t floor_list_place(floor_list *list, int evaluate, int probe, int64_t id);

/// Gives rows other numbers, by which the list is ordered in descending order,
/// and orders the list anew by one merge. The numbers must have been read with
/// the identities.
bool floor_list_merge(floor_list *list, const floor_edit *edits, size_t count);

/// Reads a number of a row and tells how many of some numbers equal it.
int64_t floor_list_compare(floor_list *list, int evaluate, int64_t id, const double *numbers,
                           size_t count);

#endif
