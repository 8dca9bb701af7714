import Foundation
import Moho

/// What a request asks for.
public enum PageRequest: Hashable, Sendable {
  /// A file of the page.
  case file(PageFile)
  /// The events of a list for a page, which has a name so that it can replace its
  /// earlier list.
  case events(EpisodeList, page: String? = nil)
  /// The podcasts and the activities, whenever they change.
  case podcasts
  /// A window of rows in a version of a list.
  case rows(EpisodeList, version: String, from: Int, count: Int)
  /// What a page shows of one episode.
  case details(Int64)
  /// Fetches the chapters of an episode from their document.
  case chapters(Int64)
  /// Remembers where the user stopped listening; the body is a
  /// ``PositionChange``.
  case setPosition
  /// A change of an episode; its body is an ``EpisodeChange``.
  case change(Int64)
  /// The deletion of an episode.
  case delete(Int64)
  /// Undoes the last edit.
  case undo
  /// Redoes the edit that was undone last.
  case redo
  /// Imports the body.
  case importFile
  /// Imports from an address; the body is a ``FeedAddress``.
  case importURL
  /// Fetches the feeds of a podcast again; nil for all podcasts.
  case refresh(podcast: String?)
  /// Cancels an activity.
  case cancel(Int)

  /// Reads the method and the target of a request.
  ///
  /// - Parameters:
  ///   - path: The path as it was sent, with percent escapes.
  ///   - query: The query as it was sent.
  /// - Throws: ``PageError``.
  public init(method: String, path: String, query: String) throws {
    let requests = try Self.requests(path)
    guard let make = requests[method] else {
      throw PageError(
        .invalidMethod, "\(path) has the methods \(Self.methods(path).joined(separator: ", "))")
    }
    self = try make(QueryParameters(query))
  }

  /// The methods of a path; empty if it does not exist.
  public static func methods(_ path: String) -> [String] {
    ((try? requests(path)) ?? [:]).keys.sorted()
  }

  /// Whether only the page of the server may send the request: it changes the
  /// store, or it makes the server fetch a document.
  public var isCommand: Bool { bodyLimit != nil }

  /// The maximum size of the body in bytes; nil for requests without a body.
  public var bodyLimit: Int? {
    switch self {
    case .file, .events, .podcasts, .rows, .details: nil
    case .change, .chapters, .setPosition, .delete, .undo, .redo, .importURL, .refresh, .cancel:
      16 << 10
    case .importFile: 32 << 20
    }
  }

  /// Whether the body must be JSON.
  public var requiresJSON: Bool {
    switch self {
    case .change, .setPosition, .importURL: true
    default: false
    }
  }

  private typealias Maker = (QueryParameters) throws -> PageRequest

  private static func requests(_ path: String) throws -> [String: Maker] {
    switch path {
    case "/events": return ["GET": { .events(try $0.list(), page: try $0.page()) }]
    case "/podcasts": return ["GET": { _ in .podcasts }]
    case "/rows":
      return [
        "GET": {
          .rows(
            try $0.list(), version: try $0.text("version"),
            from: try $0.number("from", 0...RowPath.limit),
            count: try $0.number("count", 1...LiveList.windowLimit))
        }
      ]
    case "/undo": return ["POST": { _ in .undo }]
    case "/redo": return ["POST": { _ in .redo }]
    case "/import/file": return ["POST": { _ in .importFile }]
    case "/import/url": return ["POST": { _ in .importURL }]
    case "/position": return ["PUT": { _ in .setPosition }]
    case "/refresh": return ["POST": { .refresh(podcast: try $0.podcast()) }]
    default:
      if let file = PageFile(path: path) { return ["GET": { _ in .file(file) }] }
      let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      switch (parts.first, parts.dropFirst().first.flatMap(number), parts.dropFirst(2)) {
      case ("episodes", let rowID?, []):
        return [
          "GET": { _ in .details(rowID) }, "PATCH": { _ in .change(rowID) },
          "DELETE": { _ in .delete(rowID) },
        ]
      case ("episodes", let rowID?, ["chapters"]): return ["POST": { _ in .chapters(rowID) }]
      case ("activities", let id?, []): return ["DELETE": { _ in .cancel(Int(id)) }]
      default: break
      }
      throw PageError(.notFound, "there is nothing at this address")
    }
  }

  /// The number of digits in their shortest form. Nil for other text.
  private static func number(_ digits: Substring) -> Int64? {
    Int64(digits).flatMap { "\($0)" == digits ? $0 : nil }
  }
}

extension RowPath {
  /// The maximum position of a row in a request.
  fileprivate static let limit = 1 << 30
}

/// The parameters of a query, as a browser's `URLSearchParams` writes them.
struct QueryParameters {
  private var values: [String: String] = [:]

  /// - Throws: ``PageError`` if an escape is malformed.
  init(_ query: String) throws {
    for pair in query.split(separator: "&") {
      let parts = try pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { part in
          guard let text = part.replacing("+", with: " ").removingPercentEncoding else {
            throw PageError(.invalidRequest, "the query has an invalid escape")
          }
          return text
        }
      values[parts[0]] = parts.count > 1 ? parts[1] : ""
    }
  }

  /// The list with the given sections, order and conditions.
  func list() throws -> EpisodeList {
    let search = try text("search", upTo: EpisodeList.searchLimit) ?? ""
    return EpisodeList(
      sections: try choice("sections") ?? .none, order: try choice("order") ?? .newest,
      search: search.isEmpty ? nil : search,
      podcast: try podcast(),
      hidesPlayed: try choice("played") == PlayedEpisodes.hide)
  }

  /// The title of a podcast; nil for all podcasts.
  func podcast() throws -> String? { try text("podcast", upTo: EpisodeList.podcastLimit) }

  private enum PlayedEpisodes: String, CaseIterable { case show, hide }

  /// A value of an enumeration; nil if the parameter is missing.
  private func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws -> Choice? {
    guard let text = values[name] else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw PageError(.invalidRequest, "`\(name)` must be one of \(names)")
    }
    return choice
  }

  /// A text; nil if the parameter is missing.
  private func text(_ name: String, upTo limit: Int) throws -> String? {
    guard let text = values[name] else { return nil }
    guard text.utf16.count <= limit else {
      throw PageError(.invalidRequest, "`\(name)` must have at most \(limit) characters")
    }
    return text
  }

  /// The name that a page has chosen; nil without one.
  func page() throws -> String? {
    guard let name = values["page"] else { return nil }
    guard (1...40).contains(name.utf8.count) else {
      throw PageError(.invalidRequest, "`page` must have 1 to 40 bytes")
    }
    return name
  }

  func text(_ name: String) throws -> String {
    guard let text = values[name], !text.isEmpty else {
      throw PageError(.invalidRequest, "`\(name)` is missing")
    }
    return text
  }

  func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int {
    guard let number = Int(try text(name)), range.contains(number) else {
      throw PageError(
        .invalidRequest,
        "`\(name)` must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

extension EpisodeList {
  fileprivate static let searchLimit = 200
  /// The maximum length of a podcast's title in a request, in UTF-16 code units.
  static let podcastLimit = 500
}
