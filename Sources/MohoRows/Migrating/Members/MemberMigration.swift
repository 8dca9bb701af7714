package import MohoMapping

/// The step of a migration that moves unknown members of rows to the keys that
/// are declared for them.
package struct MemberMigration: Sendable {
  /// The stored table of the entity.
  package struct Table: Sendable {
    let name: String
    let identity: String
    let columns: Set<String>

    /// - Parameters:
    ///   - name: The name of the table in the database.
    ///   - identity: The column that identifies the rows.
    ///   - columns: The names of the columns.
    package init(name: String, identity: String, columns: some Sequence<String>) {
      self.name = name
      self.identity = identity
      self.columns = Set(columns)
    }
  }

  /// What a migration finds in the rows.
  package struct Findings: Sendable {
    /// The numbers of rows with members that a key takes, by the name of the key.
    var taken: [String: Int] = [:]
    /// The numbers of rows with members that a key cannot take, or with values
    /// that cannot become unknown members.
    var lost: [String: (count: Int, reason: String)] = [:]
    /// The objects with the values that become unknown members, by identity.
    var documents: [Int64: [String]] = [:]
    /// The number of rows whose values become unknown members, by key.
    var kept: [String: Int] = [:]
    /// Whether the unknown members of any row change. A member that contains the path of a
    /// key is divided even if the key has no value in it.
    var changesRows = false
  }

  /// A key that is no longer declared, whose values become unknown members.
  private struct UndeclaredKey: Sendable {
    let name: String
    let documented: DocumentedKey
    let form: ValueForm
  }

  package let entity: String
  /// The name of the key that receives unknown members.
  private let receiver: String
  private let keys: [MappingKey]
  private let kept: [UndeclaredKey]
  private let table: Table
  private let compiled: CompiledSchema
  private let take: @Sendable (FieldContent?, [String], (Int) -> Bool) throws -> TakenMembers?

  static func make<Model: MappedModel>(
    _ model: Model.Type, _ schema: Schema, _ table: Table, _ record: StoreRecord,
    keeping parts: Set<SchemaPart>
  ) -> MemberMigration? {
    let mapping = Model.mapping
    guard let taking = MemberTaking(mapping) else { return nil }
    let kept = table.columns.sorted().compactMap { name -> UndeclaredKey? in
      guard parts.contains(.key(name, of: mapping.name)),
        let form = record[.init(.form, mapping.name, name)]
      else { return nil }
      let documented = record[.init(.documented, mapping.name, name)]
      return UndeclaredKey(
        name: name, documented: documented.map { DocumentedKey(text: $0) } ?? .init(named: name),
        form: ValueForm(text: form))
    }
    let receiver = mapping.keys[taking.receiver].name
    let hasNewClaims =
      table.columns.contains(receiver)
      && record[.init(.claims, mapping.name, receiver)] != taking.claims
    guard hasNewClaims || !kept.isEmpty else { return nil }
    return MemberMigration(
      entity: mapping.name, receiver: receiver, keys: mapping.keys, kept: kept, table: table,
      compiled: schema.compiled
    ) { try taking.members(of: $0, adding: $1, where: $2) }
  }

  /// The greatest number of rows in memory.
  private static let batchSize = 500

  /// Returns what the migration finds in the table, which has its former columns.
  ///
  /// - Parameter rows: Executes a query, and returns the values of its rows as
  ///   migration steps exchange them.
  package func findings(
    _ rows: (String) throws -> [[FieldContent]]
  ) throws -> Findings {
    var findings = Findings()
    let stored = keys.indices.filter { keys[$0].isStored && table.columns.contains(keys[$0].name) }
    let identity = quotedName(table.identity)
    let hasReceiver = table.columns.contains(receiver)
    let columns =
      [identity, hasReceiver ? "CAST(\(quotedName(receiver)) AS TEXT)" : "NULL"]
      + kept.map { quotedName($0.name) }
      + stored.map { "CASE WHEN \(quotedName(keys[$0].name)) IS NULL THEN 0 ELSE 1 END" }
    let select = "SELECT \(columns.joined(separator: ", ")) FROM \(quotedName(table.name))"
    var next: Int64? = .min
    while let first = next {
      next = nil
      let batch = try rows(
        "\(select) WHERE \(identity) >= \(first) ORDER BY \(identity) LIMIT \(Self.batchSize)")
      for row in batch {
        guard case .int64(let id)? = row.first else { continue }
        next = id == .max ? nil : id + 1
        let documents = documents(of: row.dropFirst(2).prefix(kept.count), &findings)
        if !documents.isEmpty { findings.documents[id] = documents }
        let flags = row.dropFirst(2 + kept.count)
        let filled = Set(zip(stored, flags).filter { $1 == .int64(1) }.map(\.0))
        let content = hasReceiver ? row[1] : nil
        if let taken = try taken(from: content, documents, { !filled.contains($0) }) {
          findings.changesRows = true
          add(taken, to: &findings)
        }
      }
    }
    return findings
  }

  /// Returns the objects with the values of a row that become unknown members.
  private func documents(
    of values: ArraySlice<FieldContent>, _ findings: inout Findings
  ) -> [String] {
    zip(kept, values).compactMap { key, value in
      if value == .null { return nil }
      guard let document = key.documented.document(value, key.form),
        (try? take(nil, [document]) { _ in true }) != nil
      else {
        findings.lose(key.name, "the value has no form in documents that `\(receiver)` contains")
        return nil
      }
      findings.kept[key.name, default: 0] += 1
      return document
    }
  }

  private func add(_ taken: TakenMembers, to findings: inout Findings) {
    for index in taken.contents.keys { findings.taken[keys[index].name, default: 0] += 1 }
    for loss in taken.losses { findings.lose(keys[loss.index].name, loss.reason) }
  }

  /// Returns what the keys of a row take. Values that their columns cannot store
  /// are losses.
  private func taken(
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

  /// Moves the members of all rows, after the other steps.
  ///
  /// - Parameter progress: Receives the number of changed rows.
  package func run(
    _ findings: Findings, _ session: any StoreSession, progress: (Int) throws -> Void
  ) throws {
    guard let entity = session.schema.compiled.entity(self.entity),
      let receiver = entity.attribute(self.receiver)
    else { return }
    var count = 0
    for identities in try session.identities(of: RowRequest(self.entity)).batches {
      let rows = try session.rows(
        of: entity, identities.map { RowIdentity(entity: self.entity, stored: $0) })
      var plan = ContextPlan()
      for row in rows {
        let documents = row.identity.stored.flatMap { findings.documents[$0] } ?? []
        let taken = try taken(from: row.attributes[receiver], documents) { index in
          guard let attribute = entity.attribute(keys[index].name) else { return false }
          return !table.columns.contains(keys[index].name) || row.attributes[attribute] == .null
        }
        guard let taken else { continue }
        let update = update(of: row, entity, receiver, taken, number: plan.steps.count)
        plan.steps.append(.update(update))
      }
      if plan.steps.isEmpty { continue }
      _ = try session.save(plan, resolvingConflictsBy: .contextWins)
      count += plan.steps.count
      try progress(count)
    }
  }

  private func update(
    of row: FetchedRow, _ entity: CompiledEntity, _ receiver: Int, _ taken: TakenMembers,
    number: Int
  ) -> ContextPlan.Row {
    let old = row.cellValues
    var new = old
    var columns = [receiver]
    let remaining = compiled.stored(taken.remaining, as: entity.attributes[receiver].type)
    new[receiver] = .content(remaining)
    for (index, content) in taken.contents {
      guard let attribute = entity.attribute(keys[index].name) else { continue }
      new[attribute] = .content(content)
      columns.append(attribute)
    }
    return ContextPlan.Row(
      handle: number, entity: entity.index, identity: row.identity, old: old, new: new,
      columns: columns.sorted())
  }

  /// The steps of a plan. Empty if no row has members to move.
  package func steps(_ findings: Findings) -> [MigrationStep] {
    func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
    var steps: [MigrationStep] = []
    let retained = kept.map(\.name).filter { findings.kept[$0] != nil }
    if !retained.isEmpty {
      steps.append(
        MigrationStep("keep \(list(retained)) of `\(entity)` as unknown members", []))
    }
    let moved = keys.map(\.name).filter { findings.taken[$0] != nil || findings.lost[$0] != nil }
    if !moved.isEmpty {
      steps.append(
        MigrationStep("move unknown members of `\(entity)` to \(list(moved))", []))
    } else if steps.isEmpty, findings.changesRows {
      steps.append(MigrationStep("divide unknown members of `\(entity)`", []))
    }
    return steps
  }

  /// The losses, except those that are permitted.
  package func losses(
    _ findings: Findings, allowing allowed: Set<SchemaPart>
  ) -> [MigrationLoss] {
    (keys.map(\.name) + kept.map(\.name)).compactMap { name in
      let part = SchemaPart.key(name, of: entity)
      guard let lost = findings.lost[name], !allowed.contains(part) else { return nil }
      return MigrationLoss(part: part, count: lost.count, reason: lost.reason)
    }
  }
}

extension MemberMigration.Findings {
  fileprivate mutating func lose(_ key: String, _ reason: String) {
    let earlier = lost[key]
    lost[key] = ((earlier?.count ?? 0) + 1, earlier?.reason ?? reason)
  }
}
