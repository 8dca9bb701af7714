import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct RequestErrorTests {
  private static let requests: [(RowRequest, String)] = [
    (RowRequest("Shw"), "the store has no table for `Shw`"),
    (
      RowRequest("Show").filter { $0["titl"] == "x" },
      "`Show` has no key `titl`; did you mean `title`?"
    ),
    (RowRequest("Show").filter { $0["zzz"] == "x" }, "`Show` has no key `zzz`"),
    (
      RowRequest("Show").filter { $0["title"]["x"] == 1 },
      "`Show.title` is not a relationship and has no key `x`"
    ),
    (
      RowRequest("Show").filter { $0["podcast"]["Rank"] == 1 },
      "`Podcast` has no key `Rank`; did you mean `rank`?"
    ),
    (
      RowRequest("Show").filter { $0["title"] > 3 },
      "`Show.title` (string) cannot be compared with `3` (integer)"
    ),
    (
      RowRequest("Show").filter { $0["title"] == $0["publishedAt"] },
      "`Show.title` (string) cannot be compared with `Show.publishedAt` (date)"
    ),
    (
      RowRequest("Show").filter { $0["number"].isOne(of: ["1"]) },
      "`Show.number` (integer) cannot be compared with \"1\""
    ),
    (
      RowRequest("Show").filter { $0["title"] + 1 == 2 },
      "`Show.title` (string) + `1` (integer) is not defined"
    ),
    (
      RowRequest("Show").filter { $0["number"].contains("1") },
      "`Show.number` (integer) is not text"
    ),
    (
      RowRequest("Show").filter { $0["title"].matches("(") },
      "\"(\" for `title` is not a regular expression"
    ),
    (
      RowRequest("Show").filter { $0["chapters"] == 1 },
      "`Show.chapters` is a to-many relationship: use `any`, `all`, `none` or `count`"
    ),
    (
      RowRequest("Show").filter { $0["chapters"]["title"] == "x" },
      "`Show.chapters` is a to-many relationship"
    ),
    (
      RowRequest("Show").filter { $0["podcast"].any { $0["title"] == "x" } },
      "`Show.podcast` is not a to-many relationship"
    ),
    (
      RowRequest("Show").filter { $0["title"].count > 1 },
      "`Show.title` is not a to-many relationship"
    ),
    (
      RowRequest("Show").filter { $0["podcast"] > 1 },
      "`Show.podcast` refers to a row, not to a value; use one of its keys, such as `guid`"
    ),
    (
      RowRequest("Show").filter { $0["podcast"] == 7 },
      "7 is not a value of `Podcast.guid` (string)"
    ),
    (RowRequest("Show").filter { $0["title"].isRow("a") }, "`Show.title` does not refer to a row"),
    (
      RowRequest("Chapter").filter { $0["show"] == $0["show"]["podcast"] },
      "`show` refers to `Show`, `show.podcast` to `Podcast`"
    ),
    (RowRequest("Show").order(by: "podcast"), "`Show.podcast` refers to a row, not to a value"),
    (
      RowRequest("Show").order(by: "number", options: .caseInsensitive),
      "the ordering by `number` ignores letter case or accents,"
        + " but the value is integer"
    ),
    (
      RowRequest("Show").order(by: "number", collation: .localized),
      "the ordering by `number` has a collation, but the value is integer"
    ),
    (
      RowRequest("Show").filter { $0["length"] == Double.nan },
      "a value that is not a number cannot be compared"
    ),
    (
      RowRequest("Show").filter { $0["number"] == UInt64.max },
      "\(UInt64.max) is greater than \(Int64.max)"
    ),
    (
      (0..<30).reduce(RowRequest("Show").filter { $0["id"] == 1 }) { request, _ in
        RowRequest("Show").filter { !(request.filter && $0["id"] != 2) }
      },
      "conditions are nested more than 24 levels deep"
    ),
  ]

  @Test(arguments: requests.indices)
  func whatIsWrongIsNamedInSQLAndInMemory(index: Int) throws {
    let store = try ModelStore.shows()
    let (request, message) = Self.requests[index]

    let error = #expect(throws: StoreError.self) { try store.fetchIdentities(request) }
    let other = #expect(throws: StoreError.self) {
      try RequestEvaluator(request, in: store.schema)
    }

    #expect(error?.code == .invalidRequest)
    #expect(error?.reason.hasPrefix(message) == true, "\(error?.reason ?? "")")
    #expect(error?.reason == other?.reason)
  }

  @Test func aKeyOfARelatedModelSuggestsTheClosureForm() throws {
    struct User: MappedModel {
      var login: String
      static let mapping = Mapping("User", User.init, .key("login", \.login, .unique))
    }
    struct Place: MappedModel {
      var name: String
      static let mapping = Mapping("Place", Place.init, .key("name", \.name))
    }
    struct Issue: MappedModel {
      var id: Int
      var user: User?
      var place: Place
      var isOld: Bool { id < 10 }
      static let mapping = Mapping(
        "Issue", Issue.init, .key("id", \.id, .unique), .toOne("user", \.user),
        .key("place", \.place))
    }
    let store = try emptyStore(User.self, Issue.self)
    let all = ModelRequest<Issue>()

    func reason(_ request: ModelRequest<Issue>) -> String? {
      #expect(throws: StoreError.self) { try store.fetch(request) }?.reason
    }

    #expect(
      reason(all.order(by: \.user?.login))
        == "`\\Issue.user?.login?` is not a stored key of `Issue` but of the model that `user`"
        + " refers to: use the closure form, as in `order { $0.user.login }`")
    #expect(
      reason(all.order(by: \.place.name))
        == "`\\Issue.place.name` is not a stored key of `Issue` but of the nested model `place`:"
        + " use the closure form, as in `order { $0.place.name }`")
    #expect(
      reason(all.filter { $0.isOld == true })
        == "a computed property of `Issue` with type `Bool` is not a stored key of `Issue`:"
        + " declare the property with `.key` in the mapping")
    _ = try store.fetch(all.order { $0.user.login }.order { $0.place.name })
  }

  @Test func allThatIsWrongIsListed() throws {
    let request = RowRequest("Show")
      .filter { $0["a"] == 1 && ($0["title"] > 3 || !$0["chapters"].any { $0["b"] == 1 }) }
      .order(by: "c").limit(-1).offset(-2)

    let error = #expect(throws: StoreError.self) {
      try ModelStore.shows().fetchIdentities(request)
    }

    #expect(
      error?.reason
        == "`Show` has no key `a`; `Show.title` (string) cannot be compared with `3` (integer);"
        + " `Chapter` has no key `b`; `Show` has no key `c`; the limit -1 is negative;"
        + " the offset -2 is negative")
  }

  @Test func aKeyOfAClosureThatHasReturnedIsRefused() throws {
    var kept: RowKey?
    _ = RowRequest("Show").filter { keys in
      kept = keys["id"]
      return .always
    }
    let key = try #require(kept)
    let request = RowRequest("Show").filter { _ in key == 1 }

    let error = #expect(throws: StoreError.self) {
      try ModelStore.shows().fetchIdentities(request)
    }

    #expect(error?.reason == "`id` is a key of a row outside the condition")
  }

  @Test func conditionsMayLieAsDeepAsIsSaid() throws {
    let store = try ModelStore.shows()
    var filter = RowRequest("Chapter").filter { $0["start"] >= 0.0 }.filter
    for level in 0..<14 {
      let inner = filter
      let request = RowRequest("Show")
      filter =
        level.isMultiple(of: 2)
        ? request.filter { $0["show"]["chapters"].any { _ in inner } }.filter
        : request.filter { _ in !(inner && .not(.never)) }.filter
    }

    #expect(throws: Never.self) {
      try store.fetchCount(RowRequest("Chapter").filter { _ in filter })
    }
  }
}
