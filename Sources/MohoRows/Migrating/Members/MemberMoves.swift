package import MohoMapping

/// The steps of a migration that move unknown members, with what they find in the
/// rows.
package struct MemberMoves: Sendable {
  private var moves: [(migration: MemberMigration, findings: MemberMigration.Findings)] = []

  /// Creates no steps.
  package init() {}

  /// Reads the rows that the steps change.
  ///
  /// - Parameters:
  ///   - isPlan: Whether the database is only read.
  ///   - query: As in ``MemberMigration/findings(isPlan:_:)``.
  package init(
    _ migrations: [MemberMigration], isPlan: Bool,
    _ query: (String, [FieldContent]) throws -> [[FieldContent]]
  ) throws {
    moves = try migrations.map { ($0, try $0.findings(isPlan: isPlan, query)) }
  }

  /// The steps in the form in which a plan shows them.
  package var steps: [MigrationStep] { moves.flatMap { $0.migration.steps($0.findings) } }

  /// The summary of all steps.
  package var summary: String { steps.map(\.summary).joined(separator: "; ") }

  /// The losses, except those that are permitted.
  package func losses(allowing allowed: Set<SchemaPart>) -> [MigrationLoss] {
    moves.flatMap { $0.migration.losses($0.findings, allowing: allowed) }
  }

  /// Throws an error if members would be lost without permission.
  package func check(
    _ differences: [SchemaDifference], allowing allowed: Set<SchemaPart>
  ) throws {
    let losses = losses(allowing: allowed)
    if !losses.isEmpty { throw StoreError(losing: losses, differences: differences, advice: []) }
  }

  /// Moves the members, after all other steps.
  package func run(
    _ session: any StoreSession, _ query: (String, [FieldContent]) throws -> [[FieldContent]],
    progress: (Int) throws -> Void
  ) throws {
    for move in moves { try move.migration.run(move.findings, session, query, progress: progress) }
  }
}
