import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Status: MappedModel, Hashable {
  var id: Int
  @Indirect var boost: Status?

  static let mapping = Mapping(
    "Status", Status.init,
    .key("id", \.id, .unique), .key("boost", \.boost, json: "reblog"))
}

extension Status: Codable {}

private struct Step: MappedModel, Hashable {
  var name: String
  var next: Indirect<Step>?

  static let mapping = Mapping(
    "Step", Step.init, .key("name", \.name), .key("next", \.next))
}

private struct Endless: MappedModel {
  @Indirect var next: Endless

  static let mapping = Mapping("Endless", Endless.init, .key("next", \.next))
}

/// Structs that contain themselves.
@Suite struct IndirectModelTests {
  private let status = Status(id: 1, boost: Status(id: 2, boost: Status(id: 3, boost: nil)))

  @Test func `a model that contains itself is read and written`() throws {
    let adapter = JSONAdapter<Status>()
    let json = #"{"id":1,"reblog":{"id":2,"reblog":{"id":3}}}"#

    let read = try adapter.model(from: Data(json.utf8))

    #expect(read == status)
    #expect(read.hashValue == status.hashValue)
    #expect(String(decoding: try adapter.data(from: read), as: UTF8.self) == json)
  }

  @Test func `the box of a model is a value of a key`() throws {
    let adapter = JSONAdapter<Step>()
    let json = #"{"name":"a","next":{"name":"b","next":{"name":"c"}}}"#

    let step = try adapter.model(from: Data(json.utf8))

    #expect(step.next?.wrappedValue.next?.wrappedValue == Step(name: "c", next: nil))
    #expect(String(decoding: try adapter.data(from: step), as: UTF8.self) == json)
    #expect("\(Indirect(5))" == "5")
  }

  @Test func `a copy does not change with the original`() {
    var copy = status
    copy.boost?.boost = nil

    #expect(status.boost?.boost == Status(id: 3, boost: nil))
    #expect(copy == Status(id: 1, boost: Status(id: 2, boost: nil)))
  }

  @Test func `an error has the path from the root`() {
    let json = #"{"id":1,"reblog":{"id":2,"reblog":{"id":"x"}}}"#

    let error = #expect(throws: MappingError.self) {
      try JSONAdapter<Status>().model(from: Data(json.utf8))
    }
    #expect(error?.path == "reblog.reblog.id")
  }

  @Test(arguments: [128, 129])
  func `at most 128 models are nested`(depth: Int) throws {
    let json =
      String(repeating: #"{"id":1,"reblog":"#, count: depth - 1) + #"{"id":1}"#
      + String(repeating: "}", count: depth - 1)
    let data = Data(json.utf8)

    if depth <= 128 {
      let status = try JSONAdapter<Status>().model(from: data)
      #expect(try JSONAdapter<Status>().data(from: status) == data)
    } else {
      let error = #expect(throws: MappingError.self) {
        try JSONAdapter<Status>().model(from: data)
      }
      #expect(error?.code == .tooDeep)
    }
  }

  @Test func `a partial model replaces or removes the contained model`() throws {
    let adapter = JSONAdapter<Status>()
    let patch = try adapter.mergePatch(from: status, to: Status(id: 1, boost: nil))
    let partial = try adapter.partial(from: Data(#"{"reblog":{"id":9}}"#.utf8))

    #expect(String(decoding: patch, as: UTF8.self) == #"{"reblog":null}"#)
    #expect(partial.applied(to: status) == Status(id: 1, boost: Status(id: 9, boost: nil)))
  }

  @Test func `the model is codable`() throws {
    let data = try JSONEncoder().encode([status])
    let boxes = try JSONEncoder().encode([Indirect(5)])

    #expect(try JSONDecoder().decode([Status].self, from: data) == [status])
    #expect(try JSONDecoder().decode([Indirect<Int>].self, from: boxes) == [Indirect(5)])
  }

  @Test func `a model that requires itself is an error and no crash`() {
    #expect(Endless.mapping.issues.isEmpty)
    #expect(throws: MappingError.self) {
      try JSONAdapter<Endless>().model(from: Data(#"{"next":{"next":{}}}"#.utf8))
    }
  }
}
