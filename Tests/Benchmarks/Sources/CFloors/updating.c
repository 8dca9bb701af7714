#include "CFloors.h"
#include "connection.h"

int64_t floor_update(const char *path, const char *settings, const char *update,
                     const int64_t *ids, size_t count, const char *title, double rating) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  int64_t changed = 0;
  bool is_good = connection_open(&database, path, settings) &&
                 connection_execute(database, "BEGIN IMMEDIATE") &&
                 connection_prepare(database, update, &statement);
  for (size_t i = 0; i < count && is_good; i++) {
    is_good = sqlite3_bind_text(statement, 1, title, -1, SQLITE_STATIC) == SQLITE_OK &&
              sqlite3_bind_double(statement, 2, rating) == SQLITE_OK &&
              sqlite3_bind_int64(statement, 3, ids[i]) == SQLITE_OK &&
              sqlite3_step(statement) == SQLITE_DONE;
    connection_check(database, is_good);
    changed += sqlite3_changes(database);
    sqlite3_reset(statement);
  }
  is_good = is_good && connection_execute(database, "COMMIT");
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return is_good ? changed : -1;
}
