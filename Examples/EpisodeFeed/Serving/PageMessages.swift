import Foundation
import Moho

/// The first event of a list: its sections, and its first rows.
public struct ListMessage: MappedModel, Hashable {
  /// The version of the list.
  public var version: String
  /// All sections in order.
  public var sections: [Section]
  /// The first rows.
  public var rows: [PageRow]

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "List", ListMessage.init,
    .key("version", \.version), .key("sections", \.sections), .key("rows", \.rows))

  /// A section: its key, its number of rows, and those that are not played.
  public struct Section: MappedModel, Hashable {
    /// The key; nil for `SectionKey.null`, whose JSON form is null.
    public var key: SectionKey?
    /// The number of rows.
    public var count: Int
    /// The episodes that are not played; nil in a list without sections.
    public var unplayed: UnplayedSummary?

    /// The keys of the JSON form.
    public static let mapping = Mapping(
      "Section", Section.init, .key("key", \.key, .codable, .nilAsNull), .key("count", \.count),
      .key("unplayed", \.unplayed))
  }
}

/// A change from one version of a list to a later one.
public struct ChangeMessage: MappedModel, Equatable {
  /// The version before the change.
  public var from: String
  /// The version after the change.
  public var version: String
  /// The number of rows after the change.
  public var count: Int
  /// The change.
  public var changes: ChangeSet
  /// The values of inserted and changed rows; nil if there are no such rows.
  public var episodes: [PageRow]?
  /// The summaries of inserted and updated sections; nil if there are no such sections.
  public var summaries: [Summary]?

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Change", ChangeMessage.init,
    .key("from", \.from), .key("version", \.version), .key("count", \.count),
    .key("changes", \.changes, .codable), .key("episodes", \.episodes),
    .key("summaries", \.summaries))

  /// The episodes of a section that are not played.
  public struct Summary: MappedModel, Hashable {
    /// The index of the section after the change.
    public var section: Int
    /// The episodes that are not played.
    public var unplayed: UnplayedSummary

    /// The keys of the JSON form.
    public static let mapping = Mapping(
      "Summary", Summary.init, .key("section", \.section), .key("unplayed", \.unplayed))
  }
}

/// A window of rows.
public struct RowsMessage: MappedModel, Hashable {
  /// The version whose order the window has.
  public var version: String
  /// The position of the first row.
  public var from: Int
  /// The rows.
  public var rows: [PageRow]

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Rows", RowsMessage.init,
    .key("version", \.version), .key("from", \.from), .key("rows", \.rows))
}

/// The answer to a command: a text for the user, if the result is not visible in
/// the list.
public struct CommandMessage: MappedModel, Hashable {
  /// The text.
  public var message: String?
  /// What could not be done.
  public var details: [String]?
  /// The ID of the row that an undo or redo has changed or inserted.
  public var rowID: Int64?

  /// Creates an answer.
  public init(message: String? = nil, details: [String]? = nil, rowID: Int64? = nil) {
    self.message = message
    self.details = details
    self.rowID = rowID
  }

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Answer", CommandMessage.init, .key("message", \.message), .key("details", \.details),
    .key("id", \.rowID, .rowID))
}

/// A server-sent event.
public struct ServerEvent: Hashable, Sendable {
  /// The version of the list, the podcasts or the activities after the event.
  public let version: String
  /// The event as text in UTF-8.
  public let text: Data

  /// Sent while nothing changes, so that the server and the page notice a lost
  /// connection.
  public static let heartbeat = Data(":\n\n".utf8)
  /// The beginning of the stream: the time after which a client reconnects.
  public static let opening = Data("retry: 1000\n\n".utf8)

  /// An event that replaces the list.
  public init(_ message: ListMessage) throws {
    try self.init("list", message.version, JSONAdapter().data(from: message))
  }

  /// An event that changes the list.
  public init(_ message: ChangeMessage) throws {
    try self.init("change", message.version, JSONAdapter().data(from: message))
  }

  /// An event with the podcasts.
  public init(_ message: PodcastsMessage, version: String) throws {
    try self.init(whole: "podcasts", version, JSONAdapter().data(from: message))
  }

  /// An event with the activities.
  init(_ message: ActivitiesMessage, version: String) throws {
    try self.init(whole: "activities", version, JSONAdapter().data(from: message))
  }

  /// An event that replaces the earlier one. It needs no ID.
  private init(whole name: String, _ version: String, _ data: Data) {
    self.version = version
    text = Data("event: \(name)\ndata: ".utf8) + data + Data("\n\n".utf8)
  }

  // Compact JSON has no line breaks, so an event has one data line.
  private init(_ name: String, _ version: String, _ data: Data) {
    self.version = version
    text = Data("event: \(name)\nid: \(version)\ndata: ".utf8) + data + Data("\n\n".utf8)
  }
}
