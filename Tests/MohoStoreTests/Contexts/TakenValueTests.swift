import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Rows that take unique values and one-to-one links from other rows.
@Suite(.allEngines) struct TakenValueTests {
  @Test func aRowWithoutAValueTakesThatOfAnotherRow() throws {
    let store = try emptyStore(
      entities: Entity(
        "Row", attributes: [Attribute("code", .string, isOptional: true)], unique: [["code"]]))
    let context = EditingContext(store)
    let rows = try [nil, "x", nil].map { try context.make("Row", $0.map { ["code": $0] } ?? [:]) }
    try context.save()

    for (from, to) in [(1, 0), (0, 2), (2, 1), (1, 0), (0, 1)] {
      try rows[from].set("code", to: FieldContent.null)
      try rows[to].set("code", to: "x")
      try context.save()
      #expect(try store.values("SELECT _moho_id FROM \"Row\" WHERE code = 'x'") == ["\(to + 1)"])
    }
  }

  @Test(arguments: ["sequel", "prequel"])
  func aOneToOneLinkMovesThereAndBack(key: String) throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let episodes = try (0..<3).map { try context.make("Episode", ["title": "\($0)"]) }
    try context.save()

    for owner in [0, 1, 0, 1, 1, 0] {
      try episodes[owner].setRelatedRow(key, to: episodes[2])
      try context.save()
      let found = try EditingContext(store).fetch("Episode").map { try $0.relatedRow(key) != nil }
      #expect(found == [owner == 0, owner == 1, false])
    }
  }

  @Test func aRowTakesPartOfACombinedKey() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let podcast = try context.make("Podcast", ["title": "a"])
    let rows = try (0..<2).map { try context.make("Episode", ["title": "\($0)", "number": 1]) }
    try rows[1].setRelatedRow("podcast", to: podcast)
    try context.save()

    for (from, to) in [(1, 0), (0, 1), (1, 0)] {
      try rows[from].setRelatedRow("podcast", to: nil)
      try rows[to].setRelatedRow("podcast", to: podcast)
      try context.save()
    }
    #expect(
      try EditingContext(store).fetch("Episode").map { try $0.relatedRow("podcast") != nil } == [
        true, false,
      ])
  }

  private static func coded(isOptional: Bool = true) throws -> (EditingContext, [ManagedRow]) {
    let store = try emptyStore(
      entities: Entity(
        "Row",
        attributes: [
          Attribute("code", .string, isOptional: isOptional),
          Attribute("title", .string, isOptional: true),
        ], unique: [["code"]]))
    let context = EditingContext(store)
    let rows = try ["a", "b", "c", "d"].map { try context.make("Row", ["code": $0]) }
    try context.save()
    return (context, rows)
  }

  private func codes(_ context: EditingContext) throws -> [String] {
    try context.store.values("SELECT code FROM \"Row\" ORDER BY _moho_id")
      .map { $0.replacing("\"", with: "") }
  }

  @Test(arguments: [["b", "a", "c", "d"], ["b", "c", "d", "a"], ["b", "a", "d", "c"]])
  func rowsExchangeValues(codes: [String]) throws {
    let (context, rows) = try Self.coded()

    for (row, code) in zip(rows, codes) { try row.set("code", to: code) }
    try context.save()

    #expect(try self.codes(context) == codes)
    #expect(try rows.map { try $0.value("code", as: String.self) } == codes)
  }

  @Test func rowsExchangeAValueWithANewRow() throws {
    let (context, rows) = try Self.coded()

    try rows[0].set("code", to: "b")
    try rows[1].set("code", to: "e")
    _ = try context.make("Row", ["code": "a"])
    try context.save()

    #expect(try codes(context) == ["b", "e", "c", "d", "a"])
  }

  @Test func rowsOfASymmetricLinkExchangePartners() throws {
    let store = try emptyStore(
      entities: Entity(
        "Row", attributes: [], relationships: [.toOne("twin", "Row", inverse: "twin")]))
    let context = EditingContext(store)
    let rows = try (0..<4).map { _ in try context.make("Row", [:]) }
    for pairs in [[(0, 1), (2, 3)], [(0, 2), (1, 3)], [(0, 3), (1, 2)]] {
      for (one, other) in pairs { try rows[one].setRelatedRow("twin", to: rows[other]) }
      try context.save()

      let expected = pairs.flatMap { [($0 + 1, $1 + 1), ($1 + 1, $0 + 1)] }.sorted { $0 < $1 }
      #expect(
        try store.values("SELECT _moho_id, twin FROM \"Row\" ORDER BY _moho_id")
          == expected.map { "\($0)|\($1)" })
    }
  }

  @Test func aRowLosesASymmetricLinkToARowThatHasNotBeenRead() throws {
    let store = try emptyStore(
      entities: Entity(
        "Row", attributes: [], relationships: [.toOne("twin", "Row", inverse: "twin")]))
    let maker = EditingContext(store)
    let row = try maker.make("Row")
    try row.setRelatedRow("twin", to: maker.make("Row"))
    try maker.save()
    let context = EditingContext(store)

    try context.row(row.identity).setRelatedRow("twin", to: nil)
    try context.save()

    #expect(try store.values("SELECT twin FROM \"Row\"") == ["NULL", "NULL"])
  }

  @Test func requiredValuesAreExchangedInTwoSteps() throws {
    let (context, rows) = try Self.coded(isOptional: false)
    try rows[0].set("code", to: "b")
    try rows[1].set("code", to: "a")

    let error = #expect(throws: StoreError.self) { try context.save() }
    #expect(error?.code == .notUnique)
    #expect(try codes(context) == ["a", "b", "c", "d"])
    try rows[1].set("code", to: "temporary")
    try context.save()
    try rows[1].set("code", to: "a")
    try context.save()
    #expect(try codes(context) == ["b", "a", "c", "d"])
  }

  @Test(arguments: [0, 1])
  func anExchangeFollowsTheConflictPolicy(changed: Int) throws {
    for policy in [ConflictPolicy.error, .contextWins, .perKey { _ in .theirs }, .storeWins] {
      let (context, rows) = try Self.coded()
      context.conflictPolicy = policy
      try rows[0].set("code", to: "b")
      try rows[1].set("code", to: "a")
      try context.store.execute("UPDATE \"Row\" SET title = 'x' WHERE _moho_id = \(changed + 1)")

      // A row that retains its value leaves none for the other row.
      switch policy {
      case .error: #expect(throws: ConflictError.self) { try context.save() }
      case .storeWins: #expect(throws: StoreError.self) { try context.save() }
      default: try context.save()
      }
      let isSaved =
        switch policy {
        case .error, .storeWins: false
        default: true
        }
      #expect(try codes(context) == (isSaved ? ["b", "a", "c", "d"] : ["a", "b", "c", "d"]))
    }
  }

  /// A row that takes a unique value of a row to which it links, and which is deleted first.
  /// Both orders of the edits are saved.
  private func takeLink(
    rule: DeleteRule?, isDeletedFirst: Bool, policy: ConflictPolicy = .error,
    newLink: Int? = nil, meanwhile sql: String? = nil
  ) throws -> (EditingContext, [ManagedRow], (any Error)?) {
    let store = try emptyStore(
      entities: Entity(
        "Row",
        attributes: [
          Attribute("code", .string, isOptional: true),
          Attribute("title", .string, isOptional: true),
        ],
        relationships: [.toOne("next", "Row", whenTargetIsDeleted: rule)], unique: [["code"]]))
    let context = EditingContext(store)
    context.conflictPolicy = policy
    let rows = try ["a", "b", "c"].map { try context.make("Row", ["code": $0]) }
    try rows[0].setRelatedRow("next", to: rows[1])
    try context.save()
    func edit() throws {
      try rows[0].set("code", to: "b")
      if rule != nil || newLink != nil {
        try rows[0].setRelatedRow("next", to: newLink.map { rows[$0] })
      }
    }
    if !isDeletedFirst { try edit() }
    try context.delete(rows[1])
    if isDeletedFirst { try edit() }
    if let sql { try store.execute(sql) }
    return (context, rows, caughtError { try context.save() })
  }

  private func contents(_ context: EditingContext) throws -> [String] {
    try context.store.values("SELECT _moho_id, code, title, next FROM \"Row\" ORDER BY _moho_id")
  }

  @Test(arguments: [true, false], [nil, 2])
  func aRowTakesTheValueOfADeletedRowToWhichItLinks(isDeletedFirst: Bool, newLink: Int?) throws {
    let next = newLink == nil ? "NULL" : "3"
    let (context, rows, error) = try takeLink(
      rule: nil, isDeletedFirst: isDeletedFirst, newLink: newLink)

    #expect(error == nil)
    #expect(try contents(context) == ["1|\"b\"|NULL|\(next)", "3|\"c\"|NULL|NULL"])
    #expect(!context.hasChanges)
    try rows[0].set("title", to: "later")
    try context.save()
    #expect(try contents(context).first == "1|\"b\"|\"later\"|\(next)")
  }

  /// Before the deletion, the rules would delete the row that takes the value, or deny it.
  @Test(arguments: [DeleteRule.cascade, .deny], [nil, 2])
  func aRowIsUnlinkedBeforeTheRowWhoseValueItTakesIsDeleted(
    rule: DeleteRule, newLink: Int?
  ) throws {
    let (context, _, error) = try takeLink(rule: rule, isDeletedFirst: false, newLink: newLink)

    #expect(error == nil)
    let next = newLink == nil ? "NULL" : "3"
    #expect(try contents(context) == ["1|\"b\"|NULL|\(next)", "3|\"c\"|NULL|NULL"])
    #expect(!context.hasChanges)
  }

  @Test(arguments: [ConflictPolicy.error, .contextWins, .perKey, .storeWins], [true, false])
  func theDeletedLinkOfSuchARowIsNoConflict(policy: ConflictPolicy, isDeletedFirst: Bool) throws {
    for newLink in [nil, 2] {
      let (context, _, error) = try takeLink(
        rule: nil, isDeletedFirst: isDeletedFirst, policy: policy, newLink: newLink,
        meanwhile: "UPDATE \"Row\" SET title = 'theirs' WHERE _moho_id = 1")

      let next = newLink == nil ? "NULL" : "3"
      let found = try contents(context)
      switch policy {
      case .error:
        let conflicts = (error as? ConflictError)?.conflicts
        #expect(conflicts?.map(\.kind) == [.changed])
        #expect(conflicts?.first?.keys.map(\.key) == ["title"])
        #expect(found[0] == "1|\"a\"|\"theirs\"|2" && found.count == 3)
        continue
      case .storeWins: #expect(found == ["1|\"a\"|\"theirs\"|NULL", "3|\"c\"|NULL|NULL"])
      case .contextWins: #expect(found[0] == "1|\"b\"|NULL|\(next)")
      default: #expect(found[0] == "1|\"b\"|\"theirs\"|\(next)")
      }
      #expect(error == nil)
      #expect(!context.hasChanges)
    }
  }

  /// The neighbors of a deleted row of a list are linked to each other.
  @Test(arguments: ["sequel", "prequel"], [true, false])
  func aRowTakesTheLinkOfTheDeletedRowToWhichItLinks(key: String, isDeletedFirst: Bool) throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let rows = try (0..<4).map { try context.make("Episode", ["title": "\($0)"]) }
    for (one, other) in zip(rows, rows[1...]) { try one.setRelatedRow(key, to: other) }
    try context.save()

    if isDeletedFirst { try context.delete(rows[1]) }
    try rows[0].setRelatedRow(key, to: rows[2])
    if !isDeletedFirst { try context.delete(rows[1]) }
    try context.save()

    #expect(!context.hasChanges)
    let found = try EditingContext(store).fetch("Episode").map {
      try $0.relatedRow(key)?.identity.stored
    }
    #expect(found == [3, 4, nil])
    #expect(try rows[0].relatedRow(key) == rows[2])
    context.undo()
    context.undo()
    try context.save()
    #expect(try EditingContext(store).fetch("Episode").count == 4)
    #expect(try rows[0].relatedRow(key) == rows[1])
    #expect(try rows[1].relatedRow(key) == rows[2])
  }
}
