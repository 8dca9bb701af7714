import MohoRows

/// The names of the tables of a store, which temporary tables must not have.
struct TableNames: Sendable {
  private let names: Set<[UInt8]>

  init(of schema: Schema) { self.init(schema.compiled.tables.map { folded($0.name) }) }

  private init(_ names: some Sequence<[UInt8]>) { self.names = Set(names) }

  func adding(_ others: some Sequence<String>) -> TableNames {
    TableNames(names.union(others.map { folded($0) }))
  }

  /// Returns why a store cannot be used with a temporary table or view, or nil if it can.
  func reason(against name: FoldedName) -> String? {
    if names.contains(name.folded) { return "it hides a table of the store" }
    if name.folded.starts(with: "_moho".utf8) {
      return "names that start with `_moho` are reserved for the store"
    }
    return nil
  }

  /// Returns the error of a statement that creates a temporary table or view.
  func error(creating name: String) -> StoreError? {
    reason(against: FoldedName(name)).map { reason in
      StoreError(
        .invalidRequest, subject: "temporary table or view `\(name)`", reason: reason,
        suggestion: "choose another name")
    }
  }
}

/// The name of a table in the form that SQLite compares.
struct FoldedName: Sendable {
  let text: String
  let folded: [UInt8]

  init(_ text: String) {
    self.text = text
    folded = MohoRows.folded(text)
  }
}
