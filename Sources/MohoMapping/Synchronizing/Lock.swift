#if MOHO_PTHREAD_LOCK
  import Foundation

  /// Protects a value so that one thread at a time can use it.
  ///
  /// This is the form for ThreadSanitizer, which intercepts pthread functions.
  /// It does not see a `Mutex` on Linux: the waiting half of that lock is
  /// compiled into the standard library, without instrumentation, and calls the
  /// kernel directly. Every contended access would be reported as a race.
  package final class Lock<Value>: @unchecked Sendable {
    // `@unchecked`: `value` is accessed with `mutex` locked only.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ initialValue: consuming sending Value) {
      // SAFETY: Both addresses are allocated here, initialized before any other
      // thread has the lock, and deallocated with its last reference.
      mutex = .allocate(capacity: 1)
      mutex.initialize(to: pthread_mutex_t())
      pthread_mutex_init(mutex, nil)
      value = .allocate(capacity: 1)
      value.initialize(to: initialValue)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
      value.deinitialize(count: 1)
      value.deallocate()
    }

    package func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
#else
  package import Synchronization

  /// Protects a value so that one thread at a time can use it.
  ///
  /// The standard library's lock, except in builds for ThreadSanitizer.
  package typealias Lock<Value: ~Copyable> = Mutex<Value>
#endif
