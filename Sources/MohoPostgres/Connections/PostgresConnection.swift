import CPostgres

/// A connection to a PostgreSQL server.
final class PostgresConnection {}
