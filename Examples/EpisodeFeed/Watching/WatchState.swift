import Foundation
import Moho
import TerminalScreen

/// The state of the screen that shows a list: the visible rows, the selection,
/// and the mode that determines the meaning of keys.
///
/// The state is a value without a terminal or a clock: the caller passes events
/// with their times, performs the resulting actions, and draws the frames. The
/// state reads only rows of the snapshot that are visible or near the selection.
public struct WatchState {
  /// The meaning of keys.
  enum Mode: Hashable {
    case browsing
    case filtering(LineEditor)
    /// Editing the title of a row.
    case editing(Int64, LineEditor, isSaving: Bool)
    /// The help screen, scrolled to a line.
    case help(top: Int)
    /// The list of podcasts.
    case podcasts(PodcastPicker)
    /// Asking whether to mark all episodes of the list as played, or as not played.
    case confirming(isPlayed: Bool)
  }

  /// A message at the bottom of the screen.
  struct Message: Hashable {
    var lines: [String]
    var isError = false
    /// When the message disappears; nil if it stays until a key is pressed.
    var end: Duration?
  }

  /// The list that the user wants to see, with the text to search for.
  public internal(set) var list: EpisodeList
  /// The list that was requested last.
  var followed: EpisodeList
  /// The list that the controller follows.
  var confirmed: EpisodeList
  /// Whether a request for a list is pending.
  var isFollowing = false
  /// The first generation of the followed list.
  var followedGeneration = 0
  /// Whether the followed list has the episodes of the previous one, in
  /// another order or other sections.
  var isReordered = false

  /// The displayed snapshot of the list.
  public internal(set) var snapshot: ResultsSnapshot<Episode>
  var selection = Selection()
  /// The position of the first visible row.
  var top = 0
  /// The size of the terminal.
  public internal(set) var size: TerminalSize
  var mode = Mode.browsing
  var message: Message?
  /// Whether the server of the store is not available.
  var isOffline = false
  /// The podcasts as they were last known; nil until they have been shown.
  var podcasts: PodcastCounts?
  /// The refresh that is running.
  var refresh: RefreshProgress?
  var recent = RecentChanges()
  var columns = EpisodeColumns()
  var notes = NotesPane()
  var lastClick: Click?
  /// The rows of the last frame.
  var displayed = DisplayedRows()
  /// The layout of the last frame, which determines the meaning of positions.
  var displayedLayout: ScreenLayout?
  /// The lines of the position bar that are filled; nil if the list needs no
  /// bar.
  var bar: PositionBar?
  /// The commands of keys.
  let bindings: KeyBindings
  /// How long marks and messages are displayed.
  let linger: Duration
  /// The time zone of the displayed dates.
  let timeZone: TimeZone
  /// The time of the last event.
  var now = Duration.zero

  /// Creates the state for a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - snapshot: The snapshot to display first.
  ///   - size: The size of the terminal.
  ///   - bindings: The commands of keys.
  ///   - linger: How long marks and messages are displayed.
  ///   - timeZone: The time zone of the displayed dates.
  public init(
    _ list: EpisodeList, _ snapshot: ResultsSnapshot<Episode>, size: TerminalSize,
    bindings: KeyBindings = KeyBindings(), linger: Duration = .seconds(3),
    timeZone: TimeZone = .current
  ) {
    self.list = list
    followed = list
    confirmed = list
    self.snapshot = snapshot
    self.size = size
    self.bindings = bindings
    self.linger = linger
    self.timeZone = timeZone
    select(0)
  }

  /// The selected episode, if it can be read.
  public var selectedEpisode: Episode? {
    selection.rowID.flatMap { snapshot.index.path(of: $0) }.flatMap { snapshot[$0] }
  }

  /// When the next mark or message disappears. The caller must send a `tick`
  /// then.
  public var nextChange: Duration? {
    [recent.nextEnd, message?.end].compactMap { $0 }.min()
  }

  /// Handles an event.
  ///
  /// - Parameter now: The time since a fixed start. It must not decrease.
  /// - Returns: The actions to perform.
  public mutating func handle(_ event: WatchEvent, at now: Duration) -> [WatchAction] {
    self.now = now
    recent.expire(at: now)
    if let end = message?.end, end <= now { message = nil }
    switch event {
    case .key(let key): return handle(key)
    case .resize(let size): self.size = size
    case .update(let update):
      apply(update)
      if isOffline { showMessage("connected again") }
      isOffline = false
    case .outage: isOffline = true
    case .followed(let result): return finishFollowing(result)
    case .opened(let url, let result): finishOpening(url, result)
    case .edited(let edit, let result): finishEditing(edit, result)
    case .podcasts(let result): updatePodcasts(result)
    case .foundUnplayed(let result): selectUnplayed(result)
    case .refreshing(let step): apply(step)
    case .tick: break
    }
    return []
  }

  mutating func showMessage(_ text: String) {
    message = text.isEmpty ? nil : Message(lines: [text], end: now + linger)
  }

  mutating func showError(_ lines: [String]) {
    message = Message(lines: lines, isError: true)
  }
}
