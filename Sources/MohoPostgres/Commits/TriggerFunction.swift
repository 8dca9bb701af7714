import MohoRows

/// A function that records the changes of a table, with its triggers.
struct TriggerFunction: Sendable {
  let table: RecordedTable
  let name: String
  let body: String
  /// Whether the function has the rights of the owner of the tables instead of those of the
  /// role that changes rows.
  private let hasOwnerRights: Bool
  private let triggerName: @Sendable (TriggerEvent) -> String

  /// Returns the function that writes the log of a store.
  // The function runs for each statement, so it does nothing else if no listener
  // needs the changes. `pg_current_xact_id()` is evaluated for changed rows only,
  // because it assigns an ID to a transaction that has not written anything.
  //
  // A transaction does not notify if it reads that all listeners poll. A listener that stops
  // polling first changes this value, and then polls until all transactions have ended that
  // may have read the old one.
  //
  // While the history is recorded, the function records it first, whether there are listeners
  // or not.
  static func log(_ table: RecordedTable, _ schema: PostgresLogSchema) -> TriggerFunction {
    let body = """
      DECLARE log_end int8 := (SELECT last_value FROM \(schema.end));
      BEGIN
      \(schema.historyInsertions(table))  IF log_end < extract(epoch FROM clock_timestamp()) THEN
      \(deletionOfExpiredChanges(schema))
          RETURN NULL;
        END IF;
      \(TriggerInsertions(table, into: schema.log, hasTransaction: true).sql)
        IF FOUND AND (SELECT last_value FROM \(schema.polled)) = 0 THEN
          PERFORM pg_notify(\(quotedText(schema.channel)), '');
        END IF;
        RETURN NULL;
      END
      """
    return TriggerFunction(
      table: table, name: LogName.function(of: table.name), body: body, hasOwnerRights: true,
      triggerName: { LogName.trigger($0.rawValue) })
  }

  /// Returns the statements that delete old changes if no listener has extended the time until
  /// which changes are recorded. A listener that ends sets this time to 0, so the statements have
  /// work only after all listeners have disappeared without ending.
  // Other isolation levels report conflicts with others who delete the same rows. A listener
  // that begins at the same time needs no change that was committed before it extends the time.
  private static func deletionOfExpiredChanges(_ schema: PostgresLogSchema) -> String {
    """
        IF log_end > 0 AND current_setting('transaction_isolation') = 'read committed' THEN
          DECLARE horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
          BEGIN
            IF (SELECT last_value FROM \(schema.end)) = log_end THEN
              \(schema.deletion(where: "xid < horizon", limit: 1_000));
            END IF;
          END;
        END IF;
    """
  }

  /// Returns the function that writes the log of a transaction.
  // The role that changes rows owns the temporary table, so the table may have triggers and
  // casts that run code of this role. A function with the rights of another role must not
  // write to it. Such a function, or a foreign key, can also be what changes the rows.
  static func transactionLog(_ table: RecordedTable) -> TriggerFunction {
    let name = quotedText(quotedName(table.name))
    let body = """
      BEGIN
        IF strpos(current_setting('\(LogName.transactionTables)', true), \(name)) > 0 THEN
          IF EXISTS (
            SELECT FROM pg_class WHERE oid = to_regclass(\(quotedText(TransactionLog.table)))
              AND pg_get_userbyid(relowner) = current_user
          ) THEN
      \(TriggerInsertions(table, into: TransactionLog.table).sql)
          ELSE
            PERFORM set_config('\(LogName.hasUnrecordedRows)', 'true', true);
          END IF;
        END IF;
        RETURN NULL;
      END
      """
    return TriggerFunction(
      table: table, name: LogName.transactionFunction(of: table.name), body: body,
      hasOwnerRights: false, triggerName: { LogName.transactionTrigger($0.rawValue) })
  }

  /// Returns the statements that create the function and its triggers, or replace those of
  /// another version.
  func creation(in schema: PostgresLogSchema) -> String {
    let (function, table) = (schema.qualified(name), schema.qualified(table.name))
    // The search path prevents the function from running code of others. They cannot use it
    // for their own tables, whose types may have casts that run code.
    var sql = """
      CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql \(rights)
        SET search_path = pg_catalog, pg_temp AS \(quotedText(body));
      REVOKE ALL ON FUNCTION \(function)() FROM PUBLIC;

      """
    for event in TriggerEvent.allCases {
      sql += """
        CREATE OR REPLACE TRIGGER \(trigger(event)) \(event.timing) \(event.rawValue) ON \(table)
          \(event.transitionTables)FOR EACH STATEMENT EXECUTE FUNCTION \(function)();

        """
    }
    let enabling = TriggerEvent.allCases.map { "ENABLE ALWAYS TRIGGER \(trigger($0))" }
    return sql + "ALTER TABLE \(table) \(enabling.joined(separator: ", "));\n"
  }

  private var rights: String { hasOwnerRights ? "SECURITY DEFINER" : "SECURITY INVOKER" }

  private func trigger(_ event: TriggerEvent) -> String { quotedName(triggerName(event)) }
}

/// An event that a trigger records.
enum TriggerEvent: String, CaseIterable {
  case insert, update, delete, truncate

  /// The rows of a table that is truncated can only be read before.
  fileprivate var timing: String { self == .truncate ? "BEFORE" : "AFTER" }

  fileprivate var transitionTables: String {
    switch self {
    case .insert: "REFERENCING NEW TABLE AS new_rows "
    case .update: "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows "
    case .delete: "REFERENCING OLD TABLE AS old_rows "
    case .truncate: ""
    }
  }
}
