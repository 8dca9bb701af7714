import MohoMapping
import MohoRows
import Testing

/// Rows that take unique values and one-to-one links from other rows.
@Suite struct TakenValueTests {
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
}
