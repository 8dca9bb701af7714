import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Owner: MappedModel, Equatable {
  var date: Date?
  var numberString: String
  var requiredString: String?
  var url: URL?
  var orderedChildren: [Owned]?
  var unorderedChildren: Set<Owned>?
  var draft = "none"

  static let mapping = Mapping<Owner>(
    "Owner", Owner.init,
    .key("date", \.date),
    .key(
      "number", \.numberString,
      Transform<Int>.standard.map(to: { "\($0)" }, from: { Int($0) ?? -1 }), .unique),
    .key("string", \.requiredString, requiredText),
    .key("url", \.url),
    .toMany("orderedChildren", \.orderedChildren, inverse: "parent2"),
    .toMany("unorderedChildren", \.unorderedChildren, inverse: "parent1"),
    .transient(\.draft, default: "none")
  )
  .merging(\.requiredString) { stored, incoming in
    incoming.map { "\($0) after \(stored ?? "nothing")" }
  }

  /// A text that is optional in the model and required in the store.
  static let requiredText = Transform<String?>(
    .string, read: { try $0.string(at: $1) },
    write: { value, encoder, index in
      if let value { try encoder.encode(value, at: index) }
    })
}

private struct Owned: MappedModel, Hashable {
  var id: Int
  var parent1: ModelReference<Owner>?
  var parent2: ModelReference<Owner>?
  var weight: Double?

  static let mapping = Mapping(
    "Owned", Owned.init,
    .key("id", \.id, .unique),
    .toOne("parent1", \.parent1, inverse: "unorderedChildren"),
    .toOne("parent2", \.parent2, inverse: "orderedChildren"),
    .key("weight", \.weight))
}

@Suite(.allEngines) struct MantleCaseTests {
  private let store: ModelStore
  private let date = Date(timeIntervalSinceReferenceDate: 123_456.789)
  private let parents = ModelRequest<Owner>()
  private let children = ModelRequest<Owned>().order(by: \.id)

  init() throws {
    store = try emptyStore(Owner.self)
  }

  private func parent(_ number: String = "1234", _ text: String? = "foobar") throws -> Owner {
    let back = try ModelReference<Owner>(key: Int(number) ?? -1)
    return Owner(
      date: date, numberString: number, requiredString: text,
      url: URL(string: "http://github.com"),
      orderedChildren: (0..<3).map { Owned(id: $0, parent2: back) },
      unorderedChildren: Set((3..<6).map { Owned(id: $0, parent1: back) }))
  }

  @Test func aRowWithUnsavedChangesIsReadWithItsChildrenInOrderAndWithout() throws {
    try store.write { writer in
      try writer.save(try parent("123"))
      try store.execute("UPDATE \"Owner\" SET date = NULL, string = 'other'")
      var read = try #require(try writer.reader.fetchFirst(parents))
      #expect(read.date == nil)
      #expect(read.requiredString == "other")
      read.requiredString = "foobar"
      read.date = date
      #expect(read == (try parent("123")))
    }
  }

  @Test func childrenNameTheirParentByItsKeyAndReadingComesToAnEnd() throws {
    try store.write { try $0.save(try parent()) }

    let read = try #require(try store.fetchFirst(parents))

    let back = try ModelReference(to: read)
    #expect(read.orderedChildren?.allSatisfy { $0.parent2 == back && $0.parent1 == nil } == true)
    #expect(read.unorderedChildren?.allSatisfy { $0.parent1 == back && $0.parent2 == nil } == true)
    #expect(Set(read.unorderedChildren?.map(\.id) ?? []) == [3, 4, 5])
  }

  @Test func aModelWhoseMappingIsNotSoundIsRefused() throws {
    struct Illegal: MappedModel {
      var id: Int
      var other: Int
      static let mapping = Mapping(
        "Owner", Illegal.init, .key("number", \.id, .unique), .key("number", \.other))
    }

    let error = #expect(throws: MappingError.self) { try emptyStore(Illegal.self) }

    #expect(error?.code == .invalidDeclaration)
  }

