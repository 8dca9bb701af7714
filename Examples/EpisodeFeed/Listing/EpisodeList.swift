import Foundation
import Moho

/// A list of episodes: conditions, sections and order. The newest episodes come
/// first; episodes with the same date are ordered by id.
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

  /// How the episodes are grouped.
  public var sections: Sections
  /// Text in the title or summary, ignoring case and accents; nil for all
  /// episodes.
  public var search: String?
  /// The title of the podcast; nil for all podcasts.
  public var podcast: String?
  /// The maximum number of episodes.
  public var limit: Int?

  /// Creates a list.
  public init(
    sections: Sections = .none, search: String? = nil, podcast: String? = nil, limit: Int? = nil
  ) {
    self.sections = sections
    self.search = search
    self.podcast = podcast
    self.limit = limit
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
    if let search {
      let options: TextMatch.Options = [.caseInsensitive, .diacriticInsensitive]
      request = request.filter {
        $0.title.contains(search, options) || $0.summary.contains(search, options)
      }
    }
    return request.order(by: \.publishedAt, .descending).order(by: \.id)
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
