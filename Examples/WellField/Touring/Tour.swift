import Foundation
import Moho

/// A look at a list of wells, the deepest first: how long it takes until there is
/// something to see, what scrolling through all of it costs, and what becomes of
/// it when wells change.
public struct Tour {
  private let store: ModelStore
  private let clock = ContinuousClock()

  /// How many wells are on a page.
  public static let pageSize = 50

  /// Makes a tour of the wells of a store.
  public init(_ store: ModelStore) { self.store = store }

  /// The request that fetches the list.
  public static var request: ModelRequest<Well> {
    ModelRequest<Well>().order(by: \.depth, .descending).batchSize(pageSize)
  }

  /// What opening the list gives.
  public struct Opening {
    /// The list.
    public let controller: ResultsController<Well>
    /// The state with all rows.
    public let snapshot: ResultsSnapshot<Well>
    /// The wells of the first page.
    public let firstPage: [Well]
    /// How long it took until they were there.
    public let untilFirstPage: Duration
    /// How long it took until all rows had their places.
    public let untilAllRows: Duration
  }

  /// Opens the list.
  ///
  /// - Throws: `StoreError`.
  public func open() async throws -> Opening {
    let start = clock.now
    let controller = try ResultsController(Self.request, in: store, startingWith: .firstBatch)
    var snapshot = controller.snapshot
    let firstPage = try snapshot.models()
    let untilFirstPage = clock.now - start
    if firstPage.count == Self.pageSize {
      var updates = controller.updates(since: snapshot).makeAsyncIterator()
      // Without a further row there is no update.
      let count = try store.count(Self.request)
      while snapshot.count < count, let update = try await updates.next() {
        snapshot = update.after
      }
    }
    return Opening(
      controller: controller, snapshot: snapshot, firstPage: firstPage,
      untilFirstPage: untilFirstPage, untilAllRows: clock.now - start)
  }

  /// Reads all pages of a state, one after the other.
  ///
  /// - Parameter progress: Is told how many rows were read.
  /// - Returns: How many pages there are, and how long it took.
  /// - Throws: `StoreError`; `ResultsError` where wells have changed since.
  public func scroll(
    through snapshot: ResultsSnapshot<Well>, progress: (Int) -> Void = { _ in }
  ) throws -> (pages: Int, duration: Duration) {
    let start = clock.now
    var pages = 0
    for first in stride(from: 0, to: snapshot.count, by: Self.pageSize) {
      for row in first..<min(first + Self.pageSize, snapshot.count) {
        _ = try snapshot.model(at: RowPath(section: 0, row: row))
      }
      pages += 1
      progress(min(first + Self.pageSize, snapshot.count))
    }
    return (pages, clock.now - start)
  }

  /// Makes changes one after the other, and tells what each does to the list and
  /// how long it takes until the list has followed.
  ///
  /// - Throws: `StoreError`.
  public func change(
    _ controller: ResultsController<Well>,
    _ report: (_ what: String, _ changes: ChangeSet, _ duration: Duration) throws -> Void
  ) async throws {
    var updates = controller.updates.makeAsyncIterator()
    for change in try WellChange.samples(in: controller.snapshot) {
      let start = clock.now
      try store.write { try change.write($0) }
      guard let update = try await updates.next() else { return }
      try report(change.name, update.changes, clock.now - start)
    }
  }
}
