import Fixtures
import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests the conversion between rows and models in both directions. The case
/// numbers in the test names refer to known cases of Mantle.
@Suite(.allEngines) struct ManagedRowAdapterTests {
  private let date = Date(timeIntervalSinceReferenceDate: 1_000)
  private let url = URL(string: "http://github.com")

  private func context() throws -> EditingContext {
    EditingContext(try emptyStore(entities: Parent.entity, Child.entity))
  }

  private func children(_ ids: Range<Int>) -> [Child] { ids.map { Child(childID: $0) } }

  private var parent: Parent {
    Parent(
      numberString: "1234", requiredString: "foobar", date: date, url: url,
      orderedChildren: children(0..<3), unorderedChildren: Set(children(3..<6)))
  }

  private func counts(_ store: ModelStore) throws -> [String] {
    try store.values("SELECT (SELECT count(*) FROM \"Parent\"), (SELECT count(*) FROM \"Child\")")
  }

  @Test("what is not saved is read, children name their parents")
  func pendingRowsAreRead() throws {
    let context = try context()
    let row = try context.make("Parent", ["string": "foobar"])
    try context.save()
    try row.set("number", to: 123)
    try row.set("date", to: date)
    try row.set("url", to: "http://github.com")
    try row.setRelatedRows(
      "orderedChildren", to: (0..<3).map { try context.make("Child", ["childID": $0]) })
    for id in 3..<6 { try row.add(context.make("Child", ["childID": id]), to: "unorderedChildren") }

    let parent = try ManagedRowAdapter<Parent>().model(from: row)

    #expect(parent.date == date && parent.url == url)
    #expect(parent.numberString == "123" && parent.requiredString == "foobar")
    let reference = try ModelReference<Parent>(to: parent)
    #expect(parent.orderedChildren == (0..<3).map { Child(childID: $0, parent2: reference) })
    #expect(
      parent.unorderedChildren == Set((3..<6).map { Child(childID: $0, parent1: reference) }))
  }

  @Test func observersReceiveRowsThatMakingAModelRefreshes() throws {
    let maker = try context()
    let saved = try maker.make("Parent", ["number": 1, "string": "foobar"])
    try saved.setRelatedRows("orderedChildren", to: [maker.make("Child", ["childID": 1])])
    try maker.save()
    let context = EditingContext(maker.store)
    let child = try context.fetch("Child")[0]
    let row = try context.fetch("Parent")[0]
    var refreshed: [[ManagedRow]] = []
    let observation = context.onChange { refreshed.append($0.refreshed) }
    try context.store.execute("UPDATE \"Child\" SET parent1 = parent2")

    let parent = try ManagedRowAdapter<Parent>().model(from: row)

    let reference = try ModelReference<Parent>(key: 1)
    #expect(parent.orderedChildren?.first?.parent1 == reference)
    #expect(refreshed == [[child]])
    observation.cancel()
  }

  @Test("a mapping that is not the table's is refused")
  func mappingsOfOtherTablesAreRefused() throws {
    struct Illegal: MappedModel {
      var name: String
      static let mapping = Mapping(
        "Parent", Illegal.init, .key("", \.name))
    }
    struct Unknown: MappedModel {
      var name: String
      static let mapping = Mapping("Parent", Unknown.init, .key("username", \.name))
    }
    let context = try context()
    let row = try context.insert("Parent")
    let illegal = #expect(throws: MappingError.self) {
      try ManagedRowAdapter<Illegal>().model(from: row)
    }
    #expect(illegal?.code == .invalidDeclaration)
    let unknown = #expect(throws: StoreError.self) {
      try ManagedRowAdapter<Unknown>().model(from: row)
    }
    #expect(unknown?.reason == "`username` is not an attribute of the entity")
    #expect(throws: StoreError.self) {
      try ManagedRowAdapter<Unknown>().row(from: Unknown(name: "x"), in: context)
    }
    #expect(throws: StoreError.self) { try ManagedRowAdapter<Child>().model(from: row) }
    #expect(try context.fetch("Parent") == [row])
  }

  @Test func aRowOfAnotherEntityWithTheSameKeysIsRefused() throws {
    struct Cat: MappedModel {
      var name: String
      static let mapping = Mapping("Cat", Cat.init, .key("name", \.name))
    }
    struct Dog: MappedModel {
      var name: String
      static let mapping = Mapping("Dog", Dog.init, .key("name", \.name))
    }
    let context = EditingContext(try emptyStore(Cat.self, Dog.self))
    let row = try context.make("Dog", ["name": "Rex"])

    let error = #expect(throws: StoreError.self) { try ManagedRowAdapter<Cat>().model(from: row) }

    #expect(error?.reason == "the row is not a row of `Cat`")
  }

  @Test func nullIsNilWhateverTheDefault() throws {
    struct Defaulted: MappedModel {
      var url: URL?
      static let mapping = Mapping(
        "Parent", Defaulted.init, .key("url", \.url, default: URL(string: "http://a.b")))
    }
    let row = try context().insert("Parent")
    #expect(try ManagedRowAdapter<Defaulted>().model(from: row).url == nil)
  }

  @Test func aChildThatCannotBeReadNamesItsPath() throws {
    let context = try context()
    let row = try context.make("Parent", ["string": "foobar"])
    try row.setRelatedRows(
      "orderedChildren",
      to: [
        context.make("Child", ["childID": 1]), context.make("Child"),
      ])

    let error = #expect(throws: MappingError.self) {
      try ManagedRowAdapter<Parent>().model(from: row)
    }

    #expect(error?.path?.pointer == "/orderedChildren/1/childID")
    #expect(error?.model == "Child" && error?.key == "childID")
  }

  @Test("a child that is reached twice is the same both times")
  func aChildThatIsReachedTwiceIsTheSame() throws {
    let context = try context()
    let row = try context.make("Parent", ["string": "foobar", "number": 1])
    let child = try context.make("Child", ["childID": 7])
    try row.add(child, to: "orderedChildren")
    try row.add(child, to: "unorderedChildren")

    let parent = try ManagedRowAdapter<Parent>().model(from: row)

    #expect(parent.orderedChildren?.first == parent.unorderedChildren.first)
    #expect(parent.unorderedChildren.count == 1)
  }

  @Test("a graph is written once, however often")
  func aGraphIsWrittenOnce() throws {
    let context = try context()
    let adapter = ManagedRowAdapter<Parent>()

    let row = try adapter.row(from: parent, in: context)
    #expect(context.pendingChanges.entities["Child"]?.inserted.count == 6)
    #expect(try adapter.row(from: parent, in: context) === row)
    try context.save()

    #expect(try counts(context.store) == ["1|6"])
    #expect(
      try context.store.values("SELECT number, string, date FROM \"Parent\"")
        == ["1234|\"foobar\"|1000.0"])
    #expect(try adapter.row(from: parent, in: context) === row)
    #expect(!context.hasChanges)
    let other = EditingContext(context.store)
    let read = try adapter.model(from: adapter.row(from: parent, in: other))
    #expect(read.orderedChildren?.map(\.childID) == [0, 1, 2])
    #expect(read.unorderedChildren.map(\.childID).sorted() == [3, 4, 5])
    #expect(!other.hasChanges)
    // Writing a model that has just been read changes nothing, including back
    // references.
    try adapter.row(from: read, in: other)
    #expect(!other.hasChanges)
  }

  @Test func anErrorLeavesEverythingAsItWas() throws {
    let context = try context()
    let adapter = ManagedRowAdapter<Parent>()
    let empty = #expect(throws: RowValidationError.self) {
      try adapter.row(from: Parent(), in: context)
    }
    #expect(empty?.failures.map(\.kind) == [.missingValue])
    #expect(!context.hasChanges)
    var bad = parent
    bad.orderedChildren?[2].childID = 40_000
    let error = #expect(throws: RowValidationError.self) { try adapter.row(from: bad, in: context) }
    #expect(error?.failures.map(\.keys) == [["childID"]])
    #expect(!context.hasChanges && !context.canUndo)

    let row = try adapter.row(from: parent, in: context)
    try context.save()
    let before = try adapter.model(from: row)
    bad.date = nil
    #expect(throws: RowValidationError.self) { try adapter.row(from: bad, in: context) }
    #expect(row.state == .unchanged)
    #expect(try adapter.model(from: row) == before)
    try context.save()
    #expect(try counts(context.store) == ["1|6"])
  }

  @Test("removed children stay, unlinked; a collection that is nil says nothing")
  func removedChildrenStay() throws {
    let context = try context()
    let adapter = ManagedRowAdapter<Parent>()
    let row = try adapter.row(from: parent, in: context)
    try context.save()

    var changed = parent
    changed.orderedChildren = nil
    changed.unorderedChildren = Set(children(3..<4))
    try adapter.row(from: changed, in: context)
    #expect(try row.relatedRows("orderedChildren").count == 3)
    #expect(try row.relatedRows("unorderedChildren").count == 1)
    changed.orderedChildren = []
    try adapter.row(from: changed, in: context)
    try context.save()

    #expect(try row.relatedRows("orderedChildren") == [])
    #expect(try counts(context.store) == ["1|6"])
    #expect(
      try context.store.values("SELECT \"childID\" FROM \"Child\" WHERE parent1 IS NOT NULL") == [
        "3"
      ])
  }

  @Test("merge rules are for rows that are there")
  func mergeRulesApplyToExistingRows() throws {
    let context = EditingContext(try emptyStore(Counted.self))
    let adapter = ManagedRowAdapter<Counted>()
    let row = try adapter.row(from: Counted(id: 1, plays: 2, note: "first"), in: context)
    #expect(try row["plays"] == .int64(2))
    try context.save()
    try adapter.rows(
      from: [Counted(id: 1, plays: 3, note: nil), Counted(id: 1, plays: 4, note: "third")],
      in: context)
    #expect(try row["plays"] == .int64(9))
    #expect(try row["note"] == .string("third"))
    let error = #expect(throws: MappingError.self) {
      try adapter.row(from: Counted(id: 2, plays: -1, note: nil), in: context)
    }
    #expect(error?.code == .failedValidation)
  }

  @Test func mergeRulesApplyToPartialModels() throws {
    let context = EditingContext(try emptyStore(Counted.self))
    let adapter = ManagedRowAdapter<Counted>()
    let row = try adapter.row(from: Counted(id: 1, plays: 2, note: "first"), in: context)
    var change = Partial<Counted>()
    change[\.plays] = 3

    try adapter.update(row, from: change)

    #expect(try row["plays"] == .int64(5))
    #expect(try row["note"] == .string("first"))
    change[\.plays] = -1
    let error = #expect(throws: MappingError.self) { try adapter.update(row, from: change) }
    #expect(error?.code == .failedValidation)
    #expect(try row["plays"] == .int64(5))
  }

  @Test("rows are one by equal keys, which nil and none are not")
  func rowsAreOneByEqualKeys() throws {
    let context = try context()
    let adapter = ManagedRowAdapter<Parent>()
    let nameless = Parent(requiredString: "a")
    let rows = try adapter.rows(from: [nameless, nameless], in: context)
    #expect(rows[0] !== rows[1])
    try context.save()
    #expect(try !rows.contains(adapter.row(from: nameless, in: context)))

    let twice = Parent(
      numberString: "1", requiredString: "b", orderedChildren: children(1..<2),
      unorderedChildren: Set(children(1..<2)))
    let row = try adapter.row(from: twice, in: context)
    #expect(try row.relatedRows("orderedChildren") == row.relatedRows("unorderedChildren"))

    let notes = EditingContext(try emptyStore(Note.self))
    let note = Note(order: "1", description: "x")
    #expect(try Set(ManagedRowAdapter<Note>().rows(from: [note, note], in: notes)).count == 2)
  }

  @Test func noTwoRowsHaveOneKey() throws {
    let context = try context()
    for _ in 0..<2 { _ = try context.make("Parent", ["number": 1234, "string": "a"]) }
    let error = #expect(throws: StoreError.self) {
      try ManagedRowAdapter<Parent>().row(from: parent, in: context)
    }
    #expect(error?.code == .notUnique)
    #expect(throws: RowValidationError.self) { try context.save() }
    #expect(throws: (any Error).self) {
      try context.store.execute("INSERT INTO \"Child\" (\"childID\") VALUES (1), (1)")
    }
  }

  @Test("up to 500 rows of each entity are read with one statement")
  func upTo500RowsAreReadWithOneStatement() throws {
    func reads(_ count: Int) throws -> (write: Int, again: Int, read: Int) {
      let context = try context()
      let adapter = ManagedRowAdapter<Parent>()
      let models = (0..<count).map { number in
        Parent(
          numberString: "\(number)", requiredString: "a",
          orderedChildren: children(number * 10..<number * 10 + 3),
          unorderedChildren: Set(children(number * 10 + 3..<number * 10 + 5)))
      }
      let store = context.store
      let first = try Self.count("SELECT", of: store) {
        try adapter.rows(from: models, in: context)
      }
      try context.save()
      let other = EditingContext(store)
      let again = try Self.count("SELECT", of: store) { try adapter.rows(from: models, in: other) }
      #expect(!other.hasChanges)
      let last = EditingContext(store)
      let read = try Self.count("SELECT", of: store) {
        let found = try adapter.models(from: last.fetch("Parent"))
        #expect(found.count == count)
      }
      return (first, again, read)
    }
    let few = try reads(2)
    let many = try reads(80)
    #expect(few == many)
    #expect(few.write == 2 && few.read == 3)
  }

  @Test("what is left out of the mapping is neither read nor written")
  func transientPropertiesAreLeftOut() throws {
    let context = EditingContext(try emptyStore(Episode.self))
    var episode = Episode.number(1)
    episode.isExpanded = true
    let row = try ManagedRowAdapter<Episode>().row(from: episode, in: context)
    #expect(try !ManagedRowAdapter<Episode>().model(from: row).isExpanded)
  }

  @Test("others see what is written once it is saved")
  func othersSeeWhatIsSaved() throws {
    let context = try context()
    _ = try ManagedRowAdapter<Parent>().row(from: parent, in: context)
    #expect(try context.fetch("Parent").count == 1)
    #expect(try EditingContext(context.store).fetch("Parent").isEmpty)
    try context.save()
    #expect(try EditingContext(context.store).fetch("Parent").count == 1)
  }

  private static func count(
    _ word: String, of store: ModelStore, _ body: () throws -> some Any
  ) throws -> Int {
    try statements(of: store, body).statements.count { $0.hasPrefix(word) }
  }
}

/// A model whose saved values are merged with the stored ones.
struct Counted: MappedModel {
  var id: Int
  var plays: Int
  var note: String?

  static let mapping = Mapping<Counted>(
    "Counted", { Counted(id: $0, plays: $1, note: $2) },
    .key("id", \.id, .unique), .key("plays", \.plays), .key("note", \.note)
  )
  .merging(\.plays) { stored, incoming in stored + incoming }
  .merging(\.note, .incomingUnlessNil)
  .validating(\.plays, "no negative number") { $0 >= 0 }
}
