import Foundation
import Moho

/// A list of episodes: conditions, sections and order. Episodes that the order
/// does not distinguish are ordered by id.
public struct EpisodeList: Sendable, Hashable {
  /// How episodes are grouped.
  public enum Sections: String, CaseIterable, Sendable {
    /// One list without headings.
    case none
    /// By season, the latest first; episodes without a season come last.
    case season
    /// By the title of the podcast.
    case podcast
  }

  /// The order of the episodes in a section.
  public enum Order: String, CaseIterable, Sendable {
    /// The newest first; episodes without a date come last.
    case newest
    /// The oldest first; episodes without a date come last.
    case oldest
    /// By title, as readers order titles.
    case title
    /// The longest first; episodes without a length come last.
    case longest

    /// The order in words, such as `newest first`.
    public var text: String { self == .title ? "A to Z" : "\(rawValue) first" }
  }

  /// How the episodes are grouped.
  public var sections: Sections
  /// The order of the episodes in a section.
  public var order: Order
  /// Words in the title or summary, ignoring case and accents; nil for all
  /// episodes.
  ///
  /// All words must occur, in any order. The last one can be the beginning of a
  /// word, so that typing finds words before they are complete. Words in
  /// quotation marks must be next to each other. Text without words, such as
  /// `?!`, and any text in a store without full-text indexes, must occur as it
  /// is, also inside words.
  public var search: String?
  /// The title of the podcast; nil for all podcasts.
  public var podcast: String?
  /// Whether the list has only episodes that the user has not listened to.
  public var hidesPlayed: Bool
  /// The maximum number of episodes.
  public var limit: Int?

  /// Creates a list.
  public init(
    sections: Sections = .none, order: Order = .newest, search: String? = nil,
    podcast: String? = nil, hidesPlayed: Bool = false, limit: Int? = nil
  ) {
    self.sections = sections
    self.order = order
    self.search = search
    self.podcast = podcast
    self.hidesPlayed = hidesPlayed
    self.limit = limit
  }

  /// Whether another list has the same episodes, perhaps in another order.
  func hasSameEpisodes(as other: EpisodeList) -> Bool {
    search == other.search && podcast == other.podcast && hidesPlayed == other.hidesPlayed
      && limit == other.limit
  }

  /// The order and the sections in words, such as `by season, newest first`.
  var arrangement: String {
    (sections == .none ? "" : "by \(sections.rawValue), ") + order.text
  }
}
