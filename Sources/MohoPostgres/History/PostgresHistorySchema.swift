import MohoMapping
import MohoRows

/// The database objects of the history of a store, and the statements that write them.
///
/// The functions of the triggers that write the log of the commits write the history, too,
/// while it is recorded. Unlike the log, the history records names and keys instead of values,
/// and its changes are only deleted because of their age or on request.
///
/// **Order.** The server does not report the order of commits to SQL. The number of a change is
/// drawn after its row was locked, so the last numbers of two transactions that have changed
/// the same row have the order of their commits. The history is read in this order, and so are
/// the transactions that a token does not see. A transaction with lower numbers can be committed
/// after a token was made, so a token also names the transactions that were in progress. It
/// does not wait for them.
///
/// **Transaction IDs** have a meaning only in the database that has assigned them. The table of
/// the state names this database, so that a copy begins another history when a store opens it.
/// If a standby server replaces its primary server, the last commits may be lost, and their IDs
/// are assigned again. Each change therefore has the timeline of the server. See
/// ``PostgresHistoryReader``.
struct PostgresHistorySchema: Sendable {
  /// The name of the PostgreSQL schema that contains the tables.
  let schemaName: String

  func qualified(_ name: String) -> String { qualifiedName(name, in: schemaName) }

  var changes: String { qualified(ReservedName.history) }
  var state: String { qualified(ReservedName.historyState) }
  private var entities: String { qualified(ReservedName.historyEntities) }

  static let objects = [
    ReservedName.history, ReservedName.historyState, ReservedName.historyEntities,
  ]

  /// An SQL expression that identifies the history in its database.
  var server: String {
    """
    pg_catalog.concat_ws(' ', (SELECT system_identifier FROM pg_catalog.pg_control_system()),
      (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()),
      \(quotedText(changes))::regclass::oid)
    """
  }

  /// An SQL expression for the timeline of a server that is not a standby server. A standby
  /// server begins another timeline when it replaces its primary server.
  static let timeline = """
    ('x' || pg_catalog.left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 8))\
    ::bit(32)::int4
    """

  /// A query whose only value is whether the history is recorded. It does not fail if there
  /// are no tables.
  var isRecorded: String {
    "SELECT pg_catalog.to_regclass(\(quotedText(state))) IS NOT NULL"
  }

  /// A query whose only value is whether the history belongs to the database and has the
  /// unique keys of a schema. The tables must exist.
  func isCurrent(_ schema: CompiledSchema) -> String {
    """
    SELECT EXISTS (SELECT FROM \(state) WHERE server = \(server)) AND NOT EXISTS (
      SELECT FROM (VALUES \(keys(schema))) k (name, keys)
      WHERE NOT EXISTS (SELECT FROM \(entities) e WHERE e.name = k.name AND e.keys = k.keys))
    """
  }

  /// The statements that create the tables, or begin another history in a copy of the
  /// database. If the unique key of an entity consists of other keys than before, they delete
  /// the history, whose deleted rows have the old keys.
  func creation(_ schema: CompiledSchema) -> String {
    let text = """
      BEGIN
        IF NOT EXISTS (SELECT FROM \(state) WHERE server = \(server)) THEN
          DELETE FROM \(changes);
          DELETE FROM \(state);
          INSERT INTO \(state) (id, server) VALUES (pg_catalog.gen_random_uuid(), \(server));
        END IF;
        IF EXISTS (
          SELECT FROM \(entities) e
          JOIN (VALUES \(keys(schema))) k (name, keys) ON e.name = k.name AND e.keys <> k.keys
        ) THEN
          \(deletionRecord(of: "SELECT * FROM \(changes)"));
          DELETE FROM \(changes);
        END IF;
        INSERT INTO \(entities) (name, keys) VALUES \(keys(schema))
          ON CONFLICT (name) DO UPDATE SET keys = excluded.keys;
      END
      """
    return """
      CREATE TABLE IF NOT EXISTS \(changes) (
        seq int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        xid xid8 NOT NULL,
        timeline int4 NOT NULL,
        date timestamptz NOT NULL,
        author text,
        entity text COLLATE "C" NOT NULL,
        kind int2 NOT NULL,
        keys text[],
        row_id int8,
        row_ids int8[],
        key bytea);
      CREATE INDEX IF NOT EXISTS \(quotedName(ReservedName.history + " (xid, seq)"))
        ON \(changes) (xid, seq);
      CREATE INDEX IF NOT EXISTS \(quotedName(ReservedName.historyDeletions))
        ON \(changes) (entity, row_id, seq) WHERE row_id IS NOT NULL;
      CREATE TABLE IF NOT EXISTS \(state) (
        id uuid NOT NULL, server text NOT NULL, deleted int8 NOT NULL DEFAULT 0,
        deleted_date timestamptz NOT NULL DEFAULT 'epoch', deleted_xids int8[] NOT NULL DEFAULT '{}',
        deletions int8 NOT NULL DEFAULT 0);
      CREATE TABLE IF NOT EXISTS \(entities) (
        name text COLLATE "C" PRIMARY KEY, keys text[] NOT NULL);
      DO \(quotedText(text));

      """
  }

