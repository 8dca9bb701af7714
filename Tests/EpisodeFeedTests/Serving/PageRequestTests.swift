import Foundation
import Moho
import Testing

@testable import EpisodeFeed

@Suite struct PageRequestTests {
  @Test(arguments: [
    ("GET", "/events", "", PageRequest.events(EpisodeList())),
    (
      "GET", "/events", "sections=season&search=&later=1",
      .events(EpisodeList(sections: .season))
    ),
    ("GET", "/events", "page=x", .events(EpisodeList(), page: "x")),
    (
      "GET", "/events", "search=a+b%2Bc%20%C3%A9&sections=podcast",
      .events(EpisodeList(sections: .podcast, search: "a b+c é"))
    ),
    (
      "GET", "/rows", "version=a-1&from=0&count=200",
      .rows(EpisodeList(), version: "a-1", from: 0, count: 200)
    ),
    (
      "GET", "/events", "order=title&podcast=Deep+Time&played=hide",
      .events(EpisodeList(order: .title, podcast: "Deep Time", hidesPlayed: true))
    ),
    (
      "GET", "/events", "order=newest&podcast=&played=show",
      .events(EpisodeList(order: .newest, podcast: ""))
    ),
    ("GET", "/podcasts", "", .podcasts),
    ("GET", "/episodes/7", "", .details(7)), ("POST", "/episodes/7/chapters", "", .chapters(7)),
    ("PUT", "/position", "", .setPosition),
    ("POST", "/refresh", "", .refresh(podcast: nil)),
    ("POST", "/refresh", "podcast=Deep+Time", .refresh(podcast: "Deep Time")),
    ("DELETE", "/activities/3", "", .cancel(3)),
    ("PATCH", "/episodes/7", "", .change(7)), ("DELETE", "/episodes/-7", "", .delete(-7)),
    ("POST", "/undo", "", .undo), ("POST", "/redo", "", .redo),
    ("POST", "/import/file", "", .importFile), ("POST", "/import/url", "", .importURL),
  ])
  func aRequestIsRead(method: String, path: String, query: String, request: PageRequest) throws {
    #expect(try PageRequest(method: method, path: path, query: query) == request)
  }

  @Test(arguments: [
    "/", "/style.css", "/activities.js", "/connection.js", "/details.js", "/list.js", "/model.js",
    "/news.js", "/player.js", "/row-menu.js", "/sidebar.js", "/streams.js", "/text.js",
    "/title-editor.js", "/view.js",
  ])
  func theFilesOfThePageAreInTheProgram(path: String) throws {
    guard case .file(let file) = try PageRequest(method: "GET", path: path, query: "v=1") else {
      Issue.record("not a file")
      return
    }
    #expect(!file.data.isEmpty)
    #expect(file.type.hasSuffix("; charset=utf-8"))
    #expect(file.tag.hasPrefix("\"") && file.tag.hasSuffix("\""))
  }

  @Test(arguments: [
    "", "//", "/index.html", "/style.css/", "/../style.css", "/./style.css", "/%73tyle.css",
    "/page/index.html", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/style.css%00",
    "style.css", "/episodes", "/episodes/", "/episodes/x", "/episodes/1/", "/episodes/+1",
    "/episodes/1/notes", "/episodes/x/chapters", "/episodes/1/chapters/", "/activities",
    "/activities/x", "/activities/1/", "/episodes/01", "/episodes/9223372036854775808",
    "/episodes/1/../2", "/Events", "/favicon.ico",
    "http://localhost/", "/\u{1B}[2J",
  ])
  func anUnknownPathIsNotFound(path: String) {
    for method in ["GET", "PATCH", "POST"] {
      expect(.notFound) { try PageRequest(method: method, path: path, query: "") }
    }
  }

  @Test(arguments: [
    ("POST", "/"), ("HEAD", "/"), ("POST", "/events"), ("GET", "/undo"), ("POST", "/episodes/1"),
    ("GET", "/episodes/1/chapters"), ("GET", "/position"), ("GET", "/refresh"),
    ("GET", "/activities/1"),
    ("PUT", "/episodes/1"), ("GET", "/import/file"), ("OPTIONS", "/undo"), ("", "/"),
  ])
  func anotherMethodIsInvalid(method: String, path: String) {
    expect(.invalidMethod) { try PageRequest(method: method, path: path, query: "") }
    #expect(!PageRequest.methods(path).isEmpty)
  }

  @Test(arguments: [
    ("/events", "sections=year"), ("/events", "search=%"), ("/events", "search=%ff"),
    ("/events", "page="), ("/events", "page=" + String(repeating: "a", count: 41)),
    ("/events", "search=" + String(repeating: "a", count: 201)),
    ("/events", "order=random"), ("/events", "played="),
    ("/events", "podcast=" + String(repeating: "a", count: 501)),
    ("/rows", "from=0&count=1"), ("/rows", "version=&from=0&count=1"),
    ("/rows", "version=a&from=-1&count=1"), ("/rows", "version=a&from=0&count=0"),
    ("/rows", "version=a&from=0&count=201"),
    ("/rows", "version=a&from=9223372036854775807&count=1"),
    ("/rows", "version=a&from=1e3&count=1"),
    ("/rows", "version=a&from=99999999999999999999&count=1"),
  ])
  func aMalformedParameterIsInvalid(path: String, query: String) {
    expect(.invalidRequest) { try PageRequest(method: "GET", path: path, query: query) }
  }

