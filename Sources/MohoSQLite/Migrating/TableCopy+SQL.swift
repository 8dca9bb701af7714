import MohoRows

extension TableCopy {
  /// The statement that copies all rows, or the rows in a range of identities,
  /// which is bound as arguments.
  func sql(isPart: Bool = false) -> String {
    let insert =
      "INSERT INTO \(quotedName(destination)) (\(columns.map(quotedName).joined(separator: ", ")))"
    let rows = "SELECT \(values.joined(separator: ", ")) FROM \(quotedName(source))"
    return isPart
      ? "\(insert) \(rows) WHERE \(quotedName(identity)) BETWEEN ? AND ?" : "\(insert) \(rows)"
  }
}
