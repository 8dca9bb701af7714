import MohoRows

/// The unique keys of the rows that a call has saved.
struct SavedKeys {
  private var integers: Set<Int64> = []
  private var others: Set<UniqueKey> = []

  /// Adds the key of the current row of an encoder.
  ///
  /// - Throws: A ``RepeatedRow`` if the key is known.
  mutating func insert(keyOf encoder: RowArrayEncoder) throws {
    if let integer = encoder.integerKey {
      if !integers.insert(integer).inserted { throw RepeatedRow() }
    } else if let key = encoder.uniqueKey, !others.insert(key).inserted {
      throw RepeatedRow()
    }
  }
}
