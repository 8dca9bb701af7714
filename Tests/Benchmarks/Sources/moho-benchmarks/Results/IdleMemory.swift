import CFloors
import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows

/// What follows a list while its memory is measured.
enum IdleObserver: String, CaseIterable {
  /// A controller of a list whose snapshot is not read.
  case newest
  case sectioned
  /// Five observed totals of all rows.
  case totals
  /// Five observed totals of each show.
  case shows
  /// The observed groups of a key that is different for almost all rows.
  case dates

  /// Starts following, and returns an object that ends it when it is released.
  fileprivate func start(in store: ModelStore) async throws -> Any {
    switch self {
    case .newest: try EpisodeList.newest.controller(in: store)
    case .sectioned: try EpisodeList.sectioned.controller(in: store)
    case .totals: try await store.followed(ObservedAggregates.totalsOfAll)
    case .shows: try await store.followed(ObservedAggregates.totalsOfShows)
    case .dates: try await store.followed(.groups(ObservedAggregates.dates))
    }
  }
}

/// The memory of an observer.
enum IdleMemory {
  /// Returns the bytes by which a child process grows when it starts to follow a list.
  /// `nil` if the system does not report memory.
  static func measuredInChild(_ observer: IdleObserver, _ path: String) throws -> Int? {
    try ChildProcess(arguments: ["results", "--idle-memory", observer.rawValue, "--store", path])
      .output().flatMap { Int($0) }
  }

  /// Prints the growth in bytes, in the child process.
  static func printGrowth(_ observer: IdleObserver, _ path: String) async throws {
    let store = try ListStores.open(path)
    // Fills caches that remain in memory.
    _ = try await observer.start(in: store)
    let before = residentBytes()
    let observation = try await observer.start(in: store)
    let after = residentBytes()
    guard let before, let after else { return }
    withExtendedLifetime(observation) { print(after - before) }
  }

  private static func residentBytes() -> Int? {
    floor_release_memory()
    return Memory.resident
  }
}

extension ModelStore {
  /// Returns an iterator that has delivered the first value.
  fileprivate func followed<Value>(_ query: ValueQuery<Value>) async throws -> Any {
    var values = observe(query).makeAsyncIterator()
    _ = try await values.next()
    return values
  }
}
