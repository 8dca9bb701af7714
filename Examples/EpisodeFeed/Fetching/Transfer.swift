import CCurl
import Foundation
import Synchronization

/// One request and its response, by libcurl. Redirects are responses like
/// others.
///
/// Each transfer has its own thread, which libcurl blocks.
final class Transfer: Sendable {
  /// A complete response.
  struct Response: Sendable {
    let status: Int
    /// The headers by their names in lowercase.
    let headers: [String: String]
    /// The decoded body; empty unless the response is a success.
    let body: Data
  }

  private struct State {
    var incoming: IncomingResponse
    /// The number of bytes of the decoded body that libcurl has delivered.
    var deliveredCount = 0
    /// Why the transfer was aborted.
    var failure: (any Error)?
    var continuation: CheckedContinuation<Response, any Error>?
  }

  private let url: URL
  private let headers: [String]
  private let state: Mutex<State>

  /// Creates a transfer.
  ///
  /// - Parameter headers: Lines such as `Accept: */*`, without line breaks.
  init(_ url: URL, _ headers: [String], _ limits: FeedFetcher.Limits) {
    self.url = url
    self.headers = headers
    state = Mutex(State(incoming: IncomingResponse(from: url, limits)))
  }

  /// The number of bytes of the decoded body that libcurl has delivered, also
  /// if they exceed the limit.
  var deliveredCount: Int { state.withLock { $0.deliveredCount } }

  /// Sends the request and waits for the end of the response. Must be called at
  /// most once.
  ///
  /// - Throws: ``FetchError``, and `CancellationError` if the task is canceled.
  func response() async throws -> Response {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let failure = state.withLock { state in
          state.continuation = state.failure == nil ? continuation : nil
          return state.failure
        }
        if let failure { return continuation.resume(throwing: failure) }
        Thread.detachNewThread { self.end(self.perform()) }
      }
    } onCancel: {
      // The thread sees the failure within a second, and closes the connection.
      state.withLock { $0.failure = $0.failure ?? CancellationError() }
      end(.failure(CancellationError()))
    }
  }

  private func end(_ result: Result<Response, any Error>) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(with: result)
  }

  /// Transfers request and response on the calling thread.
  private func perform() -> Result<Response, any Error> {
    Self.blockBrokenPipes()
    var lines: UnsafeMutablePointer<curl_slist>?
    for line in headers { lines = curl_slist_append(lines, line) ?? lines }
    defer { curl_slist_free_all(lines) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CURL_ERROR_SIZE)) { text in
      text.initialize(repeating: 0)
      guard Self.isInitialized, let handle = curl_easy_init() else {
        return result(CURLE_FAILED_INIT, "")
      }
      defer { curl_easy_cleanup(handle) }
      var code = setOptions(of: handle, lines, text.baseAddress)
      if code == CURLE_OK { code = curl_easy_perform(handle) }
      let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return result(code, String(decoding: bytes, as: UTF8.self))
    }
  }

  private func setOptions(
    of handle: UnsafeMutableRawPointer, _ lines: UnsafeMutablePointer<curl_slist>?,
    _ errorText: UnsafeMutablePointer<CChar>?
  ) -> CURLcode {
    // SAFETY: the thread retains the transfer until it has released the handle.
    let transfer = Unmanaged.passUnretained(self).toOpaque()
    let results = [
      ccurl_allow_only_http(handle),
      ccurl_set_text(handle, CURLOPT_URL, url.absoluteString),
      ccurl_set_text(handle, CURLOPT_USERAGENT, "episode-feed"),
      // Other codings could expand a response much more.
      ccurl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "gzip"),
      ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, lines),
      ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText),
      // Signals are those of the whole process.
      ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
      // The answer of a proxy is not that of the server.
      ccurl_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
      ccurl_set_receiver(handle, CURLOPT_HEADERFUNCTION, Self.receiveHeaderLine),
      ccurl_set_pointer(handle, CURLOPT_HEADERDATA, transfer),
      ccurl_set_receiver(handle, CURLOPT_WRITEFUNCTION, Self.receiveBody),
      ccurl_set_pointer(handle, CURLOPT_WRITEDATA, transfer),
      ccurl_set_progress(handle, Self.progress),
      ccurl_set_pointer(handle, CURLOPT_XFERINFODATA, transfer),
      ccurl_set_number(handle, CURLOPT_NOPROGRESS, 0),
    ]
    return results.first { $0 != CURLE_OK } ?? CURLE_OK
  }

  /// - Parameter text: What libcurl says about the error.
  private func result(_ code: CURLcode, _ text: String) -> Result<Response, any Error> {
    state.withLock { state in
      let incoming = state.incoming
      if let failure = state.failure { return .failure(failure) }
      if incoming.hasHead, code == CURLE_OK || !incoming.isSuccess {
        return .success(
          Response(status: incoming.status, headers: incoming.headers, body: incoming.body))
      }
      // For libcurl, a head that ends early is complete.
      return .failure(FetchError.transfer(code == CURLE_OK ? CURLE_GOT_NOTHING : code, text, url))
    }
  }

  /// Adds what libcurl has received, and returns whether to receive more.
  private func receive(_ add: (inout State) throws -> Void) -> Bool {
    state.withLock { state in
      guard state.failure == nil else { return false }
      do { try add(&state) } catch { state.failure = error }
      return state.failure == nil && (!state.incoming.hasHead || state.incoming.isSuccess)
    }
  }
}

extension Transfer {
  /// The transfer and the bytes that libcurl passes to a callback.
  private static func arguments(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ transfer: UnsafeMutableRawPointer?
  ) -> (Transfer, UnsafeRawBufferPointer)? {
    guard let transfer else { return nil }
    // SAFETY: the pointer is that of `setOptions`. The callback uses the bytes
    // only until it returns.
    return (
      Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue(),
      UnsafeRawBufferPointer(start: bytes, count: count)
    )
  }

  // The callbacks return the number of accepted bytes. Another number aborts
  // the transfer.

  private static let receiveHeaderLine: curl_write_callback = { bytes, size, count, transfer in
    guard let (transfer, line) = arguments(bytes, size * count, transfer) else { return 0 }
    return transfer.receive { try $0.incoming.addHeaderLine(line) } ? line.count : 0
  }

  private static let receiveBody: curl_write_callback = { bytes, size, count, transfer in
    guard let (transfer, body) = arguments(bytes, size * count, transfer) else { return 0 }
    return transfer.receive { state in
      state.deliveredCount += body.count
      try state.incoming.addBody(body)
    } ? body.count : 0
  }

  // libcurl calls it at least once a second.
  private static let progress: curl_xferinfo_callback = { transfer, _, _, _, _ in
    guard let (transfer, _) = arguments(nil, 0, transfer) else { return 1 }
    return transfer.state.withLock { $0.failure == nil } ? 0 : 1
  }

  private static let isInitialized = ccurl_initialize() == CURLE_OK

  /// Without signals, libcurl does not protect the thread from the signal of a
  /// connection that the server has closed.
  private static func blockBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
