import MohoRows

/// A hash of the tables of a store in the system catalog, and the hashes that
/// stores have recorded after their tables matched the declarations.
///
/// The hash contains the transactions that have written the catalog's rows of the
/// tables, so each change of a table changes it. A store that finds its recorded
/// hash need not compare the tables. Otherwise, for example after `GRANT` or in a
/// restored backup, it compares them, and records the new hash.
struct CatalogState: Sendable {
  /// Whether no store has used the PostgreSQL schema, and no relation has the name
  /// of a table.
  let isEmpty: Bool
  /// Whether a store has used the PostgreSQL schema.
  let hasMetadata: Bool
  let hash: String
  /// The recorded pairs of hashes of declarations and of the catalog, which are
  /// the comment of a table. Stores with other declarations can share a
  /// PostgreSQL schema.
  private let recorded: [Substring]
  private let canRecord: Bool
  /// Whether the user has the right to read tables. All users can read the system
  /// catalog.
  private let canRead: Bool

  private static let capacity = 8
  private static let prefix = "Moho"

  /// Returns the query that reads the state.
  ///
  /// - Parameter names: The names of the tables, including former names.
  static func query(_ names: [String], in namespace: String) throws -> PostgresQuery {
    var arguments = PostgresArguments()
    try arguments.append(namespace)
    try arguments.append(names + LogName.objects + [Metadata.table])
    try arguments.append(PostgresFunctions.names)
    try arguments.append(Metadata.table)
    return PostgresQuery(sql, arguments, isPrepared: false)
  }

  init(_ names: [String], _ connection: PostgresConnection) throws {
    self.init(try connection.query(Self.query(names, in: connection.schemaName)))
  }

  /// - Parameter result: The result of the query.
  init(_ result: PostgresResult?) {
    let row = result?.first
    isEmpty = row?.bool(0) ?? false
    hasMetadata = row?.bool(1) ?? false
    hash = row?.optionalString(3) ?? ""
    canRecord = row?.bool(4) ?? false
    canRead = row?.bool(5) ?? false
    let words = (row?.optionalString(2) ?? "").split(separator: " ")
    recorded = words.first.map { $0 == Self.prefix } ?? false ? Array(words.dropFirst()) : []
  }

  /// Whether the tables have not changed since a store with the same declarations
  /// has recorded the state.
  func isRecorded(_ declarations: String) -> Bool {
    canRead && recorded.contains { $0 == "\(declarations):\(hash)" }
  }

  /// The statement that records the state, or nil if the user has no right to do
  /// so.
  ///
  /// - Parameter keepsOthers: Whether stores with other declarations need not compare the
  ///   tables again. If the version of the store has changed, they may be too old for it.
  func recording(_ declarations: String, withOthers keepsOthers: Bool = true) -> String? {
    guard canRecord else { return nil }
    let others =
      keepsOthers
      ? recorded.filter { !$0.hasPrefix("\(declarations):") }.suffix(Self.capacity - 1) : []
    let words = [Self.prefix] + others.map(String.init) + ["\(declarations):\(hash)"]
    return "COMMENT ON TABLE \(quotedName(Metadata.table))"
      + " IS \(quotedText(words.joined(separator: " ")))"
  }

  private static let sql = """
    WITH
      n AS (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = $1),
      c AS (
        SELECT c.oid, c.xmin, c.relname, c.relowner FROM pg_catalog.pg_class c
        WHERE c.relname = ANY ($2) AND c.relnamespace = (SELECT oid FROM n)),
      m AS (SELECT * FROM c WHERE relname = $4),
      versions (kind, oid, version) AS (
        -- A copy of the database has another history.
        SELECT 'database', d.oid, s.system_identifier::text
        FROM pg_catalog.pg_database d, pg_catalog.pg_control_system() s
        WHERE d.datname = current_database()
        UNION ALL
        SELECT 'relation', oid, xmin::text FROM c
        UNION ALL
        SELECT 'column', a.attrelid, pg_catalog.concat(a.attnum, ' ', a.xmin)
        FROM c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid WHERE a.attnum > 0
        UNION ALL
        SELECT 'default', d.oid, d.xmin::text
        FROM c JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid
        UNION ALL
        SELECT 'constraint', o.oid, o.xmin::text
        FROM c JOIN pg_catalog.pg_constraint o ON o.conrelid = c.oid
        UNION ALL
        SELECT 'index', r.oid, pg_catalog.concat(i.xmin, ' ', r.xmin)
        FROM c JOIN pg_catalog.pg_index i ON i.indrelid = c.oid
        JOIN pg_catalog.pg_class r ON r.oid = i.indexrelid
        UNION ALL
        SELECT 'trigger', t.oid, pg_catalog.concat(t.xmin, ' ', p.xmin)
        FROM c JOIN pg_catalog.pg_trigger t ON t.tgrelid = c.oid
        JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
        WHERE NOT t.tgisinternal
        UNION ALL
        SELECT 'function', p.oid, p.xmin::text FROM pg_catalog.pg_proc p
        WHERE p.proname = ANY ($3) AND p.pronamespace = (SELECT oid FROM n))
    SELECT
      NOT EXISTS (SELECT FROM c), EXISTS (SELECT FROM m),
      (SELECT pg_catalog.obj_description(oid, 'pg_class') FROM m),
      (SELECT pg_catalog.md5(pg_catalog.string_agg(line, ',' ORDER BY line COLLATE "C"))
        FROM (SELECT pg_catalog.concat_ws(' ', kind, oid, version) AS line FROM versions) v),
      coalesce((SELECT pg_catalog.pg_has_role(relowner, 'USAGE') FROM m), false),
      coalesce((SELECT pg_catalog.has_table_privilege(oid, 'SELECT') FROM m), false)
    """
}
