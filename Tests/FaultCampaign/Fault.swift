import CFaultyFiles
import GRDB

/// A fault that SQLite receives from the file system, such as `write 3 full`: the third write
/// reports that the disk is full.
struct Fault: Hashable, CustomStringConvertible {
  /// The calls of SQLite, in the order of the constants in C.
  enum Call: Int32, CaseIterable {
    case open, read, write, sync, truncate, lock, unlock, fileSize
    case shmMap, shmLock, delete, access

    /// The failures that the call can report.
    var failures: [Failure] {
      switch self {
      case .open: [.error, .cannotOpen]
      case .write: [.error, .full, .halfway]
      case .sync, .delete: [.error, .errorAfterwards]
      // Otherwise, nothing would ever unlock the file.
      case .unlock: [.errorAfterwards]
      case .lock, .shmLock: [.error, .busy]
      case .shmMap: [.error, .full]
      default: [.error]
      }
    }
  }

  enum Failure: String, CaseIterable {
    /// An input or output error, before the call does anything.
    case error
    /// An input or output error, although the call has done everything.
    case errorAfterwards
    /// The disk is full, and nothing is written.
    case full
    /// The disk is full, and the first half of the bytes is written.
    case halfway
    case cannotOpen
    case busy
    /// The call does nothing, and reports success. For a test of this campaign.
    case ignored
  }

  var call: Call
  /// The number of the first call that fails, from 1.
  var number: Int
  var failure: Failure
  /// The number of successive calls that fail, or nil for all later ones.
  var count: Int?

  init(_ call: Call, _ number: Int, _ failure: Failure, count: Int?) {
    self.call = call
    self.number = number
    self.failure = failure
    self.count = count
  }

  /// Reads a description.
  init?(_ words: [String]) {
    guard words.count >= 3, let call = Call.allCases.first(where: { "\($0)" == words[0] }),
      let number = Int(words[1]), let failure = Failure(rawValue: words[2])
    else { return nil }
    let count = words.count > 3 ? words[3] : "1"
    guard count == "always" || Int(count) != nil else { return nil }
    self.init(call, number, failure, count: Int(count))
  }

  var description: String {
    "\(call) \(number) \(failure.rawValue)"
      + (count == 1 ? "" : count.map { " \($0)" } ?? " always")
  }

  /// All faults of a kind of call that begin with one of its first calls, by number.
  ///
  /// Calls that find a lock may find it a few times, but not forever: SQLite waits.
  static func all(_ call: Call, numbers: ClosedRange<Int>) -> [Fault] {
    numbers.flatMap { number in
      call.failures.flatMap { failure in
        [1, failure == .busy ? 3 : nil].map { Fault(call, number, failure, count: $0) }
      }
    }
  }

  /// The result code that SQLite receives.
  private var code: ResultCode {
    switch failure {
    case .full, .halfway: .SQLITE_FULL
    case .cannotOpen: .SQLITE_CANTOPEN
    case .busy: .SQLITE_BUSY
    case .ignored: .SQLITE_OK
    case .error, .errorAfterwards:
      switch call {
      case .open: .SQLITE_IOERR
      case .read: .SQLITE_IOERR_READ
      case .write: .SQLITE_IOERR_WRITE
      case .sync: .SQLITE_IOERR_FSYNC
      case .truncate: .SQLITE_IOERR_TRUNCATE
      case .fileSize: .SQLITE_IOERR_FSTAT
      case .unlock: .SQLITE_IOERR_UNLOCK
      case .delete: .SQLITE_IOERR_DELETE
      case .access: .SQLITE_IOERR_ACCESS
      case .lock: .SQLITE_IOERR_LOCK
      case .shmLock: .SQLITE_IOERR_SHMLOCK
      case .shmMap: .SQLITE_IOERR_SHMMAP
      }
    }
  }

  /// Makes the next calls fail.
  func arm() {
    let moment =
      switch failure {
      case .errorAfterwards: faulty_after
      case .halfway: faulty_halfway
      default: faulty_before
      }
    faulty_arm(
      call.rawValue, Int32(number), count.map { Int32($0) } ?? .max, Int32(moment), code.rawValue)
  }

  /// Ends all faults.
  ///
  /// - Returns: The number of calls that have failed.
  static func disarm() -> Int { Int(faulty_disarm()) }
}
