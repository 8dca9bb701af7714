import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Author: MappedModel, Hashable {
  var name: String
  var age: Int

  static let mapping = Mapping(
    "Author", Author.init,
    .key("name", \.name, alternatives: ["names[0]", "nick"]), .key("age", \.age, default: 18))
}

private struct Frame: MappedModel, Hashable {
  var width: Int
  var height: Int

  static let mapping = Mapping(
    "Frame", Frame.init, .key("width", \.width), .key("height", \.height, default: 2))
}

private struct Sheet: MappedModel, Hashable {
  var title: String
  var size: Int?
  var scale: Double
  var day: Date
  var author: Author
  var editor: Author?
  var frame: Frame
  var inset: Frame?

  static let day = Date(timeIntervalSinceReferenceDate: 86_400)
  static let mapping = Mapping(
    "Sheet", Sheet.init,
    .key("title", \.title, default: "it's"), .key("size", \.size, default: 10),
    .key("scale", \.scale, default: 0.5, .nullIsAbsent),
    .key("day", \.day, .iso8601Date, default: day),
    .key("author", \.author, json: "by.line", default: Author(name: "D", age: 1)),
    .key("editor", \.editor), .inlined("frame", \.frame, default: Frame(width: 7, height: 8)),
    .key("inset", \.inset))
}

private struct Page: MappedModel, Hashable {
  var id: Int
  var sheet: Sheet?

  static let mapping = Mapping(
    "Page", Page.init, .key("id", \.id, .unique), .key("sheet", \.sheet))
}

/// Nested models whose stored text lacks keys, as after a new version of an app.
@Suite(.allEngines) struct NestedKeyDefaultTests {
  private static let cases: [(String, String, Bool, @Sendable (ModelKeys<Page>) -> Filter)] = [
    ("an absent key", "{}", true, { $0.sheet.title == "it's" && $0.sheet.size == 10 }),
    (
      "a key", #"{"title":"a\u0062\"","size":-3}"#, true,
      { $0.sheet.title == "ab\"" && $0.sheet.size < 0 }
    ),
    ("a null key", #"{"size":null}"#, true, { $0.sheet.size == nil }),
    ("null that is absent", #"{"scale":null}"#, true, { $0.sheet.scale == 0.5 }),
    ("null in a required key", #"{"title":null}"#, false, { $0.sheet.title == "it's" }),
    ("a nil model", "", false, { $0.sheet.title == "it's" || $0.sheet.scale == 0.5 }),
    ("the day of a default", "{}", true, { $0.sheet.day == Sheet.day }),
    (
      "an absent model", #"{"by":{}}"#, true,
      { $0.sheet.author.name == "D" && $0.sheet.author.age == 1 }
    ),
    (
      "a model", #"{"by":{"line":{"name":"A"}}}"#, true,
      { $0.sheet.author.name == "A" && $0.sheet.author.age == 18 }
    ),
    ("an absent model without default", "{}", false, { $0.sheet.editor.age == 18 }),
    ("an absent model is nil", "{}", true, { $0.sheet.editor == nil }),
    ("an absent model with a default", "{}", true, { $0.sheet.author.age != 18 }),
    ("a null model", #"{"editor":null}"#, false, { $0.sheet.editor.age == 18 }),
    ("a model that lacks a key", #"{"editor":{"name":"E"}}"#, true, { $0.sheet.editor.age == 18 }),
    ("an alternative", #"{"editor":{"nick":"N"}}"#, true, { $0.sheet.editor.name == "N" }),
    (
      "the first alternative", #"{"editor":{"nick":"N","names":["M"]}}"#, true,
      { $0.sheet.editor.name == "M" }
    ),
    (
      "not an alternative", #"{"editor":{"nick":"N","name":"E"}}"#, true,
      { $0.sheet.editor.name == "E" }
    ),
    (
      "an absent inlined model", "{}", true,
      { $0.sheet.frame.width == 7 && $0.sheet.frame.height == 8 }
    ),
    (
      "an inlined model", #"{"width":1}"#, true,
      { $0.sheet.frame.width == 1 && $0.sheet.frame.height == 2 }
    ),
    (
      "white space", " { \"size\" : 4 , \"editor\" : { \"name\" : \"}\" } } ", true,
      { $0.sheet.size == 4 && $0.sheet.editor.name == "}" }
    ),
    ("a text instead of a number", #"{"size":"4"}"#, true, { $0.sheet.size == nil }),
    ("a fraction", #"{"size":4.5}"#, true, { $0.sheet.size == nil }),
    ("an integer with a fraction", #"{"size":4.0}"#, true, { $0.sheet.size == 4 }),
    (
      "a great number", #"{"size":1e30,"scale":1e999}"#, true,
      { $0.sheet.size == nil && !($0.sheet.scale > 0) }
    ),
    ("a number instead of a model", #"{"editor":5}"#, false, { $0.sheet.editor.age == 18 }),
    (
      "a date that does not exist", #"{"day":"2001-02-29"}"#, false,
      { $0.sheet.day < Date.distantFuture }
    ),
  ]

  @Test(arguments: cases.indices)
  func `absent keys have the values that decoding gives`(index: Int) throws {
    let (name, text, expected, condition) = Self.cases[index]
    let store = try emptyStore(Page.self)
    let value = text.isEmpty ? "NULL" : "'\(text)'"
    try store.execute("INSERT INTO \"Page\" (id, sheet) VALUES (1, \(value))")
    let request = ModelRequest<Page>().filter(condition)

    #expect(try store.exists(request) == expected, "\(name)")
    let evaluator = try RequestEvaluator(request, in: store.schema)
    let rows = try StoredRows(store)["Page"]
    #expect(evaluator.result(of: rows).isEmpty != expected, "\(name) in memory")
  }

  @Test func `defaults are those of fetched models`() throws {
    let store = try emptyStore(Page.self)
    try store.execute("INSERT INTO \"Page\" (id, sheet) VALUES (1, '{}')")
    let sheet = try #require(try store.fetch(ModelRequest<Page>()).first?.sheet)

    let request = ModelRequest<Page>().filter {
      $0.sheet.title == sheet.title && $0.sheet.size == sheet.size && $0.sheet.day == sheet.day
        && $0.sheet.scale == sheet.scale && $0.sheet.author.age == sheet.author.age
        && $0.sheet.frame.height == sheet.frame.height
    }

    #expect(try store.exists(request))
  }
}
