import Foundation
import Moho

/// Opens a list of wells, the deepest first, scrolls through it and changes it,
/// and measures each step.
public struct Tour {
  private let store: ModelStore
  private let clock = ContinuousClock()

  /// The number of wells on a page.
  public static let pageSize = 50

  /// Creates a tour of the wells in a store.
  public init(_ store: ModelStore) { self.store = store }

  /// The request that fetches the list.
  public static var request: ModelRequest<Well> {
    ModelRequest<Well>().order(by: \.depth, .descending).batchSize(pageSize)
  }

  /// The result of opening the list.
  public struct Opening {
    /// The controller of the list.
    public let controller: ResultsController<Well>
    /// A snapshot with all rows.
    public let snapshot: ResultsSnapshot<Well>
    /// The wells of the first page.
    public let firstPage: [Well]
    /// The time until the first page was available.
    public let untilFirstPage: Duration
    /// The time until all rows were available.
    public let untilAllRows: Duration
  }

  /// Opens the list.
  ///
  /// - Throws: `StoreError`.
  public func open() async throws -> Opening {
    let start = clock.now
    let controller = try await ResultsController(Self.request, in: store, startingWith: .firstBatch)
    var snapshot = controller.snapshot
    let firstPage = try snapshot.models()
    let untilFirstPage = clock.now - start
    if firstPage.count == Self.pageSize {
      var updates = controller.updates(since: snapshot).makeAsyncIterator()
      // There is an update only if the list has more than one page.
      let count = try await store.fetchCount(Self.request)
      while snapshot.count < count, let update = try await updates.next() {
        snapshot = update.after
      }
    }
    return Opening(
      controller: controller, snapshot: snapshot, firstPage: firstPage,
      untilFirstPage: untilFirstPage, untilAllRows: clock.now - start)
  }

  /// Reads all pages of a snapshot, one after another.
  ///
  /// - Parameter progress: Receives the number of rows after each page.
  /// - Returns: The number of pages, and the time.
  /// - Throws: `StoreError`, or `ResultsError` if wells have changed since the
  ///   snapshot.
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

  /// Makes several changes, one after another.
  ///
  /// - Parameter report: Receives a description of each change, its effect on
  ///   the list, and the time until the list was updated.
  /// - Throws: `StoreError`; the errors of `report`.
  public func change(
    _ controller: ResultsController<Well>,
    _ report: (_ what: String, _ changes: ChangeSet, _ duration: Duration) throws -> Void
  ) async throws {
    var updates = controller.updates.makeAsyncIterator()
    for change in try WellChange.samples(in: controller.snapshot) {
      let start = clock.now
      try perform(change)
      guard let update = try await updates.next() else { return }
      try report(change.name, update.changes, clock.now - start)
    }
  }

  private func perform(_ change: WellChange) throws {
    try store.write { try change.write($0) }
  }
}
