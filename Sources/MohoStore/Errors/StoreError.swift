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
    /// The file is no SQLite database, or a damaged one.
    public static let notADatabase = Code(name: "not a SQLite database")
    /// The file, its folder or its disk does not take writes.
    public static let readOnly = Code(name: "the store is read-only")
    /// Another connection held a lock for longer than the busy timeout.
    public static let busy = Code(name: "the store is locked")
    /// The disk is full, or failed.
    public static let inputOutput = Code(name: "the disk failed")
    /// The tables in the file are not those that the models declare.
    public static let incompatibleSchema = Code(name: "incompatible schema")
    /// Entities, or the models that they are derived from, cannot be kept as
    /// they are declared.
    public static let invalidSchema = Code(name: "invalid schema")
    /// A value is already taken where it must be unique.
    public static let notUnique = Code(name: "not unique")
    /// A value breaks another constraint of its table.
    public static let constraint = Code(name: "constraint failed")
    /// A request or a call cannot be carried out as it stands.
    public static let invalidRequest = Code(name: "invalid request")
    /// SQLite failed in another way.
    public static let database = Code(name: "database error")
  }

  /// What kind of failure it is.
  public var code: Code
  /// The file, table, key or request that it is about.
  public var subject: String?
  /// What was found.
  public var reason: String
  /// How to mend it, where that is known.
  public var suggestion: String?
  /// The error of the database, a `GRDB.DatabaseError`, where it came from one.
  public var underlying: (any Error)?

  /// What the message of a trigger begins with that keeps a row from being
  /// deleted; the relationship follows.
  static let denial = "moho deny: "

  init(
    _ code: Code, subject: String? = nil, reason: String, suggestion: String? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.subject = subject
    self.reason = reason
    self.suggestion = suggestion
    self.underlying = underlying
  }
}

extension StoreError: CustomStringConvertible {
  /// The message: `<what>: <found> - <where>; <how to mend it>`.
  public var description: String {
    var text = "\(code.name): \(reason)"
    if let subject { text += " - \(subject)" }
    if let suggestion { text += "; \(suggestion)" }
    return text
  }
}
