/// Defaults as literals of types whose literals the compiler does not recognize
/// among the keys of a mapping. There, Swift 6.3 gives literals their default
/// types: `1` is an `Int`, `0.5` a `Double`, and `[]` an array.
extension KeyMapping where Value: FieldValue & ExpressibleByIntegerLiteral {
  /// A key whose default is an integer literal, such as `default: 1` for `UInt`
  /// or `Decimal`.
  ///
  /// A literal that the type cannot represent is a mistake in the declaration.
  /// For the other parameters, see `.key(_:_:json:alternatives:default:_:)`.
  /// Without a transform, the value has the standard form of its type.
  @inlinable
  @_disfavoredOverload
  public static func key(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    _ transform: Transform<Value>? = nil,
    default literal: Int,
    _ traits: KeyTraits...
  ) -> Self {
    let value: Value? = literalValue(literal)
    let mapping = literalKey(name, keyPath, path, paths, transform, value, KeyTraits(traits))
    return value == nil ? mapping.refusing(literal) : mapping
  }
}

extension KeyMapping where Value: FieldValue & ExpressibleByFloatLiteral {
  /// A key whose default is a literal with a fraction, such as `default: 0.5` for
  /// `Float` or `Decimal`.
  ///
  /// A literal that the type cannot represent is a mistake in the declaration.
  /// For the other parameters, see `.key(_:_:json:alternatives:default:_:)`.
  /// Without a transform, the value has the standard form of its type.
  @inlinable
  @_disfavoredOverload
  public static func key(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    _ transform: Transform<Value>? = nil,
    default literal: Double,
    _ traits: KeyTraits...
  ) -> Self {
    let value: Value? = literalValue(literal)
    let mapping = literalKey(name, keyPath, path, paths, transform, value, KeyTraits(traits))
    return value == nil ? mapping.refusing(literal) : mapping
  }
}

extension KeyMapping {
  /// A key whose default is an array literal, such as `default: []` for a set.
  ///
  /// For the other parameters, see
  /// `.key(_:_:json:alternatives:default:_:)`. Without a transform, the value
  /// has the standard form of its type.
  @inlinable
  @_disfavoredOverload
  public static func key<Element: FieldValue & Hashable>(
    _ name: String,
    _ keyPath: any KeyPath<Model, Set<Element>> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    _ transform: Transform<Set<Element>>? = nil,
    default elements: [Element],
    _ traits: KeyTraits...
  ) -> Self where Value == Set<Element> {
    literalKey(name, keyPath, path, paths, transform, Set(elements), KeyTraits(traits))
  }

  /// A to-many relation whose default is an array literal, such as `default: []`
  /// for a set.
  ///
  /// For the parameters, see
  /// ``toMany(_:_:json:alternatives:default:inverse:onDelete:count:linkPolicy:_:)``.
  @_disfavoredOverload
  public static func toMany<Element: FieldValue & Hashable>(
    _ name: String,
    _ keyPath: any KeyPath<Model, Set<Element>> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    default elements: [Element],
    inverse: String? = nil,
    onDelete deleteRule: DeleteRule? = nil,
    count: ClosedRange<Int>? = nil,
    linkPolicy: LinkPolicy = .replace,
    _ traits: KeyTraits...
  ) -> Self where Value == Set<Element> {
    toMany(
      name, keyPath, json: path, alternatives: paths, default: Set(elements), inverse: inverse,
      onDelete: deleteRule, count: count, linkPolicy: linkPolicy, KeyTraits(traits))
  }

  /// A key whose default is the value of a literal, or nil if its type cannot
  /// represent the literal.
  @inlinable
  static func literalKey(
    _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable, _ path: String?,
    _ paths: [String], _ transform: Transform<Value>?, _ defaultValue: Value?, _ traits: KeyTraits
  ) -> Self where Value: FieldValue {
    guard let transform else {
      return key(name, keyPath, json: path, alternatives: paths, default: defaultValue, traits)
    }
    return key(
      name, keyPath, json: path, alternatives: paths, transform, default: defaultValue, traits)
  }

  /// The key with a problem: a literal is not a value of its type.
  @usableFromInline
  func refusing(_ literal: some Numeric) -> Self {
    var mapping = self
    mapping.key.problems.append("the default \(literal) is not a value of `\(Value.self)`")
    return mapping
  }
}

/// Returns the value of a literal, or nil if the type cannot represent it.
@usableFromInline
func literalValue<Value: ExpressibleByIntegerLiteral>(_ number: Int) -> Value? {
  func integer<Literal: FixedWidthInteger>(_ type: Literal.Type) -> Any? {
    Literal(exactly: number)
  }
  func float<Literal: BinaryFloatingPoint>(_ type: Literal.Type) -> Any? {
    Literal(exactly: number)
  }
  let type: Any.Type = Value.IntegerLiteralType.self
  let literal =
    (type as? any FixedWidthInteger.Type).flatMap { integer($0) }
    ?? (type as? any BinaryFloatingPoint.Type).flatMap { float($0) }
  return (literal as? Value.IntegerLiteralType).map { Value(integerLiteral: $0) }
}

/// Returns the value of a literal, rounded to the precision of its type, or nil
/// if the type cannot represent it.
@usableFromInline
func literalValue<Value: ExpressibleByFloatLiteral>(_ number: Double) -> Value? {
  func float<Literal: BinaryFloatingPoint>(_ type: Literal.Type) -> Any? {
    let value = Literal(number)
    return value.isFinite ? value : nil
  }
  let type: Any.Type = Value.FloatLiteralType.self
  let literal = (type as? any BinaryFloatingPoint.Type).flatMap { float($0) }
  return (literal as? Value.FloatLiteralType).map { Value(floatLiteral: $0) }
}
