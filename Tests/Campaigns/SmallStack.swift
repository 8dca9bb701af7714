import Foundation
import Synchronization

/// Runs a closure on a thread with the smallest stack of a secondary thread, and
/// throws what it throws. The thread of the caller waits.
///
/// - Parameter size: The size of the stack in bytes. Unoptimized code takes more than
///   twice as much as optimized code.
package func onSmallStack(
  of size: Int = smallStackSize, _ body: @escaping @Sendable () throws -> Void
) throws {
  let result = Mutex<Result<Void, any Error>>(.success(()))
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    let ended = Result { try body() }
    result.withLock { $0 = ended }
    done.signal()
  }
  thread.stackSize = size
  thread.start()
  done.wait()
  try result.withLock { try $0.get() }
}

#if DEBUG
  package let smallStackSize = 1 << 20
#else
  package let smallStackSize = 512 << 10
#endif
