#include "connection.h"
#include "listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

floor_list *floor_list_open(const char *path) {
  floor_list *list = calloc(1, sizeof *list);
  if (list == NULL) {
    return NULL;
  }
  // Same settings as a connection of a pool: one thread at a time, foreign
  // keys, write-ahead log.
  if (sqlite3_open_v2(path, &list->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
          SQLITE_OK ||
      sqlite3_exec(list->database,
                   "PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL;"
                   "PRAGMA synchronous = NORMAL",
                   NULL, NULL, NULL) != SQLITE_OK) {
    connection_check(list->database, false);
    floor_list_close(list);
    return NULL;
  }
  static const char *steps[] = {"BEGIN", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"};
  for (int step = 0; step < STEP_COUNT; step++) {
    if (!connection_prepare(list->database, steps[step], &list->steps[step])) {
      floor_list_close(list);
      return NULL;
    }
  }
  return list;
}

void floor_list_close(floor_list *list) {
  for (int i = 0; i < list->statement_count; i++) {
    sqlite3_finalize(list->statements[i]);
  }
  for (int step = 0; step < STEP_COUNT; step++) {
    sqlite3_finalize(list->steps[step]);
  }
  sqlite3_close(list->database);
  free(list->ids);
  free(list->numbers);
  free(list);
}

bool run_transaction_step(floor_list *list, transaction_step step) {
  sqlite3_step(list->steps[step]);
  return connection_check(list->database, sqlite3_reset(list->steps[step]) == SQLITE_OK);
}

int floor_list_prepare(floor_list *list, const char *sql) {
  int number = list->statement_count;
  if (number == statement_limit || !connection_prepare(list->database, sql, &list->statements[number])) {
    return -1;
  }
  list->statement_count += 1;
  return number;
}

int64_t floor_list_scan(floor_list *list, int select) {
  sqlite3_stmt *statement = list->statements[select];
  bool has_numbers = sqlite3_column_count(statement) > 1;
  size_t capacity = 0;
  free(list->ids);
  free(list->numbers);
  list->ids = NULL;
  list->numbers = NULL;
  list->count = 0;
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    if (list->count == capacity) {
      capacity = capacity ? capacity * 2 : 64;
      int64_t *ids = realloc(list->ids, capacity * sizeof *ids);
      double *numbers = has_numbers ? realloc(list->numbers, capacity * sizeof *numbers) : NULL;
      list->ids = ids ? ids : list->ids;
      list->numbers = numbers ? numbers : list->numbers;
      if (ids == NULL || (has_numbers && numbers == NULL)) {
        break;
      }
    }
    list->ids[list->count] = sqlite3_column_int64(statement, 0);
    if (has_numbers) {
      list->numbers[list->count] = sqlite3_column_double(statement, 1);
    }
    list->count += 1;
  }
  sqlite3_reset(statement);
  return connection_check(list->database, code == SQLITE_DONE) ? (int64_t)list->count : -1;
}

const int64_t *floor_list_ids(const floor_list *list) { return list->ids; }

typedef struct {
  int64_t id, show, season;
  const char *title, *summary, *url;
  int title_count, summary_count, url_count;
  double published_at, duration;
  bool has_summary, has_season;
  char *storage;
} row_t;

static const char *copy(sqlite3_stmt *statement, int column, int count, char **end) {
  char *text = *end;
  if (count > 0) {
    memcpy(text, sqlite3_column_text(statement, column), (size_t)count);
  }
  *end += count;
  return text;
}

static bool read_row(sqlite3_stmt *statement, row_t *row) {
  row->id = sqlite3_column_int64(statement, 0);
  row->show = sqlite3_column_int64(statement, 1);
  row->has_summary = sqlite3_column_type(statement, 3) != SQLITE_NULL;
  row->published_at = sqlite3_column_double(statement, 5);
  row->duration = sqlite3_column_double(statement, 6);
  row->has_season = sqlite3_column_type(statement, 7) != SQLITE_NULL;
  row->season = sqlite3_column_int64(statement, 7);
  row->title_count = sqlite3_column_bytes(statement, 2);
  row->summary_count = sqlite3_column_bytes(statement, 3);
  row->url_count = sqlite3_column_bytes(statement, 4);
  char *end = row->storage =
      malloc((size_t)(row->title_count + row->summary_count + row->url_count) + 1);
  if (end == NULL) {
    return false;
  }
  row->title = copy(statement, 2, row->title_count, &end);
  row->summary = copy(statement, 3, row->summary_count, &end);
  row->url = copy(statement, 4, row->url_count, &end);
  return true;
}

static double checksum(const row_t *row) {
  int64_t integers = row->id + row->show + (row->has_season ? row->season : -1) +
                     row->title_count + (row->has_summary ? row->summary_count : -1) +
                     row->url_count;
  return (double)integers + row->published_at + row->duration;
}

double floor_list_read(floor_list *list, int select, const int64_t *ids, size_t count) {
  sqlite3_stmt *statement = list->statements[select];
  row_t rows[64];
  size_t used = 0;
  int code = SQLITE_ERROR;
  if (!run_transaction_step(list, BEGIN)) {
    return NAN;
  }
  for (size_t i = 0; i < count; i++) {
    sqlite3_bind_int64(statement, (int)i + 1, ids[i]);
  }
  while (used < 64 && (code = sqlite3_step(statement)) == SQLITE_ROW &&
         read_row(statement, &rows[used])) {
    used += 1;
  }
  bool is_read = connection_check(list->database, code == SQLITE_DONE);
  sqlite3_reset(statement);
  bool is_good = run_transaction_step(list, COMMIT) && is_read;
  double sum = is_good ? 0 : NAN;
  for (size_t i = 0; i < used; i++) {
    sum += checksum(&rows[i]);
    free(rows[i].storage);
  }
  return sum;
}
