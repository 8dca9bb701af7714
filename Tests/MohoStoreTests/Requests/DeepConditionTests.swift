import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests that conditions of any size and depth are either evaluated or rejected
/// with an error that names the limit.
@Suite(.allEngines) struct DeepConditionTests {
  private typealias Show = Shows.Show

  static let count = 100_000

  /// Checks the result of a request in SQL and in memory.
  func check(
    _ request: RowRequest, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let store = try ModelStore.shows()

    let errors = [
      #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
        try store.fetchIdentities(request)
      },
      #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
        try store.explain(request)
      },
      #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
        try RequestEvaluator(request, in: store.schema)
      },
    ]

    for error in errors {
      #expect(error?.code == .invalidRequest, sourceLocation: sourceLocation)
      #expect(error?.reason == message, sourceLocation: sourceLocation)
    }
  }

  @Test func manyFiltersAreOneLevel() throws {
    var request = RowRequest("Show")
    for number in 0..<Self.count { request = request.filter { $0["id"] != number } }

    try check(request, "the request has more than 10000 conditions")
    #expect(request.filter == request.filter && request.filter.description.count > Self.count)
    #expect(request.filter.hashValue == request.filter.hashValue)
  }

  @Test(arguments: [true, false]) func manyAlternativesAreOneLevel(isBefore: Bool) throws {
    var filter = Filter.never
    let key = RowRequest.keys(of: KeyName([]))
    for number in 0..<Self.count {
      filter = isBefore ? (key["id"] == number) || filter : filter || (key["id"] == number)
    }

    try check(
      RowRequest("Show").filter { _ in filter }, "the request has more than 10000 conditions")
    guard case .or(let filters) = filter.kind else { return #expect(Bool(false)) }
    #expect(filters.count == Self.count)
    #expect(filters[isBefore ? Self.count - 1 : 0] == (key["id"] == 0))
  }

  @Test func thousandsOfConditionsAreCarriedOut() throws {
    let store = try ModelStore.shows()
    var all = ModelRequest<Show>()
    for number in 0..<3_000 { all = all.filter { $0.id != number + 3 } }
    let any = ModelRequest<Show>().filter { keys in
      (0..<3_000).reduce(Filter.never) { $0 || keys.id == $1 * 2 }
    }

    #expect(try store.fetchIdentities(all) == [1, 2])
    #expect(try store.fetchIdentities(any) == [2, 4])
    let evaluator = try RequestEvaluator(any, in: store.schema)
    #expect(evaluator.matches(NumberedRow(id: 4)))
    #expect(!evaluator.matches(NumberedRow(id: 3)))
  }

  @Test func doubleNegationsCancelOut() throws {
    let store = try ModelStore.shows()
    var filter = RowRequest.keys(of: KeyName([]))["id"] == 2
    for _ in 0..<Self.count { filter = !filter }

    #expect(try store.fetchIdentities(RowRequest("Show").filter { _ in filter }) == [2])
  }

  @Test(arguments: ["!", "any", "all", "count", "+", "*"])
  func whatLiesTooDeepIsRefused(kind: String) throws {
    let key = RowRequest.keys(of: KeyName([]))
    var filter = key["id"] == 2
    var operand = Operand.key(KeyName(["id"]))
    for number in 0..<Self.count {
      switch kind {
      case "!": filter = !(filter && key["id"] != number)
      case "any": filter = .related(KeyName(["chapters"]), .any, filter)
      case "all": filter = .related(KeyName(["chapters"]), .all, .not(filter))
      case "count":
        filter = .comparison(
          .count(KeyName(["chapters"]), filter), .greater, .constant(.int64(1)))
      case "+": operand = .arithmetic(operand, .add, .constant(.int64(1)))
      default: operand = .arithmetic(.constant(.int64(1)), .multiply, operand)
      }
    }
    if kind == "+" || kind == "*" {
      filter = .comparison(operand, .equal, .constant(.int64(1)))
    }

    let store = try ModelStore.shows()
    let request = RowRequest("Show").filter { _ in filter }
    let error = #expect(throws: StoreError.self) { try store.fetchIdentities(request) }

    #expect(error?.code == .invalidRequest)
    #expect(
      error?.reason.contains("conditions are nested more than 24 levels deep") == true)
    #expect(filter.description.count < 10_000)
    #expect(filter == filter && filter.hashValue == filter.hashValue)
  }

  @Test func listsThatShareABeginningAreApart() {
    let key = RowRequest.keys(of: KeyName([]))
    let start = key["id"] == 1 && key["id"] == 2
    let one = start && key["id"] == 3
    let other = start && key["id"] == 4
    let before = key["id"] == 0 && start

    #expect(start.description == "(id == 1 && id == 2)")
    #expect(one.description == "(id == 1 && id == 2 && id == 3)")
    #expect(other.description == "(id == 1 && id == 2 && id == 4)")
    #expect(
      (one && other).description
        == "(id == 1 && id == 2 && id == 3 && id == 1 && id == 2 && id == 4)")
    #expect(before.description == "(id == 0 && id == 1 && id == 2)")
    #expect((key["id"] == 9 && one) != (key["id"] == 8 && one))
    #expect(one == .and([key["id"] == 1, .and([key["id"] == 2, key["id"] == 3])]))
  }

  @Test func aPathIsLimited() throws {
    let path = (0..<1_000).reduce(RowRequest.keys(of: KeyName([]))["podcast"]) { key, _ in
      key["podcast"]
    }

    try check(
      RowRequest("Show").filter { _ in path == 1 },
      "the path from `podcast` has more than 63 keys")
  }
}

private struct NumberedRow: FilterSubject {
  let id: Int64

  func value(of key: String) -> FieldContent { key == "id" ? .int64(id) : .null }

  func related(by key: String) -> [any FilterSubject] { [] }
}
