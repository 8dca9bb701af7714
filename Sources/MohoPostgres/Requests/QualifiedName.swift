import MohoRows

/// Returns the quoted name of a table, an index or a function in a schema of the database.
func qualifiedName(_ name: String, in schema: String) -> String {
  "\(quotedName(schema)).\(quotedName(name))"
}
