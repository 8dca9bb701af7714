import CPostgres
import Synchronization

/// The message with which a server announces the end of a connection while no statement
/// is running, and the notices of libpq.
///
/// Not `Sendable`: the connection uses it on the thread that uses the connection. Results, which
/// other threads can use, only set a flag.
final class Announcement {
  private var error: PostgresError?
  private let unexpectedMessage = Atomic(false)

  /// Whether libpq has reported a message that no statement has caused, or a value that a result
  /// does not have.
  var hasUnexpectedMessage: Bool { unexpectedMessage.load(ordering: .relaxed) }

  /// Receives the notices of a connection, which must retain this object, as must its results.
  func receive(from handle: OpaquePointer) {
    // SAFETY: The connection retains the object as long as the handle exists, and results
    // retain it as long as they exist.
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
    if error.sqlState == nil { unexpectedMessage.store(true, ordering: .relaxed) }
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
