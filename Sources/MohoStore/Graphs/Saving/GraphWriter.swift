import GRDB
import MohoMapping

/// Saves models with what is nested in them, batch by batch.
///
/// Rows are written as they come; links that are held elsewhere, and what
/// becomes of rows that are no longer linked, when all models are saved: a row
/// that moves from one owner to another is never without one.
final class GraphWriter<Model: MappedModel> {
  /// How many models are in memory at a time, with what is nested in them.
  static var batchSize: Int { 500 }

  private let database: Database
  private let nodes: ModelNodes
  private let root: ModelNode
  /// In an order in which rows that others look for are written before them.
  private let order: [ModelNode]
  private var writers: [ObjectIdentifier: NodeWriter] = [:]
  private var links: [LinkWriter] = []
  private var lookup: RowLookup?
  private var report = SaveReport()
  private let settling: SettledRows?
  private var batchCount = 0
  private var merging: StoredMerging?

  /// What was counted so far.
  var counted: SaveReport { report }

  /// - Parameter rootLog: Notes which rows of the model itself are written, where
  ///   others write them too.
  init(
    _ database: Database, _ schema: Schema, repeating: RepeatedRows<RepeatedNodeKeys>,
    rootLog: SavedRowLog? = nil
  ) throws {
    self.database = database
    nodes = ModelNodes(schema)
    root = try nodes.node(of: Model.self)
    settling = if case .settled(let keys) = repeating { SettledRows(keys) } else { nil }
    let isDetecting = if case .detected = repeating { true } else { false }
    let plan = try WriteOrder(nodes.reachable(from: Model.self), nodes)
    order = plan.nodes
    for node in order {
      // Merging follows what was stored: a row may become another with each batch.
      let isLogged = isDetecting && !node.hasMerges
      let log = isLogged ? (node === root ? rootLog : nil) ?? SavedRowLog() : nil
      writers[ObjectIdentifier(node)] = try NodeWriter(
        node, late: plan.late[ObjectIdentifier(node)] ?? [], nodes, database, log: log)
    }
  }

  /// Saves some models.
  ///
  /// - Parameters:
  ///   - models: The models.
  ///   - first: The position of the first of them in the list that is saved, if
  ///     any, for messages.
  ///   - scope: Is told of the row of each.
  func save(_ models: [Model], from first: Int?, keeping scope: MirrorScope?) throws {
    let merges = order.contains(where: \.hasMerges)
    let incoming = GraphContext(nodes, merging: nil, validatesModels: !merges)
    var batch = try Self.record(models, from: first, in: incoming)
    if merges {
      let merging = try StoredMerging(
        batch, order, database, nodes.schema, after: settling?.carried(by: self.merging))
      batch = try Self.record(models, from: first, in: GraphContext(nodes, merging: merging))
      self.merging = settling == nil ? nil : merging
    }
    try write(batch)
    if let scope {
      for row in batch.rows(of: root) { try scope.keep(.row(row)) }
    }
  }

  private static func record(
    _ models: [Model], from first: Int?, in context: GraphContext
  ) throws -> GraphBatch {
    for (index, model) in models.enumerated() {
      _ = try context.record(model, at: FieldPath(first.map { [.index($0 + index)] } ?? []))
    }
    return context.batch
  }

  /// Updates the row of a partial model, which must have its unique key.
  func update(_ partial: Partial<Model>) throws {
    batchCount += 1
    let row = GraphRow(root)
    let context = GraphContext(nodes, merging: nil)
    try Model.mapping.encode(partial, to: GraphRecorder(row, context, isPartial: true))
    guard try isStored(row) else { return report.count(.missing) }
    assignOwners(row)
    try write(context.batch, then: row)
  }

  /// Writes the links of all models that were saved.
  func finish() throws -> SaveReport {
    try writeSettled()
    for writer in links { try writer.write(&report) }
    return report
  }

  private func isStored(_ row: GraphRow) throws -> Bool {
    guard let unique = root.unique else { return false }
    let key = quoted(root.table.keys[unique].name)
    let lookup = try self.lookup ?? RowLookup(root, key, database)
    self.lookup = lookup
    return try lookup.contains(row.key)
  }

