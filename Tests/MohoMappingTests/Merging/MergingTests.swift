import MohoMapping
import Testing

@Suite struct MergingTests {
  private func merge(_ incoming: TestModel, into stored: TestModel) -> TestModel {
    TestModel.mapping.merge(incoming, into: stored)
  }

  @Test func eachKeyIsMergedByItsPolicy() {
    let stored = TestModel.make(
      name: "foo", count: 5, nestedName: "kept", role: "first", age: 9, isShown: false)
    let incoming = TestModel.make(
      name: "bar", count: 3, nestedName: nil, role: "second", age: 7, isShown: true)

    #expect(
      merge(incoming, into: stored)
        == .make(name: "bar", count: 8, nestedName: "kept", role: "first", age: 9, isShown: true))
  }

  @Test func withoutAPolicyTheIncomingValueIsUsed() {
    #expect(merge(.make(name: nil), into: .make(name: "foo")).name == nil)
  }

  @Test func aValueIsTakenFromTheNewerModel() {
    #expect(merge(.make(age: 3), into: .make(age: 2)).age == 3)
    #expect(merge(.make(age: 2), into: .make(age: 3)).age == 3)
  }

  @Test func ofModelsOfTheSameAgeTheIncomingValueIsUsed() {
    let stored = Rating(stars: 1, editedAt: 5)

    #expect(Rating.mapping.merge(Rating(stars: 2, editedAt: 5), into: stored).stars == 2)
    #expect(Rating.mapping.merge(Rating(stars: 2, editedAt: 4), into: stored).stars == 1)
    #expect(Rating.mapping.merge(Rating(stars: 2, editedAt: 6), into: stored).stars == 2)
  }

  @Test func nonNilValuesAreMerged() {
    #expect(merge(.make(nestedName: "new"), into: .make(nestedName: "old")).nestedName == "new")
  }
}

private struct Rating: MappedModel {
  var stars: Int
  var editedAt: Int

  static let mapping = Mapping<Rating>(
    "Rating", Rating.init, .key("stars", \.stars), .key("editedAt", \.editedAt)
  ).merging(\.stars, newerBy: \.editedAt)
}
