#include "connection.h"
#include "listing.h"

#include <stdlib.h>

bool floor_list_write(floor_list *list, int edit, const floor_edit *edits, size_t count) {
  sqlite3_stmt *statement = list->statements[edit];
  bool is_good = run_transaction_step(list, BEGIN_IMMEDIATE);
  for (size_t i = 0; i < count && is_good; i++) {
    sqlite3_bind_int64(statement, 1, edits[i].id);
    if (sqlite3_bind_parameter_count(statement) > 1) {
      sqlite3_bind_double(statement, 2, edits[i].value);
    }
    is_good = sqlite3_step(statement) == SQLITE_DONE;
    is_good = sqlite3_reset(statement) == SQLITE_OK && is_good;
    connection_check(list->database, is_good);
  }
  return run_transaction_step(list, is_good ? COMMIT : ROLLBACK) && is_good;
}

static int64_t predecessor(sqlite3_stmt *evaluate, sqlite3_stmt *probe, int64_t id) {
  sqlite3_bind_int64(evaluate, 1, id);
  int code = sqlite3_step(evaluate);
  if (code != SQLITE_ROW) {
    return code == SQLITE_DONE ? -1 : -2;
  }
  for (int i = 0; i < sqlite3_column_count(evaluate); i++) {
    sqlite3_bind_value(probe, i + 1, sqlite3_column_value(evaluate, i));
  }
  code = sqlite3_step(probe);
  if (code != SQLITE_ROW) {
    return code == SQLITE_DONE ? 0 : -2;
  }
  return sqlite3_column_int64(probe, 0);
}

int64_t floor_list_predecessor(floor_list *list, int evaluate, int probe, int64_t id) {
  if (!run_transaction_step(list, BEGIN)) {
    return -2;
  }
  int64_t before = predecessor(list->statements[evaluate], list->statements[probe], id);
  connection_check(list->database, before != -2);
  sqlite3_reset(list->statements[evaluate]);
  sqlite3_reset(list->statements[probe]);
  return run_transaction_step(list, COMMIT) ? before : -2;
}

static int by_number(const void *left, const void *right) {
  double one = ((const floor_edit *)left)->value, other = ((const floor_edit *)right)->value;
  return (one < other) - (one > other);
}

bool floor_list_merge(floor_list *list, const floor_edit *edits, size_t count) {
  int64_t last = 0;
  for (size_t i = 0; i < list->count; i++) {
    last = list->ids[i] > last ? list->ids[i] : last;
  }
  int64_t *ids = malloc(list->count * sizeof *ids);
  double *numbers = malloc(list->count * sizeof *numbers);
  floor_edit *sorted = malloc(count * sizeof *sorted);
  bool *is_touched = calloc((size_t)last + 1, sizeof *is_touched);
  bool is_good = ids && numbers && sorted && is_touched && list->numbers;
  if (is_good) {
    size_t next = 0, used = 0;
    for (size_t i = 0; i < count; i++) {
      sorted[i] = edits[i];
      is_touched[edits[i].id] = true;
    }
    qsort(sorted, count, sizeof *sorted, by_number);
    for (size_t i = 0; i <= list->count; i++) {
      bool is_end = i == list->count;
      if (!is_end && is_touched[list->ids[i]]) {
        continue;
      }
      for (; next < count && (is_end || sorted[next].value > list->numbers[i]); next++, used++) {
        ids[used] = sorted[next].id;
        numbers[used] = sorted[next].value;
      }
      if (!is_end) {
        ids[used] = list->ids[i];
        numbers[used++] = list->numbers[i];
      }
    }
    free(list->ids);
    free(list->numbers);
    list->ids = ids;
    list->numbers = numbers;
  } else {
    free(ids);
    free(numbers);
  }
  free(is_touched);
  free(sorted);
  return is_good;
}

int64_t floor_list_compare(floor_list *list, int evaluate, int64_t id, const double *numbers,
                           size_t count) {
  sqlite3_stmt *statement = list->statements[evaluate];
  int64_t equal = -1;
  sqlite3_bind_int64(statement, 1, id);
  if (sqlite3_step(statement) == SQLITE_ROW) {
    double number = sqlite3_column_double(statement, 0);
    equal = 0;
    for (size_t i = 0; i < count; i++) {
      equal += numbers[i] == number;
    }
  }
  sqlite3_reset(statement);
  return equal;
}
