import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Link: MappedModel, Equatable {
  var id: Int
  var url: URL
  var others: [URL] = []

  static let mapping = Mapping(
    "Link", Link.init, .key("id", \.id, .unique), .key("url", \.url), .key("others", \.others))
}

@Suite(.allEngines) struct URLStoringTests {
  @Test(
    arguments: [
      "http://a.com/%c3%BC?q=%20#f", "../b", "?q", "#f", "mailto:a@b.c", "data:,", "//h/p",
      "http://[::1]:80/", "HTTP://A.com/../b",
    ])
  func aURLKeepsItsText(_ text: String) throws {
    let url = try #require(URL(string: text))
    let link = Link(id: 1, url: url, others: [url])
    let store = try emptyStore(Link.self)

    try store.write { try $0.save(link) }

    #expect(try store.fetch(ModelRequest<Link>()) == [link])
    #expect(try store.fetch(ModelRequest<Link>().filter { $0.url == url }) == [link])
    let row = try #require(try EditingContext(store).fetch("Link").first)
    #expect(try row["url"] == .string(text))
    #expect(try row[\Link.url] == url)
  }

  @Test(arguments: ["", " ", "not a valid URL", "%zz", "http://a.com/ü", "a|b"])
  func aColumnThatHoldsNoURLIsAnError(_ text: String) throws {
    let store = try emptyStore(Link.self)
    let url = try #require(URL(string: "x:"))
    try store.write { try $0.save(Link(id: 1, url: url)) }
    try store.execute("UPDATE \"Link\" SET url = \(sqlLiteral(text))")
    let row = try #require(try EditingContext(store).fetch("Link").first)

    #expect(throws: MappingError.self) { try store.fetch(ModelRequest<Link>()) }
    #expect(throws: MappingError.self) { try row[\Link.url] }
    #expect(throws: MappingError.self) { try row.value("url", as: URL.self) }
    #expect(throws: MappingError.self) { try ManagedRowAdapter<Link>().model(from: row) }
  }
}
