import Foundation
import MohoMapping
import Testing

@Suite struct URLTests {
  static let sound = [
    "http://a.com", "http://a.com/", "HTTP://EXAMPLE.com/A/../b", "https://u:p@a.com:80/x?y=z#f",
    "http://[::1]:8080/x", "http://[2001:db8::7]/c=GB?objectClass", "http://[::1%25en0]/",
    "http://[v1.a]/", "http://192.0.2.16:80/", "http://a.com:/", "http://a_b.com/",
    "http://xn--tda.com/%C3%BC", "http://a.com/%c3%bc", "http://a.com/a%20b+c",
    "http://a.com/?q=a/b?c&d=%5B%5D", "http://a.com/#a/b?c", "http://a.com/(x)'*!,;=$@:~",
    "file:///tmp/x", "mailto:a@b.c", "mailto:a@b.c?subject=x%20y", "urn:isbn:0451450523",
    "tel:+1-816-555-1212", "news:comp.infosystems", "data:,", "data:text/plain,Hello%2C",
    "data:text/plain;base64,SGk=", "javascript:alert('x')", "blob:http://x/y", "x:",
    "a", "a.mp3", "../b", "./a:b", "a/b:c", "/a:b", "/", "//host/p", "?q=1", "?", "#f", "#",
    "a//b", ".", "http://", "http:///p",
  ]

  static let refused = [
    "", " ", "not a valid URL", " http://a.com", "http://a.com ", "http://a.com/a b",
    "http://a b.com/", "\thttp://a.com", "http://a.com/\n", "http://a.com/\u{0}x",
    "http://a.com/\u{7f}", "%", "%zz", "a%2", "http://a.com/%ZZ", "http://a.com/%2",
    "http://a.com/%%20", "http://a.com/ü", "http://a.com/u\u{308}", "http://ü.com/",
    "http://例え.jp/", "http://a.com/?é", "http://a.com/#é", "http://a.com/😀",
    "http://a.com/a|b", "http://a.com/a[b]", "http://a.com/?q=a[b]", "http://a.com/{x}",
    "http://a.com/<x>", "http://a.com/\"x\"", "http://a.com/a\\b", "http://a.com/^",
    "http://a.com/`", "http://a.com#a#b", "http://[::1", "http://[::1%en0]/", "http://a@b@c/",
    "http://a:x/", "http://a.com:80a/", "1a:b", "[",
  ]

  private func read(_ content: FieldContent) throws -> URL {
    try URL.decode(from: ContentDecoder([content]), at: 0)
  }

  @Test(arguments: sound)
  func aURLPreservesItsString(_ text: String) throws {
    let url = try read(.string(text))

    let written = try FieldRecorder.content(of: url)

    #expect(written == .string(text))
    #expect(try read(written) == url)
  }

  @Test(arguments: refused)
  func aURLIsNotRepaired(_ text: String) throws {
    let error = #expect(throws: MappingError.self) { try read(.string(text)) }

    #expect(error?.code == .invalidValue)
  }

  @Test func anErrorNamesTheCharacterToEncode() throws {
    func expectation(_ text: String) -> String? {
      let error = #expect(throws: MappingError.self) { try read(.string(text)) }
      return error?.expected
    }

    #expect(expectation("http://a.com/ü") == "URL: percent-encode `ü` as `%C3%BC`")
    #expect(expectation("not a valid URL") == "URL: percent-encode ` ` as `%20`")
    #expect(expectation("http://a.com/a|b") == "URL: percent-encode `|` as `%7C`")
    #expect(expectation("http://a.com/\n") == "URL: percent-encode `\\n` as `%0A`")
    #expect(expectation("%zz") == "URL: percent-encode `%` as `%25`, or add two hexadecimal digits")
    #expect(
      expectation("http://ü.com/")
        == "URL: write the host in ASCII, as `xn--` labels, instead of `ü`")
    #expect(
      expectation("//ü.com/")
        == "URL: write the host in ASCII, as `xn--` labels, instead of `ü`")
    #expect(expectation("ü.html") == "URL: percent-encode `ü` as `%C3%BC`")
    #expect(expectation("") == "URL")
    #expect(expectation("http://a:x/") == "URL")
  }

  @Test func everyTransformOfAURLRejectsInvalidStrings() throws {
    let bad = FieldContent.string("a b")

    for transform in [Transform<URL>.standard, .standard.or(.standard)] {
      #expect(throws: MappingError.self) { try transform.decode(bad) }
    }
    #expect(throws: MappingError.self) { try Transform<URL>.standard.optional.decode(bad) }
    #expect(throws: MappingError.self) {
      try Transform<URL>.standard.array.decode(.array([.string("a"), bad]))
    }
    #expect(throws: MappingError.self) {
      try [String: URL].decode(from: ContentDecoder([.dictionary(["x": bad])]), at: 0)
    }
    #expect(throws: MappingError.self) {
      try Set<URL>.decode(from: ContentDecoder([.array([bad])]), at: 0)
    }
  }

  @Test func aRelativeURLIsWrittenAsAnAbsoluteString() throws {
    let base = try #require(URL(string: "http://a.com/c/d/"))
    let url = try #require(URL(string: "../b?x", relativeTo: base))

    #expect(try FieldRecorder.content(of: url) == .string("http://a.com/c/b?x"))
  }
}

extension Transform {
  fileprivate func decode(_ content: FieldContent) throws -> Value {
    try Mapping("Holder", { $0 }, .key("value", \Value.self, self))
      .model(from: ContentDecoder([content]))
  }
}
