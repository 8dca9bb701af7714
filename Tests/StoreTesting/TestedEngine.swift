import Foundation
import PostgresTesting
import Testing

/// An engine on which suites run.
package enum TestedEngine: String, CaseIterable, Sendable {
  case sqlite = "SQLite"
  case postgres = "PostgreSQL"

  /// The engine of the test, from ``EngineTrait``. SQLite for tests without the trait, and
  /// on threads that a test creates.
  @TaskLocal package static var current = sqlite

  /// The engines that are not excluded by `MOHO_ENGINE`.
  fileprivate static let included =
    switch ProcessInfo.processInfo.environment["MOHO_ENGINE"] {
    case "sqlite": [sqlite]
    case "postgres": [postgres]
    default: allCases
    }

  /// Whether integers may be greater than `Int64.max`.
  package var storesUnsignedIntegers: Bool { self == .postgres }

  /// Whether columns store all bits of dates.
  package var storesExactDates: Bool { self == .sqlite }

  /// Whether texts may contain U+0000.
  package var storesNullCharacters: Bool { self == .sqlite }

  /// Whether the identities of the rows that a plan inserts are used again.
  package var plansUseNoIdentities: Bool { self == .sqlite }

  /// Whether SQL steps of migrations apply delete rules.
  package var migrationsApplyDeleteRules: Bool { self == .postgres }

  /// Whether commits of other processes are reported without a request to read them.
  package var detectsExternalCommitsAtOnce: Bool { self == .postgres }
}

/// Runs tests on several engines, one after the other. Issues name the engine.
///
/// The trait of a test replaces that of its suite.
package struct EngineTrait: SuiteTrait, TestTrait, TestScoping {
  private let engines: [TestedEngine]

  fileprivate init(_ engines: [TestedEngine]) { self.engines = engines }

  package var isRecursive: Bool { true }

  @concurrent package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let innermost = test.traits.last { $0 is EngineTrait } as? EngineTrait
    guard innermost?.engines == engines else { return try await function() }
    for engine in engines where TestedEngine.included.contains(engine) {
      try await TestedEngine.$current.withValue(engine) {
        let naming = IssueHandlingTrait.compactMapIssues { issue in
          var issue = issue
          issue.comments.append("on \(engine.rawValue)")
          return issue
        }
        try await naming.provideScope(for: test, testCase: testCase) {
          do {
            try await function()
          } catch is ExpectationFailedError {
            // The expectation has recorded an issue.
          } catch {
            Issue.record(error, sourceLocation: test.sourceLocation)
          }
        }
      }
    }
  }
}

extension Trait where Self == EngineTrait {
  /// Runs tests on all engines.
  package static var allEngines: Self { EngineTrait(TestedEngine.allCases) }

  /// Runs tests on one engine.
  package static func engine(_ engine: TestedEngine) -> Self { EngineTrait([engine]) }
}
