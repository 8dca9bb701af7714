import MohoRows

extension PostgresConnection {
  /// Returns the error of a search path without a schema that the user may use.
  func missingSchema() throws -> StoreError {
    // Schemas that the user may not use are not in the effective search path.
    let row = try query(
      """
      SELECT current_setting('search_path'), current_user::text, (
        SELECT min(quote_ident(nspname)) FROM pg_namespace
        WHERE NOT has_schema_privilege(oid, 'USAGE') AND nspname::text = ANY (
          SELECT trim(BOTH ' "' FROM replace(name, '$user', current_user))
          FROM unnest(string_to_array(current_setting('search_path'), ',')) name))
      """
    ).first
    let user = row?.string(1) ?? ""
    if let schema = row?.optionalString(2) {
      return StoreError(
        .accessDenied, subject: "user \(user)",
        reason: "the user lacks the right USAGE on the schema \(schema)",
        suggestion: "execute `GRANT USAGE ON SCHEMA \(schema) TO \(quotedName(user))`")
    }
    return StoreError(
      .cannotOpen,
      reason: "the search path `\(row?.string(0) ?? "")` contains no existing schema",
      suggestion: "create the schema, or set `search_path` of the user or the connection")
  }
}
