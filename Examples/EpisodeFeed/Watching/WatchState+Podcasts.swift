import Moho
import TerminalScreen
import TextTables

extension WatchState {
  /// Shows the list of podcasts.
  mutating func showPodcasts() -> [WatchAction] {
    mode = .podcasts(PodcastPicker(list.podcast))
    return [.followPodcasts]
  }

  private mutating func leavePodcasts() -> [WatchAction] {
    mode = .browsing
    return [.leavePodcasts]
  }

  mutating func updatePodcasts(_ result: Result<PodcastCounts, any Error>) {
    guard case .podcasts(var picker) = mode else { return }
    switch result {
    // An outage is reported for the list, too.
    case .failure(let error as StoreError) where error.isOutage: break
    case .failure(let error): showError(Self.reasons(error))
    case .success(let counts):
      podcasts = counts
      picker.reselect(in: counts)
      mode = .podcasts(picker)
    }
  }

  /// Handles a key in the list of podcasts.
  mutating func pick(_ key: Key, _ picker: PodcastPicker) -> [WatchAction] {
    var picker = picker
    let page = max(1, podcastHeight - 1)
    func select(_ position: Int) { picker.select(position, in: podcasts) }
    switch (key, bindings[key]) {
    case (.enter, _), (.right, _), (_, .openPage): return choose(picker)
    case (.escape, _) where refresh != nil: return cancelRefresh()
    case (.escape, _), (_, .showPodcasts): return leavePodcasts()
    case (_, .selectPrevious): select(picker.position - 1)
    case (_, .selectNext): select(picker.position + 1)
    case (_, .pageUp): select(picker.position - page)
    case (_, .pageDown): select(picker.position + page)
    case (_, .selectFirst): select(0)
    case (_, .selectLast): select(.max)
    case (_, .refresh): return toggleRefresh(of: picker.title)
    case (_, .help):
      let actions = leavePodcasts()
      mode = .help(top: 0)
      return actions
    case (_, .quit): return [.quit]
    default: return []
    }
    mode = .podcasts(picker)
    return []
  }

  /// Shows the episodes of the selected podcast.
  private mutating func choose(_ picker: PodcastPicker) -> [WatchAction] {
    let actions = leavePodcasts()
    guard picker.title.map({ Array($0.utf8) }) != list.podcast.map({ Array($0.utf8) }) else {
      return actions
    }
    list.podcast = picker.title
    list.search = nil
    return actions + requestList()
  }

  /// Handles the mouse in the list of podcasts.
  mutating func pick(_ event: MouseEvent, _ picker: PodcastPicker) -> [WatchAction] {
    var picker = picker
    switch event.kind {
    case .press:
      let layout = displayedLayout ?? layout
      let line = event.position.line - layout.headerHeight - headingHeight
      guard (0..<podcastHeight).contains(line),
        picker.top + line < PodcastPicker.rowCount(podcasts)
      else { return [] }
      picker.select(picker.top + line, in: podcasts)
      let isDouble = isDoubleClick(on: .podcast(position: picker.position))
      mode = .podcasts(picker)
      return isDouble ? choose(picker) : []
    case .wheelUp: picker.scroll(by: -Self.wheelStep, in: podcasts, height: podcastHeight)
    case .wheelDown: picker.scroll(by: Self.wheelStep, in: podcasts, height: podcastHeight)
    }
    mode = .podcasts(picker)
    return []
  }

  /// The number of lines above the podcasts that name the columns.
  private var headingHeight: Int { layout.listHeight > 3 && size.width >= 32 ? 1 : 0 }

  /// The number of lines for podcasts.
  private var podcastHeight: Int { max(1, layout.listHeight - headingHeight) }

  /// The header of the list of podcasts.
  func podcastHeader(_ picker: PodcastPicker) -> (left: String, right: String) {
    let count = podcasts?.podcasts.count
    let left = count.map { " \($0) podcast\($0 == 1 ? "" : "s")" } ?? " podcasts …"
    return (left, "\(picker.position + 1)/\(PodcastPicker.rowCount(podcasts)) ")
  }

  /// The lines of the list of podcasts.
  mutating func drawPodcasts(_ picker: PodcastPicker) -> [StyledLine] {
    var picker = picker
    let height = podcastHeight
    let count = PodcastPicker.rowCount(podcasts)
    picker.scroll(rowCount: count, height: height)
    mode = .podcasts(picker)
    let visible = picker.top..<min(count, picker.top + height)
    let bar =
      size.width >= Self.minimumBarWidth
      ? PositionBar(height: height, visible: visible, count: count) : nil
    let columns = PodcastColumns(podcasts, width: size.width - (bar == nil ? 0 : 1))
    let rows = visible.enumerated().map { number, position in
      var line = columns.line(at: position, isSelected: position == picker.position)
      if let bar {
        line.fill(to: size.width - 1)
        line.append(bar.piece(number))
      }
      return line
    }
    return (headingHeight > 0 ? [columns.heading] : []) + rows
  }
}

/// The columns of the list of podcasts: the numbers of episodes, the length of those that
/// are not played, and the title.
private struct PodcastColumns {
  private let counts: PodcastCounts?
  private let width: Int
  private let unplayedWidth: Int
  private let timeWidth: Int
  private let countWidth: Int

  private static let unplayedTitle = "not played"
  private static let timeTitle = "time"
  private static let countTitle = "episodes"

  init(_ counts: PodcastCounts?, width: Int) {
    self.counts = counts
    self.width = width
    let isWide = width >= 32
    let unplayed = counts?.unplayed ?? UnplayedSummary(count: 0)
    unplayedWidth = max(isWide ? Self.unplayedTitle.count : 0, "\(unplayed.count)".count)
    timeWidth =
      width >= 48 && unplayed.seconds > 0
      ? max(Self.timeTitle.count, EpisodeText.duration(unplayed.seconds).count) : 0
    countWidth = isWide ? max(Self.countTitle.count, "\(counts?.count ?? 0)".count) : 0
  }

  var heading: StyledLine {
    StyledLine(
      cells(Self.unplayedTitle, Self.timeTitle, Self.countTitle) + "podcast", Style(isDim: true))
  }

  /// The row of a podcast. The first row stands for all podcasts.
  func line(at position: Int, isSelected: Bool) -> StyledLine {
    let podcast = position == 0 ? nil : counts?.podcasts[position - 1]
    let title = podcast.map { $0.title.isEmpty ? "No podcast" : $0.title } ?? "All podcasts"
    let unplayed = podcast?.unplayed ?? counts?.unplayed
    let count = podcast?.count ?? counts?.count
    var line = StyledLine(
      cells(
        unplayed.map { "\($0.count)" } ?? "…",
        unplayed.map { $0.seconds > 0 ? EpisodeText.duration($0.seconds) : "" } ?? "…",
        count.map { "\($0)" } ?? "…") + title,
      Style(isBold: unplayed?.count ?? 0 > 0, isDim: unplayed?.count == 0))
    guard isSelected else { return line.cut(to: width) }
    line = line.cut(to: width)
    line.fill(to: width)
    return line.styled { style in
      style.isReversed = true
      style.isDim = false
    }
  }

  private func cells(_ unplayed: String, _ time: String, _ count: String) -> String {
    func rightAligned(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - TextWidth.of(text))) + text + "  "
    }
    return " " + rightAligned(unplayed, unplayedWidth)
      + (timeWidth > 0 ? rightAligned(time, timeWidth) : "")
      + (countWidth > 0 ? rightAligned(count, countWidth) : "")
  }
}
