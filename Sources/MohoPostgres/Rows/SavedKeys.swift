import MohoRows

/// The unique keys of the rows that a call has saved.
///
/// Keys that are not integers are represented by their hash values. Different keys
/// with one hash value count as equal, which is as rare as it is harmless: the
/// call is undone, and compares the keys themselves.
struct SavedKeys {
  private var integers: Set<Int64> = []
  private var hashes: Set<Int> = []

  /// Adds the key of the current row of an encoder.
  ///
  /// - Throws: A ``RepeatedRow`` if the key is known.
  mutating func insert(keyOf encoder: RowArrayEncoder) throws {
    if let integer = encoder.integerKey {
      if !integers.insert(integer).inserted { throw RepeatedRow() }
    } else if let key = encoder.uniqueKey, !hashes.insert(key.hashValue).inserted {
      throw RepeatedRow()
    }
  }
}
