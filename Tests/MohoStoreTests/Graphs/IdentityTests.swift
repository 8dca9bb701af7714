import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Rows that several keys identify.
@Suite(.allEngines) struct IdentityTests {
  private let store: ModelStore

  init() throws {
    store = try emptyStore(IdentityFeed.self, IdentityPart.self, IdentityPair.self)
  }

  private func feed(_ url: String) throws -> ModelReference<IdentityFeed> {
    try ModelReference(key: url)
  }

  private func item(_ url: String, _ guid: String) throws -> ModelReference<IdentityItem> {
    try ModelReference(key: url, guid)
  }

  private func saveFeeds() throws {
    try store.write { writer in
      try writer.save(
        ["f", "g"].map { url in
          IdentityFeed(
            url: url, title: url,
            items: (0..<3).map { IdentityItem(guid: "\($0)", title: "\(url)\($0)") })
        })
    }
  }

  private var titles: [String] {
    get throws { try store.fetch(ModelRequest<IdentityItem>()).map(\.title).sorted() }
  }

  @Test func rowsWithEqualValuesOfOneKeyAreDifferentRows() throws {
    let json = """
      [{"url": "f", "items": [{"guid": "0", "title": "f0"}, {"guid": "1", "title": "f1"}]},
       {"url": "g", "items": [{"guid": "0", "title": "g0"}, {"guid": "0", "title": "g0b"}]},
       {"url": "f", "title": "F", "items": [{"guid": "1", "title": "f1"}, {"guid": "0"}]}]
      """
    let feeds = try JSONAdapter<IdentityFeed>().models(from: Data(json.utf8))
    let first = try store.write { try $0.save(feeds) }

    #expect(first.inserted == 5)
    #expect(try titles == ["", "f1", "g0b"])
    #expect(try store.write { try $0.save(feeds) }.updated == 0)
    let stored = try store.fetch(ModelRequest<IdentityFeed>().order(by: \.url))
    #expect(stored.map { $0.items.map(\.guid) } == [["1", "0"], ["0"]])
    #expect(try stored[0].items[0].feed == feed("f"))
  }

  @Test func savingAReferenceUpdatesTheNestedRow() throws {
    try saveFeeds()
    let items = [
      IdentityItem(feed: try feed("g"), guid: "1", title: "new"),
      IdentityItem(feed: try feed("g"), guid: "9", title: "nine"),
    ]

    let report = try store.write { try $0.save(items) }

    #expect((report.inserted, report.updated) == (1, 1))
    #expect(try titles == ["f0", "f1", "f2", "g0", "g2", "new", "nine"])
  }

