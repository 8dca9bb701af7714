import CPostgres

/// The message with which a server announces the end of a connection while no statement
/// is running.
///
/// Not `Sendable`: the connection uses it on the thread that uses the connection.
final class Announcement {
  private var error: PostgresError?

  /// Receives the notices of a connection, which must retain this object.
  func receive(from handle: OpaquePointer) {
    // SAFETY: The connection retains the object as long as the handle exists.
    let context = Unmanaged.passUnretained(self).toOpaque()
    PQsetNoticeReceiver(
      handle,
      { context, result in
        guard let context, let result else { return }
        Unmanaged<Announcement>.fromOpaque(context).takeUnretainedValue().receive(result)
      }, context)
  }

  private func receive(_ result: OpaquePointer) {
    let error = PostgresError(result: result, sql: nil)
    // Before the end, the server sends a warning if one of its processes has crashed.
    if error.isFatal || error.sqlState == "57P02" { self.error = error }
  }

  /// Reads what the server has sent, and returns the announcement if there is one.
  func latest(_ handle: OpaquePointer) -> PostgresError? {
    _ = PQconsumeInput(handle)
    _ = PQisBusy(handle)
    return error
  }
}