  @Test func aNullColumnIsNilEvenWhereDocumentsHaveADefault() throws {
    struct Line: MappedModel {
      var id: Int
      var text: String?
      static let mapping = Mapping(
        "Line", Line.init, .key("id", \.id, .unique), .key("text", \.text, default: "none"))
    }
    let store = try emptyStore(Line.self)
    try store.write { try $0.save(Line(id: 1, text: nil)) }

    #expect(try store.fetchFirst(ModelRequest<Line>())?.text == nil)
  }

  @Test func aChildThatCannotBeReadIsAnErrorWithTheWayToIt() throws {
    try store.write { try $0.save(try parent()) }
    try store.executeUnchecked("UPDATE \"Owner\" SET url = ''", changing: "Owner")

    let error = #expect(throws: MappingError.self) { try store.fetchFirst(parents) }

    #expect(error?.path?.pointer == "/Owner/1234/url")
  }

  @Test func aChildThatIsReachedInTwoWaysIsReadOnce() throws {
    try store.write { writer in
      try writer.save(
        Owner(
          numberString: "1", requiredString: "a", orderedChildren: [Owned(id: 1)],
          unorderedChildren: [Owned(id: 1)]))
    }
    var read: Owner?

    let statements = try store.statements { read = try store.fetchFirst(parents) }

    #expect(read?.orderedChildren == Array(read?.unorderedChildren ?? []))
    #expect(statements.count == 3)
  }

  @Test func aGraphWithInverseLinksIsSevenRows() throws {
    let report = try store.write { try $0.save(try parent()) }

    #expect(report.inserted == 7)
    #expect(try store.count("Owner") == 1)
    #expect(try store.count("Owned") == 6)
    #expect(try store.values("SELECT number, string FROM \"Owner\"") == ["1234|\"foobar\""])
    #expect(try store.fetchFirst(parents) == (try parent()))
  }

  @Test func aModelWithoutARequiredValueSavesNothing() throws {
    try store.write { writer in
      let error = #expect(throws: StoreError.self) { _ = try writer.save(try parent("7", nil)) }
      #expect(error?.code == .missingValue)
    }

    #expect(try store.count("Owner") + store.count("Owned") == 0)
  }

  @Test func savingAGraphTwiceIsSavingItOnce() throws {
    let store = try emptyStore(Series.self)
    let show = Series(
      id: 1, title: "One", parts: (0..<6).map { Part(code: "\($0)", title: "Part") },
      guests: [Guest(name: "Inge")], related: [try ModelReference(key: 1)])
    try store.write { try $0.save(show) }
    let before = try store.dump()

    let report = try store.write { try $0.save(show) }

    #expect(report == SaveReport(unchanged: 8))
    #expect(try store.dump() == before)
    #expect(try store.count("Part") == 6)
  }

  @Test func removedChildrenStayUnlinked() throws {
    try store.write { try $0.save(try parent()) }
    var smaller = try parent()
    smaller.orderedChildren?.removeFirst()
    smaller.unorderedChildren?.removeAll()

    let report = try store.write { try $0.save(smaller) }

    #expect(report.unlinked == 4)
    let stored = try store.fetch(children)
    #expect(stored.map(\.id) == Array(0..<6))
    #expect(stored.map { $0.parent2 != nil } == [false, true, true, false, false, false])
    #expect(stored.allSatisfy { $0.parent1 == nil })
  }

  @Test func mergePoliciesApplyOnlyToExistingRows() throws {
    try store.write { try $0.save(try parent()) }
    #expect(try store.fetchFirst(parents)?.requiredString == "foobar")

    try store.write { try $0.save(try parent("1234", "new")) }

    #expect(try store.fetchFirst(parents)?.requiredString == "new after foobar")
  }

