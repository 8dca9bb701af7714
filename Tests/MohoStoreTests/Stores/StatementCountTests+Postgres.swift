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

  @Test(.engine(.postgres)) func graphsThatDifferNeedAsManyStatementsAsEqualOnes() throws {
    let logged = try LoggedStore(Talk.self)
    var talks = try Talk.list(3)
    try logged.store.write { _ = try $0.save(talks) }
    let equal = try logged.executions { try $0.write { _ = try $0.save(talks) } }
    talks[1].title = "New"

    let changed = try logged.executions { try $0.write { _ = try $0.save(talks) } }

    #expect(changed.count == equal.count)
  }

  @Test(.engine(.postgres), arguments: [1, 1_000, 1_001])
  func upTo1000PartialModelsAreUpdatedByOneStatement(count: Int) throws {
    let logged = try LoggedStore(Chapter.self)
    let partials = Self.partials(count, \Chapter.id, \.title)
    try logged.store.write { writer in
      _ = try writer.save((0..<count).map { Chapter(id: $0, title: "Old") })
    }

    let update = try logged.executions { try $0.write { _ = try $0.update(partials) } }
    let save = try logged.executions { try $0.write { _ = try $0.upsert(partials) } }

    let batches = (count + 999) / 1_000
    #expect(update.count == batches)
    // The rows are looked up first, and those that are not updated once more.
    #expect(save.count == 2 * batches + 1)
  }

  @Test(.engine(.postgres), arguments: [1, 1_000, 1_001])
  func upTo1000PartialModelsWithLinksAreUpdatedByTwoStatements(count: Int) throws {
    let logged = try LoggedStore(Talk.self)
    try logged.store.write { _ = try $0.save(Talk.list(count)) }
    let partials = Self.partialsWithNewTags(count)

    let run = try logged.executions { try $0.write { _ = try $0.update(partials) } }

    // A lookup of the talks and their new tags, and the links of all of them.
    #expect(run.count == 2 * ((count + 999) / 1_000) + 2)
  }

  @Test(.engine(.postgres)) func equalNestedModelsAreSavedOnceForManyPartialModels() throws {
    let logged = try LoggedStore(Talk.self)
    try logged.store.write { _ = try $0.save(Talk.list(200)) }
    let partials = (0..<200).map { id in
      var partial = Partial<Talk>()
      partial[\.id] = id
      partial[\.title] = "New"
      partial[\.show] = Show(name: "Show \(id % 7)")
      return partial
    }

    let run = try logged.executions { store in
      let report = try store.write { try $0.update(partials) }
      #expect(report == SaveReport(updated: 200, unchanged: 200))
    }

    // A lookup, the shows, and the talks.
    #expect(run.count == 3)
  }

  @Test(.engine(.postgres)) func partialModelsThatViolateAConstraintAreFoundByDividing() throws {
    let logged = try LoggedStore(Chapter.self)
    try logged.store.write { writer in
      _ = try writer.save((0..<1_000).map { Chapter(id: $0, title: "Old") })
    }
    try logged.store.execute(
      #"ALTER TABLE "Chapter" ADD CONSTRAINT refusal CHECK (title <> 'refused')"#)
    var partials = Self.partials(1_000, \Chapter.id, \.title)
    partials[500][\.title] = "refused"
    partials[900][\.title] = "refused"

    let run = try logged.executions { store in
      let error = #expect(throws: StoreError.self) { try store.write { try $0.update(partials) } }
      let paths = error?.errors.map { ($0 as? StoreError)?.path?.pointer }
      #expect(paths == ["/500", "/900"])
    }

    #expect(run.count <= 60)
  }

  @Test(.engine(.postgres), arguments: [1, 5_000, 5_001])
  func upTo5000RowsOfAContextAreSavedByOneStatement(count: Int) throws {
    let logged = try LoggedStore(Chapter.self)
    let context = EditingContext(logged.store)
    func executionCount() throws -> Int {
      try logged.executions { _ in try context.save() }.count
    }
    for id in 0..<count {
      let row = try context.insert(Chapter.self).row
      try row.set("id", to: id)
      try row.set("title", to: "Chapter")
    }
    let statementCount = (count + 4_999) / 5_000
    // The unique keys are looked up first.
    #expect(try executionCount() == statementCount + 1)

    let rows = try context.fetch("Chapter")
    for row in rows { try row.set("title", to: "New") }
    #expect(try executionCount() == statementCount)
    try context.delete(rows)

    // The rows are compared first.
    #expect(try executionCount() == statementCount + 1)
    #expect(try logged.store.count("Chapter") == 0)
  }

  @Test(.engine(.postgres)) func conflictsAreFoundAndResolvedByFewStatements() throws {
    let logged = try LoggedStore(Chapter.self)
    try logged.store.write { writer in
      _ = try writer.save((0..<1_000).map { Chapter(id: $0, title: "Chapter") })
    }
    for policy in [ConflictPolicy.error, .contextWins] {
      let context = EditingContext(logged.store)
      context.conflictPolicy = policy
      for row in try context.fetch("Chapter") { try row.set("title", to: "New") }
      try logged.store.execute(
        #"UPDATE "Chapter" SET title = 'Other' WHERE id >= 200"#)

      // The statement for all rows is undone. Then it runs again, and the rows that it has not
      // written are read and written.
      let run = try logged.executions { _ in
        if case .error = policy {
          #expect(throws: ConflictError.self) { try context.save() }
        } else {
          try context.save()
        }
      }

      #expect(run.count <= 4)
    }
    #expect(try logged.store.values(#"SELECT DISTINCT title FROM "Chapter""#) == ["\"New\""])
  }

  @Test(.engine(.postgres)) func aRowThatViolatesAConstraintIsFoundInLogarithmicTime() throws {
    let logged = try LoggedStore(Chapter.self)
    try logged.store.write { writer in
      _ = try writer.save((0..<1_000).map { Chapter(id: $0, title: "Chapter") })
    }
    try logged.store.execute(
      #"ALTER TABLE "Chapter" ADD CONSTRAINT refusal CHECK (title <> 'refused')"#)
    let context = EditingContext(logged.store)
    for row in try context.fetch("Chapter") {
      let id = try row.value("id", as: Int.self)
      try row.set("title", to: id == 700 || id == 900 ? "refused" : "New")
    }

    let run = try logged.executions { _ in
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.subject == "`Chapter` 700")
    }

    #expect(run.count <= 30)
  }

  @Test(.engine(.postgres)) func anyNumberOfModelsIsDeletedByOneStatement() throws {
    let logged = try LoggedStore(Episode.self)
    let models = (1...501).map { Episode.number($0) }
    try logged.store.write { _ = try $0.save(models) }

    #expect(try logged.executions { try $0.write { _ = try $0.delete(models) } }.count == 1)
  }
}
