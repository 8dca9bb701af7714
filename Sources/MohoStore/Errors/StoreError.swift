import MohoMapping

/// Why a store could not be opened, read or written.
///
/// Whatever the error, the store holds what it held before the call of
/// ``ModelStore/write(_:)`` that threw it. Where an error is caught inside of
/// that call's closure, what was written before it is part of the transaction.
public struct StoreError: Error, Sendable {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    let name: String

    /// What messages begin with.
    public var description: String { name }

    /// The file cannot be opened or made.
    public static let cannotOpen = Code(name: "cannot open the store")
    /// The path is that of a device, a pipe or a socket.
    public static let notAFile = Code(name: "not a regular file")
    /// The file is open by another of its hard links.
    public static let alreadyOpen = Code(name: "the store is open by another path")
    /// The write-ahead log has been deleted or truncated while the store is open.
    public static let damagedLog = Code(name: "the write-ahead log is damaged")
    /// The file is no SQLite database.
    public static let notADatabase = Code(name: "not a SQLite database")
    /// The file is a SQLite database whose content is damaged.
    public static let damaged = Code(name: "the store is damaged")
    /// The file is the database of another application, by its application
    /// identifier.
    public static let foreignFile = Code(name: "another application's file")
    /// The file has been moved, deleted or replaced while the store is open.
    public static let replaced = Code(name: "the file has been replaced")
    /// The file, its folder or its disk does not take writes.
    public static let readOnly = Code(name: "the store is read-only")
    /// Another connection held a lock for longer than the busy timeout.
    public static let busy = Code(name: "the store is locked")
    /// The disk failed.
    public static let inputOutput = Code(name: "the disk failed")
    /// The disk is full, or the file has reached the size that it may have.
    public static let full = Code(name: "the disk is full")
    /// The tables in the file are not those that the models declare, and are
    /// not made so; see ``StoreError/differences``.
    public static let incompatibleSchema = Code(name: "incompatible schema")
    /// A migration would throw values away that no one has given up.
    public static let wouldLoseData = Code(name: "the migration would lose data")
    /// A step of a migration failed.
    public static let migrationFailed = Code(name: "migration failed")
    /// A connection is set up in a way that a store cannot work with.
    public static let invalidConnection = Code(name: "invalid connection")
    /// Entities, or the models that they are derived from, cannot be kept as
    /// they are declared.
    public static let invalidSchema = Code(name: "invalid schema")
    /// A value is already taken where it must be unique.
    public static let notUnique = Code(name: "not unique")
    /// A key that needs a value has none.
    public static let missingValue = Code(name: "missing value")
    /// A value is not of its key's type, or breaks a constraint of the key.
    public static let invalidValue = Code(name: "invalid value")
    /// A row is linked to a row that is not there.
    public static let danglingReference = Code(name: "dangling reference")
    /// A row cannot be deleted, because of the rows that it is linked to.
    public static let deniedDelete = Code(name: "denied deletion")
    /// A value breaks another constraint of its table.
    public static let constraint = Code(name: "constraint failed")
    /// A row contains itself through nested models.
    public static let cycle = Code(name: "cycle of rows")
    /// More rows would go than are allowed to.
    public static let tooManyDeletions = Code(name: "too many deletions")
    /// What a plan rests on is no longer what is stored.
    public static let planOutdated = Code(name: "outdated plan")
    /// A request or a call cannot be carried out as it stands.
    public static let invalidRequest = Code(name: "invalid request")
    /// A request or a value exceeds a limit of SQLite.
    public static let limitExceeded = Code(name: "limit exceeded")
    /// SQLite failed in another way.
    public static let database = Code(name: "database error")
  }

  /// What kind of failure it is.
  public var code: Code
  /// The file, table, key or request that it is about.
  public var subject: String?
  /// The entity that it is about, where that is known.
  public var entity: String?
  /// The keys of the entity that it is about, such as those whose constraint is
  /// broken; empty where they are not known.
  public var keys: [String] = []
  /// All in which the store differs from what is declared, of code
  /// ``Code/incompatibleSchema`` and ``Code/wouldLoseData``.
  public var differences: [SchemaDifference] = []
  /// What was found.
  public var reason: String
  /// How to mend it, where that is known.
  public var suggestion: String?
  /// The error of the database, a `GRDB.DatabaseError`, where it came from one.
  public var underlying: (any Error)?

  /// What the message of a trigger begins with that keeps a row from being
  /// deleted; the relationship follows.
  static let denial = "moho deny: "

  /// What the message of the SQL function begins with that finds no row for a
  /// reference; the key, the other model and the value follow, each in a line.
  static let dangling = "moho dangling: "

  init(
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
  /// The message on one line: `<what>: <found> - <where>; <how to mend it>`.
  public var description: String {
    var text = "\(code.name): \(reason)"
    if let subject { text += " - \(subject)" }
    if let suggestion { text += "; \(suggestion)" }
    return text.escapedForMessages
  }
}
