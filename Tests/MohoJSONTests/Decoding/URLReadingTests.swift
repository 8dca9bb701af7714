import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Link: MappedModel, Equatable {
  var url: URL
  var others: [URL] = []
  var named: [String: URL] = [:]
  var maybe: URL?

  static let mapping = Mapping(
    "Link", Link.init,
    .key("url", \.url), .key("others", \.others, default: []),
    .key("named", \.named, default: [:]), .key("maybe", \.maybe))
}

@Suite struct URLReadingTests {
  private let adapter = JSONAdapter<Link>()

  /// A link with a text at every key.
  private static func json(_ text: String) -> String {
    #"{"url":"\#(text)","others":["\#(text)"],"named":{"a":"\#(text)"},"#
      + #""maybe":"\#(text)"}"#
  }

  @Test(
    arguments: [
      "http://a.com/%c3%BC?q=%20#f", "../b", "?q", "#f", "mailto:a@b.c", "data:,", "//h/p",
      "http://[::1]:80/", "HTTP://A.com/../b",
    ])
  func decodedTextIsEncodedIdentically(_ text: String) throws {
    let json = Self.json(text)

    let link = try adapter.model(from: json)

    #expect(try adapter.text(from: link) == json)
    #expect(try adapter.text(from: adapter.partial(from: json)) == json)
  }

  @Test(arguments: ["", " ", "not a valid URL", "%zz", "http://a.com/ü", "http://ü.com/", "a|b"])
  func invalidURLsAreErrorsEverywhere(_ text: String) throws {
    let paths = ["/url", "/others/0", "/named/a", "/maybe"]
    let json = Self.json(text)

    let whole = #expect(throws: MappingError.self) { try adapter.model(from: json) }
    let partial = #expect(throws: MappingError.self) { try adapter.partial(from: json) }

    #expect(whole?.errors.map { $0.path?.pointer } == paths)
    #expect(partial?.errors.map { $0.path?.pointer } == paths)
  }

  @Test func theErrorNamesTheCharacterAndItsPosition() throws {
    let error = #expect(throws: MappingError.self) {
      try adapter.model(from: #"{"url": "http://a.com/ü"}"#)
    }

    #expect(
      error?.description == """
        invalid value: string "http://a.com/ü", expected URL: percent-encode `ü` as `%C3%BC` \
        - `Link.url` at /url, 1:9
        """)
  }
}
