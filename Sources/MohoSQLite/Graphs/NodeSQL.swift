import MohoMapping
import MohoRows

/// The statements that write the rows of one model, for all transactions of an engine.
final class NodeSQL: Sendable {
  let node: ModelNode

  /// What is bound for a key.
  enum Value {
    case content(parameter: Int32)
    case row(NodeLink, RowTerm)
  }

  /// The values of the keys that columns store, by the indexes of the keys.
  let values: [Value?]
  /// The links whose columns are written with the others.
  let linksWrittenAtOnce: [NodeLink]
  /// The links whose columns are written after all rows have been written.
  let deferredLinks: [NodeLink]
  /// The statement that inserts a row. If a row has the same unique key, it is updated if a
  /// column differs.
  let upsert: String

  /// The columns of the keys, by their indexes.
  private let columns: [UpsertSQL.Column?]

  /// - Parameter deferredLinks: The indexes of the links whose columns are written after all
  ///   rows have been written.
  init(_ node: ModelNode, deferring deferredLinks: Set<Int>, _ schema: CompiledSchema) throws {
    self.node = node
    let links = node.links.filter { $0.storage == .column }
    self.deferredLinks = links.filter { deferredLinks.contains($0.index) }
    linksWrittenAtOnce = links.filter { !deferredLinks.contains($0.index) }
    var values: [Value?] = []
    var columns: [UpsertSQL.Column?] = []
    var next: Int32 = 1
    for (index, key) in node.keys.enumerated() {
      switch key {
      case .link(let link) where link.storage == .column:
        let term = RowTerm(try schema.node(of: link.target), link.label, schema, first: next)
        values.append(.row(link, term))
        columns.append(Self.column(of: link, term))
        next = term.next
      case .column:
        values.append(.content(parameter: next))
        columns.append(
          UpsertSQL.Column(
            name: quotedName(node.table.keys[index].name), value: "?\(next)",
            merge: node.columnMerges[index]))
        next += 1
      case .unstored, .link:
        values.append(nil)
        columns.append(nil)
      }
    }
    self.values = values
    self.columns = columns
    upsert =
      UpsertSQL(
        node, columns.indices.filter { !deferredLinks.contains($0) }.compactMap { columns[$0] },
        placeholders: self.deferredLinks.filter { !$0.relationship.isOptional }.map(\.column)
      ).upsert
  }

  /// Returns the statement that updates some keys of the row with the unique key.
  func update(_ present: [Int]) -> String {
    UpsertSQL(node, (node.unique + present).compactMap { columns[$0] }).update
  }

  func isDeferred(_ link: NodeLink) -> Bool {
    deferredLinks.contains { $0.index == link.index }
  }

  /// Returns the column of a link.
  static func column(of link: NodeLink, _ term: RowTerm) -> UpsertSQL.Column {
    UpsertSQL.Column(
      name: link.column, value: term.sql,
      position: link.relationship.positionColumn.map { quotedName($0) })
  }
}

extension UpsertSQL {
  /// The statements of the rows of a model.
  fileprivate init(_ node: ModelNode, _ columns: [Column], placeholders: [String] = []) {
    self.init(
      table: quotedName(node.name), identity: node.identity,
      key: node.unique.map { quotedName(node.table.keys[$0].name) }, columns: columns,
      placeholders: placeholders)
  }
}