  @Test func anErrorInTheThirdChildLeavesNothingOfTheGraph() throws {
    var graph = try parent()
    graph.orderedChildren?[2].weight = .nan

    try store.write { writer in
      let error = #expect(throws: MappingError.self) {
        _ = try writer.save([try parent("1"), graph])
      }
      #expect(error?.path?.description == "[1].orderedChildren[2].weight")
      #expect(error?.model == "Owned")
    }

    #expect(try store.count("Owner") + store.count("Owned") == 0)
  }

  @Test func modelsWithoutAUniqueKeyAreInsertedEachTime() throws {
    struct Remark: MappedModel {
      var mail: String?
      static let mapping = Mapping("Remark", Remark.init, .key("mail", \.mail, .unique))
    }
    struct Pile: MappedModel {
      var id: Int
      var remarks: [Remark]
      var notes: [Note]
      static let mapping = Mapping(
        "Pile", Pile.init, .key("id", \.id, .unique), .toMany("remarks", \.remarks),
        .toMany("notes", \.notes, linkPolicy: .replace(removed: .delete)))
    }
    let store = try emptyStore(Pile.self)
    let pile = Pile(
      id: 1, remarks: [Remark(mail: nil), Remark(mail: "a"), Remark(mail: "a")],
      notes: [Note(order: "a", description: "b"), Note(order: "a", description: "b")])

    for _ in 0..<2 { try store.write { try $0.save(pile) } }

    #expect(try store.count("Remark") == 3)
    #expect(try store.count("select") == 2)
    let read = try #require(try store.fetchFirst(ModelRequest<Pile>()))
    #expect(read.remarks.map(\.mail) == [nil, "a"])
    #expect(read.notes == pile.notes)
  }

  @Test func twoRowsWithOneUniqueKeyCannotBe() throws {
    try store.write { try $0.save(try parent()) }

    #expect(throws: (any Error).self) {
      try store.execute("INSERT INTO \"Owner\" (number, string) VALUES (1234, '')")
    }
  }

  @Test func anEmptyCollectionRemovesLinksAndNilLeavesThem() throws {
    try store.write { try $0.save(try parent()) }
    var graph = try parent()
    graph.orderedChildren = []
    graph.unorderedChildren = nil

    try store.write { try $0.save(graph) }

    let read = try #require(try store.fetchFirst(parents))
    #expect(read.orderedChildren == [])
    #expect(read.unorderedChildren?.count == 3)
    #expect(try store.count("Owned") == 6)
  }

  @Test func anUpdateWithAnInvalidValueLeavesTheRowAsItWas() throws {
    try store.write { try $0.save(try parent()) }
    let before = try store.dump()
    var graph = try parent()
    graph.date = nil
    graph.orderedChildren = [Owned(id: 0, weight: 5), Owned(id: 9, weight: .nan)]

    try store.write { writer in
      let error = #expect(throws: MappingError.self) { _ = try writer.save(graph) }
      #expect(error?.key == "weight")
    }

    #expect(try store.dump() == before)
  }

  @Test func twoEqualModelsOfAGraphAreOneRowTheLaterOfUnequalOnes() throws {
    let graph = Owner(
      numberString: "1", requiredString: "", orderedChildren: [Owned(id: 1), Owned(id: 1)])
    let other = Owner(
      numberString: "2", requiredString: "",
      unorderedChildren: [Owned(id: 1, weight: 2), Owned(id: 2)])

    let report = try store.write { try $0.save([graph, other]) }

    #expect(report == SaveReport(inserted: 4, unchanged: 2, linked: 1))
    #expect(try store.fetch(children).map(\.weight) == [2, nil])
    #expect(
      try store.fetch(parents.order(by: \.numberString)).map { $0.orderedChildren?.count } == [
        1, 0,
      ])
  }

  @Test func aPropertyThatIsNotMappedIsNeitherReadNorWritten() throws {
    var graph = try parent()
    graph.draft = "much"

    try store.write { try $0.save(graph) }

    #expect(try store.fetchFirst(parents)?.draft == "none")
    let columns = try store.columns(of: "Owner")
    #expect(columns == ["date", "number", "string", "url"])
  }
}
