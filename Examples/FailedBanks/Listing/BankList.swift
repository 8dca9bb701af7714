import Foundation
import Moho

/// A list of banks: conditions, sections and order. The banks that were closed
/// last come first.
public struct BankList: Sendable {
  /// How banks are grouped.
  public enum Sections: String, CaseIterable, Sendable {
    /// One list without headings.
    case none
    /// By the name of the state.
    case state
    /// By the year of closing, the latest first.
    case year
  }

  /// How the banks are grouped.
  public var sections: Sections
  /// Text in the name, ignoring case and accents; nil for all banks.
  public var search: String?

  /// Creates a list.
  public init(sections: Sections = .none, search: String? = nil) {
    self.sections = sections
    self.search = search
  }

  /// The number of banks in a batch.
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

  /// A controller that follows the list.
  ///
  /// - Throws: `StoreError`.
  public func controller(in store: ModelStore) throws -> ResultsController<FailedBank> {
    switch sections {
    case .none: try ResultsController(request, in: store)
    case .state: try ResultsController(request, in: store, sectionedBy: \.state)
    case .year:
      try ResultsController(request, in: store, sectionedBy: { $0.details.closedIn })
    }
  }
}
