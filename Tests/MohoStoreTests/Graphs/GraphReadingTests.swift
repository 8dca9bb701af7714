import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct GraphReadingTests {
  private let store: ModelStore
  private let all = ModelRequest<Series>().order(by: \.id)

  init() throws {
    store = try emptyStore(Series.self, Topic.self)
  }

  private static func shows(_ count: Int) throws -> [Series] {
    try (0..<count).map { id in
      let parts = try (0..<3).map { number in
        Part(
          code: "\(id)-\(number)", title: "Part \(number)", show: try ModelReference(key: id),
          speaker: number == 0 ? nil : Guest(name: "Guest \(id % 7)"))
      }
      return Series(
        id: id, title: "Series \(id)", parts: parts.reversed(),
        opening: id % 2 == 0 ? nil : try ModelReference(key: "\(id)-0"),
        guests: [Guest(name: "Guest \(id % 5)"), Guest(name: "Guest \(id % 7)")],
        related: id == 0 ? [] : [try ModelReference(key: id - 1), try ModelReference(key: id / 2)])
    }
  }

  /// Returns the shows after removing duplicate references.
  private static func stored(_ shows: [Series]) -> [Series] {
    shows.map { show in
      var show = show
      var seen: Set<ModelReference<Series>> = []
      show.related = show.related.filter { seen.insert($0).inserted }
      return show
    }
  }

  @Test func aGraphReadsBackEqual() throws {
    let shows = try Self.shows(20)

    try store.write { try $0.save(shows) }

    #expect(try store.fetch(all) == Self.stored(shows))
  }

  @Test(arguments: [(1, 1), (500, 1), (501, 2), (1_200, 3)])
  func oneStatementReadsARelationOfABatch(count: Int, batches: Int) throws {
    try store.write { try $0.save(Self.shows(count)) }

    let statements = try store.statements { _ = try store.fetch(all) }

    // The parts, openings, guests, related series, and the speakers of the
    // parts.
    #expect(statements.filter { $0.contains("json_each") }.count <= 5 * batches)
    #expect(statements.count <= 1 + 5 * batches)
    #expect(Set(statements).count <= 6)
  }

  @Test func aReferenceByIdentityTakesNoStatement() throws {
    struct Remark: MappedModel, Equatable {
      var id: Int
      var show: ModelReference<Series>?
      static let mapping = Mapping(
        "Remark", Remark.init, .key("id", \.id, .unique), .toOne("show", \.show))
    }
    let store = try emptyStore(Remark.self)
    let remarks = [
      Remark(id: 1, show: try ModelReference(key: 7)), Remark(id: 2, show: nil),
    ]
    try store.write {
      try $0.save(remarks)
      try $0.save(Series(id: 7, title: "Seven"))
    }
    var read: [Remark] = []

    let statements = try store.statements { read = try store.fetch(ModelRequest<Remark>()) }

    #expect(read == remarks)
    #expect(statements.count == 1)
  }

  @Test func pagesAndBatchesAreReadAsAll() throws {
    let shows = Self.stored(try Self.shows(23))
    try store.write { try $0.save(shows) }
    var batches: [Int] = []
    var read: [Series] = []

    try store.read { reader in
      try reader.forEachBatch(of: all.batchSize(10)) { batch in
        batches.append(batch.count)
        read += batch
      }
    }

    #expect(batches == [10, 10, 3])
    #expect(read == shows)
    #expect(try store.fetch(all.limit(2).offset(3)) == Array(shows[3..<5]))
    #expect(try store.fetchFirst(all) == shows[0])
  }

  @Test func treesReadBackEqual() throws {
    let leaf = Topic(name: "leaf", parent: try ModelReference(key: "branch"))
    let branch = Topic(name: "branch", parent: try ModelReference(key: "root"), children: [leaf])
    let root = Topic(name: "root", children: [branch])

    try store.write { try $0.save(root) }

    let read = try store.fetch(ModelRequest<Topic>().order(by: \.name))
    #expect(read == [branch, leaf, root])
  }

  @Test func aRowThatContainsItselfIsAnErrorWithItsPath() throws {
    try store.write { writer in
      try writer.save([Topic(name: "a", children: [Topic(name: "b", children: [Topic(name: "c")])])]
      )
    }
    try store.execute(
      """
      UPDATE "Topic" SET parent = (SELECT _moho_id FROM "Topic" WHERE name = 'c') WHERE name = 'a'
      """)

    let error = #expect(throws: StoreError.self) {
      try store.fetchFirst(ModelRequest<Topic>().filter { $0.name == "a" })
    }

    #expect(error?.code == .cycle)
    #expect(
      error?.reason
        == #"it contains itself: `Topic` "a" > `Topic` "b" > `Topic` "c" > `Topic` "a""#)
  }

  @Test func modelsThatLieTooDeepAreAnError() throws {
    let depth = 129
    try store.write { writer in
      try writer.save((0..<depth).map { Topic(name: "\($0)") })
      for number in 1..<depth {
        var change = Partial<Topic>()
        change[\.name] = "\(number)"
        change[\.parent] = .some(try ModelReference(key: "\(number - 1)"))
        try writer.update([change])
      }
    }
    func read(_ name: String) throws -> Topic? {
      try store.fetchFirst(ModelRequest<Topic>().filter { $0.name == name })
    }

    let error = #expect(throws: StoreError.self) { try read("0") }

    #expect(error?.code == .cycle)
    #expect(error?.reason == "models are nested more than 128 levels deep")
    var topic = try read("1")
    for _ in 0..<127 { topic = topic?.children.first }
    #expect(topic?.name == "128")
  }
}
