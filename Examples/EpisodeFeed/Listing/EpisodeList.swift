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
  /// Text in the title or summary, ignoring case and accents; nil for all
  /// episodes.
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

  /// The request that fetches the list.
  public var request: ModelRequest<Episode> {
    var request = ModelRequest<Episode>().limit(limit)
    switch sections {
    case .none: break
    case .season: request = request.order(by: \.season, .descending)
    case .podcast: request = request.order(by: \.podcast)
    }
    if let podcast { request = request.filter { $0.podcast == podcast } }
    if hidesPlayed { request = request.filter { $0.isPlayed == false } }
    if let search {
      let options: TextMatch.Options = [.caseInsensitive, .diacriticInsensitive]
      request = request.filter {
        $0.title.contains(search, options) || $0.summary.contains(search, options)
      }
    }
    switch order {
    case .newest: request = request.order(by: \.publishedAt, .descending)
    case .oldest: request = request.order(by: \.publishedAt, nils: .last)
    case .title: request = request.order(by: \.title, collation: .localizedStandard)
    case .longest: request = request.order(by: \.duration, .descending)
    }
    return request.order(by: \.id)
  }

  /// A controller that follows the list.
  ///
  /// - Throws: `StoreError`.
  public func controller(in store: ModelStore) throws -> ResultsController<Episode> {
    switch sections {
    case .none: try ResultsController(request, in: store)
    case .season: try ResultsController(request, in: store, sectionedBy: \.season)
    case .podcast: try ResultsController(request, in: store, sectionedBy: \.podcast)
    }
  }

  /// A controller that follows the list, fetched without blocking the thread.
  ///
  /// - Throws: `StoreError`, and `CancellationError` if the task is canceled.
  public func controller(in store: ModelStore) async throws -> ResultsController<Episode> {
    switch sections {
    case .none: try await ResultsController(request, in: store)
    case .season: try await ResultsController(request, in: store, sectionedBy: \.season)
    case .podcast: try await ResultsController(request, in: store, sectionedBy: \.podcast)
    }
  }

  /// Makes an existing controller follow the list.
  ///
  /// - Throws: `StoreError`.
  public func apply(to controller: ResultsController<Episode>) throws {
    switch sections {
    case .none: try controller.setRequest(request)
    case .season: try controller.setRequest(request, sectionedBy: \.season)
    case .podcast: try controller.setRequest(request, sectionedBy: \.podcast)
    }
  }
}
