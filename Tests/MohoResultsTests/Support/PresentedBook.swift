import MohoMapping
import MohoRows

@testable import MohoResults

/// A book in a list. The row of a book that is being edited may not be decodable yet.
enum PresentedBook: Hashable {
  case complete(Book)
  /// The content of a row that cannot be decoded.
  case incomplete(String)

  init(of row: ContextRow?, _ book: () throws -> Book) throws {
    do {
      self = .complete(try book())
    } catch is MappingError {
      self = .incomplete(row.map { "\($0.contents)" } ?? "")
    } catch let error as StoreError where error.code == .rowNotFound {
      self = .incomplete(row.map { "\($0.contents)" } ?? "")
    }
  }

  /// The names of the keys whose values differ. `nil` if either book is incomplete.
  func changedKeys(to other: PresentedBook) -> [String]? {
    guard case .complete(let old) = self, case .complete(let new) = other else { return nil }
    return old.changedKeys(to: new)
  }
}

extension EditingContext {
  /// The unsaved rows of this context.
  var ownPending: [RowIdentity] {
    pendingChanges.entities.values.flatMap { changes in
      changes.inserted + changes.deleted + Array(changes.updated.keys)
    }
  }

  /// The unsaved rows of this context and its ancestors.
  var allPending: [RowIdentity] {
    sequence(first: self) { $0.parent }.flatMap(\.ownPending)
  }

  /// The unsaved rows of this context and its ancestors, and the rows that lose links
  /// because other rows are deleted.
  var allAffected: [RowIdentity] {
    sequence(first: self) { $0.parent }.flatMap { context in
      context.graph.affected.map { context.graph[$0].identity }
    }
  }
}
