import Foundation
import Moho

extension EpisodeList {
  /// How a store finds the search text.
  private enum SearchMethod {
    /// By its words, in the full-text index.
    case words
    /// By reading all texts.
    case text
  }

  /// The request that fetches the list from a store with full-text indexes. See
  /// ``withRequest(_:)``.
  public var request: ModelRequest<Episode> { request(.words) }

  private func request(_ method: SearchMethod) -> ModelRequest<Episode> {
    var request = ModelRequest<Episode>().limit(limit)
    switch sections {
    case .none: break
    case .season: request = request.order(by: \.season, .descending)
    case .podcast: request = request.order(by: \.podcast)
    }
    if let podcast { request = request.filter { $0.podcast == podcast } }
    if hidesPlayed { request = request.filter { $0.isPlayed == false } }
    if let search { request = request.filter { Self.condition($0, search, method) } }
    switch order {
    case .newest: request = request.order(by: \.publishedAt, .descending)
    case .oldest: request = request.order(by: \.publishedAt, nils: .last)
    case .title: request = request.order(by: \.title, collation: .localizedStandard)
    case .longest: request = request.order(by: \.duration, .descending)
    }
    return request.order(by: \.id)
  }

  private static func condition(
    _ episode: ModelKeys<Episode>, _ search: String, _ method: SearchMethod
  ) -> Filter {
    let words = SearchText(search, lastWord: .prefix)
    if method == .words, !words.isEmpty { return episode.matches(words) }
    let options: TextMatch.Options = [.caseInsensitive, .diacriticInsensitive]
    return episode.title.contains(search, options) || episode.summary.contains(search, options)
  }

  /// Runs a closure with the request that fetches the list from any store.
  ///
  /// Stores on PostgreSQL have no full-text indexes. If the request cannot be
  /// executed for this reason, the closure runs again with a request that reads
  /// all texts.
  public func withRequest<Result>(
    _ body: (ModelRequest<Episode>) throws -> Result
  ) throws -> Result {
    do {
      return try body(request(.words))
    } catch let error as StoreError where error.code == .searchUnavailable {
      return try body(request(.text))
    }
  }

  /// A controller that follows the list.
  ///
  /// - Throws: `StoreError`.
  public func controller(in store: ModelStore) throws -> ResultsController<Episode> {
    try withRequest { request in
      switch sections {
      case .none: try ResultsController(request, in: store)
      case .season: try ResultsController(request, in: store, sectionedBy: \.season)
      case .podcast: try ResultsController(request, in: store, sectionedBy: \.podcast)
      }
    }
  }

  /// A controller that follows the list, fetched without blocking the thread.
  ///
  /// - Throws: `StoreError`, and `CancellationError` if the task is canceled.
  public func controller(in store: ModelStore) async throws -> ResultsController<Episode> {
    do {
      return try await controller(request(.words), in: store)
    } catch let error as StoreError where error.code == .searchUnavailable {
      return try await controller(request(.text), in: store)
    }
  }

  private func controller(
    _ request: ModelRequest<Episode>, in store: ModelStore
  ) async throws -> ResultsController<Episode> {
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
    try withRequest { request in
      switch sections {
      case .none: try controller.setRequest(request)
      case .season: try controller.setRequest(request, sectionedBy: \.season)
      case .podcast: try controller.setRequest(request, sectionedBy: \.podcast)
      }
    }
  }
}
