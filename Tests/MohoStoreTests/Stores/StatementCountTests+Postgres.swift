import Fixtures
import MohoMapping
import MohoRows
import StoreTesting
import Testing

extension StatementCountTests {
  @Test(.engine(.postgres), arguments: [1, 5_000, 5_001])
  func upTo5000ModelsWithoutRelationsAreSavedByOneStatement(count: Int) throws {
    let logged = try LoggedStore(Chapter.self)
    let models = (0..<count).map { Chapter(id: $0, title: "Chapter") }

    for _ in 1...2 {
      let run = try logged.executions { try $0.write { _ = try $0.save(models) } }
      #expect(run.count == (count + 4_999) / 5_000)
    }
  }

  @Test(.engine(.postgres), arguments: [1, 500, 501])
  func graphsAreSavedByOneStatementForEachEntityAnd500Models(count: Int) throws {
    let logged = try LoggedStore(Talk.self)
    let talks = try Talk.list(count)

    for _ in 1...2 {
      let run = try logged.executions { try $0.write { _ = try $0.save(talks) } }
      // For each of the two link tables, one statement writes the links and one
      // deletes the others.
      #expect(run.count == 4 * Self.batches(of: count) + 2 * 2)
    }
  }

  @Test(.engine(.postgres), arguments: [1, 1_000, 1_001])
  func upTo1000PartialModelsAreSavedByThreeStatements(count: Int) throws {
    let logged = try LoggedStore(Chapter.self)
    let partials = Self.partials(count, \Chapter.id, \.title)
    try logged.store.write { writer in
      _ = try writer.save((0..<count).map { Chapter(id: $0, title: "Old") })
    }

    let update = try logged.executions { try $0.write { _ = try $0.update(partials) } }
    let save = try logged.executions { try $0.write { _ = try $0.upsert(partials) } }

    #expect(update.count == 2 * ((count + 999) / 1_000))
    #expect(save.count == update.count + 1)
  }

  @Test(.engine(.postgres), arguments: [1, 40])
  func partialModelsWithLinksAreUpdatedByTwoStatementsForEach(count: Int) throws {
    let logged = try LoggedStore(Talk.self)
    try logged.store.write { _ = try $0.save(Talk.list(count)) }
    let partials = Self.partialsWithNewTags(count)

    let run = try logged.executions { try $0.write { _ = try $0.update(partials) } }

    // A lookup of the talk and its new tag, and the links of all of them.
    #expect(run.count == 2 * count + 2)
  }

  @Test(.engine(.postgres)) func anyNumberOfModelsIsDeletedByOneStatement() throws {
    let logged = try LoggedStore(Episode.self)
    let models = (1...501).map { Episode.number($0) }
    try logged.store.write { _ = try $0.save(models) }

    #expect(try logged.executions { try $0.write { _ = try $0.delete(models) } }.count == 1)
  }
}
