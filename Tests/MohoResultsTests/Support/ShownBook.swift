import MohoMapping
import MohoStore

@testable import MohoResults

/// A book as a list shows it: one that is being edited may not yet be one.
enum ShownBook: Hashable {
  case whole(Book)
  /// What it has.
  case unfinished(String)

  init(of row: ContextRow?, _ book: () throws -> Book) throws {
    do {
      self = .whole(try book())
    } catch is MappingError {
      self = .unfinished(row.map { "\($0.contents)" } ?? "")
    } catch let error as StoreError where error.code == .rowIsGone {
      self = .unfinished(row.map { "\($0.contents)" } ?? "")
    }
  }

  /// The names of the keys whose values differ, or nil where that cannot be
  /// told.
  func changedKeys(to other: ShownBook) -> [String]? {
    guard case .whole(let old) = self, case .whole(let new) = other else { return nil }
    return old.changedKeys(to: new)
  }
}

extension EditingContext {
  /// What is not saved.
  var ownPending: [RowIdentity] {
    pendingChanges.entities.values.flatMap { changes in
      changes.inserted + changes.deleted + Array(changes.updated.keys)
    }
  }

  /// What is not saved of this context and those that it is a child of.
  var allPending: [RowIdentity] {
    sequence(first: self) { $0.parent }.flatMap(\.ownPending)
  }
}