  @Test func otherUniqueKeysAreConstraints() throws {
    try saveFeeds()
    let item = IdentityItem(serial: 5, feed: try feed("f"), guid: "0", title: "a")
    try store.write { try $0.save(item) }

    let error = #expect(throws: StoreError.self) {
      try store.write {
        try $0.save(IdentityItem(serial: 5, feed: try feed("g"), guid: "0"))
      }
    }
    #expect(error?.code == .notUnique)
    #expect(error?.keys == ["serial"])
    #expect(error?.subject == #"`IdentityItem` ["g", "0"]"#)
  }

  @Test func modelsAreDeletedByAllKeys() throws {
    try saveFeeds()
    let deleted = try store.write {
      try $0.delete([
        IdentityItem(feed: try feed("g"), guid: "1"), IdentityItem(feed: try feed("h"), guid: "1"),
        IdentityItem(guid: "1"),
      ])
    }
    #expect(deleted == 1)
    #expect(try titles == ["f0", "f1", "f2", "g0", "g2"])
  }

  @Test func partialModelsUpdateByAllKeys() throws {
    try saveFeeds()
    var change = Partial<IdentityItem>()
    change[\.guid] = "2"
    change[\.title] = "changed"
    let error = #expect(throws: StoreError.self) { try store.write { try $0.update([change]) } }
    #expect(error?.reason.contains("`feed`") == true)

    change[\.feed] = try feed("f")
    var missing = change
    missing[\.feed] = try feed("h")
    let report = try store.write { try $0.update([change, missing]) }

    #expect((report.updated, report.missing) == (1, 1))
    #expect(try titles == ["changed", "f0", "f1", "g0", "g1", "g2"])
  }

  @Test func identitiesContainIdentities() throws {
    try saveFeeds()
    let other = try ModelReference<IdentityPart>(key: item("g", "0"), 1.0)
    let parts = [
      IdentityPart(item: try item("f", "0"), number: 1, title: "a", similar: [other]),
      IdentityPart(item: try item("g", "0"), number: 1, title: "b"),
      IdentityPart(item: try item("g", "0"), number: -0.0, title: "zero"),
      IdentityPart(item: try item("g", "0"), number: 0, title: "zero again"),
    ]
    try store.write { try $0.save(parts) }

    let stored = try store.fetch(ModelRequest<IdentityPart>().order(by: \.title))
    #expect(stored == [parts[0], parts[1], parts[3]])
    let found = try store.fetch(
      ModelRequest<IdentityPart>().filter { try! $0.item == item("g", "0") }.order(by: \.title))
    #expect(found.map(\.title) == ["b", "zero again"])
  }

  @Test func aReferenceToAMissingRowNamesAllValues() throws {
    try saveFeeds()
    let part = IdentityPart(item: try item("f", "9"), number: 1)
    let error = #expect(throws: StoreError.self) { try store.write { try $0.save([part]) } }
    #expect(error?.code == .danglingReference)
    #expect("\(error.map { "\($0)" } ?? "")".contains(#"["f", "9"]"#))
  }

  @Test func aMirrorDeletesOnlyInItsScope() throws {
    try saveFeeds()
    let items = [
      IdentityItem(feed: try feed("f"), guid: "0", title: "f0"),
      IdentityItem(feed: try feed("f"), guid: "7", title: "f7"),
    ]
    let scope = ModelRequest<IdentityItem>().filter { try! $0.feed == feed("f") }
    let report = try store.write { try $0.save(items, mode: .mirror(scope, deletingAtMost: 1)) }

    #expect(report.deleted == 2)
    #expect(try titles == ["f0", "f7", "g0", "g1", "g2"])
  }

  @Test func aPlanNamesRowsByTheirIdentity() throws {
    try saveFeeds()
    let items = [
      IdentityItem(feed: try feed("g"), guid: "1", title: "new"),
      IdentityItem(feed: try feed("g"), guid: "3", title: "three"),
    ]
    let plan = try store.plan(saving: items)
    #expect(
      plan.description == """
        insert `IdentityItem` ["g", "3"]: title "three"
        update `IdentityItem` ["g", "1"]: title "g1" -> "new"
        unchanged: 0 rows
        """)
    try store.apply(plan)
    #expect(try titles.contains("three"))
  }

  @Test func aContextFindsRowsByTheirIdentity() throws {
    try saveFeeds()
    let context = EditingContext(store)
    let feeds = [
      IdentityFeed(
        url: "g", title: "G",
        items: [IdentityItem(guid: "1", title: "one"), IdentityItem(guid: "4", title: "four")]),
      IdentityFeed(url: "h", items: [IdentityItem(guid: "1", title: "h1")]),
    ]
    try ManagedRowAdapter<IdentityFeed>().rows(from: feeds, in: context)
    let items = [
      IdentityItem(feed: try feed("h"), guid: "1", title: "h1 again"),
      IdentityItem(feed: try feed("h"), guid: "2", title: "h2"),
    ]
    try ManagedRowAdapter<IdentityItem>().rows(from: items, in: context)
    let part = IdentityPart(item: try item("h", "1"), number: 1, title: "part")
    let row = try ManagedRowAdapter<IdentityPart>().row(from: part, in: context)

    #expect(try ManagedRowAdapter<IdentityPart>().model(from: row) == part)
    try context.save()

    #expect(try titles == ["f0", "f1", "f2", "four", "h1 again", "h2", "one"])
    #expect(try store.fetch(ModelRequest<IdentityPart>()) == [part])
    let again = EditingContext(store)
    try ManagedRowAdapter<IdentityFeed>().rows(from: feeds, in: again)
    #expect(again.hasChanges)
    try again.save()
    #expect(try titles == ["f0", "f1", "f2", "four", "h1", "one"])
  }

  @Test func aContextReportsAMissingIdentity() throws {
    try saveFeeds()
    let context = EditingContext(store)
    let part = IdentityPart(item: try item("h", "2"), number: 1)
    let error = #expect(throws: StoreError.self) {
      try ManagedRowAdapter<IdentityPart>().row(from: part, in: context)
    }
    #expect(error?.code == .danglingReference)
    #expect(error?.reason.contains(#"["h", "2"]"#) == true)
  }

  @Test func savingInAContextFindsTakenIdentities() throws {
    try saveFeeds()
    let context = EditingContext(store)
    let rows = try context.fetch(ModelRequest<IdentityItem>().filter { $0.title == "f0" })
    try rows[0].set(\IdentityItem.guid, to: "1")
    let error = #expect(throws: RowValidationError.self) { try context.save() }
    #expect(error?.failures.map(\.keys) == [["feed", "guid"]])
  }
}

/// Identities in cycles of links, and of models that are merged.
@Suite(.allEngines) struct NestedIdentityTests {
  private let store: ModelStore

  init() throws { store = try emptyStore(IdentityFolder.self) }

  private func folder(_ name: String, opened: Int) -> IdentityFolder {
    IdentityFolder(
      name: name, latest: try? ModelReference(key: name, "b"),
      files: ["a", "b"].map {
        IdentityFile(name: $0, opened: opened, info: IdentityInfo(text: "\(name)/\($0)"))
      })
  }

