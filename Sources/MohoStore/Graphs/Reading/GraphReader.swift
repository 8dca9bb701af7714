import GRDB
import GRDBSQLite
import MohoMapping

/// Reads models with what they are related to, a batch of rows at a time: one
/// statement for each relation of each level.
final class GraphReader {
  /// How many rows are read at a time. Each holds its values twice for as long
  /// as the batch lasts: as those of columns, and in its model.
  static let batchSize = 500

  private let database: Database
  private let nodes: ModelNodes
  private let root: ModelNode

  init(_ model: any MappedModel.Type, _ database: Database, _ schema: Schema) throws {
    self.database = database
    nodes = ModelNodes(schema)
    root = try nodes.node(of: model)
  }

  /// The row that a statement stands on, which selects the columns of
  /// ``Schema/selection(of:_:)``.
  func root(from statement: OpaquePointer) -> StoredRow { StoredRow(root, statement, from: 0) }

  /// The models of rows.
  func models<Model: MappedModel>(of rows: [StoredRow]) throws -> [Model] {
    try loadLinks(of: rows)
    let mapping = Model.mapping
    return try rows.map { row in
      let reading = GraphReading()
      defer { withExtendedLifetime(reading) {} }
      do {
        let model = try mapping.model(from: GraphRowDecoder(row, reading))
        if let cycle = reading.cycle { throw cycle }
        return model
      } catch {
        // What a decoder throws comes back among the errors of its keys.
        throw reading.cycle ?? error
      }
    }
  }

  /// Reads what rows are linked to, and what that is linked to.
  private func loadLinks(of rows: [StoredRow]) throws {
    var known = KnownRows()
    var pending = rows.map { known.insert($0) }.filter(\.isNew).map(\.row)
    // Rows that a batch holds twice share what they are linked to.
    let twins = rows.filter { known[$0.node, $0.id] !== $0 }
    while !pending.isEmpty {
      var groups: [(node: ModelNode, rows: [StoredRow])] = []
      for row in pending {
        if let index = groups.firstIndex(where: { $0.node === row.node }) {
          groups[index].rows.append(row)
        } else {
          groups.append((row.node, [row]))
        }
      }
      pending = []
      for group in groups {
        for link in group.node.links {
          let load = LinkLoad(link, try nodes.node(of: link.target), database)
          pending += try load.load(for: group.rows, &known)
        }
      }
    }
    for twin in twins { twin.related = known[twin.node, twin.id]?.related ?? [:] }
  }
}

/// The rows that have been read, so that none is read twice.
struct KnownRows {
  private var rows: [ObjectIdentifier: [Int64: StoredRow]] = [:]

  subscript(node: ModelNode, id: Int64) -> StoredRow? { rows[ObjectIdentifier(node)]?[id] }

  /// Adds a row, unless it is known: then the one that is known comes back.
  mutating func insert(_ row: StoredRow) -> (row: StoredRow, isNew: Bool) {
    if let known = self[row.node, row.id] { return (known, false) }
    rows[ObjectIdentifier(row.node), default: [:]][row.id] = row
    return (row, true)
  }
}
