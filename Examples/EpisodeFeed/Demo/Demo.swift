import Foundation
import Moho

/// A bundled feed in two versions.
///
/// In the second version, some episodes are new, some are deleted, and others
/// have another title, another date, both, or another season.
public enum Demo {
  /// The first version of the feed.
  public static var firstVersion: Data { Data(PackageResources.demo_1_json) }

  /// The second version of the feed.
  public static var secondVersion: Data { Data(PackageResources.demo_2_json) }

  /// Imports both versions and prints the list and its changes.
  ///
  /// - Parameters:
  ///   - store: The store to import into.
  ///   - width: The maximum width of a line in columns, or nil.
  ///   - print: Receives the lines, one at a time.
  /// - Throws: The errors of ``EpisodeImporter/import(_:_:progress:)``.
  public static func run(
    in store: ModelStore, width: Int? = nil, print: (String) throws -> Void
  ) async throws {
    let importer = EpisodeImporter(store)
    let first = try Feed(reading: firstVersion)
    let list = EpisodeList(sections: .season, podcast: first.title)
    try print("Importing the first version of \"\(first.title)\"")
    try print("  \(try importer.import(first, .mirror))")
    try print("")
    let controller = try await list.controller(in: store)
    let before = controller.snapshot
    for line in EpisodeText.lines(list.sections(of: before) ?? [], width: width) { try print(line) }

    try print("")
    try print("Importing the second version")
    var updates = controller.updates(since: before).makeAsyncIterator()
    var log = ChangeLog(since: before)
    try print("  \(try importer.import(Feed(reading: secondVersion), .mirror))")
    guard let update = try await updates.next() else { return }
    try print("")
    try print("Each changed row and each changed section is one record")
    for line in log.lines(of: update) { try print("  " + line) }

    try print("")
    let marks = ChangeMark.marks(of: update.changes)
    let after = list.sections(of: update.after, marks: marks) ?? []
    for line in EpisodeText.lines(after, hasMarks: true, width: width) { try print(line) }
    try print("")
    try print(ChangeMark.legend)
  }

  /// Imports the first version.
  ///
  /// - Throws: The errors of ``EpisodeImporter/import(_:_:progress:)``.
  public static func start(in store: ModelStore) throws {
    try EpisodeImporter(store).import(Feed(reading: firstVersion), .mirror)
  }

  /// Waits until a page follows the list, gives the user some time to look at it,
  /// and imports the second version.
  ///
  /// - Throws: The errors of ``EpisodeImporter/import(_:_:progress:)``, and
  ///   `CancellationError`.
  public static func `continue`(
    in store: ModelStore, with service: EpisodeService, after time: Duration = .seconds(4)
  ) async throws {
    await service.waitForClient()
    try await Task.sleep(for: time)
    let feed = try Feed(reading: secondVersion)
    _ = try await Blocking.run { try EpisodeImporter(store).import(feed, .mirror) }
  }
}
