import MohoRows

/// The requests to report all commits so far.
///
/// A step of the feed meets the requests that were made before it began.
struct ReportRequests {
  private var count = 0
  private var metCount = 0
  /// When the first request was made that was not met.
  private var first: StoreInstruments.Moment?

  /// Adds a request. Returns its number.
  mutating func add() -> Int {
    count += 1
    if first == nil { first = StoreInstruments.Moment() }
    return count
  }

  /// Whether subscribers have received the commits before a request.
  func isMet(_ request: Int) -> Bool { metCount >= request }

  /// Begins a step. Called before it takes its snapshot.
  ///
  /// - Returns: The number of requests that the step meets, and the time of the first one.
  ///   Without a request, the time is that of this call.
  mutating func beginStep() -> (requests: Int, begin: StoreInstruments.Moment) {
    defer { first = nil }
    return (count, first ?? StoreInstruments.Moment())
  }

  /// Records that a step has ended.
  ///
  /// - Parameter requests: The number of requests that it meets.
  mutating func meet(_ requests: Int) { metCount = max(metCount, requests) }
}
