import Foundation
import MohoMapping

/// A way to declare a key, with two different values.
protocol KeyKind {
  associatedtype Value: Sendable
  var name: String { get }
  /// Whether the check has samples.
  var isSampled: Bool { get }
  var values: (Value, Value) { get }

  func key<Model>(
    _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable
  ) -> KeyMapping<Model, Value>
}

/// A key of a type with a standard form.
struct FieldKind<Value: FieldValue>: KeyKind {
  var name = "\(Value.self)"
  var isSampled = true
  let values: (Value, Value)

  func key<Model>(
    _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable
  ) -> KeyMapping<Model, Value> {
    .key(name, keyPath)
  }
}

/// A key with a default value.
struct DefaultKind<Value: FieldValue>: KeyKind {
  let kind: FieldKind<Value>
  var name: String { "default of \(kind.name)" }
  var isSampled: Bool { kind.isSampled }
  var values: (Value, Value) { kind.values }

  func key<Model>(
    _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable
  ) -> KeyMapping<Model, Value> {
    .key(name, keyPath, default: kind.values.0)
  }
}

/// A to-one or to-many relation.
struct RelationKind<Value: FieldValue>: KeyKind {
  let values: (Value, Value)
  var name: String { "relation to \(Value.self)" }
  var isSampled: Bool { true }

  func key<Model>(
    _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable
  ) -> KeyMapping<Model, Value> {
    Value.relatedModels?.isToMany == true ? .toMany(name, keyPath) : .toOne(name, keyPath)
  }
}

/// An inlined model.
struct InlinedKind<Value: MappedModel>: KeyKind {
  let values: (Value, Value)
  var name: String { "inlined \(Value.self)" }
  var isSampled: Bool { true }

  func key<Model>(
    _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable
  ) -> KeyMapping<Model, Value> {
    .inlined(name, keyPath)
  }
}

/// A key with a transform. The second key of a type can have another transform.
struct TransformKind<Value: Sendable>: KeyKind {
  let name: String
  var isSampled = true
  let values: (Value, Value)
  let transform: Transform<Value>
  var second: Transform<Value>?

  func key<Model>(
    _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable
  ) -> KeyMapping<Model, Value> {
    .key(name, keyPath, name == "two" ? second ?? transform : transform)
  }
}

extension FieldKind where Value: Hashable {
  /// The type, its optional, collections of it, and models that contain these.
  var variants: [any KeyKind] {
    let (one, two) = values
    let wrapped = (Wrapper(content: one), Wrapper(content: two))
    return collections + [
      DefaultKind(kind: self),
      FieldKind<Wrapper<Value>>(isSampled: isSampled, values: (wrapped.0, wrapped.1)),
      FieldKind<Wrapper<Value>?>(isSampled: isSampled, values: (wrapped.0, wrapped.1)),
      FieldKind<[Wrapper<Value>]>(isSampled: isSampled, values: ([wrapped.0], [wrapped.1])),
      FieldKind<Wrapper<Wrapper<[Value]?>>>(
        isSampled: isSampled,
        values: (
          Wrapper(content: Wrapper(content: [one])), Wrapper(content: Wrapper(content: [two]))
        )),
    ]
  }

  private var collections: [any KeyKind] {
    let (one, two) = values
    return [
      self,
      FieldKind<Value?>(isSampled: isSampled, values: (one, two)),
      FieldKind<[Value]>(isSampled: isSampled, values: ([one], [two])),
      FieldKind<[Value]?>(isSampled: isSampled, values: ([one], [two, two])),
      FieldKind<[Value?]>(isSampled: isSampled, values: ([one, nil], [two])),
      FieldKind<Set<Value>>(isSampled: isSampled, values: ([one], [one, two])),
      FieldKind<[String: Value]>(isSampled: isSampled, values: (["a": one], ["a": two])),
      FieldKind<LossyArray<Value>>(
        isSampled: isSampled, values: (LossyArray([one]), LossyArray([two]))),
    ]
  }
}
