import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite

/// A list of episodes, as a request for Moho and as SQL for other contenders.
enum EpisodeList: String, CaseIterable {
  case newest = "newest first"
  case longest = "longest first, without an index"
  case sectioned = "in sections by show"

  static let columns =
    #""id", "show", "title", "summary", "url", "publishedAt", "duration", "season""#
  static let pageSize = 50

  var request: ModelRequest<ListedEpisode> {
    let request = ModelRequest<ListedEpisode>().batchSize(Self.pageSize)
    return switch self {
    case .newest: request.order(by: \.publishedAt, .descending)
    case .longest: request.order(by: \.duration, .descending)
    case .sectioned: request.order(by: \.show).order(by: \.publishedAt)
    }
  }

  /// The number of the workload that opens the list.
  var number: String { self == .sectioned ? "W10" : "W5" }

  func controller(
    in store: ModelStore, startingWith start: InitialRows = .allRows
  ) throws -> ResultsController<ListedEpisode> {
    switch self {
    case .newest, .longest: try ResultsController(request, in: store, startingWith: start)
    case .sectioned:
      try ResultsController(request, in: store, sectionedBy: \.show, startingWith: start)
    }
  }

  /// The ordering of the list. Dates and durations are unique, so no further
  /// ordering is necessary.
  private var order: String {
    switch self {
    case .newest: #"ORDER BY "publishedAt" DESC"#
    case .longest: #"ORDER BY "duration" DESC"#
    case .sectioned: #"ORDER BY "show", "publishedAt""#
    }
  }

  /// Selects all row IDs in order, and the section of each row in a sectioned
  /// list.
  var scan: String {
    let columns = self == .sectioned ? #""id", "show""# : #""id""#
    return #"SELECT \#(columns) FROM "ListedEpisode" \#(order)"#
  }

  /// Selects all rows in order.
  var rows: String { #"SELECT \#(Self.columns) FROM "ListedEpisode" \#(order)"# }

  var firstPage: String { "\(rows) LIMIT \(Self.pageSize)" }

  /// Selects a page of rows by ID.
  static var page: String {
    let marks = Array(repeating: "?", count: pageSize).joined(separator: ", ")
    return #"SELECT \#(columns) FROM "ListedEpisode" WHERE "id" IN (\#(marks))"#
  }

  /// Selects the sort values of a row, and its ID last.
  var evaluation: String {
    let columns =
      switch self {
      case .newest: #""publishedAt", "id""#
      case .longest: #""duration", "id""#
      case .sectioned: #""show", "publishedAt", "id""#
      }
    return #"SELECT \#(columns) FROM "ListedEpisode" WHERE "id" IN (?1)"#
  }

  /// Selects the row before another one through the database index. The
  /// parameters are the result of `evaluation`.
  var probe: String {
    switch self {
    case .newest:
      #"SELECT "id" FROM "ListedEpisode" WHERE ("publishedAt", "id") > (?1, ?2) "#
        + #"ORDER BY "publishedAt", "id" LIMIT 1"#
    case .longest:
      #"SELECT "id" FROM "ListedEpisode" WHERE ("duration", "id") > (?1, ?2) "#
        + #"ORDER BY "duration", "id" LIMIT 1"#
    case .sectioned:
      #"SELECT "id" FROM "ListedEpisode" WHERE ("show", "publishedAt", "id") < (?1, ?2, ?3) "#
        + #"ORDER BY "show" DESC, "publishedAt" DESC, "id" DESC LIMIT 1"#
    }
  }
}
