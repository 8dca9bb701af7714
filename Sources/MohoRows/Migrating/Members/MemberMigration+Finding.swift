package import MohoMapping

extension MemberMigration {
  /// What a migration finds in the rows.
  package struct Findings: Sendable {
    /// The numbers of rows with members that a key takes, by the name of the key.
    var taken: [String: Int] = [:]
    /// The numbers of rows with members that a key cannot take, or with values
    /// that cannot become unknown members.
    var lost: [String: (count: Int, reason: String)] = [:]
    /// The number of rows whose values become unknown members, by key.
    var retained: [String: Int] = [:]
    /// The indexes of the unique keys that a row does not take a value for, because another
    /// row has the value, by the identity of the row.
    var repeated: [Int64: Set<Int>] = [:]
    /// The values that become unknown members, or nil if no row has such values.
    var documents: RetainedDocuments?
    /// Whether the unknown members of any row change. A member that contains the path of a
    /// key is divided even if the key has no value in it.
    var changesRows = false
  }

  /// The greatest number of rows in memory.
  private static let batchSize = 500

  /// Returns what the migration finds in the table, which has its former columns.
  ///
  /// - Parameters:
  ///   - isPlan: Whether the database is only read.
  ///   - query: Executes a statement with its arguments, and returns the values of its rows as
  ///     migration steps exchange them. The parameters are `$1`, `$2` and so on, in this order.
  package func findings(
    isPlan: Bool, _ query: (String, [FieldContent]) throws -> [[FieldContent]]
  ) throws -> Findings {
    var findings = Findings()
    var unique = TakenUniqueValues(keys, compiled.entity(entity)?.entity.uniqueKeys ?? [], table)
    let stored = keys.indices.compactMap { index in
      keys[index].isStored
        ? table.columns[keys[index].name].map { (index: index, column: quotedName($0)) } : nil
    }
    let identity = quotedName(table.identity)
    let columns =
      [identity, table.columns[receiver].map { "CAST(\(quotedName($0)) AS TEXT)" } ?? "NULL"]
      + retained.map { quotedName($0.column) }
      + stored.map { index, column in
        unique.compares(index)
          ? "CAST(\(column) AS TEXT)" : "CASE WHEN \(column) IS NULL THEN NULL ELSE '' END"
      }
    let select = "SELECT \(columns.joined(separator: ", ")) FROM \(quotedName(table.name)) AS t"
    var next: Int64? = .min
    while let first = next {
      next = nil
      let batch = try query(
        "\(select) WHERE t.\(identity) >= $1 ORDER BY t.\(identity) LIMIT \(Self.batchSize)",
        [.int64(first)])
      var documents: [(row: Int64, documents: [String])] = []
      for row in batch {
        guard case .int64(let id)? = row.first else { continue }
        next = id == .max ? nil : id + 1
        let content = row[1] == .null ? nil : row[1]
        let found = self.documents(
          of: row.dropFirst(2).prefix(retained.count), content, &findings)
        if !found.isEmpty { documents.append((id, found)) }
        let values = zip(stored.map(\.index), row.dropFirst(2 + retained.count))
        let filled = Dictionary(uniqueKeysWithValues: values.filter { $1 != .null })
        guard var taken = try taken(from: content, found, { filled[$0] == nil }) else { continue }
        let repeated = try unique.repeated(in: taken.contents, filled, query)
        if !repeated.isEmpty { findings.repeated[id] = repeated }
        taken.lose(repeated, "another row has the same value")
        findings.changesRows = true
        add(taken, to: &findings)
      }
      if documents.isEmpty || isPlan { continue }
      if findings.documents == nil { findings.documents = try RetainedDocuments(of: self, query) }
      try findings.documents?.insert(documents, query)
    }
    return findings
  }

  /// Returns the objects with the values of a row that become unknown members.
  ///
  /// - Parameter content: The content of the key that receives unknown members.
  private func documents(
    of values: ArraySlice<FieldContent>, _ content: FieldContent?, _ findings: inout Findings
  ) -> [String] {
    zip(retained, values).compactMap { key, value in
      if value == .null { return nil }
      guard let document = key.documented.document(value, key.form),
        (try? take(content, [document]) { _ in true }) != nil
      else {
        findings.lose(key.name, "the value has no form in documents that `\(receiver)` contains")
        return nil
      }
      findings.retained[key.name, default: 0] += 1
      return document
    }
  }

  private func add(_ taken: TakenMembers, to findings: inout Findings) {
    for index in taken.contents.keys { findings.taken[keys[index].name, default: 0] += 1 }
    for loss in taken.losses { findings.lose(keys[loss.index].name, loss.reason) }
  }

  /// Returns what the keys of a row take. Values that their columns cannot store
  /// are losses.
  func taken(
    from content: FieldContent?, _ documents: [String], _ isFree: (Int) -> Bool
  ) throws -> TakenMembers? {
    if documents.isEmpty, content == nil || content == .null || content == .string("{}") {
      return nil
    }
    guard var taken = try take(content == .null ? nil : content, documents, isFree),
      let entity = compiled.entity(self.entity)
    else { return nil }
    for (index, content) in taken.contents {
      guard let attribute = entity.attribute(keys[index].name) else { continue }
      let declared = entity.attributes[attribute]
      let value = compiled.stored(content, as: declared.type)
      let row = RowIdentity(entity: self.entity, stored: 0)
      if let failure = declared.failures(of: value, in: row).first {
        taken.contents[index] = nil
        taken.losses.append(.init(index: index, reason: "\(failure)"))
      } else {
        taken.contents[index] = value
      }
    }
    return taken
  }
}

extension MemberMigration.Findings {
  fileprivate mutating func lose(_ key: String, _ reason: String) {
    let earlier = lost[key]
    lost[key] = ((earlier?.count ?? 0) + 1, earlier?.reason ?? reason)
  }
}

extension TakenMembers {
  fileprivate mutating func lose(_ indexes: Set<Int>, _ reason: String) {
    for index in indexes.sorted() {
      contents[index] = nil
      losses.append(.init(index: index, reason: reason))
    }
  }
}
