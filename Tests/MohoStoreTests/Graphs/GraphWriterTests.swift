import Campaigns
import MohoMapping
import Testing

@testable import MohoRows

/// A model that nests a model of the same type.
private final class Station: MappedModel {
  let id: Int
  let next: Station?

  init(id: Int, next: Station?) {
    self.id = id
    self.next = next
  }

  static let mapping = Mapping(
    "Station", { Station(id: $0, next: $1) }, .key("id", \.id, .unique), .toOne("next", \.next))

  /// Pairs of which each one ends with the first model of the next one.
  static func pairs(_ ids: some Sequence<Int>) -> [Station] {
    ids.map { Station(id: $0, next: Station(id: $0 + 1, next: nil)) }
  }
}

/// A reference that does not retain a row.
private struct WeakRow {
  weak var row: GraphRow?
}

/// Rows with equal keys are joined, so that a batch can contain chains of any length
/// and cycles.
@Suite struct GraphWriterTests {
  private let schema: Schema

  init() throws {
    schema = try Schema([Station.self, Topic.self, IdentityFeed.self, IdentityItem.self])
  }

  private func writer<Model: MappedModel>(
    of model: Model.Type, _ repeating: RepeatedRows<RepeatedNodeKeys> = .allowed
  ) throws -> GraphWriter<Model> {
    try GraphWriter(UnwrittenGraphs(), schema, repeating: repeating)
  }

  @Test func aChainOfRowsIsReleased() throws {
    let count = Campaign.count(short: 10_000, full: 100_000)
    let schema = schema
    try onSmallStack {
      let stations = try GraphWriter<Station>(UnwrittenGraphs(), schema, repeating: .allowed)
      let row = WeakRow(row: try stations.save(Station.pairs(0..<count), from: 0).last)
      #expect(row.row == nil)

      let topics = try GraphWriter<Topic>(UnwrittenGraphs(), schema, repeating: .allowed)
      let chain = (0..<count).map { Topic(name: "\($0)", children: [Topic(name: "\($0 + 1)")]) }
      let topic = WeakRow(row: try topics.save(chain, from: 0).last)
      #expect(topic.row == nil)
    }
  }

  @Test func aCycleOfRowsIsReleased() throws {
    let writer = try writer(of: Station.self)
    let cycle = Station(
      id: 1, next: Station(id: 2, next: Station(id: 1, next: Station(id: 2, next: nil))))

    let rows = try writer.save([cycle], from: 0).map { WeakRow(row: $0) }

    #expect(rows.count == 2)
    #expect(rows.allSatisfy { $0.row == nil })
  }

  @Test func ownersAndTheirMembersAreReleased() throws {
    let topics = try writer(of: Topic.self)
    let topic = Topic(name: "a", children: [Topic(name: "b")])
    let items = try writer(of: IdentityFeed.self)
    let feed = IdentityFeed(url: "f", items: [IdentityItem(guid: "1"), IdentityItem(guid: "2")])

    let rows =
      try topics.save([topic], from: nil).map { WeakRow(row: $0) }
      + items.save([feed], from: nil).map { WeakRow(row: $0) }

    #expect(rows.count == 3)
    #expect(rows.allSatisfy { $0.row == nil })
  }

  @Test func theRowsOfAContextAreReleased() throws {
    let feed = IdentityFeed(url: "f", items: [IdentityItem(guid: "1"), IdentityItem(guid: "2")])
    var partial = Partial<IdentityFeed>()
    partial[\.url] = "g"
    partial[\.items] = [IdentityItem(guid: "3")]
    var rows: [WeakRow] = []
    do {
      let recorded = ContextRows()
      let recording = GraphRecording(schema.compiled, for: recorded)
      rows.append(WeakRow(row: try recording.record(feed, at: FieldPath([]))))
      rows.append(WeakRow(row: recorded.add(try recording.record(partial))))
      #expect(rows.allSatisfy { $0.row != nil })
    }
    #expect(rows.allSatisfy { $0.row == nil })
  }

  @Test func aRowKeepsItsIdentityAfterItsBatch() throws {
    let writer = try writer(of: IdentityItem.self)
    let item = IdentityItem(feed: try ModelReference(key: "f"), guid: "1")

    let rows = try writer.save([item], from: nil)

    #expect(rows.map(\.description) == [#"`IdentityItem` ["f", "1"]"#])
  }

  @Test func deferredRowsKeepTheirLinksUntilTheyAreWritten() throws {
    let ids = 0..<1_000
    let pairs = Station.pairs(ids)
    let keys = try GraphWriter.repeatedKeys(of: pairs + pairs, UnwrittenGraphs(), schema)
    let graphs = UnwrittenGraphs()
    var rows: [WeakRow] = []
    do {
      let writer = try GraphWriter<Station>(graphs, schema, repeating: .deferred(keys))
      for half in [pairs, pairs] {
        rows += try writer.save(half, from: 0).map { WeakRow(row: $0) }
      }
      graphs.written = []
      _ = try writer.finish()
    }

    #expect(graphs.written.count == 2 * (ids.count + 1))
    #expect(graphs.written.count { $0.isEmpty } == 2)
    #expect(Set(graphs.written) == Set([""] + ids.map { "\($0 + 1)" }))
    #expect(rows.allSatisfy { $0.row == nil })
  }
}

/// Statements that write nothing.
private final class UnwrittenGraphs: GraphStatements {
  /// The keys of the to-one targets of the rows that were written, or empty texts.
  var written: [String] = []

  func nodeWriter(
    _ node: ModelNode, deferring deferredLinks: Set<Int>, log: SavedRowLog?
  ) throws -> any NodeRowWriter { UnwrittenRows(self) }

  func linkWriter(_ link: NodeLink, of node: ModelNode) throws -> any LinkRowWriter {
    UnwrittenLinks(link: link)
  }

  func contains(_ keys: [FieldContent], of node: ModelNode) throws -> [Bool] {
    keys.map { _ in true }
  }

  func models<Model: MappedModel>(
    of model: Model.Type, with keys: [FieldContent]
  ) throws -> [Model] { [] }

  let failures = WriteFailures { true }
}

private final class UnwrittenRows: NodeRowWriter {
  private let graphs: UnwrittenGraphs

  init(_ graphs: UnwrittenGraphs) { self.graphs = graphs }

  func save(
    _ rows: [GraphRow], onlyInserting isOnlyInserted: (GraphRow) -> Bool, batch: Int
  ) throws { note(rows) }

  func saveDeferredLinks(of rows: [GraphRow], batch: Int) throws { note(rows) }

  func update(_ rows: [GraphRow]) throws {}

  private func note(_ rows: [GraphRow]) {
    for row in rows {
      if let link = row.node.links.first, case .row(let target) = row.target(of: link) {
        graphs.written.append("\(target.key)")
      } else {
        graphs.written.append("")
      }
    }
  }
}

private final class UnwrittenLinks: LinkRowWriter {
  let link: NodeLink

  init(link: NodeLink) { self.link = link }

  func save(_ rows: [GraphRow]) throws {}
  func write(_ report: inout SaveReport) throws {}
}
