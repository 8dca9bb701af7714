public import MohoMapping

/// A row, or what may become one, on which filters are evaluated and which is
/// put in order in memory.
///
/// Values are those that a store would hold: the contents that the key's
/// mapping writes, integers as `int64` or `uint64`.
public protocol FilterSubject {
  /// The value of an attribute; null where there is none.
  ///
  /// It is asked for the entity's identity column too: the identity of the row,
  /// or null of one that is not saved.
  func value(of key: String) -> FieldContent

  /// The rows at the other end of a relationship: at most one where it is to
  /// one, in any order where it is to many.
  func related(by key: String) -> [any FilterSubject]
}
