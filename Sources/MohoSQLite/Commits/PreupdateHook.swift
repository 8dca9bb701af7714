import GRDB
import GRDBSQLite
import MohoRows

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// SQLite's pre-update hook. SQLite calls it before any statement writes a row,
/// with the values of the row.
///
/// Many builds of SQLite have the hook, but few headers declare it. It is
/// therefore looked up at run time. All builds have the update hook, but it
/// does not report rows that `REPLACE` deletes, the former row ID of a row, and
/// the rows of a table that are deleted at once.
// SAFETY: SQLite documents these types of the functions
// (https://www.sqlite.org/c3ref/preupdate_count.html). Pointers that may be
// null are optionals.
struct PreupdateHook: Sendable {
  typealias Callback =
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, CInt, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, Int64, Int64
    ) -> Void
  typealias Install =
    @convention(c) (OpaquePointer?, Callback?, UnsafeMutableRawPointer?) ->
    UnsafeMutableRawPointer?
  typealias OldValue =
    @convention(c) (OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?) -> CInt

  let install: Install
  let oldValue: OldValue

  /// The hook, or nil if SQLite was built without it.
  static let available: PreupdateHook? = {
    guard sqlite3_compileoption_used("ENABLE_PREUPDATE_HOOK") != 0,
      let install = symbol("sqlite3_preupdate_hook"),
      let oldValue = symbol("sqlite3_preupdate_old")
    else { return nil }
    // SAFETY: The names identify the functions with these types.
    return PreupdateHook(
      install: unsafeBitCast(install, to: Install.self),
      oldValue: unsafeBitCast(oldValue, to: OldValue.self))
  }()

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    #if os(Windows)
      return nil
    #elseif canImport(Darwin)
      // `RTLD_DEFAULT`, which is a cast in C.
      return dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
    #else
      return dlsym(nil, name)
    #endif
  }
}
