import CCurl
import Foundation
import TextTables

extension FetchError {
  /// Describes an error of libcurl.
  ///
  /// - Parameter text: What libcurl says about the error; may be empty.
  static func transfer(_ code: CURLcode, _ text: String, _ url: URL) -> FetchError {
    let server = "the server \(VisibleText.quoted(url.host(percentEncoded: false) ?? ""))"
    let text = VisibleText.escaped(text.isEmpty ? String(cString: curl_easy_strerror(code)) : text)
    switch code {
    case CURLE_URL_MALFORMAT: return invalidURL(url, "the URL is malformed")
    case CURLE_COULDNT_RESOLVE_HOST:
      return FetchError(
        .unreachable, url, "\(server) was not found",
        advice: "Check the URL and the network connection.")
    case CURLE_COULDNT_RESOLVE_PROXY:
      return FetchError(
        .unreachable, url, "the proxy was not found",
        advice: "Check the proxy in the environment of the process.")
    case CURLE_COULDNT_CONNECT:
      return FetchError(
        .unreachable, url, "\(server) does not accept connections",
        advice: "Check the URL and the network connection, or try again later.")
    case CURLE_OPERATION_TIMEDOUT:
      return FetchError(
        .timedOut, url, "the server does not respond", advice: "Try again later.")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS:
      return FetchError(
        .insecure, url, "the secure connection to \(server) failed: \(text)",
        advice: "Check the URL and the date of this computer.")
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING:
      return FetchError(
        .incomplete, url, "the connection was closed before the end of the document",
        advice: "Try again later.")
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
      return FetchError(
        .incomplete, url, "the document could not be received completely: \(text)",
        advice: "Try again later.")
    case CURLE_BAD_CONTENT_ENCODING:
      return invalidResponse(url, "it cannot be decoded: \(text)")
    // Errors of `Transfer` have their own description.
    case CURLE_WRITE_ERROR:
      return invalidResponse(url, "it has data after the end of its gzip stream")
    default: return invalidResponse(url, text)
    }
  }

  static func headersTooLarge(_ url: URL, limit: Int) -> FetchError {
    invalidResponse(url, "its headers are larger than \(size(limit))")
  }

  static func unsupportedCoding(_ url: URL, _ coding: String) -> FetchError {
    invalidResponse(url, "its coding \(VisibleText.quoted(coding)) is not supported")
  }

  private static func invalidResponse(_ url: URL, _ reason: String) -> FetchError {
    FetchError(
      .invalidResponse, url, "the response is invalid: \(reason)",
      advice: "Try again later, or check that the URL is that of a feed.")
  }
}
