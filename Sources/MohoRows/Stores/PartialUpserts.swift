package import MohoMapping

/// The partial models of one call, divided into those of stored rows and those
/// of new rows.
package struct PartialUpserts<Model: MappedModel> {
  /// The partial models of stored rows.
  private var updates: [Partial<Model>] = []
  /// The models of new rows.
  private var models: [Model] = []
  /// The number of partial models whose row is that of an earlier, new one.
  package private(set) var repetitions = 0

  private let failures: WriteFailures
  /// The positions of the updates and of the models in the call.
  private var updateIndexes: [Int] = []
  private var modelIndexes: [Int] = []

  /// - Throws: A ``StoreError`` of code ``StoreError/Code/missingValue`` if
  ///   partial models of new rows are incomplete.
  package init(
    _ partials: [Partial<Model>], _ writer: any PartialRowWriter<Model>
  ) throws {
    failures = writer.failures
    let contents = try partials.enumerated().map { index, partial in
      do {
        return try writer.key(of: partial)
      } catch let error as MappingError {
        try failures.add(error.inElement(index))
        return .null
      }
    }
    try failures.check()
    let isStored = try writer.identities(of: contents).map { $0 != nil }
    var new: [(partial: Partial<Model>, index: Int)] = []
    var positions: [UniqueKey: Int] = [:]
    for (index, partial) in partials.enumerated() {
      guard let key = UniqueKey(contents[index]) else {
        new.append((partial, index))
        continue
      }
      if let position = positions[key] {
        let (values, links) = partial.separatingAddedLinks()
        new[position].partial = new[position].partial.merging(values)
        if let links {
          updates.append(links)
          updateIndexes.append(index)
        } else {
          repetitions += 1
        }
      } else if isStored[index] {
        updates.append(partial)
        updateIndexes.append(index)
      } else {
        positions[key] = new.count
        new.append((partial, index))
      }
    }
    var incomplete = IncompleteRows<Model>()
    for (partial, index) in new {
      do {
        models.append(try Model.mapping.model(from: partial))
        modelIndexes.append(index)
      } catch let error as MappingError where error.code != .invalidDeclaration {
        incomplete.add(partial, error.errors.compactMap(\.key), at: index)
      }
    }
    if let error = incomplete.error { throw error }
  }

  /// Calls a function that saves the models or the updates. Its errors get the
  /// positions of the partial models in the call.
  private func saving(
    _ part: KeyPath<PartialUpserts, [Int]>, _ save: () throws -> SaveReport
  ) throws -> SaveReport {
    let indexes = self[keyPath: part]
    func position(_ index: Int) -> Int { indexes.indices.contains(index) ? indexes[index] : index }
    do {
      return try save()
    } catch let error as MappingError {
      throw error.mappingElements(position)
    } catch let error as StoreError {
      throw error.mappingElements(position)
    }
  }

  /// Calls functions that save the models and update the stored rows.
  ///
  /// - Throws: The errors of both. If models are not saved, references to rows that are not
  ///   stored are not reported, because they may be references to these models.
  package func write(
    _ save: ([Model]) throws -> SaveReport, _ update: ([Partial<Model>]) throws -> SaveReport
  ) throws -> SaveReport {
    var report = SaveReport(unchanged: repetitions)
    // New rows first: stored rows may refer to them.
    do {
      report = report + (try saving(\.modelIndexes) { try save(models) })
    } catch {
      try failures.add(error)
    }
    do {
      report = report + (try saving(\.updateIndexes) { try update(updates) })
    } catch {
      try failures.add(error, ignoringReferences: !failures.isEmpty)
    }
    try failures.check()
    return report
  }
}

/// New rows whose partial models lack required keys.
private struct IncompleteRows<Model: MappedModel> {
  private var groups: [(missing: [String], first: String, count: Int)] = []

  mutating func add(_ partial: Partial<Model>, _ missing: [String], at index: Int) {
    if let position = groups.firstIndex(where: { $0.missing == missing }) {
      groups[position].count += 1
    } else {
      groups.append((missing, "\(partial) at position \(index)", 1))
    }
  }

  var error: StoreError? {
    guard !groups.isEmpty else { return nil }
    let reasons = groups.map { group in
      let others = group.count == 1 ? "" : " and \(group.count - 1) more"
      let keys = group.missing.map { "`\($0)`" }.joined(separator: ", ")
      return "\(group.first)\(others) \(group.count == 1 ? "is" : "are") not stored and"
        + " \(group.count == 1 ? "lacks" : "lack") \(keys)"
    }
    let missing = Set(groups.flatMap(\.missing))
    return StoreError(
      .missingValue, entity: Model.mapping.name,
      keys: Model.mapping.keys.map(\.name).filter(missing.contains),
      reason: reasons.joined(separator: "; "),
      suggestion: "add the keys, or call `update(_:)`, which skips rows that are not stored")
  }
}
