import GRDBSQLite

/// A hash of a column value, stable while the process runs. Values are equal if
/// their types and bytes are.
// SAFETY: The bytes of SQLite are valid until the value changes, after their
// use.
func fingerprint(ofValue value: OpaquePointer?) -> UInt64 {
  var hasher = Hasher()
  let type = sqlite3_value_type(value)
  hasher.combine(type)
  switch type {
  case SQLITE_INTEGER: hasher.combine(sqlite3_value_int64(value))
  case SQLITE_FLOAT: hasher.combine(sqlite3_value_double(value).bitPattern)
  case SQLITE_TEXT, SQLITE_BLOB:
    // The count first: SQLite converts texts of other encodings to UTF-8 for
    // it.
    let count = Int(sqlite3_value_bytes(value))
    let bytes = sqlite3_value_blob(value)
    hasher.combine(bytes: UnsafeRawBufferPointer(start: bytes, count: count))
  default: break
  }
  return UInt64(bitPattern: Int64(hasher.finalize()))
}

/// The fingerprint of an integer.
func fingerprint(of integer: Int64) -> UInt64 {
  var hasher = Hasher()
  hasher.combine(SQLITE_INTEGER)
  hasher.combine(integer)
  return UInt64(bitPattern: Int64(hasher.finalize()))
}

/// The fingerprint of a text.
func fingerprint(of text: String) -> UInt64 {
  var hasher = Hasher()
  hasher.combine(SQLITE_TEXT)
  var text = text
  text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  return UInt64(bitPattern: Int64(hasher.finalize()))
}

/// The identity in the first column of the current row of a statement, and the
/// fingerprints of the others.
// SAFETY: As above.
func fingerprints(_ statement: OpaquePointer) -> (rowID: Int64, values: [UInt64]) {
  let count = Int(sqlite3_column_count(statement)) - 1
  let values = [UInt64](unsafeUninitializedCapacity: count) { values, initializedCount in
    for column in 0..<count {
      values[column] = fingerprint(ofValue: sqlite3_column_value(statement, Int32(column + 1)))
    }
    initializedCount = count
  }
  return (sqlite3_column_int64(statement, 0), values)
}
