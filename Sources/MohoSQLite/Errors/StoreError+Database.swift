import GRDB
import MohoRows

extension StoreError {
  /// Creates an error from a database error.
  ///
  /// - Parameters:
  ///   - error: The database error.
  ///   - subject: The subject of the error.
  ///   - schema: The schema to look up the entity and the keys of a failed
  ///     constraint in.
  init(_ error: DatabaseError, subject: String?, schema: Schema? = nil) {
    if let reference = StoreError(dangling: error) {
      self = reference
      return
    }
    let (code, suggestion) = Self.meaning(of: error)
    self.init(
      code,
      subject: subject,
      reason: error.message ?? "SQLite error \(error.extendedResultCode.rawValue)",
      suggestion: suggestion,
      underlying: error)
    resolve(schema)
  }

  /// Adds the entity and the keys of a failed constraint, unless they are
  /// already known.
  mutating func resolve(_ schema: Schema?) {
    guard let schema, entity == nil, keys.isEmpty, let error = underlying as? DatabaseError,
      error.resultCode == .SQLITE_CONSTRAINT, let message = error.message,
      let text = ConstraintMessage(message: message),
      let (entity, failure) = schema.failure(of: text, sql: error.sql)
    else { return }
    name(failure, of: entity)
  }

  /// Creates the error for a reference to a row that does not exist. Returns
  /// nil for any other database error.
  private init?(dangling error: DatabaseError) {
    guard let message = error.message, message.hasPrefix(Self.dangling) else { return nil }
    let parts = message.dropFirst(Self.dangling.count)
      .split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { return nil }
    self.init(referenceBy: parts[0], to: parts[1], parts[2], underlying: error)
  }

  private static func meaning(of error: DatabaseError) -> (Code, suggestion: String?) {
    switch error.extendedResultCode {
    // SQLite reports a short read only for the log. It pads short reads of the
    // database file.
    case .SQLITE_IOERR_SHORT_READ:
      return (
        .damagedLog,
        "close the store in all programs and open it again; commits in the log may be lost"
      )
    case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
      return (.notUnique, nil)
    case .SQLITE_CONSTRAINT_NOTNULL:
      return (.missingValue, nil)
    case .SQLITE_CONSTRAINT_CHECK, .SQLITE_CONSTRAINT_DATATYPE:
      return (.invalidValue, nil)
    case .SQLITE_CONSTRAINT_FOREIGNKEY:
      return (.danglingReference, nil)
    case .SQLITE_CONSTRAINT_TRIGGER where error.message?.hasPrefix(denial) == true:
      return (.deniedDeletion, denialAdvice)
    default: break
    }
    switch error.resultCode {
    case .SQLITE_NOTADB:
      return (
        .notADatabase,
        "open another file; if the file was a store, it was truncated or overwritten: restore"
          + " it from a copy"
      )
    case .SQLITE_CORRUPT:
      return (.damaged, "restore the file from a copy")
    case .SQLITE_CANTOPEN, .SQLITE_PERM:
      return (.cannotOpen, "check that the folder exists and is writable")
    case .SQLITE_READONLY:
      return (.readOnly, "make the file and its folder writable")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return (.busy, "close the other program, or try again")
    case .SQLITE_FULL:
      return (.full, "free up disk space")
    case .SQLITE_IOERR:
      return (.inputOutput, "check the disk")
    case .SQLITE_ABORT:
      return (.database, "rethrow the first error in the closure that writes")
    case .SQLITE_TOOBIG:
      return (.limitExceeded, "split the request or the value")
    case .SQLITE_ERROR where error.message?.isAboutLimit == true:
      return (.limitExceeded, "split the request")
    case .SQLITE_MISMATCH:
      return (.invalidValue, nil)
    case .SQLITE_CONSTRAINT:
      return (.constraint, nil)
    default:
      return (.database, nil)
    }
  }
}

extension String {
  /// Whether the message of SQLite reports that a statement exceeds a limit.
  fileprivate var isAboutLimit: Bool {
    [
      "Expression tree is too large", "parser stack overflow", "too many ", "at most ",
    ].contains { hasPrefix($0) }
  }
}

extension StoreError {
  /// Explains the damage to the write-ahead log at a path.
  mutating func explainLog(of path: String?) {
    guard code == .damagedLog, let path else { return }
    // The log file itself shows nothing: a connection that is opened later
    // creates a new, empty log.
    reason = "\(path)-wal was deleted or truncated while the store was open"
  }
}

extension DatabaseError {
  /// Whether the statement was interrupted, or an interruption has ended its
  /// transaction.
  fileprivate var isInterruption: Bool {
    resultCode == .SQLITE_INTERRUPT || resultCode == .SQLITE_ABORT
  }
}

/// Runs database work and converts database errors.
///
/// An interruption of a canceled task becomes a `CancellationError`.
///
/// A `DatabaseError` becomes a `StoreError` with the entity and the keys of a
/// failed constraint. The error gets the given subject unless it already has
/// one. Other errors are rethrown unchanged.
func withStoreErrors<Result>(
  on subject: String?, _ schema: Schema? = nil, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let error as DatabaseError where error.isInterruption && Task.isCancelled {
    throw CancellationError()
  } catch let error as DatabaseError {
    var error = StoreError(error, subject: subject, schema: schema)
    error.explainLog(of: subject)
    throw error
  } catch var error as StoreError where error.underlying != nil {
    error.subject = error.subject ?? subject
    error.resolve(schema)
    error.explainLog(of: subject)
    throw error
  }
}
