import Campaigns
import Fixtures
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct ChildContextTests {
  @Test func savingAChildChangesItsParentAlone() throws {
    let store = try Library.store()
    let parent = EditingContext(store)
    let podcast = try parent.make("Podcast", ["title": "Crust"])
    let kept = try parent.make("Episode", ["title": "kept"])
    let gone = try parent.make("Episode", ["title": "gone"])
    try podcast.setRelatedRows("episodes", to: [kept, gone])
    try parent.save()
    try podcast.set("title", to: "Mantle")
    let grandparentRow = try parent.make("Guest", ["name": "Ada"])

    let child = EditingContext(childOf: parent)
    let grandchild = EditingContext(childOf: child)
    let same = try grandchild.row(podcast.identity)
    #expect(try same["title"] == .string("Mantle"))
    #expect(same.state == .unchanged)
    try same.set("rating", to: 5)
    let new = try grandchild.make("Episode", ["title": "new"])
    try same.insert(new, into: "episodes", at: 0)
    let guest = try #require(try grandchild.fetch("Guest").first)
    #expect(guest.identity == grandparentRow.identity)
    try new.add(guest, to: "guests")
    try grandchild.delete(try grandchild.row(gone.identity))
    try grandchild.save()

    #expect(try podcast["rating"] == .int64(3))
    #expect(gone.state == .unchanged)
    let writes = try count("", of: store) { try child.save() }
    #expect(writes == 0)
    #expect(try podcast["rating"] == .int64(5))
    #expect(gone.state == .deleted)
    #expect(try podcast.relatedRows("episodes").texts("title") == ["new", "kept"])
    #expect(try grandparentRow.relatedRows("episodes").texts("title") == ["new"])
    #expect(new.identity.isTemporary == true)

    try parent.save()
    #expect(new.identity.stored != nil)
    #expect(guest.identity == grandparentRow.identity)
    #expect(new.state == .unchanged)
    #expect(
      try EditingContext(store).fetch("Podcast")[0].relatedRows("episodes").texts("title")
        == ["new", "kept"])
    parent.undo()
    #expect(try podcast.relatedRows("episodes").texts("title") == ["kept", "gone"])
    parent.redo()
    #expect(try podcast.relatedRows("episodes").texts("title") == ["new", "kept"])
    try new.set("title", to: "newer")
    try grandchild.save()
    try child.save()
    try parent.save()
    #expect(
      try store.values("SELECT title FROM \"Episode\" ORDER BY 1") == ["\"kept\"", "\"newer\""])
  }

  @Test func childrenFetchWhatTheirParentsHaveNotSaved() throws {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save((1...4).map { Episode.number($0) }) }
    let parent = EditingContext(store)
    let rows = try parent.fetch(ModelRequest<Episode>().order(by: \.id))
    try rows[0].set(\Episode.title, to: "Z")
    try parent.delete(rows[1])
    let child = EditingContext(childOf: parent)
    let request = ModelRequest<Episode>().order(by: \.title)

    let seen = try child.fetch(request)
    #expect(try seen.map { try $0[\Episode.id] } == [3, 4, 1])
    try seen[0].set(\Episode.title, to: "ZZ")
    #expect(try child.fetch(request.limit(2)).map { try $0[\Episode.id] } == [4, 1])
    #expect(try parent.fetch(request).map { try $0[\Episode.id] } == [3, 4, 1])
  }

  @Test func aParentThatHasChangedIsAConflict() throws {
    let store = try Library.store()
    let parent = EditingContext(store)
    let row = try parent.make("Podcast", ["title": "a"])
    for (policy, title, rating) in [
      (ConflictPolicy.storeWins, "parent", 1), (.contextWins, "child", 3), (.perKey, "child", 1),
    ] {
      try row.set("title", to: "a")
      try row.set("rating", to: 3)
      let child = EditingContext(childOf: parent)
      let same = try child.row(row.identity)
      try same.set("title", to: "child")
      try row.set("title", to: "parent")
      try row.set("rating", to: 1)

      let error = #expect(throws: ConflictError.self) { try child.save() }
      #expect(error?.conflicts.first?.keys.map(\.key) == ["title", "rating"])
      #expect(try row["title"] == .string("parent"))
      child.conflictPolicy = policy
      try child.save()

      #expect(try row["title"] == .string(title))
      #expect(try row["rating"] == .int64(Int64(rating)))
      #expect(try same["title"] == .string(title))
      #expect(same.state == .unchanged)
    }
  }

  @Test func aChildIsCheckedBeforeItsParentChanges() throws {
    let parent = EditingContext(try Library.store())
    _ = try parent.make("Podcast", ["title": "a", "feed": "f"])
    let child = EditingContext(childOf: parent)
    _ = try child.make("Podcast", ["feed": "f"])

    let error = #expect(throws: RowValidationError.self) { try child.save() }

    #expect(error?.failures.map(\.kind) == [.missingValue, .notUnique])
    #expect(try parent.fetch("Podcast").count == 1)
  }

  @Test func contextsCanBeNestedToALimit() throws {
    let store = try Library.store()
    try onSmallStack {
      var contexts = [EditingContext(store)]
      _ = try contexts[0].make("Podcast", ["title": "a"])
      for level in 1..<128 { contexts.append(EditingContext(childOf: contexts[level - 1])) }
      try contexts[127].fetch("Podcast")[0].set("title", to: "b")
      for context in contexts.reversed() { try context.save() }
    }
    #expect(try store.values("SELECT title FROM \"Podcast\"") == ["\"b\""])
  }

  @Test(arguments: [129, 100_000])
  func deeperContextsRefuseEveryCall(levels: Int) throws {
    let store = try Library.store()
    try onSmallStack {
      var context = EditingContext(store)
      _ = try context.make("Podcast", ["title": "a"])
      for _ in 1..<levels { context = EditingContext(childOf: context) }
      for error in [
        #expect(throws: StoreError.self) { _ = try context.fetch("Podcast") },
        #expect(throws: StoreError.self) { _ = try context.insert("Podcast") },
        #expect(throws: StoreError.self) { try context.save() },
      ] {
        #expect(error?.reason == "contexts are nested more than 128 levels deep")
      }
    }
    #expect(try store.count("Podcast") == 0)
  }

  @Test func anAcceptedDraftIsUndoneAlone() throws {
    let parent = EditingContext(try Library.store())
    let row = try parent.make("Guest", ["name": "Ada"])
    try row.set("name", to: "Bea")
    for name in ["Cleo", "Dora"] {
      let child = EditingContext(childOf: parent)
      try child.row(row.identity).set("name", to: name)
      try child.save()
    }
    try row.set("name", to: "Eva")

    for name in ["Dora", "Cleo", "Bea"] {
      parent.undo()
      #expect(try row["name"] == .string(name))
    }
  }

  @Test func aDeletionOfAChildLeavesOtherRowsOfTheParentUnchanged() throws {
    let store = try Library.store()
    let parent = EditingContext(store)
    let podcast = try parent.make("Podcast", ["title": "a"])
    let guest = try parent.make("Guest", ["name": "Ada"])
    let episodes = try (0..<2).map { try parent.make("Episode", ["title": "\($0)"]) }
    try guest.add(episodes[0], to: "episodes")
    try episodes[0].setRelatedRow("sequel", to: episodes[1])
    try podcast.add(episodes[1], to: "episodes")
    try parent.save()
    let child = EditingContext(childOf: parent)

    try child.delete(child.row(episodes[1].identity))
    #expect(try child.row(episodes[0].identity).relatedRow("sequel") == nil)
    try child.save()

    #expect(parent.pendingChanges.entities["Episode"]?.updated == [:])
    #expect(parent.pendingChanges.entities.keys.sorted() == ["Episode"])
    #expect(try episodes[0].relatedRow("sequel") == nil)
    parent.undo()
    #expect(try episodes[0].relatedRow("sequel") == episodes[1])
    parent.redo()
    try parent.save()
    #expect(try store.values("SELECT sequel FROM \"Episode\"") == ["NULL"])
  }

  @Test func aLinkThatBothContextsClearIsNoConflict() throws {
    let parent = EditingContext(try Library.store())
    let episodes = try (0..<2).map { try parent.make("Episode", ["title": "\($0)"]) }
    try episodes[0].setRelatedRow("sequel", to: episodes[1])
    try parent.save()
    let child = EditingContext(childOf: parent)
    try child.row(episodes[0].identity).set("title", to: "new")
    try child.delete(child.row(episodes[1].identity))
    try episodes[0].setRelatedRow("sequel", to: nil)

    try child.save()

    #expect(try episodes[0]["title"] == .string("new"))
    #expect(try episodes[0].relatedRow("sequel") == nil)
    #expect(episodes[1].state == .deleted)
  }

  @Test func aChildReadsLinksOfRowsThatItsParentHasNotRead() throws {
    let store = try Library.store()
    let maker = EditingContext(store)
    let podcast = try maker.make("Podcast", ["title": "a"])
    try podcast.add(maker.make("Episode", ["title": "b"]), to: "episodes")
    try maker.save()

    let child = EditingContext(childOf: EditingContext(store))

    #expect(try child.row(podcast.identity).relatedRows("episodes").texts("title") == ["b"])
  }

  @Test func aParentTakesTheOrderOfAChildForLinksThatItMustReadAgain() throws {
    let parent = EditingContext(try Library.store())
    let podcast = try parent.make("Podcast", ["title": "a"])
    for title in ["b", "c", "d"] {
      try podcast.add(parent.make("Episode", ["title": title]), to: "episodes")
    }
    try parent.save()
    let child = EditingContext(childOf: parent)
    let row = try child.row(podcast.identity)
    try row.setRelatedRows("episodes", to: row.relatedRows("episodes").reversed())
    try parent.refresh(podcast)

    try child.save()

    #expect(try podcast.relatedRows("episodes").texts("title") == ["d", "c", "b"])
  }
}
