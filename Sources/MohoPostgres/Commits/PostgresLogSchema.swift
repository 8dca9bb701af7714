import MohoMapping
import MohoRows

/// The database objects that record the changes of a store's tables.
///
/// Triggers write each changed row to a table, together with the transaction and
/// the values before the change. They only do this until the time in the sequence
/// ``LogName/end``, which listeners extend. Unlike a table, a sequence has the same
/// value for all transactions, even if they began earlier.
///
/// A transaction with changes notifies the listeners when it is committed. PostgreSQL commits
/// such transactions one after the other, so they do not do this while all listeners poll the
/// log, which the sequence ``LogName/polled`` contains.
///
/// The log is a table with a write-ahead log, so that standby servers and
/// servers that recover from a crash have it. The table of the listeners is not,
/// because the transactions that a listener has seen may be lost when a server
/// crashes or when a standby server replaces it. It is then empty, and all
/// listeners begin again.
struct PostgresLogSchema: Sendable {
  let tables: [RecordedTable]
  /// The tables that rules may read, whose changes transactions record for themselves.
  private var ruleTables: [RecordedTable]
  /// The name of the database schema that contains the tables.
  let schemaName: String

  private let schema: CompiledSchema
  /// Whether the triggers record the history, too.
  var recordsHistory = false
  /// Whether the tables of the history are dropped, unless other stores record it.
  var removesHistory = false

  /// The maximum number of rows of a statement whose previous values are recorded.
  static let valueLimit = 16_384

  init(_ schema: Schema, schemaName: String) throws {
    tables = schema.compiled.tables.map(RecordedTable.init)
    ruleTables =
      try schema.compiled.hasRulesOverRelations
      ? schema.rulesOverRelations.tables.map(RecordedTable.init) : []
    self.schemaName = schemaName
    self.schema = schema.compiled
  }

  var log: String { qualified(LogName.log) }
  var listeners: String { qualified(LogName.listeners) }
  var end: String { qualified(LogName.end) }
  var polled: String { qualified(LogName.polled) }
  var channel: String { LogName.channel(of: schemaName) }

  var history: PostgresHistorySchema { PostgresHistorySchema(schemaName: schemaName) }

  func qualified(_ name: String) -> String { qualifiedName(name, in: schemaName) }

  /// Returns the arguments of a query of the catalog: the name of the schema is `$1`, and the
  /// names of tables are `$2`.
  func arguments(naming tables: some Sequence<String>) throws -> PostgresArguments {
    var arguments = PostgresArguments()
    try arguments.append(schemaName)
    try arguments.append(Array(tables))
    return arguments
  }

  /// The statements that create all objects, or replace those of another version.
  /// All tables must exist.
  var create: String {
    let functions = functions.map { $0.creation(in: self) }.joined()
    if recordsHistory { return objects + history.creation(schema) + functions }
    return objects + functions + (removesHistory ? history.removal : "")
  }

  /// A query whose only value is whether the history belongs to the database and the
  /// declarations. Its tables must exist.
  var isHistoryCurrent: String { history.isCurrent(schema) }

  /// The statements that record the history of a table, or nothing.
  func historyInsertions(_ table: RecordedTable) -> String {
    recordsHistory ? HistoryInsertions(table.table, schema, history).sql + "\n" : ""
  }

  private var functions: [TriggerFunction] {
    tables.map { .log($0, self) } + ruleTables.map { .transactionLog($0) }
  }

  /// Adds the tables that rules of other declarations read: a newer app can have rules that
  /// this one does not have, and must not lose their triggers.
  func addingStoredRuleTables(_ connection: PostgresConnection) throws -> PostgresLogSchema {
    let sql = """
      SELECT DISTINCT c.relname::text FROM pg_catalog.pg_trigger t
      JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = \(quotedText(schemaName))
        AND pg_catalog.starts_with(t.tgname, \(quotedText(LogName.transactionTrigger(""))))
      """
    let stored = Set(try connection.query(sql, isPrepared: false).rows.map { $0.string(0) })
    let known = Set(ruleTables.map(\.name))
    var schema = self
    schema.ruleTables += tables.filter { stored.contains($0.name) && !known.contains($0.name) }
    return schema
  }

  /// The statements that lock the tables before their triggers change.
  ///
  /// They fail if a lock is not free after half the time after which the server looks for
  /// deadlocks. Otherwise, a transaction that waits for one of the tables could end with the
  /// error of a deadlock.
  var lockTables: String {
    let names = tables.map { qualified($0.name) }.joined(separator: ", ")
    return """
      SELECT pg_catalog.set_config(
        'lock_timeout', greatest(1, setting::int / 2)::text, true)
      FROM pg_catalog.pg_settings WHERE name = 'deadlock_timeout';
      LOCK TABLE \(names) IN ACCESS EXCLUSIVE MODE;
      SET LOCAL lock_timeout = 0
      """
  }