  @Test func nestedModelsAreMergedByTheirOwner() throws {
    try store.write { try $0.save([folder("x", opened: 1), folder("y", opened: 2)]) }
    try store.write { try $0.save([folder("x", opened: 10), folder("x", opened: 100)]) }

    let folders = try store.fetch(ModelRequest<IdentityFolder>().order(by: \.name))
    #expect(folders.map { $0.files.map(\.opened) } == [[111, 111], [2, 2]])
    #expect(folders.map { $0.files.map(\.info?.text) } == [["x/a", "x/b"], ["y/a", "y/b"]])
    #expect(
      try folders.map(\.latest) == [ModelReference(key: "x", "b"), ModelReference(key: "y", "b")])
    #expect(try store.fetchCount(ModelRequest<IdentityInfo>()) == 4)
  }

  @Test func severalBatchesAreUniqued() throws {
    let folders = (0..<1_200).map { folder("\($0 % 700)", opened: 1) }
    let report = try store.write { try $0.save(folders) }

    #expect(report.inserted == 700 * 5)
    let opened = try store.fetch(ModelRequest<IdentityFile>()).map(\.opened)
    #expect(opened.count { $0 == 2 } == 1_000)
    #expect(opened.count == 1_400)
  }

  @Test func contextsMergeByTheOwner() throws {
    try store.write { try $0.save([folder("x", opened: 1), folder("y", opened: 2)]) }
    let context = EditingContext(store)
    try ManagedRowAdapter<IdentityFolder>().rows(
      from: [folder("y", opened: 5), folder("z", opened: 7)], in: context)
    try context.save()

    let folders = try store.fetch(ModelRequest<IdentityFolder>().order(by: \.name))
    #expect(folders.map { $0.files.map(\.opened) } == [[1, 1], [7, 7], [7, 7]])
    #expect(try store.fetchCount(ModelRequest<IdentityInfo>()) == 6)
  }

  @Test func rowsKeepTheirIdentityInTheStore() throws {
    try store.write { try $0.save([folder("x", opened: 1)]) }
    let before = try store.fetchIdentities(ModelRequest<IdentityFile>())
    try store.write { try $0.save([folder("x", opened: 1)]) }
    #expect(try store.fetchIdentities(ModelRequest<IdentityFile>()) == before)
  }
}

/// Identities of entities.
@Suite(.allEngines) struct EntityIdentityTests {
  private func issues(_ entities: Entity...) -> String? {
    (#expect(throws: StoreError.self) { try Schema(entities) })?.reason
  }

  @Test func theDeclaredKeysIdentify() throws {
    let entity = Entity(
      "A", attributes: [Attribute("id", .int64), Attribute("x", .string), Attribute("y", .string)],
      identifiedBy: ["x", "y"], unique: [["id"]])

    #expect(entity.identifyingKeys == ["x", "y"])
    #expect(entity.uniqueKeys == [["x", "y"], ["id"]])
    #expect(entity.uniqueAttribute == nil)
    #expect(entity.identityColumn == "_moho_id")
    let single = Entity(
      "A", attributes: entity.attributes, identifiedBy: ["x"], unique: [["id"], ["x"]])
    #expect(single.uniqueAttribute?.name == "x")
    #expect(single.uniqueKeys == [["id"], ["x"]])
  }

  @Test func theIdentityIsTheIndexOfItsFirstLink() throws {
    let schema = try Schema([
      Entity("Feed", attributes: [Attribute("url", .string)], unique: [["url"]]),
      Entity(
        "Item", attributes: [Attribute("guid", .string)],
        relationships: [.toOne("feed", "Feed"), .toOne("next", "Item")],
        identifiedBy: ["feed", "guid"]),
    ])
    #expect(schema.compiled.indexes.map(\.columns) == [["next"]])
  }

  @Test func mistakesAreIssues() {
    #expect(
      issues(
        Entity(
          "A", attributes: [Attribute("x", .string)],
          relationships: [.toMany("bs", "B", inverse: "a")], identifiedBy: ["z", "bs", "x", "x"]),
        Entity("B", attributes: [], relationships: [.toOne("a", "A")]))
        == "`A` is identified by `z`, which is not a column;"
        + " `A` is identified by `bs`, which is not a column;"
        + " `A` is identified by `x` several times")
    #expect(
      issues(
        Entity("A", attributes: [], relationships: [.toOne("b", "B")], identifiedBy: ["b"]),
        Entity("B", attributes: []))
        == "`A` is identified by `b`, but `B` has no unique key")
    #expect(
      issues(
        Entity("A", attributes: [], relationships: [.toOne("b", "B")], identifiedBy: ["b"]),
        Entity("B", attributes: [], relationships: [.toOne("c", "C")], identifiedBy: ["c"]),
        Entity("C", attributes: [], relationships: [.toOne("b", "B")], identifiedBy: ["b"]))
        == "`B` is identified by `c`, and its identity contains itself: B > C > B")
    #expect(
      issues(Entity("A", attributes: [], relationships: [.toOne("a", "A")], identifiedBy: ["a"]))
        == "`A` is identified by `a`, and its identity contains itself: A > A")
  }
}
