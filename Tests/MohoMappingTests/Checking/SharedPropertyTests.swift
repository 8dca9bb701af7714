import MohoMapping
import MohoTesting
import Testing

private struct Person: MappedModel {
  var first, last: String
  var given: String { first }
  var shown: String { first.isEmpty ? last : first }

  static let mapping = Mapping(
    "Person", Person.init, .key("first", \.first), .key("last", \.first))
}

private struct Named: Sendable {
  struct Name: Sendable { var first, last: String }
  var name: Name
  var first: String { name.first }

  init(_ first: String, _ last: String) { name = Name(first: first, last: last) }
}

private struct Played: Sendable {
  var isPlayed: Bool
  var isExpanded = false
}

private struct Hidden: Sendable {
  var front, back: Unlisted
}

@Suite struct SharedPropertyTests {
  private func issues<Model>(_ mapping: Mapping<Model>) -> [String] {
    mapping.issues.map(\.description)
  }

  private let lost =
    "`first` and `last` are both mapped to the value of `\\Person.first`, and no key writes"
    + " `\\Person.last`: map `last` to this property, or ignore its argument in the function"
    + " that creates the model"

  @Test func onePropertyForTwoKeysIsAnIssue() {
    #expect(issues(Person.mapping) == [lost])
    #expect(MappingLaws.violations(of: Person.self) == [lost])
    #expect(
      MappingLaws.violations(of: Person.self, samples: [Person(first: "Ada", last: "King")])
        == [lost])
    #expect(throws: MappingError.self) {
      try Person.mapping.encode(Person(first: "Ada", last: "King"), to: FieldRecorder())
    }
  }

  @Test func theFirstKeyIsNamedIfItsValueIsLost() {
    let mapping = Mapping<Person>(
      "Person", Person.init, .key("first", \.last), .key("last", \.last))

    #expect(issues(mapping).count == 1)
    #expect(issues(mapping).first?.contains("no key writes `\\Person.first`: map `first`") == true)
  }

  @Test func aComputedPropertyOverThePropertyOfAnotherKeyIsAnIssue() {
    let mapping = Mapping<Person>(
      "Person", Person.init, .key("first", \.first), .key("last", \.given))

    #expect(issues(mapping) == [lost])
  }

  @Test func twoPathsToOnePropertyAreAnIssue() {
    let mapping = Mapping<Named>(
      "Named", Named.init, .key("first", \.name.first), .key("last", \.first))

    #expect(issues(mapping).count == 1)
    #expect(issues(mapping).first?.contains("no key writes `\\Named.name.last`") == true)
  }

  @Test func aPropertyThatIsAKeyAndTransientIsAnIssue() {
    let mapping = Mapping<Played>(
      "Played", Played.init, .key("isPlayed", \.isPlayed), .transient(\.isPlayed, default: false))

    #expect(issues(mapping).count == 1)
  }

  @Test func aFallbackIsSound() {
    let mapping = Mapping<Person>(
      "Person", Person.init, .key("first", \.first), .key("shown", \.shown))

    #expect(mapping.issues == [])
    #expect(mapping.notes == [])
  }

  @Test func aKeyWhoseArgumentIsIgnoredIsNoted() {
    let mapping = Mapping<Person>(
      "Person", { (first: String, _: String) in Person(first: first, last: "") },
      .key("first", \.first), .key("given", \.first))

    #expect(mapping.issues == [])
    #expect(
      mapping.notes.map(\.description) == [
        "`first` and `given` are both mapped to the value of `\\Person.first`: a value that is"
          + " read for `given` is not written"
      ])
  }

  @Test func theArgumentOfAKeyCanBeStoredInThePropertyOfAThirdKey() {
    let mapping = Mapping<Person>(
      "Person", { (first: String, _: String, last: String) in Person(first: first, last: last) },
      .key("first", \.first), .key("again", \.first), .key("last", \.last))

    #expect(mapping.issues == [])
  }

  @Test func theFirstModelWithDifferentValuesShowsASharedProperty() throws {
    let mapping = Mapping<Hidden>(
      "Hidden", Hidden.init, .key("front", \.front), .key("back", \.front))
    func read(_ front: String, _ back: String) throws {
      _ = try mapping.model(from: ContentDecoder([.string(front), .string(back)]))
    }

    #expect(mapping.issues == [])
    try read("first", "first")
    #expect(throws: MappingError.self) { try read("first", "second") }
    #expect(issues(mapping).count == 1)
    #expect(issues(mapping).first?.contains("no key writes `\\Hidden.back`") == true)
  }
}
