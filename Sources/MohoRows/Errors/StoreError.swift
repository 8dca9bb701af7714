public import Foundation
public import MohoMapping

/// An error from opening, reading or writing a store.
///
/// If `ModelStore.write(_:)` throws, the store is unchanged. If the closure
/// of that call catches an error, the transaction contains everything that was
/// written before the error. Methods that save models undo their own changes.
///
/// A call that saves several models reports the errors of all of them together; see
/// ``errors``.
public struct StoreError: Error, Sendable {
  /// The kind of an error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    let name: String

    /// The text that the error message starts with.
    public var description: String { name }

    /// The file cannot be opened or created.
    public static let cannotOpen = Code(name: "cannot open the store")
    /// The path refers to a device, a pipe or a socket.
    public static let notAFile = Code(name: "not a regular file")
    /// The file is already open through another hard link.
    public static let alreadyOpen = Code(name: "the store is open by another path")
    /// The write-ahead log was deleted or truncated while the store was open.
    public static let damagedLog = Code(name: "the write-ahead log is damaged")
    /// The file is not an SQLite database.
    public static let notADatabase = Code(name: "not a SQLite database")
    /// The content of the database file is damaged.
    public static let damaged = Code(name: "the store is damaged")
    /// The file has the application identifier of another application.
    public static let foreignFile = Code(name: "another application's file")
    /// The file was moved, deleted or replaced while the store was open.
    public static let replaced = Code(name: "the file has been replaced")
    /// The file, its folder or its disk is not writable.
    public static let readOnly = Code(name: "the store is read-only")
    /// Another connection locked the database for longer than the busy timeout.
    public static let busy = Code(name: "the store is locked")
    /// The disk reported an error.
    public static let inputOutput = Code(name: "disk error")
    /// The disk is full, or the file has reached its maximum size.
    public static let full = Code(name: "the disk is full")
    /// The tables in the file differ from the declared models, and the
    /// migration policy does not allow the change. ``StoreError/differences``
    /// lists the differences.
    public static let incompatibleSchema = Code(name: "incompatible schema")
    /// A newer version of the app has opened the store. The store is not changed.
    public static let newerVersion = Code(name: "written by a newer version of the app")
    /// A migration would delete values without permission.
    public static let wouldLoseData = Code(name: "the migration would lose data")
    /// A migration step failed.
    public static let migrationFailed = Code(name: "migration failed")
    /// The configuration of a connection does not meet the requirements of a
    /// store.
    public static let invalidConnection = Code(name: "invalid connection")
    /// The declaration of the entities or models is invalid.
    public static let invalidSchema = Code(name: "invalid schema")
    /// A value or a combination of values that must be unique already exists.
    public static let notUnique = Code(name: "not unique")
    /// A required key has no value.
    public static let missingValue = Code(name: "missing value")
    /// A value does not have the type of its key, or violates a constraint of
    /// the key.
    public static let invalidValue = Code(name: "invalid value")
    /// A row refers to a row that does not exist.
    public static let danglingReference = Code(name: "dangling reference")
    /// A delete rule of a relationship denies the deletion of a row.
    public static let deniedDeletion = Code(name: "deletion denied")
    /// The store does not have the row, or the row has been deleted.
    public static let rowNotFound = Code(name: "row not found")
    /// A value violates another constraint of its table.
    public static let constraint = Code(name: "constraint failed")
    /// A row contains itself through nested models.
    public static let cycle = Code(name: "row cycle")
    /// Saving would delete more rows than ``SaveMode`` allows.
    public static let tooManyDeletions = Code(name: "too many deletions")
    /// Stored rows break the rules of their mapping, and the rule policy refuses them.
    public static let invalidRows = Code(name: "rows break rules")
    /// The rows of a plan have changed since the plan was created.
    public static let planOutdated = Code(name: "outdated plan")
    /// The store does not record its history.
    public static let noHistory = Code(name: "no history")
    /// Changes after a history token have been deleted from the history.
    public static let historyDeleted = Code(name: "deleted history")
    /// A history token belongs to another store or to another copy of the file.
    public static let foreignHistoryToken = Code(name: "foreign history token")
    /// A call began after the store was closed.
    public static let closed = Code(name: "the store is closed")
    /// A request or a call has invalid arguments.
    public static let invalidRequest = Code(name: "invalid request")
    /// The database has no full-text indexes, which searchable keys require:
    /// SQLite was built without FTS5.
    public static let searchUnavailable = Code(name: "full-text search is not available")
    /// A request or a value exceeds a limit of the database.
    public static let limitExceeded = Code(name: "limit exceeded")
    /// The text that selects a database of a server is invalid.
    public static let invalidConnectionString = Code(name: "invalid connection string")
    /// The database or its tables do not exist.
    public static let storeNotFound = Code(name: "store not found")
    /// The server cannot be reached, or does not accept the connection.
    public static let cannotConnect = Code(name: "cannot connect")
    /// The connection to the server was lost. The transaction was not committed.
    public static let connectionLost = Code(name: "connection lost")
    /// The connection to the server was lost while the transaction was being
    /// committed. It is unknown whether the changes were made.
    public static let commitUnknown = Code(name: "connection lost during the commit")
    /// The server does not accept the user or the password, or the user does not have
    /// a required right.
    public static let accessDenied = Code(name: "access denied")
    /// The server has a version that the store does not support.
    public static let unsupportedServer = Code(name: "unsupported server")
    /// A transaction conflicted with other transactions, also when it was run
    /// again.
    public static let conflict = Code(name: "transaction conflict")
    /// Any other error of the database.
    public static let database = Code(name: "database error")
  }

  /// The kind of the error.
  public var code: Code
  /// The file, table, key or request that caused the error.
  public var subject: String?
  /// The entity that caused the error, if it is known.
  public var entity: String?
  /// The keys of the entity that caused the error, such as the keys of a failed
  /// constraint. Empty if the keys are not known.
  public var keys: [String] = []
  /// The path of the model that caused the error in the argument of a call: its
  /// position, followed by the keys of nested models. Nil if the call saves a single
  /// model, or if the model is not known.
  public var path: FieldPath?
  /// All differences between the store and the declared models. Only errors
  /// with the code ``Code/incompatibleSchema`` or ``Code/wouldLoseData`` have
  /// differences.
  public var differences: [SchemaDifference] = []
  /// What went wrong.
  public var reason: String
  /// A way to resolve the error, if there is one.
  public var suggestion: String?
  /// The underlying database error: a `GRDB.DatabaseError`, or a `PostgresError`.
  public var underlying: (any Error)?
  /// Several errors that this error combines.
  var several: [any Error] = []
  /// Whether the message is that of all errors.
  var isSummary = false

  /// The prefix of the error message of the triggers that deny deletions. The
  /// relationship follows.
  package static let denial = "moho deny: "

  /// The prefix of the error message of the SQL function that resolves
  /// references. The key, the related model and the value follow, one per line.
  package static let dangling = "moho dangling: "

  package init(
    _ code: Code, subject: String? = nil, entity: String? = nil, keys: [String] = [],
    reason: String, suggestion: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.subject = subject
    self.entity = entity
    self.keys = keys
    self.reason = reason
    self.suggestion = suggestion
    self.underlying = underlying
  }
}

