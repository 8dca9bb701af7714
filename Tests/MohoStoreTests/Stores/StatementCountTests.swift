import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// The documented numbers of executed statements. A prepared statement counts each
/// time it is executed.
@Suite(.allEngines) struct StatementCountTests {
  struct Talk: MappedModel, Equatable {
    var id: Int
    var title: String
    var show: Show?
    var chapters: [Chapter]
    var tags: [Tag]
    var next: ModelReference<Talk>?

    static let mapping = Mapping(
      "Talk", Talk.init,
      .key("id", \.id, .unique),
      .key("title", \.title),
      .toOne("show", \.show),
      .toMany("chapters", \.chapters),
      .toMany("tags", \.tags),
      .toOne("next", \.next))

    /// Returns talks that share ten shows, in their order, and 20 tags. Each talk has
    /// two chapters of its own.
    static func list(_ count: Int) throws -> [Talk] {
      try (0..<count).map { id in
        Talk(
          id: id, title: "Talk \(id)", show: Show(name: "Show \(id * 10 / count)"),
          chapters: (0..<2).map { Chapter(id: id * 2 + $0, title: "Chapter \($0)") },
          tags: (0..<2).map { Tag(name: "Tag \((id + $0) % 20)") },
          next: try ModelReference(key: (id + 1) % count))
      }
    }
  }

  struct Show: MappedModel, Hashable {
    var name: String

    static let mapping = Mapping("Show", Show.init, .key("name", \.name, .unique))
  }

  struct Chapter: MappedModel, Hashable {
    var id: Int
    var title: String

    static let mapping = Mapping(
      "Chapter", Chapter.init, .key("id", \.id, .unique), .key("title", \.title))
  }

  struct Tag: MappedModel, Hashable {
    var name: String

    static let mapping = Mapping("Tag", Tag.init, .key("name", \.name, .unique))
  }

  struct Stop: MappedModel {
    var name: String
    var next: ModelReference<Stop>?

    static let mapping = Mapping(
      "Stop", Stop.init, .key("name", \.name, .unique), .toOne("next", \.next))
  }

  /// Returns the number of batches of 500.
  static func batches(of count: Int) -> Int { (count + 499) / 500 }

  /// Returns partial models that change a title.
  static func partials<Model: MappedModel>(
    _ count: Int, _ id: WritableKeyPath<Model, Int>, _ title: WritableKeyPath<Model, String>
  ) -> [Partial<Model>] {
    (0..<count).map { number in
      var partial = Partial<Model>()
      partial[id] = number
      partial[title] = "New"
      return partial
    }
  }

  /// Returns partial models that replace the tags of talks.
  static func partialsWithNewTags(_ count: Int) -> [Partial<Talk>] {
    (0..<count).map { id in
      var partial = Partial<Talk>()
      partial[\.id] = id
      partial[\.tags] = [Tag(name: "New \(id)")]
      return partial
    }
  }

  @Test(arguments: [1, 500, 501])
  func fetchingExecutesOneStatementForEachRelationAnd500Models(count: Int) throws {
    let logged = try LoggedStore(Talk.self)
    let talks = try Talk.list(count)
    try logged.store.write { try $0.save(talks) }

    var fetched: [Talk] = []
    let run = try logged.executions { store in
      fetched = try store.fetch(ModelRequest<Talk>().order(by: \.id))
    }

    #expect(fetched == talks)
    // The link `next` contains the key of the other talk.
    #expect(run.count == 1 + 3 * Self.batches(of: count))
  }

  @Test(arguments: [1, 501, 1_200])
  func aContextReadsRelationsOf500RowsWithOneStatement(count: Int) throws {
    let logged = try LoggedStore(Talk.self)
    let talks = try Talk.list(count)
    try logged.store.write { try $0.save(talks) }
    let context = EditingContext(logged.store)

    var read: [Talk] = []
    let run = try logged.executions { _ in
      read = try ManagedRowAdapter<Talk>().models(from: context.fetch("Talk"))
    }

    #expect(read == talks)
    // The talks, their shows, and two relations.
    #expect(run.count == 2 + 2 * Self.batches(of: count))
  }

  @Test func rowsThatReferToEachOtherAreReadTogether() throws {
    let logged = try LoggedStore(Talk.self)
    try logged.store.write { try $0.save(Talk.list(40)) }
    let context = EditingContext(logged.store)
    let rows = try context.fetch("Talk")

    let tags = try logged.executions { _ in
      for row in rows.reversed() { _ = try row.relatedRows("tags") }
    }
    let next = try logged.executions { _ in
      for row in rows { _ = try row.relatedRow("next")?.value("title", as: String.self) }
    }

    #expect(tags.count == 1)
    #expect(next.isEmpty)
  }

  @Test(arguments: [1, 501])
  func importingIntoAContextReads500RowsWithOneStatement(count: Int) throws {
    let logged = try LoggedStore(Talk.self)
    let talks = try Talk.list(count)
    try logged.store.write { try $0.save(talks) }
    let context = EditingContext(logged.store)

    let run = try logged.executions { _ in
      _ = try ManagedRowAdapter<Talk>().rows(from: talks, in: context)
    }

    #expect(!context.hasChanges)
    // The shows and the tags are one batch each, and two relations are read.
    let limit = 2 + 3 * Self.batches(of: count) + Self.batches(of: 2 * count)
    #expect((6...limit).contains(run.count))
  }

  /// A link to a row of the same model is written after the rows.
  @Test func aNewRowWithoutALinkToItsModelIsWrittenOnce() throws {
    let logged = try LoggedStore(Stop.self)
    func updates(_ stops: [Stop]) throws -> Int {
      let run = try logged.executions { try $0.write { _ = try $0.save(stops) } }
      return run.count { $0.hasPrefix("UPDATE") }
    }

    #expect(try updates([Stop(name: "a"), Stop(name: "b")]) == 0)
    #expect(try updates([Stop(name: "c"), Stop(name: "d", next: ModelReference(key: "c"))]) == 1)
    // A stored row may have a link.
    #expect(try updates([Stop(name: "d")]) == 1)
    #expect(try logged.store.fetch(ModelRequest<Stop>()).allSatisfy { $0.next == nil })
  }
}
