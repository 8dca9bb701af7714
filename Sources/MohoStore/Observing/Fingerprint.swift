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
