#include "CFloors.h"
#include "connection.h"

#include <stddef.h>
#include <stdio.h>

static _Thread_local char failure[512];

const char *floor_failure(void) { return failure; }

void floor_record_failure(const char *message) {
  snprintf(failure, sizeof failure, "%s", message);
}

bool connection_check(sqlite3 *database, bool is_good) {
  if (!is_good) {
    floor_record_failure(sqlite3_errmsg(database));
  }
  return is_good;
}

bool connection_open(sqlite3 **database, const char *path, const char *settings) {
  *database = NULL;
  bool is_good =
      sqlite3_open_v2(path, database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ==
          SQLITE_OK &&
      // A store that stays open does not checkpoint the write-ahead log, so
      // closing this connection must not either.
      sqlite3_db_config(*database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL) == SQLITE_OK;
  return connection_check(*database, is_good) && connection_execute(*database, settings);
}

bool connection_execute(sqlite3 *database, const char *sql) {
  return connection_check(database, sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK);
}

bool connection_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement) {
  int code = sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
  return connection_check(database, code == SQLITE_OK);
}
