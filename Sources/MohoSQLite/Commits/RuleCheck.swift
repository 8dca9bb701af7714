import MohoMapping
import MohoRows

/// The check of rules over related rows at the end of a transaction.
///
/// A nested transaction is part of the outer one, which checks what both have written. If the
/// app or another store has begun the outer transaction, the nested one checks its own rules.
struct RuleCheck {
  private let engine: ObjectIdentifier
  private let recorder: WriteRecorder?

  /// - Parameter recorder: The recorder of the written rows, or nil if there are no such rules.
  init(of engine: SQLiteEngine, _ recorder: WriteRecorder? = nil) {
    self.engine = ObjectIdentifier(engine)
    self.recorder = recorder
  }

  /// Runs a closure that writes, and checks the rules.
  ///
  /// - Parameter checkReferences: Throws an error if rows refer to rows that do not exist, which
  ///   can make a model invalid.
  func checking<Result>(
    _ writer: StoreWriter, _ body: (StoreWriter) throws -> Result,
    checkReferences: () throws -> Void
  ) throws -> Result {
    guard let recorder, recorder.enginesCheckingRules.insert(engine).inserted else {
      return try body(writer)
    }
    defer { recorder.enginesCheckingRules.remove(engine) }
    let result = try body(writer)
    do {
      try writer.checkRules()
    } catch let error as MappingError {
      try checkReferences()
      throw error
    }
    return result
  }
}
