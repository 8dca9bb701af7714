import GRDBSQLite

/// A number by which a value of a column is told from another, for as long as
/// the process runs. Values are the same where their types and their bytes are.
// SAFETY: The bytes that SQLite lends stay until the value changes, which is
// after their use.
func fingerprint(ofValue value: OpaquePointer?) -> UInt64 {
  var hasher = Hasher()
  let type = sqlite3_value_type(value)
  hasher.combine(type)
  switch type {
  case SQLITE_INTEGER: hasher.combine(sqlite3_value_int64(value))
  case SQLITE_FLOAT: hasher.combine(sqlite3_value_double(value).bitPattern)
  case SQLITE_TEXT, SQLITE_BLOB:
    // The number first: texts of other encodings are made UTF-8 for it.
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

/// The fingerprints of the values of the row that a statement stands on, behind
/// its identity.
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