extension StoreError: CustomStringConvertible {
  /// The message on a single line: `<code>: <reason> - <subject>;
  /// <suggestion>`. If the error combines several, one line for each message, with
  /// the subjects that have it.
  public var description: String {
    several.isEmpty || isSummary
      ? message([subject].compactMap { $0 }) : lines.joined(separator: "\n")
  }

  /// The message about some of the subjects that have it.
  func message(_ subjects: [String]) -> String {
    var text = "\(code.name): \(reason)"
    if !subjects.isEmpty { text += " - \(subjects.joined(separator: ", "))" }
    if let suggestion { text += "; \(suggestion)" }
    return text.escapedForMessages
  }
}

extension StoreError: LocalizedError {
  /// The description of the error, for `localizedDescription`. It is not
  /// localized.
  public var errorDescription: String? { description }
}

/// A mapping that is writing to a database rethrows the database's errors
/// unchanged.
extension StoreError: AdapterError {}

extension StoreError {
  /// The error for a row whose model would contain too many nested models.
  ///
  /// Reading nested models is recursive; see ``NestingDepth``.
  init(nestedIn row: String?) {
    self.init(
      .cycle, subject: row,
      reason: "models are nested more than \(NestingDepth.limit) levels deep",
      suggestion: "hold the related models by `ModelReference`")
  }
}
