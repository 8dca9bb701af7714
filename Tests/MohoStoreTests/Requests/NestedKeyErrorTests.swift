import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Circle: MappedModel, Hashable {
  var radius: Double
  static let mapping = Mapping("Circle", Circle.init, .key("radius", \.radius))
}

private struct Line: MappedModel, Hashable {
  var length: Double
  static let mapping = Mapping("Line", Line.init, .key("length", \.length))
}

private enum Shape: MappedModel, Hashable {
  case circle(Circle)
  case line(Line)

  static let mapping = Mapping<Shape>(
    "Shape", discriminator: "type",
    .variant("circle", Shape.circle) { if case .circle(let circle) = $0 { circle } else { nil } },
    .variant("line", Shape.line) { if case .line(let line) = $0 { line } else { nil } })
}

private struct Color: Codable, Hashable {
  var red: Int
}

private struct Detail: MappedModel, Hashable {
  var name: String
  var color: Color
  var lines: [Line]
  var draft: String?
  var moment: Date

  /// A date in minutes, whose form in documents only these functions know.
  static let minutes = Transform<Date>(
    .date,
    read: { Date(timeIntervalSinceReferenceDate: try $0.double(at: $1) * 60) },
    write: { try $1.encode($0.timeIntervalSinceReferenceDate / 60, at: $2) })
  static let mapping = Mapping(
    "Detail", Detail.init, .key("name", \.name), .key("color", \.color, .codable),
    .key("lines", \.lines), .key("draft", \.draft, .documentOnly), .key("moment", \.moment, minutes)
  )
  static let short = Mapping<Circle>("Circle", Circle.init, .key("radius", \.radius, json: "r"))
}

private struct Drawing: MappedModel, Hashable {
  var id: Int
  var shape: Shape
  var detail: Detail?
  var hole: Circle
  var lines: [Line]

  static let mapping = Mapping(
    "Drawing", Drawing.init, .key("id", \.id, .unique), .key("shape", \.shape),
    .key("detail", \.detail), .key("hole", \.hole, .nested(by: Detail.short)),
    .key("lines", \.lines))
}

/// Keys inside nested models that requests cannot use.
@Suite(.allEngines) struct NestedKeyErrorTests {
  private static let drawings = RowRequest("Drawing")
  private static let requests: [(RowRequest, String)] = [
    (
      drawings.filter { $0["detail"]["nane"] == "x" },
      "`Detail` has no key `nane`; did you mean `name`?"
    ),
    (drawings.filter { $0["detail"]["x"] == "x" }, "`Detail` has no key `x`"),
    (
      drawings.filter { $0["detail"]["name"]["x"] == "x" },
      "`Detail.name` is not a nested model and has no key `x`"
    ),
    (
      drawings.filter { $0["detail"]["lines"]["length"] == 1 },
      "`Detail.lines` is not a nested model and has no key `length`"
    ),
    (
      drawings.filter { $0["lines"]["length"] == 1 },
      "`Drawing.lines` is not a nested model and has no key `length`"
    ),
    (
      drawings.filter { $0["detail"]["lines"].any { $0["length"] == 1 } },
      "`Drawing.detail.lines` is not a to-many relationship"
    ),
    (
      drawings.filter { $0["detail"]["lines"] == "[]" },
      "`Drawing.detail.lines` is stored as JSON inside of a nested model; requests can only compare"
        + " it with nil"
    ),
    (
      drawings.filter { $0["detail"]["color"].contains("1") },
      "`Drawing.detail.color` is stored as JSON inside of a nested model"
    ),
    (
      drawings.order(by: Ordering(.key(KeyName(["detail", "lines"])))),
      "`Drawing.detail.lines` is stored as JSON inside of a nested model"
    ),
    (drawings.filter { $0["detail"]["draft"] == "x" }, "`Detail.draft` is not stored"),
    (
      drawings.filter { $0["detail"]["moment"] == Date.now },
      "`Detail.moment` is a date with its own functions"
    ),
    (
      drawings.filter { $0["detail"]["name"] > 3 },
      "`Drawing.detail.name` (string) cannot be compared with `3` (integer)"
    ),
    (
      drawings.filter { $0["detail"]["name"].isRow("a") },
      "`Drawing.detail.name` does not refer to a row"
    ),
    (
      drawings.filter { $0["shape"]["radius"] == 1.0 },
      "`Shape` has several variants: requests can only use its key `type`"
    ),
    (
      drawings.filter { $0["hole"]["radius"] == 1.0 },
      "`Circle` is nested by another mapping than that of its type: requests cannot use its keys"
    ),
  ]

  @Test(arguments: requests.indices)
  func `what is wrong is named in SQL and in memory`(index: Int) throws {
    let store = try emptyStore(Drawing.self)
    let (request, message) = Self.requests[index]

    let error = #expect(throws: StoreError.self) { try store.fetchIdentities(request) }
    let other = #expect(throws: StoreError.self) {
      try RequestEvaluator(request, in: store.schema)
    }

    #expect(error?.code == .invalidRequest)
    #expect(error?.reason.hasPrefix(message) == true, "\(error?.reason ?? "")")
    #expect(error?.reason == other?.reason)
  }

  @Test func `requests use the discriminator of a nested cluster`() throws {
    let store = try emptyStore(Drawing.self)
    let hole = Circle(radius: 1)
    try store.write { writer in
      try writer.save([
        Drawing(id: 1, shape: .circle(Circle(radius: 2)), detail: nil, hole: hole, lines: []),
        Drawing(id: 2, shape: .line(Line(length: 3)), detail: nil, hole: hole, lines: []),
      ])
    }

    let lines = Self.drawings.filter { $0["shape"]["type"] == "line" }

    #expect(try store.fetchIdentities(lines) == [2])
  }

  @Test func `values without a plain form are compared with nil`() throws {
    let store = try emptyStore(Drawing.self)
    let detail = Detail(
      name: "a", color: Color(red: 1), lines: [], draft: nil, moment: Date.distantPast)
    try store.write { writer in
      try writer.save([
        Drawing(
          id: 1, shape: .line(Line(length: 1)), detail: detail, hole: Circle(radius: 1), lines: []),
        Drawing(
          id: 2, shape: .line(Line(length: 1)), detail: nil, hole: Circle(radius: 1), lines: []),
      ])
    }

    for key in ["color", "lines"] {
      let request = Self.drawings.filter { $0["detail"][key] != nil }
      let other = Self.drawings.filter { $0["detail"][key] == nil }
      #expect(try store.fetchIdentities(request) == [1], "\(key)")
      #expect(try store.fetchIdentities(other) == [2], "\(key)")
    }
  }
}
