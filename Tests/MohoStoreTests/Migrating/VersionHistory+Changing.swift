import MohoMapping
import MohoRows
import MohoTesting
import Testing

extension VersionHistory {
  mutating func nextVersion(_ comment: Comment) throws {
    let old = kinds
    if counts.versions > 0 {
      former.append(
        FormerVersion(
          number: counts.versions, kinds: kinds, isRenamed: isRenamed,
          migrationCount: migrations.count))
    }
    for slot in kinds.indices where random.below(2) == 0 {
      let others = VersionedKind.allCases.filter { old[slot].isConvertible(to: $0) }
      kinds[slot] =
        old[slot] == .undeclared
        ? VersionedKind.allCases[random.below(VersionedKind.allCases.count)]
        : others.isEmpty || random.oneIn(2) ? .undeclared : others[random.below(others.count)]
    }
    var losses: [String: Int] = [:]
    var steps: [(inout MigrationSteps) -> Void] = []
    let needsConversion = convert(old, &steps)
    let transformed = transform(old, &steps, &losses)
    if !steps.isEmpty {
      let name = "version \(counts.versions)"
      migrations.append(Migration(name) { for step in steps { step(&$0) } })
    }
    var kept: [SchemaPart] = []
    var discarded: [SchemaPart] = []
    for slot in kinds.indices where old[slot] != .undeclared && kinds[slot] == .undeclared {
      let part = part(slot)
      if random.oneIn(4) {
        discarded.append(part)
        documents = documents.mapValues { Self.setting(slot, to: nil, in: $0) }
      } else {
        kept.append(part)
        counts.kept += documents.values.filter { Self.value(slot, in: $0) != nil }.count
      }
    }
    let renamings = rename(old)
    // What a new key cannot read must be named with its count.
    for slot in kinds.indices where old[slot] == .undeclared && kinds[slot] != .undeclared {
      for (id, document) in documents where transformed[slot]?.contains(id) != true {
        guard let value = Self.value(slot, in: document) else { continue }
        guard !kinds[slot].reads(value) else {
          counts.taken += 1
          continue
        }
        losses["\(part(slot))", default: 0] += 1
        documents[id] = Self.setting(slot, to: nil, in: document)
        counts.lost += 1
      }
    }
    counts.versions += 1
    try withModel { model in
      if needsConversion { try expectRefused(model, renamings, kept, discarded, comment) }
      try check(
        model, losses, renamings, keeping: kept, discarding: discarded,
        "\(comment), \(renamings), \(migrations.last?.plan.map(\.summary) ?? [])")
    }
  }

  /// Converts the values of keys that stay declared with another type.
  ///
  /// - Returns: Whether a value must be converted.
  private mutating func convert(
    _ old: [VersionedKind], _ steps: inout [(inout MigrationSteps) -> Void]
  ) -> Bool {
    var needsConversion = false
    for slot in kinds.indices where old[slot] != .undeclared && kinds[slot] != .undeclared {
      guard old[slot] != kinds[slot] else { continue }
      let (key, kind) = (part(slot).key ?? "", kinds[slot])
      let conversion = old[slot].conversion(to: kind)
      steps.append { $0.transform(key, of: "Versioned", conversion) }
      for (id, document) in documents {
        guard let value = Self.value(slot, in: document) else { continue }
        documents[id] = Self.setting(slot, to: kind.converted(value), in: document)
        needsConversion = true
        counts.converted += 1
      }
    }
    return needsConversion
  }

  /// Renames keys that stay declared.
  private mutating func rename(_ old: [VersionedKind]) -> [Renaming] {
    var renamings: [Renaming] = []
    for slot in kinds.indices where kinds[slot] != .undeclared {
      guard old[slot] != .undeclared, random.oneIn(3) else { continue }
      let former = part(slot).key ?? ""
      isRenamed[slot].toggle()
      renamings.append(Renaming(key: part(slot).key ?? "", of: "Versioned", from: former))
      counts.renamed += 1
    }
    return renamings
  }

  /// Transforms values of keys that stay declared, in place or into a new key.
  ///
  /// - Returns: The documents with transformed values of new keys, by key.
  private mutating func transform(
    _ old: [VersionedKind], _ steps: inout [(inout MigrationSteps) -> Void],
    _ losses: inout [String: Int]
  ) -> [Int: Set<Int>] {
    var transformed: [Int: Set<Int>] = [:]
    for slot in kinds.indices where old[slot] == .undeclared && kinds[slot] != .undeclared {
      isRenamed[slot] = random.oneIn(2)
    }
    for source in kinds.indices where old[source] == kinds[source] && kinds[source].isTransformable
    {
      guard random.oneIn(3) else { continue }
      counts.transformed += 1
      let (key, transform) = (part(source).key ?? "", kinds[source].transform)
      let target = kinds.indices.first { slot in
        slot < 2 && old[slot] == .undeclared && kinds[slot] != .undeclared
          && transformed[slot] == nil
      }
      guard let target, random.oneIn(2) else {
        steps.append { $0.transform(key, of: "Versioned", transform) }
        for (id, document) in documents {
          guard let value = Self.value(source, in: document) else { continue }
          documents[id] = Self.setting(source, to: VersionedKind.transformed(value), in: document)
        }
        continue
      }
      kinds[target] = kinds[source]
      let newKey = part(target).key
      steps.append { $0.transform(key, of: "Versioned", into: newKey, transform) }
      transformed[target] = []
      for (id, document) in documents {
        guard let value = Self.value(source, in: document) else { continue }
        if Self.value(target, in: document) != nil {
          losses["\(part(target))", default: 0] += 1
          counts.lost += 1
        }
        transformed[target]?.insert(id)
        documents[id] = Self.setting(target, to: VersionedKind.transformed(value), in: document)
      }
    }
    return transformed
  }

  /// Expects that the current version cannot be opened without its migration.
  private func expectRefused(
    _ model: any MappedModel.Type, _ renamings: [Renaming], _ kept: [SchemaPart],
    _ discarded: [SchemaPart], _ comment: Comment
  ) throws {
    let before = try database.contents()
    let policy = MigrationPolicy.inferred(discarding: discarded, retainingAsUnknown: kept)
    var options = self.options(policy, renamings)
    options.migrations.removeLast()
    let error = #expect(throws: StoreError.self, comment) {
      try database.open(Schema([model]), with: options)
    }
    #expect(error?.code == .incompatibleSchema, "\(comment): \(String(describing: error))")
    #expect(try database.contents() == before, comment)
  }

  private func check<Model: MappedModel>(
    _ model: Model.Type, _ losses: [String: Int], _ renamings: [Renaming],
    keeping kept: [SchemaPart], discarding discarded: [SchemaPart], _ comment: Comment
  ) throws {
    func policy(_ discarded: [SchemaPart], _ kept: [SchemaPart]) -> MigrationOptions {
      self.options(.inferred(discarding: discarded, retainingAsUnknown: kept), renamings)
    }
    let options = policy(discarded, kept)
    let plan = try database.plan(model, with: options)
    let named = Dictionary(plan.losses.map { ("\($0.part)", $0.count) }) { $1 }
    #expect(named == losses, comment)
    if !losses.isEmpty {
      let error = #expect(throws: StoreError.self, comment) {
        try database.open(model, with: options)
      }
      #expect(error?.code == .wouldLoseData, comment)
    }
    let store = try database.open(
      model, with: policy(discarded + plan.losses.map(\.part), kept))
    try expectDocuments(store, model, comment)
    #expect(try database.plan(model, with: self.options()).isEmpty, comment)
  }
}
