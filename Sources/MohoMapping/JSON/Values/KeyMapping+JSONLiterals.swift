import Foundation

/// Defaults as literals. Among the keys of a mapping, Swift 6.3 gives literals
/// their default types: `["a": 1]` is a `[String: Int]`.
extension KeyMapping where Value == JSONValue {
  /// A key whose default is a dictionary literal, such as `default: ["a": 1]`.
  ///
  /// The members are sorted by name. For values of several types, write
  /// `default: .object([.init("a", 1), .init("b", "x")])`. For the other
  /// parameters, see `key(_:_:json:alternatives:default:_:)`.
  @_disfavoredOverload
  public static func key<Member: FieldValue>(
    _ name: String,
    _ keyPath: any KeyPath<Model, JSONValue> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    default members: [String: Member],
    _ traits: KeyTraits...
  ) -> Self {
    key(
      name, keyPath, json: path, alternatives: paths,
      default: JSONValue(literal: members), KeyTraits(traits))
  }

  /// A key whose default is an array literal, such as `default: [1, 2]`.
  ///
  /// For the other parameters, see `key(_:_:json:alternatives:default:_:)`.
  @_disfavoredOverload
  public static func key<Element: FieldValue>(
    _ name: String,
    _ keyPath: any KeyPath<Model, JSONValue> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    default elements: [Element],
    _ traits: KeyTraits...
  ) -> Self {
    key(
      name, keyPath, json: path, alternatives: paths,
      default: JSONValue(literal: elements), KeyTraits(traits))
  }
}

extension JSONValue {
  /// The value of a literal, as a document holds it. Nil if it cannot be encoded,
  /// which does not apply to literals.
  fileprivate init?(literal: some FieldValue) {
    // The literal is the only element of an array.
    let settings = ObjectWriter.Settings(
      nullPolicy: .null, overridesKeys: false, formatting: .compact)
    let writer = ObjectWriter(partsWith: settings, depth: 0)
    guard (try? literal.encode(to: writer, at: 0)) != nil,
      let value = try? JSONValue(json: Data(writer.layout.pointee.text.bytes))
    else { return nil }
    self = value
  }
}
