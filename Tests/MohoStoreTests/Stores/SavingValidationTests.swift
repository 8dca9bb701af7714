import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Review: MappedModel, Equatable {
  var id: Int
  var author = "Ada"
  var stars = 5
  var text: String?

  static let mapping = Mapping<Review>(
    "Review", Review.init,
    .key("id", \.id, .unique), .key("author", \.author), .key("stars", \.stars),
    .key("text", \.text)
  )
  .repairing(\.author) { $0.isEmpty ? "anonymous" : $0 }
  .validating(\.stars, "1 to 5 stars") { (1...5).contains($0) }
  .validating("text where there are less than 3 stars") { $0.stars > 2 || $0.text != nil }
}

/// A model with reviews in rows of their own and reviews in a column.
private struct Shelf: MappedModel, Equatable {
  var name: String
  var reviews: [Review]
  var drafts: [Review] = []

  static let mapping = Mapping(
    "Shelf", Shelf.init,
    .key("name", \.name, .unique), .toMany("reviews", \.reviews), .key("drafts", \.drafts))
}

private struct Ranking: MappedModel, Equatable {
  var id: Int
  var title: String

  static let mapping = Mapping(
    "Ranking", Ranking.init, .key("id", \.id, .unique), .key("title", \.title)
  )
  .validating(\.title, "text that is not empty") { !$0.isEmpty }
  .merging(\.title) { incoming, stored in incoming.isEmpty ? stored : incoming }
}

@Suite(.allEngines) struct SavingValidationTests {
  private let store: ModelStore

  init() throws {
    store = try emptyStore(Review.self, Shelf.self, Ranking.self)
  }

  private func failure(_ body: (StoreWriter) throws -> Void) throws -> MappingError? {
    do {
      try store.write { try body($0) }
      return nil
    } catch let error as MappingError {
      return error
    }
  }

  @Test func noneOfTheModelsIsSavedWhereOneIsInvalid() throws {
    let reviews = [Review(id: 1), Review(id: 2, stars: 9)]

    let error = try failure { try $0.save(reviews) }

    #expect(
      "\(try #require(error))"
        == "failed validation: number 9, expected 1 to 5 stars - `Review.stars` at /1/stars")
    #expect(try store.fetchCount(ModelRequest<Review>()) == 0)
  }

  @Test func messagesTellNoPositionOfAModelThatIsSavedAlone() throws {
    let error = try failure { try $0.save(Review(id: 2, stars: 9)) }

    #expect(
      "\(try #require(error))"
        == "failed validation: number 9, expected 1 to 5 stars - `Review.stars` at /stars")
  }

  @Test func modelsAreValidAsWholes() throws {
    let error = try failure { try $0.save(AnySequence([Review(id: 2, stars: 1)])) }

    #expect(error?.expected == "text where there are less than 3 stars")
    #expect(error?.path?.pointer == "/0")
  }

  @Test func repairedValuesAreWritten() throws {
    try store.write { try $0.save([Review(id: 1, author: "")]) }

    #expect(
      try store.values("SELECT author FROM \"Review\"") == ["\"anonymous\""])
  }

  @Test func nestedModelsAreValidated() throws {
    let shelf = Shelf(name: "A", reviews: [Review(id: 1), Review(id: 2, stars: 0)])

    let error = try failure { try $0.save([shelf]) }

    #expect(
      "\(try #require(error))"
        == "failed validation: number 0, expected 1 to 5 stars"
        + " - `Review.stars` at /0/reviews/1/stars")
    #expect(try store.fetchCount(ModelRequest<Shelf>()) == 0)
  }

  @Test func modelsInColumnsAreValidatedAndRepaired() throws {
    var shelf = Shelf(name: "A", reviews: [], drafts: [Review(id: 1, author: "")])
    try store.write { try $0.save([shelf]) }
    #expect(
      try store.fetchFirst(ModelRequest<Shelf>())?.drafts == [Review(id: 1, author: "anonymous")])

    shelf.drafts[0].stars = 7
    let error = try failure { try $0.save([shelf]) }

    #expect(error?.code == .failedValidation)
    #expect(error?.key == "stars")
  }

  @Test func whatMergingLeavesIsValidated() throws {
    try store.write { try $0.save([Ranking(id: 1, title: "A")]) }

    try store.write { try $0.save([Ranking(id: 1, title: "")]) }
    let error = try failure { try $0.save([Ranking(id: 2, title: "")]) }

    #expect(try store.fetch(ModelRequest<Ranking>()) == [Ranking(id: 1, title: "A")])
    #expect(error?.path?.pointer == "/0/title")
  }

  @Test func valuesOfPartialModelsAreValidatedAndRepaired() throws {
    try store.write { try $0.save([Review(id: 1)]) }
    var change = Partial<Review>()
    change[\.id] = 1
    change[\.author] = ""
    try store.write { try $0.update([change]) }
    #expect(try store.fetchFirst(ModelRequest<Review>())?.author == "anonymous")

    change[\.stars] = 6
    let error = try failure { try $0.update([change]) }

    #expect(error?.expected == "1 to 5 stars")
    #expect(try store.fetchFirst(ModelRequest<Review>())?.stars == 5)
  }
}
