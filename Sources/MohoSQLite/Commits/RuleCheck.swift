import GRDB
import MohoMapping
import MohoRows

/// The check of rules over related rows at the end of a transaction.
///
/// A nested transaction is part of the outer one, which checks what both have written. If the
/// app or another store has begun the outer transaction, the nested one checks what it has
/// written itself.
struct RuleCheck {
  private let engine: ObjectIdentifier
  private let recorder: WriteRecorder?
  private let isNested: Bool

  /// - Parameter recorder: The recorder of the written rows, or nil if there are no such rules.
  init(of engine: SQLiteEngine, _ recorder: WriteRecorder? = nil, in database: Database) {
    self.engine = ObjectIdentifier(engine)
    self.recorder = recorder
    isNested = database.isInsideTransaction
  }

  /// Whether the recorder needs the reports of GRDB about written rows.
  var needsReports: Bool { recorder?.usesHook == false }

  /// Runs a closure that writes, and checks the rules.
  func checking<Result>(
    _ writer: StoreWriter, _ body: (StoreWriter) throws -> Result
  ) throws -> Result {
    guard let recorder, recorder.enginesCheckingRules.insert(engine).inserted else {
      return try body(writer)
    }
    defer { recorder.enginesCheckingRules.remove(engine) }
    // Another connection may have rebuilt the tables.
    recorder.forgetColumns()
    if isNested {
      recorder.isInTransactionOfApp = true
      defer { recorder.isInTransactionOfApp = false }
      return try writer.checkingRules { try body(writer) }
    }
    let result = try body(writer)
    try writer.checkRules()
    return result
  }
}
