import GRDB

extension StoreError {
  /// The failure that a database error stands for.
  init(_ error: DatabaseError, subject: String?) {
    let (code, suggestion) = Self.meaning(of: error)
    self.init(
      code,
      subject: subject,
      reason: error.message ?? "SQLite error \(error.extendedResultCode.rawValue)",
      suggestion: suggestion,
      underlying: error)
  }

  private static func meaning(of error: DatabaseError) -> (Code, suggestion: String?) {
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
      return (.notUnique, nil)
    default: break
    }
    switch error.resultCode {
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      return (.notADatabase, "choose another file")
    case .SQLITE_CANTOPEN, .SQLITE_PERM:
      return (.cannotOpen, "check that the folder exists and may be written to")
    case .SQLITE_READONLY:
      return (.readOnly, "make the file and its folder writable")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return (.busy, "close the program that holds it, or try again")
    case .SQLITE_FULL, .SQLITE_IOERR:
      return (.inputOutput, "check the disk")
    case .SQLITE_CONSTRAINT:
      return (.constraint, nil)
    default:
      return (.database, nil)
    }
  }
}

/// Runs database work and throws what it throws, with database errors as
/// ``StoreError`` that name the subject unless they name another.
func withStoreErrors<Result>(on subject: String?, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as DatabaseError {
    throw StoreError(error, subject: subject)
  } catch var error as StoreError where error.subject == nil && error.underlying != nil {
    error.subject = subject
    throw error
  }
}
