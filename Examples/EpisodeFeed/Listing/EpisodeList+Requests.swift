import Foundation
import Moho

extension EpisodeList {
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
    if let search { request = request.filter { Self.condition($0, search) } }
    switch order {
    case .newest: request = request.order(by: \.publishedAt, .descending)
    case .oldest: request = request.order(by: \.publishedAt, nils: .last)
    case .title: request = request.order(by: \.title, collation: .localizedStandard)
    case .longest: request = request.order(by: \.duration, .descending)
    }
    return request.order(by: \.id)
  }

  /// A text without words, such as `?`, is found by reading all texts.
  private static func condition(_ episode: ModelKeys<Episode>, _ search: String) -> Filter {
    let words = SearchText(search, lastWord: .prefix)
    if !words.isEmpty { return episode.matches(words) }
    let options: TextMatch.Options = [.caseInsensitive, .diacriticInsensitive]
    return episode.title.contains(search, options) || episode.summary.contains(search, options)
  }

  /// A controller that follows the list. Each section has an ``UnplayedSummary``.
  ///
  /// - Throws: `StoreError`.
  public func controller(in store: ModelStore) throws -> ResultsController<Episode> {
    switch sections {
    case .none: try ResultsController(request, in: store)
    case .season:
      try ResultsController(
        request, in: store, sectionedBy: \.season, summaries: UnplayedSummary.aggregates)
    case .podcast:
      try ResultsController(
        request, in: store, sectionedBy: \.podcast, summaries: UnplayedSummary.aggregates)
    }
  }

  /// A controller that follows the list, fetched without blocking the thread.
  ///
  /// - Throws: `StoreError`, and `CancellationError` if the task is canceled.
  public func controller(in store: ModelStore) async throws -> ResultsController<Episode> {
    switch sections {
    case .none: try await ResultsController(request, in: store)
    case .season:
      try await ResultsController(
        request, in: store, sectionedBy: \.season, summaries: UnplayedSummary.aggregates)
    case .podcast:
      try await ResultsController(
        request, in: store, sectionedBy: \.podcast, summaries: UnplayedSummary.aggregates)
    }
  }

  /// Makes an existing controller follow the list.
  ///
  /// - Throws: `StoreError`.
  public func apply(to controller: ResultsController<Episode>) throws {
    switch sections {
    case .none: try controller.setRequest(request)
    case .season:
      try controller.setRequest(
        request, sectionedBy: \.season, summaries: UnplayedSummary.aggregates)
    case .podcast:
      try controller.setRequest(
        request, sectionedBy: \.podcast, summaries: UnplayedSummary.aggregates)
    }
  }
}
