#ifndef CONNECTION_H
#define CONNECTION_H

#include <sqlite3.h>
#include <stdbool.h>

/// Opens a database file like a connection of a pool: for one thread at a time.
/// `settings` are SQL statements to run. Close the connection even if this
/// returns false.
bool connection_open(sqlite3 **database, const char *path, const char *settings);

/// Records the cause of a failure of the connection, if there is one. Returns
/// `is_good`.
bool connection_check(sqlite3 *database, bool is_good);

/// Runs SQL statements.
bool connection_execute(sqlite3 *database, const char *sql);

/// Prepares a statement for many runs.
bool connection_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement);

#endif