  @Test func onlyCommandsHaveBodies() throws {
    #expect(PageRequest.importFile.bodyLimit == 32 << 20)
    #expect(PageRequest.change(1).bodyLimit == 16 << 10)
    #expect(!PageRequest.events(EpisodeList()).isCommand)
    #expect(PageRequest.undo.isCommand)
    #expect(!PageRequest.details(1).isCommand)
    // It makes the server fetch a document.
    #expect(PageRequest.chapters(1).isCommand)
    #expect(PageRequest.setPosition.isCommand && PageRequest.setPosition.requiresJSON)
    #expect(PageRequest.importURL.requiresJSON && !PageRequest.importFile.requiresJSON)
  }

  @Test(arguments: [
    (#"{"isPlayed":true}"#, EpisodeChange(title: nil, isPlayed: true, was: nil)),
    (
      #"{"title":"New","was":{"title":"Old"}}"#,
      EpisodeChange(title: "New", isPlayed: nil, was: .init(title: "Old", isPlayed: nil))
    ),
  ])
  func theBodyOfAChangeIsRead(body: String, change: EpisodeChange) throws {
    #expect(try EpisodeChange(body: Data(body.utf8)) == change)
  }

  @Test(arguments: [
    "", "{", "[]", "null", "{}", #"{"title":7}"#, #"{"title":null}"#, #"{"name":"a"}"#,
    #"{"was":{"title":"a"}}"#, #"{"title":"a","was":[]}"#, #"{"title":"a","title":"b"}"#,
    "\u{FEFF}{}",
    #"{"title":"\uD800"}"#,
  ])
  func aMalformedChangeIsInvalid(body: String) {
    expect(.invalidRequest) { try EpisodeChange(body: Data(body.utf8)) }
  }

  @Test(arguments: [
    "ftp://a.example/feed", "file:///etc/passwd", "javascript:alert(1)", "http://", "http:/a",
    "not a url", "/feed", "user:secret@a.example",
    "http://a.example/" + String(repeating: "a", count: 2_000), "",
  ])
  func onlyWebAddressesAreAccepted(url: String) throws {
    let body = try JSONAdapter().data(from: AddressText(url: url))
    expect(.invalidURL) { try FeedAddress(body: body) }
  }

  @Test(arguments: [
    ("a.example/feed", "https://a.example/feed"), (" a.example ", "https://a.example"),
    ("localhost:8080/feed.xml", "https://localhost:8080/feed.xml"),
    ("http://a.example/feed", "http://a.example/feed"),
    ("feed://a.example/feed", "http://a.example/feed"),
  ])
  func anAddressWithoutASchemeIsCompleted(text: String, url: String) throws {
    let body = try JSONAdapter().data(from: AddressText(url: text))
    #expect(try FeedAddress(body: body).url.absoluteString == url)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"podcast":"P","episode":"1","seconds":-1}"#,
    #"{"podcast":"P","episode":"1","seconds":"1"}"#, #"{"podcast":"P","seconds":1}"#,
    #"{"podcast":"P","episode":"1","seconds":1,"x":2}"#,
  ])
  func aMalformedPositionIsInvalid(body: String) {
    expect(.invalidRequest) { try PositionChange(body: Data(body.utf8)) }
  }

  private struct AddressText: MappedModel {
    var url: String
    static let mapping = Mapping("AddressText", AddressText.init, .key("url", \.url))
  }

  private func expect(
    _ code: PageError.Code, location: SourceLocation = #_sourceLocation, _ body: () throws -> Any
  ) {
    let error = #expect(throws: PageError.self, sourceLocation: location) { _ = try body() }
    #expect(error?.code == code, sourceLocation: location)
  }
}

@Suite struct PageSafetyTests {
  private let safety = PageSafety(port: 8080)

  @Test(arguments: ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LocalHost:8080"])
  func thePageOfTheServerMayChangeTheList(host: String) throws {
    try safety.check(host: host, origin: "http://\(host)", isCommand: true)
    try safety.check(host: host, origin: nil, isCommand: false)
  }

  @Test(arguments: [
    nil, "", "localhost", "localhost:8081", "example.com:8080", "localhost.example.com:8080",
    "127.0.0.1", "127.0.0.2:8080", "0.0.0.0:8080", "[::]:8080", "localhost:8080 ",
    "user@localhost:8080",
  ])
  func anotherHostIsWrong(host: String?) {
    let error = #expect(throws: PageError.self) {
      try safety.check(host: host, origin: host.map { "http://\($0)" }, isCommand: false)
    }
    #expect(error?.code == .wrongHost)
  }

  @Test(arguments: [
    nil, "null", "", "http://localhost", "https://localhost:8080", "http://127.0.0.1:8080",
    "http://localhost:8081", "http://localhost:8080.example.com", "http://localhost:8080/",
  ])
  func aCommandOfAnotherOriginIsForbidden(origin: String?) {
    let error = #expect(throws: PageError.self) {
      try safety.check(host: "localhost:8080", origin: origin, isCommand: true)
    }
    #expect(error?.code == .forbiddenOrigin)
  }

  @Test func theDefaultPortCanBeOmitted() throws {
    try PageSafety(port: 80).check(
      host: "localhost", origin: "http://localhost", isCommand: true)
  }

  @Test func messagesAreSafeSentences() throws {
    let error = PageError(
      .invalidFeed, "a \u{1B}[2J\u{202E}title\n", details: Array(repeating: "x\u{7}", count: 30))

    #expect(error.message == #"A \u{1B}[2J\u{202E}title\n."#)
    #expect(error.details == Array(repeating: #"x\u{07}"#, count: 20))
    #expect(
      try JSONAdapter().text(from: PageError(.gone, "it is gone"))
        == #"{"error":{"code":"gone","message":"It is gone."}}"#)
    #expect(
      PageError.Code.allCases.map { PageError($0, "").status }.allSatisfy {
        (400..<600).contains($0)
      })
  }
}
