extension PostgresColumns {
  /// Returns the expression that converts the values of a column to another type
  /// without loss. Returns nil if values could be lost.
  static func cast(_ column: String, from old: String, to new: String) -> String? {
    let (oldName, newName) = (base(of: old), base(of: new))
    if oldName == newName {
      return new == PostgresType.uint64.name ? nil : column
    }
    let wider: [String: Set<String>] = [
      "int2": ["int4", "int8", "numeric", "float8"],
      "int4": ["int8", "numeric", "float8"],
      "int8": ["numeric"],
      "float4": ["float8"],
      "varchar": ["text"],
      "name": ["text"],
      "json": ["jsonb"],
    ]
    if wider[oldName]?.contains(newName) == true { return "\(column)::\(newName)" }
    if oldName == "uuid", newName == "text" { return "upper(\(column)::text)" }
    return nil
  }

  /// The name of a type without modifiers and collation.
  private static func base(of type: String) -> String {
    let name = type.split(separator: " COLLATE ", maxSplits: 1).first ?? ""
    let base = name.split(separator: "(", maxSplits: 1).first ?? ""
    return base == "character varying" ? "varchar" : String(base)
  }
}
