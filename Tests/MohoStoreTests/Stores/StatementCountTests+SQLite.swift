import Fixtures
import MohoMapping
import MohoRows
import StoreTesting
import Testing

extension StatementCountTests {
  @Test(.engine(.sqlite), arguments: [1, 1_000])
  func aModelWithoutRelationsIsSavedByOneStatement(count: Int) throws {
    let logged = try LoggedStore(Episode.self)
    let models = (1...count).map { Episode.number($0) }

    for _ in 1...2 {
      let run = try logged.executions { try $0.write { _ = try $0.save(models) } }
      #expect(run.count == count && run.allSatisfy { $0.hasPrefix("INSERT") })
    }
  }

  @Test(.engine(.sqlite), arguments: [1, 501])
  func aGraphIsSavedByOneStatementForEachRowAndEachListAndEachLink(count: Int) throws {
    let logged = try LoggedStore(Talk.self)
    let talks = try Talk.list(count)
    // Rows that several models of a batch of 500 contain are written once.
    let rows = stride(from: 0, to: count, by: 500).reduce(0) { sum, start in
      let batch = talks[start..<min(start + 500, count)]
      return sum + batch.count + batch.reduce(0) { $0 + $1.chapters.count }
        + Set(batch.map(\.show)).count + Set(batch.flatMap(\.tags)).count
    }
    let lists = 2 * count
    let links = talks.reduce(0) { $0 + $1.chapters.count + $1.tags.count }

    // Connections with temporary tables look for others that hide tables of the store.
    for checks in [2, 1] {
      let run = try logged.executions { try $0.write { _ = try $0.save(talks) } }
      // For each of the two link tables, eight statements prepare temporary tables,
      // write the links and delete the others.
      #expect(run.count == rows + lists + links + 2 * 8 + checks)
      #expect(run.allSatisfy { !$0.hasPrefix("SELECT") })
      #expect(Set(run).count < 25)
    }
  }

  @Test(.engine(.sqlite), arguments: [1, 1_000])
  func aPartialModelIsSavedByUpToThreeStatements(count: Int) throws {
    let logged = try LoggedStore(Chapter.self)
    let partials = Self.partials(count, \Chapter.id, \.title)
    try logged.store.write { writer in
      _ = try writer.save((0..<count).map { Chapter(id: $0, title: "Old") })
    }

    let update = try logged.executions { try $0.write { _ = try $0.update(partials) } }
    let save = try logged.executions { try $0.write { _ = try $0.upsert(partials) } }

    #expect(update.count == count && update.allSatisfy { $0.hasPrefix("UPDATE") })
    #expect(save.count == 3 * count)
  }

  @Test(.engine(.sqlite), arguments: [1, 501])
  func aPartialModelWithLinksIsUpdatedByOneStatementForEachRowAndListAndLink(count: Int) throws {
    let logged = try LoggedStore(Talk.self)
    try logged.store.write { _ = try $0.save(Talk.list(count)) }
    let partials = Self.partialsWithNewTags(count)

    let run = try logged.executions { try $0.write { _ = try $0.update(partials) } }

    // A lookup of the talk, its new tag, its list, and the link; eight statements for the
    // link table, and a look for temporary tables that hide it.
    #expect(run.count == 4 * count + 8 + 1)
  }

  @Test(.engine(.sqlite), arguments: [1, 100])
  func aModelIsDeletedByOneStatement(count: Int) throws {
    let logged = try LoggedStore(Episode.self)
    let models = (1...count).map { Episode.number($0) }
    try logged.store.write { _ = try $0.save(models) }

    let run = try logged.executions { try $0.write { _ = try $0.delete(models) } }

    #expect(run.count == count)
  }

  @Test(.engine(.sqlite), arguments: [1, 501])
  func aContextReadsImportedRowsByOneStatementFor500AndTheirLinksByOne(count: Int) throws {
    let logged = try LoggedStore(Talk.self)
    let talks = try Talk.list(count)
    try logged.store.write { try $0.save(talks) }
    let context = EditingContext(logged.store)

    let run = try logged.executions { _ in
      _ = try ManagedRowAdapter<Talk>().rows(from: talks, in: context)
    }

    #expect(run.count == 4 + Self.batches(of: count) + Self.batches(of: 2 * count))
  }
}
