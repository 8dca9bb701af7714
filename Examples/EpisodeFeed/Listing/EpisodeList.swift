import Foundation
import Moho

/// Which episodes a list shows: newest first, those of one date by their ids,
/// so that the order is the same each time.
public struct EpisodeList: Sendable, Hashable {
  /// What episodes have in common that stand under one heading.
  public enum Sections: String, CaseIterable, Sendable {
    /// There are no headings.
    case none
    /// The season, the latest first, episodes without one at the end.
    case season
    /// The podcast, by name.
    case podcast
  }

  /// What stands under one heading.
  public var sections: Sections
  /// Text that the title or the summary contains, whatever its case and its
  /// accents; nil for all episodes.
  public var search: String?
  /// The title of the podcast, or nil for all.
  public var podcast: String?
  /// How many episodes there are at most.
  public var limit: Int?

  /// Makes a list.
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

  /// The list as it changes.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  public func controller(in store: ModelStore) throws -> ResultsController<Episode> {
    switch sections {
    case .none: try ResultsController(request, in: store)
    case .season: try ResultsController(request, in: store, sectionedBy: \.season)
    case .podcast: try ResultsController(request, in: store, sectionedBy: \.podcast)
    }
  }

  /// Makes a controller follow the list from now on.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  public func follow(with controller: ResultsController<Episode>) throws {
    switch sections {
    case .none: try controller.setRequest(request)
    case .season: try controller.setRequest(request, sectionedBy: \.season)
    case .podcast: try controller.setRequest(request, sectionedBy: \.podcast)
    }
  }
}