  private func write(_ batch: GraphBatch, then partial: GraphRow? = nil) throws {
    batchCount += 1
    for node in order {
      for row in batch.rows(of: node) { assignOwners(row) }
    }
    for node in order {
      guard let writer = writers[ObjectIdentifier(node)] else { continue }
      for row in batch.rows(of: node) {
        if let settling, settling.isRepeated(row) {
          try settling.add(row, isNew: writer.saveIfNew(row))
        } else {
          try writer.save(row, batch: batchCount)
        }
      }
    }
    for node in order {
      guard let writer = writers[ObjectIdentifier(node)] else { continue }
      for row in batch.rows(of: node) where row.outcome == .inserted || !isSettledLater(row) {
        try writer.saveLateLinks(of: row, batch: batchCount)
      }
    }
    if let partial { try writers[ObjectIdentifier(root)]?.update(partial) }
    for row in order.flatMap({ batch.rows(of: $0) }) + (partial.map { [$0] } ?? []) {
      for link in row.node.links {
        if let members = row.members[link.index] {
          try linkWriter(link, of: row.node).save(row, members)
        }
      }
      report.count(row.outcome)
      for _ in 0..<row.repetitions { report.count(.unchanged) }
    }
  }

  private func isSettledLater(_ row: GraphRow) -> Bool { settling?.isRepeated(row) ?? false }

  /// Writes the rows that several batches have, once, to what the last one says.
  private func writeSettled() throws {
    guard let settling else { return }
    for node in order {
      guard let writer = writers[ObjectIdentifier(node)] else { continue }
      for row in settling.rows(of: node) { try writer.save(row, batch: batchCount) }
    }
    for node in order {
      guard let writer = writers[ObjectIdentifier(node)] else { continue }
      for row in settling.rows(of: node) {
        try writer.saveLateLinks(of: row, batch: batchCount)
        if row.outcome == .updated, !settling.isNew(row) { report.countUpdateOfUnchanged() }
      }
    }
  }

  /// Tells the rows of nested models who holds them.
  private func assignOwners(_ row: GraphRow) {
    for link in row.node.links {
      guard case .inverseColumn(let inverse, _) = link.link else { continue }
      for case .row(let member) in row.members[link.index] ?? [] {
        member.owners[inverse] = .row(row)
      }
    }
  }

  private func linkWriter(_ link: NodeLink, of node: ModelNode) throws -> LinkWriter {
    if let writer = links.first(where: { $0.link.label == link.label }) { return writer }
    let writer = try LinkWriter(link, of: node, nodes, database)
    links.append(writer)
    return writer
  }
}

extension GraphWriter {
  /// Hands models to a closure in batches, with the position of their first.
  static func forEachBatch(
    of models: some Sequence<Model>, _ body: ([Model], Int) throws -> Void
  ) throws {
    var batch: [Model] = []
    var count = 0
    for model in models {
      batch.append(model)
      if batch.count < batchSize { continue }
      try body(batch, count)
      count += batch.count
      batch.removeAll(keepingCapacity: true)
    }
    try body(batch, count)
  }

  /// The unique keys, by model, of rows that several batches have.
  static func repeatedKeys(
    of models: some Sequence<Model>, _ database: Database, _ schema: Schema
  ) throws -> RepeatedNodeKeys {
    let nodes = ModelNodes(schema)
    let reachable = try nodes.reachable(from: Model.self)
    var known: RepeatedNodeKeys = [:]
    var repeated: RepeatedNodeKeys = [:]
    try forEachBatch(of: models) { models, start in
      let context = GraphContext(nodes, merging: nil, validatesModels: false)
      let batch = try record(models, from: start, in: context)
      for node in reachable {
        for row in batch.rows(of: node) {
          guard let key = ModelIdentity(row.key) else { continue }
          if !known[ObjectIdentifier(node.model), default: []].insert(key).inserted {
            repeated[ObjectIdentifier(node.model), default: []].insert(key)
          }
        }
      }
    }
    return repeated
  }
}

/// The order in which the rows of a batch are written.
private struct WriteOrder {
  private(set) var nodes: [ModelNode] = []
  /// The links of each node that lead around in a circle, by the positions of
  /// their keys: their columns are written when all rows are there.
  private(set) var late: [ObjectIdentifier: Set<Int>] = [:]
  private var visiting: Set<ObjectIdentifier> = []

  init(_ reachable: [ModelNode], _ known: ModelNodes) throws {
    let all = Set(reachable.map { ObjectIdentifier($0) })
    for node in reachable { try visit(node, all, known) }
  }

  private mutating func visit(
    _ node: ModelNode, _ all: Set<ObjectIdentifier>, _ known: ModelNodes
  ) throws {
    let id = ObjectIdentifier(node)
    guard !nodes.contains(where: { $0 === node }), visiting.insert(id).inserted else { return }
    for link in node.links where link.link == .column {
      let target = try known.node(of: link.target)
      // Keys that are identities need not be looked for.
      guard !target.isKeyedByIdentity, all.contains(ObjectIdentifier(target)) else { continue }
      if visiting.contains(ObjectIdentifier(target)) {
        late[id, default: []].insert(link.index)
      } else {
        try visit(target, all, known)
      }
    }
    visiting.remove(id)
    nodes.append(node)
  }
}
