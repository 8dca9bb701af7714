import Foundation
import Moho
import TextTables

/// An error as the server reports it to a page: the status of the answer, and a
/// sentence for the user.
public struct PageError: Error, MappedModel, Hashable {
  /// The kind of error.
  public enum Code: String, CaseIterable, FieldValue {
    /// A parameter or a body is missing or malformed.
    case invalidRequest
    /// A command comes from a page of another origin.
    case forbiddenOrigin
    /// The path or the episode does not exist.
    case notFound
    /// The path has other methods.
    case invalidMethod
    /// The request did not arrive in time.
    case timeout
    /// Another program has changed a value that the user saw.
    case conflict
    /// The version of a list is no longer retained.
    case gone
    /// The body is larger than its limit.
    case tooLarge
    /// The body has the wrong media type.
    case unsupportedType
    /// The server does not have the name in the `Host` header.
    case wrongHost
    /// The body is not a feed.
    case invalidFeed
    /// The title is not accepted.
    case invalidTitle
    /// The address of a feed is not accepted.
    case invalidURL
    /// The head of the request is larger than its limit.
    case headTooLarge
    /// The store failed.
    case failed
    /// The feed cannot be fetched.
    case fetchFailed
    /// The store is locked or not available, or there are too many clients.
    case busy
  }

  /// The kind of error.
  public var code: Code
  /// One sentence for the user.
  public var message: String
  /// The single mistakes, if there are several.
  public var details: [String]?
  /// The values in the store that conflict with a change.
  public var current: EpisodeChange.Values?

  /// Creates an error. Unsafe characters are escaped, and only the first 20
  /// details are used.
  public init(_ code: Code, _ message: String, details: [String] = []) {
    self.init(
      code: code, message: Self.sentence(message), details: details.prefix(20).map(Self.excerpt),
      current: nil)
  }

  private init(code: Code, message: String, details: [String]?, current: EpisodeChange.Values?) {
    self.code = code
    self.message = message
    self.details = details?.isEmpty == true ? nil : details
    self.current = current
  }

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Error", PageError.init(code:message:details:current:),
    .key("code", \.code, json: "error.code"),
    .key("message", \.message, json: "error.message"),
    .key("details", \.details, json: "error.details"),
    .key("current", \.current, json: "error.current"))

  /// The status of the answer.
  public var status: Int {
    switch code {
    case .invalidRequest: 400
    case .forbiddenOrigin: 403
    case .notFound: 404
    case .invalidMethod: 405
    case .timeout: 408
    case .conflict: 409
    case .gone: 410
    case .tooLarge: 413
    case .unsupportedType: 415
    case .wrongHost: 421
    case .invalidFeed, .invalidTitle, .invalidURL: 422
    case .headTooLarge: 431
    case .failed: 500
    case .fetchFailed: 502
    case .busy: 503
    }
  }

  /// A message as a sentence: with a capital letter and a period.
  static func sentence(_ message: String) -> String {
    let text = excerpt(message)
    let isEnded = text.last.map { ".!?…".contains($0) } ?? true
    return text.prefix(1).uppercased() + text.dropFirst() + (isEnded ? "" : ".")
  }

  /// The maximum size of a title in ``current`` in bytes. The client sends it back.
  private static let titleLimit = 8 << 10

  /// The beginning of a text, without unsafe characters.
  static func excerpt(_ text: String) -> String {
    VisibleText.escaped(String(text.unicodeScalars.prefix(1_000)))
  }
}

extension PageError {
  /// Describes an error of a store, a feed or an edit.
  ///
  /// Messages do not contain the path of the store.
  public init(_ error: any Error) {
    switch error {
    case let error as PageError: self = error
    case let error as FeedError where error.code == .invalidEdit:
      self.init(.invalidTitle, error.reason)
    case let error as FeedError:
      self.init(.invalidFeed, error.reason, details: error.details)
    case let error as FetchError:
      self.init(
        error.code == .invalidURL ? .invalidURL : .fetchFailed, error.reason,
        details: [error.advice])
    case let error as RowValidationError:
      self.init(
        .invalidTitle, "the change is not valid", details: error.failures.map(\.description))
    case is ConflictError: self.init(.conflict, "another program has changed the episode")
    case let error as StoreError where error.code == .rowNotFound:
      self.init(.notFound, "the episode was deleted")
    case let error as StoreError where error.code == .busy:
      self.init(.busy, "another program has locked the store: try again")
    case let error as StoreError where error.isOutage:
      self.init(.busy, "the server of the store is not available: try again")
    case let error as StoreError: self.init(.failed, "\(error.code): \(error.reason)")
    case let error as MappingError:
      self.init(
        .failed, "the store has a row that cannot be read",
        details: error.errors.map(\.description))
    case is CancellationError: self.init(.busy, "the server is closing")
    default: self.init(.failed, "the server failed")
    }
  }

  /// The error if the version of a list is not retained.
  static let gone = PageError(.gone, "the server no longer has this version of the list")

  /// The error if the store has other values than the user saw.
  init(conflictOf change: EpisodeChange, with stored: Episode) {
    var what = "the episode"
    if change.title != nil { what = "the title to \(VisibleText.quoted(stored.title))" }
    self.init(
      .conflict, "another program has changed \(what): save again to overwrite its change")
    let isLong = stored.title.utf8.count > Self.titleLimit
    current = EpisodeChange.Values(
      title: isLong ? nil : stored.title, isPlayed: stored.isPlayed)
  }
}
