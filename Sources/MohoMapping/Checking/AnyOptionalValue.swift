/// Optionals of every type.
protocol AnyOptionalValue {
  static var wrappedType: Any.Type { get }
  /// An array of nil: a cast of nil to its own type cannot be told from failure.
  static var arrayOfNil: Any { get }
  var wrappedValue: Any? { get }
}

extension Optional: AnyOptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }
  static var arrayOfNil: Any { [Self.none] }
  var wrappedValue: Any? { map { $0 as Any } }
}

/// A type without the optionals around it.
func unwrapped(_ type: Any.Type) -> Any.Type {
  var type = type
  while let optional = type as? any AnyOptionalValue.Type { type = optional.wrappedType }
  return type
}

/// A value without the optionals around it; nil of nil.
func unwrapped(_ value: Any) -> Any? {
  var value = value
  while let optional = value as? any AnyOptionalValue {
    guard let wrapped = optional.wrappedValue else { return nil }
    value = wrapped
  }
  return value
}

/// Whether two values are equal; nil unless both are of one `Equatable` type.
func areEqual(_ one: Any, _ other: Any) -> Bool? {
  func compare<Value: Equatable>(_ one: Value) -> Bool? {
    (other as? Value).map { one == $0 }
  }
  return (one as? any Equatable).flatMap { compare($0) }
}
