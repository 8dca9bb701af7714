#include "connection.h"

#include <stddef.h>

bool connection_open(sqlite3 **database, const char *path, const char *settings) {
  *database = NULL;
  return sqlite3_open_v2(path, database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ==
             SQLITE_OK &&
         // A store that stays open does not checkpoint the write-ahead log, so
         // closing this connection must not either.
         sqlite3_db_config(*database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL) == SQLITE_OK &&
         sqlite3_exec(*database, settings, NULL, NULL, NULL) == SQLITE_OK;
}

bool connection_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement) {
  return sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) ==
         SQLITE_OK;
}
