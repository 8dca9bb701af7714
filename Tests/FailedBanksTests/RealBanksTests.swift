import FailedBanks
import Foundation
import Moho
import Testing

/// Follows a real list of banks while it is imported and edited, and compares sections, their
/// summaries, groups and their first rows with what the models say.
@Suite struct RealBanksTests {
  /// The path of a real list of the Federal Deposit Insurance Corporation.
  private static let list = ProcessInfo.processInfo.environment["MOHO_FAILED_BANKS"]

  private typealias Counts = [String: [FieldContent]]

  private static let byAcquirer = ModelRequest<FailedBank>()
    .order { $0.details.acquirer }.order { $0.details.closedOn }.order(by: \.cert)

  private static func summary(_ banks: [FailedBank]) -> [FieldContent] {
    [
      .int64(Int64(banks.count)), .int64(Int64(Set(banks.map(\.state)).count)),
      banks.map(\.details.closedOn).max().map { .date($0) } ?? .null,
    ]
  }

  private static func counts(_ groups: [ValueRow]) -> Counts {
    var counts: Counts = [:]
    for group in groups {
      guard case .string(let key) = group.values.first else { continue }
      counts[key] = Array(group.values.dropFirst())
    }
    return counts
  }

  @Test(.enabled(if: list != nil, "MOHO_FAILED_BANKS is not set"))
  func sectionsGroupsAndFirstRowsFollowTheList() async throws {
    let document = try Data(contentsOf: URL(filePath: #require(Self.list)))
    var banks = try JSONAdapter<FailedBank>().models(from: document)
    // The details are related rows, whose identity the documents do not have.
    for index in banks.indices { banks[index].details.cert = banks[index].cert }
    let store = try ModelStore(inMemory: FailedBank.self, BankDetails.self)
    let sections = try await ResultsController(
      Self.byAcquirer, in: store, sectionedBy: { $0.details.acquirer },
      summaries: { [.count, .distinctCount($0.state), .maximum($0.details.closedOn)] })
    let first = try await ResultsController(
      Self.byAcquirer.first(2, per: { [$0.state] }), in: store)
    var states = store.observe(
      .aggregates(ModelRequest<FailedBank>(), groupedBy: { [$0.state] }) {
        [.count, .distinctCount($0.details.acquirer), .maximum($0.details.closedOn)]
      }
    ).makeAsyncIterator()
    _ = try await states.next()

    // Portions of the list, whose order is that of the names.
    banks.sort { $0.name < $1.name }
    for start in stride(from: 0, to: banks.count, by: 37) {
      let portion = Array(banks[start..<min(start + 37, banks.count)])
      try await store.write { writer in
        try writer.save(portion)
        // Each portion also closes an earlier bank again, and deletes another one.
        if let earlier = try writer.reader.fetchFirst(Self.byAcquirer.offset(start / 3)) {
          var details = earlier.details
          details.acquirer = "Tuff Bank"
          details.closedOn += 86_400
          try writer.save(details)
          try writer.delete(
            ModelRequest<FailedBank>().filter { $0.cert == earlier.cert + start % 2 })
        }
      }
      let shown = try await store.fetch(Self.byAcquirer)
      let bySection = Dictionary(grouping: shown, by: \.details.acquirer)
      let byState = Dictionary(grouping: shown, by: \.state)

      #expect(sections.snapshot.sections.map(\.name) == bySection.keys.sorted(by: utf8Order))
      for section in sections.snapshot.sections {
        #expect(section.summary?.values == bySection[section.name].map(Self.summary))
      }
      let firstCerts = Set(byState.values.flatMap { $0.prefix(2).map(\.cert) })
      #expect(
        try first.snapshot.models().map(\.cert)
          == shown.map(\.cert).filter { firstCerts.contains($0) })
      let observed = try #require(try await states.next())
      #expect(
        Self.counts(observed)
          == byState.mapValues { banks in
            [
              .int64(Int64(banks.count)),
              .int64(Int64(Set(banks.map(\.details.acquirer)).count)),
              banks.map(\.details.closedOn).max().map { .date($0) } ?? .null,
            ]
          })
    }
    #expect(sections.snapshot.count > 500)
  }

  private func utf8Order(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}
