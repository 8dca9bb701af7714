/// A PostgreSQL server for tests.