  /// The statements that remove the triggers from tables. They must run before
  /// columns are altered, because the triggers read the columns by their names.
  ///
  /// - Parameter others: The tables that keep their triggers, which another store
  ///   may need.
  func dropTriggers(except others: [String] = []) -> String {
    let names = others.map(quotedText).joined(separator: ", ")
    let text = """
      DECLARE found record;
      BEGIN
        FOR found IN
          SELECT t.tgname, c.relname FROM pg_catalog.pg_trigger t
          JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
          JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = \(quotedText(schemaName)) AND NOT t.tgisinternal
            AND pg_catalog.starts_with(t.tgname, \(quotedText(LogName.trigger(""))))
            AND c.relname <> ALL (ARRAY[\(names)]::pg_catalog.text[])
        LOOP
          EXECUTE pg_catalog.format(
            'DROP TRIGGER %I ON %I.%I', found.tgname, \(quotedText(schemaName)), found.relname);
        END LOOP;
        FOR found IN
          SELECT p.proname FROM pg_catalog.pg_proc p
          JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
          WHERE n.nspname = \(quotedText(schemaName))
            AND pg_catalog.starts_with(p.proname, \(quotedText(LogName.log)))
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgfoid = p.oid)
        LOOP
          EXECUTE pg_catalog.format(
            'DROP FUNCTION %I.%I()', \(quotedText(schemaName)), found.proname);
        END LOOP;
      END
      """
    return "DO \(quotedText(text));\n"
  }

  /// Returns the statement that deletes changes, except those that other transactions are
  /// deleting.
  func deletion(where condition: String, limit: Int? = nil) -> String {
    """
    DELETE FROM \(log) WHERE ctid = ANY (ARRAY(SELECT ctid FROM \(log) WHERE \(condition)\
    \(limit.map { " LIMIT \($0)" } ?? "") FOR UPDATE SKIP LOCKED))
    """
  }

  /// The statements that make listeners read everything again.
  var markEverythingChanged: String {
    "INSERT INTO \(log) (xid, \"table\", kind)"
      + " VALUES (pg_catalog.pg_current_xact_id(), '', \(LogRow.Kind.anyRow.rawValue));\n"
      + "SELECT pg_catalog.pg_notify(\(quotedText(channel)), '');\n"
  }

  /// A query whose only value is whether all objects exist in this version.
  var isCurrent: String {
    let names = LogName.objects + (recordsHistory ? PostgresHistorySchema.objects : [])
    let objects = names.map(quotedText).joined(separator: ", ")
    let functions = functions
    let bodies = functions.map { "(\(quotedText($0.table.name)), \(quotedText($0.body)))" }
    return """
      SELECT (
        SELECT count(*) FROM pg_catalog.pg_class c
        WHERE c.relnamespace = n.oid AND c.relname IN (\(objects))
      ) = \(names.count) AND (
        SELECT count(*) FROM pg_catalog.pg_trigger t
        JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
        JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
        JOIN (VALUES \((bodies + ["(NULL, NULL)"]).joined(separator: ", ")))
          AS f (name, body) ON f.name = c.relname AND f.body = p.prosrc
        WHERE c.relnamespace = n.oid AND t.tgenabled = 'A'
          AND pg_catalog.starts_with(t.tgname, \(quotedText(LogName.trigger(""))))
      ) = \(functions.count * TriggerEvent.allCases.count)
      FROM pg_catalog.pg_namespace n WHERE n.nspname = \(quotedText(schemaName))
      """
  }

  // Altering the table locks it, even if the column exists.
  private var additionOfPolls: String {
    let text = """
      BEGIN
        IF NOT EXISTS (
          SELECT FROM pg_catalog.pg_attribute
          WHERE attrelid = \(quotedText(listeners))::regclass AND attname = 'polls'
        ) THEN
          ALTER TABLE \(listeners) ADD COLUMN polls bool NOT NULL DEFAULT false;
        END IF;
      END
      """
    return "DO \(quotedText(text));"
  }

  private var objects: String {
    """
    CREATE TABLE IF NOT EXISTS \(log) (
      seq int8 GENERATED ALWAYS AS IDENTITY NOT NULL,
      xid xid8 NOT NULL,
      "table" text COLLATE "C" NOT NULL,
      kind int2 NOT NULL,
      row_id int8,
      row_ids int8[],
      old bytea);
    CREATE INDEX IF NOT EXISTS \(quotedName(LogName.log + " (xid)")) ON \(log) (xid);
    CREATE UNLOGGED TABLE IF NOT EXISTS \(listeners) (
      id uuid NOT NULL, position xid8 NOT NULL, expires timestamptz NOT NULL,
      polls bool NOT NULL DEFAULT false);
    \(additionOfPolls)
    CREATE SEQUENCE IF NOT EXISTS \(end) MINVALUE 0 START 0;
    CREATE SEQUENCE IF NOT EXISTS \(polled) MINVALUE 0 START 0;

    """
  }
}
