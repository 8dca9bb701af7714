import GRDB
import MohoMapping
import MohoRows

/// Updates rows with the partial models of one call.
final class PartialUpdates<Model: MappedModel> {
  private let writer: PartialWriter<Model>
  private let database: Database
  private let schema: Schema
  private let log: SavedRowLog?
  private var graph: GraphWriter<Model>?
  private var report = SaveReport()

  init(
    _ writer: PartialWriter<Model>, _ database: Database, _ schema: Schema, _ log: SavedRowLog?
  ) {
    self.writer = writer
    self.database = database
    self.schema = schema
    self.log = log
  }

  /// - Parameter index: The position of the partial model in the call, for errors.
  func update(_ partial: Partial<Model>, at index: Int) throws {
    do {
      try update(partial)
    } catch let error as MappingError {
      throw error.inElement(index)
    }
  }

  private func update(_ partial: Partial<Model>) throws {
    guard partial.keys.contains(where: { $0.relation != nil }) else {
      return report.count(try writer.update(partial))
    }
    try writer.check(partial)
    let graph =
      try self.graph
      ?? GraphWriter<Model>(
        SQLiteGraphStatements(database, schema), schema,
        repeating: log == nil ? .allowed : .detected, rootLog: log)
    self.graph = graph
    try graph.update(partial)
  }

  /// Updates each row once, after merging all of its partial models.
  func update(merging partials: some Sequence<Partial<Model>>) throws -> SaveReport {
    var merged: [(partial: Partial<Model>, index: Int, repetitions: Int)] = []
    var positions: [UniqueKey: Int] = [:]
    for (index, partial) in partials.enumerated() {
      try writer.check(partial)
      guard let key = UniqueKey(try writer.key(of: partial)) else {
        merged.append((partial, index, 0))
        continue
      }
      // Merging would replace the links that an earlier partial model adds.
      if let position = positions[key], !partial.addsLinks {
        merged[position].partial = merged[position].partial.merging(partial)
        merged[position].repetitions += 1
      } else {
        positions[key] = merged.count
        merged.append((partial, index, 0))
      }
    }
    for (partial, index, repetitions) in merged {
      let missing = (report + (graph?.counted ?? SaveReport())).missing
      try update(partial, at: index)
      let isMissing = (report + (graph?.counted ?? SaveReport())).missing > missing
      for _ in 0..<repetitions { report.count(isMissing ? .missing : .unchanged) }
    }
    return try finish()
  }

  /// Writes the links of all partial models.
  func finish() throws -> SaveReport {
    try report + (graph?.finish() ?? SaveReport())
  }
}

extension Partial {
  /// Whether the partial model has a to-many key that adds links to the stored
  /// ones.
  fileprivate var addsLinks: Bool {
    keys.contains { key in
      guard let relation = key.relation, relation.models.isToMany else { return false }
      if case .merge = relation.linkPolicy { return true }
      return false
    }
  }
}
