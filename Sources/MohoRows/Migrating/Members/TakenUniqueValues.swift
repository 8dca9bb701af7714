import MohoMapping

/// Finds values of unique keys that several rows would have after they have taken unknown
/// members.
struct TakenUniqueValues {
  /// The indexes of the keys of each unique key.
  private let uniqueKeys: [[Int]]
  private let compared: Set<Int>
  private let table: MemberMigration.Table
  private let keys: [FieldKey]
  /// The values that rows have or take, with the number of their unique key.
  private var known: Set<[String]> = []
  /// The numbers of the unique keys whose stored values are known.
  private var read: Set<Int> = []

  init(_ keys: [FieldKey], _ uniqueKeys: [[String]], _ table: MemberMigration.Table) {
    self.keys = keys
    self.table = table
    self.uniqueKeys = uniqueKeys.compactMap { names in
      let indexes = names.compactMap { name in
        keys.firstIndex { $0.name == name && $0.isStored && $0.relation == nil }
      }
      return indexes.count == names.count ? indexes : nil
    }
    compared = Set(self.uniqueKeys.joined())
  }

  /// Whether ``repeated(in:_:_:)`` needs the stored values of a key, as text.
  func compares(_ index: Int) -> Bool { compared.contains(index) }

  /// Returns keys whose values another row has or takes. Without them, what a row takes is
  /// unique.
  ///
  /// - Parameters:
  ///   - contents: What the row takes, by the index of the key.
  ///   - stored: The stored values of the row, as text.
  mutating func repeated(
    in contents: [Int: FieldContent], _ stored: [Int: FieldContent], _ query: MigrationQuery
  ) throws -> Set<Int> {
    var repeated: Set<Int> = []
    for (number, indexes) in uniqueKeys.enumerated() {
      guard let taken = indexes.first(where: { contents[$0] != nil }) else { continue }
      let texts = indexes.compactMap { contents[$0]?.comparedText ?? stored[$0]?.comparedText }
      guard texts.count == indexes.count else { continue }
      try readStored(number, query)
      if !known.insert(["\(number)"] + texts).inserted { repeated.insert(taken) }
    }
    return repeated
  }

  /// Reads the stored values of a unique key, if rows can have any.
  private mutating func readStored(_ number: Int, _ query: MigrationQuery) throws {
    guard read.insert(number).inserted else { return }
    let columns = uniqueKeys[number].compactMap { table.columns[keys[$0].name].map(quotedName) }
    guard columns.count == uniqueKeys[number].count else { return }
    let texts = columns.map { "CAST(\($0) AS TEXT)" }.joined(separator: ", ")
    let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    for row in try query("SELECT \(texts) FROM \(quotedName(table.name)) WHERE \(present)", []) {
      known.insert(["\(number)"] + row.compactMap(\.comparedText))
    }
  }
}

extension FieldContent {
  /// The value as SQL casts it to text, for the usual types of unique keys.
  fileprivate var comparedText: String? {
    switch self {
    case .null: nil
    case .string(let text): text
    case .int64(let value): "\(value)"
    case .uint64(let value): "\(value)"
    default: "\(self)"
    }
  }
}
