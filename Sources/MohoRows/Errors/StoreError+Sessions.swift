extension StoreError {
  /// The error for a reader or a writer whose session has ended.
  package static var endedSession: StoreError {
    StoreError(
      .invalidRequest, reason: "a reader or writer is used after its closure has returned",
      suggestion: "use it inside the closure only")
  }

  /// The error for a call that begins after the store was closed. Observers receive it once,
  /// at the end.
  package static var closedStore: StoreError {
    StoreError(
      .closed, reason: "the call began after `close`",
      suggestion: "open the store again, or end its users before closing it")
  }

  /// Whether an error is the last report to an observer.
  package static func isEnd(_ error: any Error) -> Bool {
    (error as? StoreError)?.code == .closed
  }

  /// The error for observing a store in a transaction that writes.
  package static var uncommittedTransaction: StoreError {
    StoreError(
      .invalidRequest, reason: "a transaction that is not yet committed cannot be observed",
      suggestion: "begin observing outside of `write`")
  }

  /// The error for writing to a store while its observers receive a commit.
  package static var writeInObserver: StoreError {
    StoreError(
      .invalidRequest, reason: "an observer cannot write while it receives a commit",
      suggestion: "write after it has returned")
  }
}
