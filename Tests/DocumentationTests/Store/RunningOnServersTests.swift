import DocumentationTesting
import Foundation
import Logging
import Moho
import Testing

#if ServiceLifecycle
  import ServiceLifecycle
  import UnixSignals
#endif

/// The code and the tables of the article "Running on servers".
@Suite struct RunningOnServersTests: ArticleTests {
  let article = Article("Sources/MohoRows/MohoRows.docc/RunningOnServers.md")
  let transcript = Transcript()

  struct Episode: MappedModel {
    var id: Int
    var title: String

    static let mapping = Mapping(
      "Episode", Episode.init, .key("id", \.id, .unique), .key("title", \.title))
  }

  @Test func closing() async throws {
    // snippet
    let store = try ModelStore(inMemory: Episode.self)
    let commits = try await store.commits()
    try await store.write { try $0.save(Episode(id: 1, title: "Loess")) }
    try await store.close()

    for try await changes in commits { print(changes.rows) }
    do {
      try await store.write { try $0.save(Episode(id: 2, title: "Basalt")) }
    } catch { print(error) }
    // end
    try article.expectOutput(of: transcript)
  }

  #if ServiceLifecycle
    func runGroup(_ store: ModelStore, _ importer: any Service) async throws {
      // snippet
      let group = ServiceGroup(
        services: [store, importer], gracefulShutdownSignals: [.sigterm],
        logger: Logger(label: "feeds"))
      try await group.run()
      // end
    }

    func follow(_ list: ResultsController<Episode>) async throws {
      // snippet
      for try await update in list.updates.cancelOnGracefulShutdown() { print(update.changes) }
      // end
    }
  #endif

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }

  private let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func source(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The names between backticks in a column of the tables whose first cell has a prefix.
  private func names(inColumns columns: Range<Int>, where isRow: ([String]) -> Bool) throws
    -> Set<String>
  {
    let rows = try article.tableRows.map { row in
      row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map(String.init)
    }
    return Set(
      rows.filter(isRow).flatMap { row in
        row[columns].joined().matches(of: /`([^`]+)`/).map { String($0.output.1) }
      })
  }

  /// The names of metrics or attributes in a source.
  private func names(in source: String) -> Set<String> {
    Set(source.matches(of: /"((?:db|moho|error)\.[a-z_.]+)"/).map { String($0.output.1) })
  }

  @Test func theTableHasAllMetrics() throws {
    let listed = try names(inColumns: 0..<3) { ["counter", "timer"].contains($0[1].trimmed) }

    #expect(listed.count == 12)
    #expect(
      try names(in: source("Sources/MohoRows/Instrumenting/StoreMetrics.swift")).subtracting(listed)
        == ["db.system.name"])
  }

  @Test func theTableHasAllAttributesOfSpans() throws {
    let listed = try names(inColumns: 2..<3) { ["client", "internal"].contains($0[1].trimmed) }

    #expect(
      try names(in: source("Sources/MohoRows/Instrumenting/StoreTracing.swift"))
        == listed.subtracting(["read"]))
  }

  @Test func theTableHasAllTraits() throws {
    let listed = try names(inColumns: 0..<1) { $0[1].trimmed.hasPrefix("swift-") }
    let declared = try source("Package.swift").matches(of: /\.trait\(\s*name: "(\w+)"/)

    #expect(listed.union(["Jansson"]) == Set(declared.map { String($0.output.1) }))
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
