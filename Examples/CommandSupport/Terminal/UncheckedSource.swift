import Dispatch

/// A dispatch source that a stream keeps and cancels.
// `@unchecked`: dispatch sources may be cancelled from any thread, but their
// type does not say so everywhere.
struct UncheckedSource: @unchecked Sendable {
  private let source: any DispatchSourceProtocol

  init(_ source: any DispatchSourceProtocol) { self.source = source }

  func cancel() { source.cancel() }
}
