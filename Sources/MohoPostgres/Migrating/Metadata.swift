import MohoRows

/// The table that contains the metadata of a store. It is written under the lock
/// of migrations.
enum Metadata {
  static let table = "_moho_store"

  /// The kinds of rows, except those of ``StoredExpression/Kind`` and
  /// `StoreRecord.Kind`.
  enum Kind: String {
    /// An entity table that a store has created or adopted. The column `declared`
    /// states whether it was adopted.
    case entity
    /// A declared migration that has been run.
    case migration
  }

  static let creation =
    "CREATE TABLE \(quotedName(table)) (kind text NOT NULL, name text NOT NULL, key text,"
    + " declared text, stored text)"

  /// Returns the query for all rows.
  static func selection(in namespace: String) -> String {
    "SELECT kind, name, key, declared, stored FROM \(qualifiedName(table, in: namespace))"
  }

  /// Returns the statement that renames an entity.
  static func renaming(_ old: String, to new: String) -> String {
    "UPDATE \(quotedName(table)) SET name = \(quotedText(new))"
      + " WHERE kind = '\(Kind.entity)' AND name = \(quotedText(old))"
  }

  /// The statement that removes the entities in an array.
  static let removal =
    "DELETE FROM \(quotedName(table)) WHERE kind = '\(Kind.entity)' AND name = ANY ($1)"

  /// The statement that adds the entities in an array that do not exist. The second
  /// array contains the adopted ones.
  static let addition = """
    INSERT INTO \(quotedName(table)) (kind, name, declared)
    SELECT '\(Kind.entity)', e.name, (e.name = ANY ($2))::text FROM unnest($1) e (name)
    WHERE NOT EXISTS (
      SELECT 1 FROM \(quotedName(table)) o WHERE o.kind = '\(Kind.entity)' AND o.name = e.name)
    """

  /// The statement that adds the migrations in an array.
  static let migrationAddition = """
    INSERT INTO \(quotedName(table)) (kind, name) SELECT '\(Kind.migration)', unnest($1)
    """

  /// The statement that removes the entries of a record in arrays.
  static let entryRemoval = """
    DELETE FROM \(quotedName(table)) m USING unnest($1, $2, $3) e (kind, name, key)
    WHERE m.kind = e.kind AND m.name = e.name AND m.key = e.key
    """

  /// The statement that adds the entries of a record in arrays.
  static let entryAddition = """
    INSERT INTO \(quotedName(table)) (kind, name, key, declared)
    SELECT * FROM unnest($1, $2, $3, $4)
    """

  /// The statement that removes the expressions of the tables in an array, and of
  /// tables that no longer exist.
  static let expressionRemoval = """
    DELETE FROM \(quotedName(table)) m
    WHERE kind IN ('\(StoredExpression.Kind.check)', '\(StoredExpression.Kind.default)')
      AND (name = ANY ($1) OR NOT EXISTS (
        SELECT 1 FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relname = m.name))
    """

  /// The statement that adds expressions, with their form in the system catalog.
  /// The last array contains the form to record if the table does not have the
  /// expression.
  static let expressionAddition = """
    INSERT INTO \(quotedName(table))
    SELECT * FROM (
      SELECT e.kind, e.name, e.key, e.declared, coalesce(
        CASE e.kind
        WHEN '\(StoredExpression.Kind.check)' THEN (
          SELECT pg_get_constraintdef(o.oid) FROM pg_catalog.pg_constraint o
          WHERE o.conrelid = c.oid AND o.contype = 'c' AND o.conname = e.key)
        ELSE (
          SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_catalog.pg_attribute a
          JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
          WHERE a.attrelid = c.oid AND a.attname = e.key AND a.attgenerated = '')
        END, nullif(e.known, '')) AS stored
      FROM unnest($1, $2, $3, $4, $5) e (kind, name, key, declared, known)
      JOIN pg_catalog.pg_class c ON c.relname = e.name
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema()) e
    WHERE stored IS NOT NULL
    """
}
