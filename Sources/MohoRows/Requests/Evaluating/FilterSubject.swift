package import MohoMapping

/// A row in memory that a ``RequestEvaluator`` can filter and sort.
///
/// The row returns values in the form that a store would contain: the values
/// that the mapping writes, with integers as `int64` or `uint64`.
package protocol FilterSubject {
  /// Returns the value of an attribute, or null if the row has no value.
  ///
  /// The evaluator also asks for the identity column of the entity. Return the
  /// identity of the row, or null if the row has not been saved.
  func value(of key: String) -> FieldContent

  /// Returns the rows of a relationship: at most one for a to-one relationship,
  /// and all of them in any order for a to-many relationship.
  func related(by key: String) -> [any FilterSubject]
}
