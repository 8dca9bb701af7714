import Moho
import TerminalScreen

/// Somebody who watches a list in a terminal: what they see, what is selected,
/// and what keys mean to them.
///
/// A value, to which events happen at moments that the caller names: it knows of
/// no terminal and no clock. Rows are read from the snapshot of the list, as many
/// as are shown.
public struct WatchState {
  /// What keys are for.
  enum Mode: Hashable {
    case browsing
    case filtering(LineEditor)
    /// Of a row; and whether its title is being saved.
    case editing(Int64, LineEditor, isSaving: Bool)
    case help
  }

  /// What is said at the bottom.
  struct Message: Hashable {
    var lines: [String]
    var isError = false
    /// When it goes; nil where it stays until a key is pressed.
    var end: Duration?
  }

  /// The list that is wanted, with what is searched for.
  public internal(set) var list: EpisodeList
  /// The list that is followed, or was asked for.
  var followed: EpisodeList
  /// The list that is followed for certain.
  var confirmed: EpisodeList
  var isFollowing = false
  /// The state of the list from which on it is the one that is followed.
  var followedGeneration = 0

  /// The state of the list that is shown.
  public internal(set) var snapshot: ResultsSnapshot<Episode>
  var selection = Selection()
  var top = 0
  /// The size of the terminal.
  public internal(set) var size: TerminalSize
  var mode = Mode.browsing
  var message: Message?
  var recent = RecentChanges()
  var columns = EpisodeColumns()
  /// What the last frame showed.
  var shown = ShownRows()
  /// How long marks and messages stay.
  let linger: Duration
  /// The moment of the last event.
  var now = Duration.zero

  /// Begins to watch a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - snapshot: The state of it that is known.
  ///   - size: The size of the terminal.
  ///   - linger: How long marks of changes stay.
  public init(
    _ list: EpisodeList, _ snapshot: ResultsSnapshot<Episode>, size: TerminalSize,
    linger: Duration = .seconds(3)
  ) {
    self.list = list
    followed = list
    confirmed = list
    self.snapshot = snapshot
    self.size = size
    self.linger = linger
    select(0)
  }

  /// The episode that is selected, if there is one and it can be read.
  public var selectedEpisode: Episode? {
    selection.rowID.flatMap { snapshot.index.path(of: $0) }.flatMap { snapshot[$0] }
  }

  /// When something is to vanish from the screen by itself: a `tick` is due then.
  public var nextChange: Duration? {
    [recent.nextEnd, message?.end].compactMap { $0 }.min()
  }

  /// Lets an event happen.
  ///
  /// - Parameter now: The time since some moment, never earlier than before.
  /// - Returns: What is to be done.
  public mutating func handle(_ event: WatchEvent, at now: Duration) -> [WatchAction] {
    self.now = now
    recent.expire(at: now)
    if let end = message?.end, end <= now { message = nil }
    switch event {
    case .key(let key): return press(key)
    case .resize(let size): self.size = size
    case .update(let update): take(update)
    case .followed(let result): return follow(result)
    case .edited(let edit, let result): finish(edit, result)
    case .tick: break
    }
    return []
  }

  mutating func say(_ text: String) {
    message = text.isEmpty ? nil : Message(lines: [text], end: now + linger)
  }

  mutating func complain(_ lines: [String]) {
    message = Message(lines: lines, isError: true)
  }
}
