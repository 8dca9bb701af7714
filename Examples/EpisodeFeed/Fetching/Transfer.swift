import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its response. Redirects are responses like others.
final class Transfer: NSObject, URLSessionDataDelegate {
  /// A complete response.
  struct Response: Sendable {
    let status: Int
    /// The headers by their names in lowercase.
    let headers: [String: String]
    let body: Data
  }

  private struct State {
    var body = Data()
    /// The result, once it is known. Later events are ignored.
    var result: Result<Response, any Error>?
    var continuation: CheckedContinuation<Response, any Error>?
  }

  private let url: URL
  private let maximumSize: Int
  private let state = Mutex(State())

  private init(_ url: URL, maximumSize: Int) {
    self.url = url
    self.maximumSize = maximumSize
  }

  /// Sends a request and waits for the end of the response.
  ///
  /// - Throws: ``FetchError``, and `CancellationError` if the task is canceled.
  static func response(
    to request: URLRequest, at url: URL, maximumSize: Int
  ) async throws -> Response {
    let transfer = Transfer(url, maximumSize: maximumSize)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    let session = URLSession(
      configuration: configuration, delegate: transfer, delegateQueue: delegateQueue)
    // A session retains its delegate until it is invalidated.
    defer { session.finishTasksAndInvalidate() }
    let task = session.dataTask(with: request)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = transfer.state.withLock { state in
          state.continuation = state.result == nil ? continuation : nil
          return state.result
        }
        if let result { return continuation.resume(with: result) }
        task.resume()
      }
    } onCancel: {
      transfer.cancel(task, .failure(CancellationError()))
    }
  }

  /// Sets the result, if it is not known yet.
  private func end(_ result: Result<Response, any Error>) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      state.body = Data()
      state.result = state.result ?? result
      return state.continuation
    }
    continuation?.resume(with: result)
  }

  /// Sets the result, if it is not known yet, and cancels the task.
  private func cancel(_ task: URLSessionTask, _ result: Result<Response, any Error>) {
    end(result)
    // FoundationNetworking's method waits while bytes are being decoded.
    DispatchQueue.global().async { task.cancel() }
  }

  // Redirects are responses: `FeedFetcher` checks and follows them. The handler
  // is not called because FoundationNetworking traps if the task is canceled
  // before it processes the answer.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    cancel(task, .success(Response(response, body: Data())))
  }

  // Only successful responses have a body of interest. FoundationNetworking
  // never completes a response with status 401.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    completionHandler(.allow)
    if let response = response as? HTTPURLResponse, response.statusCode >= 300 {
      cancel(dataTask, .success(Response(response, body: Data())))
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = state.withLock { state in
      guard state.result == nil, state.body.count + data.count <= maximumSize else {
        return state.result == nil
      }
      state.body += data
      return false
    }
    if isTooLarge { cancel(dataTask, .failure(FetchError.tooLarge(url, limit: maximumSize))) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let result: Result<Response, any Error>
    if let error {
      result = .failure(FetchError.loading(error, url))
    } else if let response = task.response as? HTTPURLResponse {
      result = .success(Response(response, body: state.withLock { $0.body }))
    } else {
      result = .failure(FetchError.loading(URLError(.badServerResponse), url))
    }
    end(result)
  }
}

extension Transfer.Response {
  fileprivate init(_ response: HTTPURLResponse, body: Data) {
    status = response.statusCode
    var headers: [String: String] = [:]
    for case let (name as String, value as String) in response.allHeaderFields {
      headers[name.lowercased()] = value
    }
    self.headers = headers
    self.body = body
  }
}

#if canImport(FoundationNetworking)
  /// Runs operations on the thread that adds them.
  ///
  /// FoundationNetworking decodes compressed bodies without waiting for its
  /// delegate. With an ordinary queue, a small body that expands a thousandfold
  /// would fill the memory before the delegate could cancel the task. With this
  /// queue, the delegate receives each part before the next one is decoded.
  private final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  }

  private let delegateQueue: OperationQueue? = ImmediateQueue()
#else
  private let delegateQueue: OperationQueue? = nil
#endif