  /// The number of deleted transactions whose IDs are known.
  static let recordedDeletionLimit = 1_000

  /// The statement that records which changes have been deleted, with the highest IDs of their
  /// transactions.
  ///
  /// - Parameter deleted: A query of the changes.
  func deletionRecord(of deleted: String) -> String {
    """
    UPDATE \(state) s SET deleted = greatest(s.deleted, d.seq),
      deleted_date = CASE WHEN d.seq > s.deleted THEN d.date ELSE s.deleted_date END,
      deleted_xids = ARRAY(
        SELECT x FROM (
          SELECT unnest(s.deleted_xids) UNION SELECT c.xid::text::int8 FROM (\(deleted)) c) u (x)
        ORDER BY x DESC LIMIT \(Self.recordedDeletionLimit)),
      deletions = s.deletions + 1
    FROM (
      SELECT max(seq) AS seq, (array_agg(date ORDER BY seq DESC))[1] AS date
      FROM (\(deleted)) c) d
    WHERE d.seq IS NOT NULL
    """
  }

  /// The statements that drop the tables, unless functions of other stores write them.
  var removal: String {
    let tables = [changes, state, entities].joined(separator: ", ")
    let text = """
      BEGIN
        IF NOT EXISTS (
          SELECT FROM pg_catalog.pg_proc p
          JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
          WHERE n.nspname = \(quotedText(schemaName))
            AND pg_catalog.starts_with(p.proname, \(quotedText(LogName.log)))
            AND pg_catalog.strpos(p.prosrc, \(quotedText("INSERT INTO \(changes)"))) > 0
        ) THEN
          DROP TABLE IF EXISTS \(tables);
        END IF;
      END
      """
    return "DO \(quotedText(text));\n"
  }

  /// The statements that rename an entity or a key in the history.
  func renaming(_ part: SchemaPart, from old: String) -> [String] {
    let (entity, old) = (quotedText(part.entity), quotedText(old))
    guard let key = part.key else {
      return [
        "UPDATE \(changes) SET entity = \(entity) WHERE entity = \(old)",
        "DELETE FROM \(entities) WHERE name = \(entity)",
        "UPDATE \(entities) SET name = \(entity) WHERE name = \(old)",
      ]
    }
    return [(changes, "entity"), (entities, "name")].map { table, column in
      "UPDATE \(table) SET keys = pg_catalog.array_replace(keys, \(old), \(quotedText(key)))"
        + " WHERE \(column) = \(entity) AND \(old) = ANY (keys)"
    }
  }

  private func keys(_ schema: CompiledSchema) -> String {
    let rows = schema.entities.map { entity in
      let keys = entity.entity.identifyingKeys.map(quotedText).joined(separator: ", ")
      return "(\(quotedText(entity.name)), ARRAY[\(keys)]::text[])"
    }
    return rows.isEmpty ? "(NULL::text, NULL::text[])" : rows.joined(separator: ", ")
  }
}
