/// The selection in the list of podcasts, whose first row stands for all of
/// them.
struct PodcastPicker: Hashable {
  /// The title of the selected podcast; nil for all podcasts.
  private(set) var title: String?
  /// The position of the selected row.
  private(set) var position = 0
  /// The position of the first visible row.
  private(set) var top = 0

  /// Selects a podcast; nil for all podcasts.
  init(_ title: String?) { self.title = title }

  /// The number of rows.
  static func rowCount(_ counts: PodcastCounts?) -> Int { 1 + (counts?.podcasts.count ?? 0) }

  /// Selects the row at a position, or the row closest to it. Nothing changes
  /// while the podcasts are not known.
  mutating func select(_ position: Int, in counts: PodcastCounts?) {
    guard let counts else { return }
    self.position = max(0, min(position, counts.podcasts.count))
    title = self.position == 0 ? nil : counts.podcasts[self.position - 1].title
  }

  /// Selects the same podcast after a change; its neighbor if it is gone.
  mutating func reselect(in counts: PodcastCounts) {
    guard let title else { return position = 0 }
    // Titles that are canonically equivalent differ.
    let index = counts.podcasts.firstIndex { $0.title.utf8.elementsEqual(title.utf8) }
    if let index { position = index + 1 } else { select(position, in: counts) }
  }

  /// Scrolls as little as possible, so that the selected row is visible and no
  /// line is empty that a row could fill.
  mutating func scroll(rowCount: Int, height: Int) {
    top = max(0, min(top, rowCount - height))
    top = min(position, max(top, position - max(1, height) + 1))
  }

  /// Scrolls by a number of rows. The selection changes only if its row is no
  /// longer visible.
  mutating func scroll(by count: Int, in counts: PodcastCounts?, height: Int) {
    top = max(0, min(top + count, Self.rowCount(counts) - height))
    select(max(top, min(position, top + max(1, height) - 1)), in: counts)
  }
}
