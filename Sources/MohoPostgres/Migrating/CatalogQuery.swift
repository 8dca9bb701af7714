/// The queries that read the relations of a PostgreSQL schema.
///
/// The arguments are the name of the PostgreSQL schema and the names of tables.
/// All tables with reserved names are read, too. The first column of each query
/// is the name of a table.
enum CatalogQuery: CaseIterable {
  case relations, columns, constraints, indexes, triggers, dependents

  var sql: String {
    switch self {
    case .relations:
      """
      SELECT c.relname::text, c.relkind::text FROM \(Self.tables)
      ORDER BY c.relname
      """
    case .columns:
      """
      SELECT c.relname::text, a.attname::text,
        CASE WHEN a.atttypmod = -1 AND t.typnamespace = 'pg_catalog'::regnamespace
          THEN t.typname::text ELSE format_type(a.atttypid, a.atttypmod) END
        || CASE WHEN a.attcollation <> t.typcollation
          THEN ' COLLATE ' || quote_ident(o.collname) ELSE '' END,
        a.attnotnull,
        CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END,
        a.attidentity <> '', a.attgenerated <> ''
      FROM \(Self.tables)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
      JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      LEFT JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation
      LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE a.attnum > 0 AND NOT a.attisdropped
      ORDER BY c.relname, a.attnum
      """
    case .constraints:
      """
      SELECT c.relname::text, o.conname::text, o.contype::text,
        \(Self.names(of: "o.conkey", in: "c.oid")),
        f.relname::text,
        CASE o.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL'
          WHEN 'd' THEN 'SET DEFAULT' WHEN 'r' THEN 'RESTRICT' ELSE 'NO ACTION' END,
        o.condeferred AND o.confupdtype = 'c' AND o.convalidated,
        pg_get_constraintdef(o.oid)
      FROM \(Self.tables)
      JOIN pg_catalog.pg_constraint o ON o.conrelid = c.oid
      LEFT JOIN pg_catalog.pg_class f ON f.oid = o.confrelid
      ORDER BY c.relname, o.conname
      """
    case .indexes:
      """
      SELECT c.relname::text, r.relname::text, \(Self.names(of: "i.indkey::int2[]", in: "c.oid")),
        ARRAY(SELECT (option & 2)::text FROM unnest(i.indoption::int2[]) option),
        i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AND m.amname = 'btree'
          AND NOT EXISTS (
            SELECT 1 FROM unnest(i.indoption::int2[]) option WHERE option & 1 <> 0),
        i.indisunique, pg_get_expr(i.indexprs, i.indrelid),
        CASE WHEN i.indisvalid AND i.indpred IS NULL AND m.amname = 'gin'
          THEN obj_description(r.oid, 'pg_class') END
      FROM \(Self.tables)
      JOIN pg_catalog.pg_index i ON i.indrelid = c.oid
      JOIN pg_catalog.pg_class r ON r.oid = i.indexrelid
      JOIN pg_catalog.pg_am m ON m.oid = r.relam
      WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint o WHERE o.conindid = r.oid
        AND o.contype IN ('p', 'u', 'x'))
      ORDER BY c.relname, r.relname
      """
    case .triggers:
      """
      SELECT c.relname::text, t.tgname::text, p.proname::text, p.prosrc,
        (t.tgtype & 2) <> 0, t.tgenabled = 'O'
      FROM \(Self.tables)
      JOIN pg_catalog.pg_trigger t ON t.tgrelid = c.oid
      JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
      WHERE NOT t.tgisinternal AND starts_with(t.tgname, '\(PostgresName.deleteTriggerPrefix)')
      ORDER BY c.relname, t.tgname
      """
    case .dependents:
      """
      SELECT DISTINCT c.relname::text, v.relname::text, a.attname::text
      FROM \(Self.tables)
      JOIN pg_catalog.pg_depend d ON d.refobjid = c.oid
        AND d.refclassid = 'pg_catalog.pg_class'::regclass
        AND d.classid = 'pg_catalog.pg_rewrite'::regclass
      JOIN pg_catalog.pg_rewrite w ON w.oid = d.objid
      JOIN pg_catalog.pg_class v ON v.oid = w.ev_class AND v.oid <> c.oid
      LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
        AND d.refobjsubid > 0
      ORDER BY 1, 2, 3
      """
    }
  }

  // The character after "_" is "`". The conditions use an index, because a database
  // can have many schemas.
  private static let tables = """
    (SELECT c.* FROM pg_catalog.pg_class c
    WHERE c.relnamespace = (SELECT n.oid FROM pg_catalog.pg_namespace n WHERE n.nspname = $1)
      AND (c.relname = ANY($2)
        OR c.relname >= '_moho_' AND c.relname < '_moho`' AND c.relkind = 'r')) c
    """

  /// Returns the SQL expression of the column names for an array of column
  /// numbers.
  private static func names(of numbers: String, in table: String) -> String {
    """
    ARRAY(SELECT coalesce(a.attname, '')::text
      FROM unnest(\(numbers)) WITH ORDINALITY AS k (number, position)
      LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = \(table) AND a.attnum = k.number
      ORDER BY k.position)
    """
  }
}
