#ifndef CONNECTION_H
#define CONNECTION_H

#include <sqlite3.h>
#include <stdbool.h>

/// Opens the database in a file as a connection of a pool is: for one thread at
/// a time, with settings, which are statements. It is to be closed even where
/// that fails.
bool connection_open(sqlite3 **database, const char *path, const char *settings);

/// Prepares a statement that is run many times.
bool connection_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement);

#endif
