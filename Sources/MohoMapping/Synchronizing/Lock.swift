#if MOHO_PTHREAD_LOCK
  import Foundation

  /// Protects a value with a mutex.
  ///
  /// This implementation is for ThreadSanitizer, which intercepts pthread
  /// functions. On Linux it does not see `Mutex`: its slow path is compiled
  /// into the standard library without instrumentation and calls the kernel
  /// directly. ThreadSanitizer would report every contended access as a race.
  package final class Lock<Value>: @unchecked Sendable {
    // `@unchecked`: `value` is accessed only while `mutex` is locked.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ initialValue: consuming sending Value) {
      // SAFETY: Both addresses are allocated here, initialized before another
      // thread can access the lock, and deallocated in `deinit`.
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

  /// Protects a value with a mutex: `Mutex`, except in builds for
  /// ThreadSanitizer.
  package typealias Lock<Value: ~Copyable> = Mutex<Value>
#endif
