import Foundation
import MohoJSON
import MohoMapping
import MohoRows

/// The type of a key in a version of a model.
protocol VersionedValue: Sendable, Equatable {
  static func key<Model>(
    _ name: String, _ keyPath: any KeyPath<Model, Self> & Sendable, at path: String
  ) -> KeyMapping<Model, Self>
}

/// The type of a key that a version does not declare.
struct Undeclared: VersionedValue {
  static func key<Model>(
    _ name: String, _ keyPath: any KeyPath<Model, Self> & Sendable, at path: String
  ) -> KeyMapping<Model, Self> {
    .transient(keyPath, default: Undeclared())
  }
}

extension Optional: VersionedValue where Wrapped: FieldValue & Equatable {
  static func key<Model>(
    _ name: String, _ keyPath: any KeyPath<Model, Self> & Sendable, at path: String
  ) -> KeyMapping<Model, Self> {
    .key(name, keyPath, json: path)
  }
}

/// The name that a version declares for a key.
protocol KeyNaming: Sendable {
  static func name(_ key: String) -> String
}

/// The name is that of the first version.
enum FormerName: KeyNaming {
  static func name(_ key: String) -> String { key }
}

/// The name is another one.
enum OtherName: KeyNaming {
  static func name(_ key: String) -> String { "new_\(key)" }
}

/// A version of a model with three keys, some of which are declared.
struct Versioned<
  A: VersionedValue, B: VersionedValue, C: VersionedValue, NameA: KeyNaming, NameB: KeyNaming,
  NameC: KeyNaming
>: MappedModel {
  var id: Int
  var a: A
  var b: B
  var c: C
  var others: [String: JSONValue]

  static var mapping: Mapping<Versioned> {
    Mapping<Versioned>(
      "Versioned", Versioned.init, .key("id", \.id, .unique),
      A.key(NameA.name("a"), \Versioned.a, at: "a"),
      B.key(NameB.name("b"), \Versioned.b, at: "meta.b"),
      C.key(NameC.name("c"), \Versioned.c, at: "tags[1]"), .unknown("others", \.others))
  }
}

/// The types of the keys, with an independent definition of the JSON that they read.
enum VersionedKind: CaseIterable {
  case undeclared, integer, string, boolean, list, date

  var type: any VersionedValue.Type {
    switch self {
    case .undeclared: Undeclared.self
    case .integer: Int?.self
    case .string: String?.self
    case .boolean: Bool?.self
    case .list: [Int]?.self
    case .date: Date?.self
    }
  }

  /// Whether ``transformed(_:)`` defines a transformation.
  var isTransformable: Bool { [.integer, .string, .boolean].contains(self) }

  /// The transformation of a migration, for documents.
  static func transformed(_ value: JSONValue) -> JSONValue {
    switch value {
    case .integer(let number): .integer(number + 1)
    case .string(let text): .string(text + "!")
    case .bool(let value): .bool(!value)
    default: value
    }
  }

  /// The transformation of a migration, for the values of columns.
  var transform: @Sendable (FieldContent) -> FieldContent {
    { content in
      switch content {
      case .int64(let number): .int64(self == .boolean ? 1 - number : number + 1)
      case .string(let text): .string(text + "!")
      default: content
      }
    }
  }

  /// Whether ``converted(_:)`` of another type defines a conversion.
  func isConvertible(to kind: VersionedKind) -> Bool {
    isTransformable && kind.isTransformable && self != kind
  }

  /// The value of a document with this type.
  func converted(_ value: JSONValue) -> JSONValue {
    let number: Int64 =
      switch value {
      case .integer(let number): number
      case .bool(let value): value ? 1 : 0
      case .string(let text): Int64(text.utf8.count)
      default: -1
      }
    return switch self {
    case .integer: .integer(number)
    case .boolean: .bool(number % 2 == 0)
    default: .string("n\(number)")
    }
  }

  /// The conversion of a migration, for the values of columns.
  func conversion(to kind: VersionedKind) -> @Sendable (FieldContent) -> FieldContent {
    { content in
      let number: Int64
      switch content {
      case .int64(let value): number = value
      case .string(let text): number = Int64(text.utf8.count)
      default: return content
      }
      return switch kind {
      case .integer: .int64(number)
      case .boolean: .int64(number % 2 == 0 ? 1 : 0)
      default: .string("n\(number)")
      }
    }
  }

  func reads(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.integer, .integer), (.string, .string), (.boolean, .bool): true
    case (.list, .array(let elements)): elements.allSatisfy { $0.kind == .integer }
    case (.date, .string(let text)): text.hasPrefix("20") && text.hasSuffix("Z")
    default: false
    }
  }
}
