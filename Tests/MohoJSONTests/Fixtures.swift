import Foundation
import MohoJSON
import MohoMapping
import Testing

/// The model of Mantle's own specs.
struct TestModel: MappedModel, Equatable {
  var name: String?
  var count: UInt = 1
  var nestedName: String?

  static let mapping = Mapping(
    "TestModel", TestModel.init,
    .key("name", \.name, json: "username"),
    .key("count", \.count, .text, default: UInt(1)),
    .key("nestedName", \.nestedName, json: "nested.name"))
}

extension Transform where Value == UInt {
  static let text = Transform<String>.standard.map(
    expected: "integer in a string", to: { UInt($0) }, from: { String($0) })
}

struct Episode: MappedModel, Equatable {
  var id: Int
  var title: String
  var kind: Kind
  var duration: Double?

  enum Kind: String, CaseIterable, FieldValue { case free, paid }

  static let mapping = Mapping(
    "Episode", Episode.init,
    .key("id", \.id, .unique),
    .key("title", \.title),
    .key("kind", \.kind, json: "episode_type"),
    .key("duration", \.duration))
}

/// A model with one key, `value`.
struct Field<Value: FieldValue & Equatable>: MappedModel, Equatable {
  var value: Value

  init(_ value: Value) { self.value = value }

  static var mapping: Mapping<Self> {
    Mapping("Field", { Self($0) }, .key("value", \.value))
  }

  static func decode(_ text: String) throws -> Value {
    try JSONAdapter<Self>().model(from: Data(text.utf8)).value
  }
}

extension Data {
  var text: String { String(decoding: self, as: UTF8.self) }
}

extension JSONValue {
  /// With sorted members.
  var sorted: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members):
      .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value.sorted) })
    default: self
    }
  }
}

/// The messages of a mapping error, one a key, without the lines and columns,
/// which have tests of their own.
func messages(_ body: () throws -> Void) -> [String] {
  do {
    try body()
    return []
  } catch let error as MappingError {
    return error.errors.map { error in
      var error = error
      error.position = nil
      return error.description
    }
  } catch {
    return ["another error: \(error)"]
  }
}

/// The error of parsing a text.
func syntaxError(_ data: Data) -> JSONError? {
  do {
    _ = try JSONDocument(parsing: data)
    return nil
  } catch {
    return error as? JSONError
  }
}

/// The resident memory of this process in bytes, if the system reports it.
var residentMemory: Int? {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
    return nil
  }
  return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
}
