import Foundation
import Moho

/// Which banks to list: those closed last come first.
public struct BankList: Sendable {
  /// What banks have in common that stand under one heading.
  public enum Sections: String, CaseIterable, Sendable {
    /// There are no headings.
    case none
    /// The state, by name.
    case state
    /// The year in which they were closed, the last one first.
    case year
  }

  /// What stands under one heading.
  public var sections: Sections
  /// Text that the name contains, whatever its case and its accents.
  public var search: String?

  /// Makes a list.
  public init(sections: Sections = .none, search: String? = nil) {
    self.sections = sections
    self.search = search
  }

  /// How many banks are read at a time.
  public static let batchSize = 20

  /// The request that fetches the list.
  public var request: ModelRequest<FailedBank> {
    var request = ModelRequest<FailedBank>().batchSize(Self.batchSize)
    switch sections {
    case .none: break
    case .state: request = request.order(by: \.state)
    case .year: request = request.order(.descending) { $0.details.closedIn }
    }
    if let search {
      request = request.filter {
        $0.name.contains(search, [.caseInsensitive, .diacriticInsensitive])
      }
    }
    return request.order(.descending) { $0.details.closedOn }.order(by: \.name)
  }

  /// The list as it changes.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  public func controller(in store: ModelStore) throws -> ResultsController<FailedBank> {
    switch sections {
    case .none: try ResultsController(request, in: store)
    case .state: try ResultsController(request, in: store, sectionedBy: \.state)
    case .year:
      try ResultsController(request, in: store, sectionedByValue: { $0.details.closedIn })
    }
  }
}
