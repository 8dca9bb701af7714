#if ServiceLifecycle
  public import ServiceLifecycle

  /// A store is a service that waits for the end of the program. Add it to a group before the
  /// services that use it: a group shuts down its services in reverse order.
  ///
  /// ```swift
  /// let group = ServiceGroup(
  ///   services: [store, server], gracefulShutdownSignals: [.sigterm], logger: logger)
  /// try await group.run()
  /// ```
  ///
  /// Requires the package trait `ServiceLifecycle`.
  extension ModelStore: Service {
    /// Waits until the program shuts down, and closes the store. See `close()`.
    ///
    /// The store can be used before this method is called. If the task is canceled, the store
    /// refuses new calls, and the method does not wait for those that are running.
    ///
    /// - Throws: The errors of `close()`, and `CancellationError` if the task is canceled.
    public func run() async throws {
      // Throws if the task is canceled. Closing then throws, too.
      try? await gracefulShutdown()
      try await close()
    }
  }
#endif
