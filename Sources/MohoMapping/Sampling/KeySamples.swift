import Foundation

/// The sample values of a key, with its Swift type erased.
struct KeySamples: Sendable {
  /// The type without the optionals around it. Keys of the same type can be
  /// swapped.
  let type: Any.Type
  /// The sample that the type or the transform provides.
  let declared: @Sendable (FieldSample) -> (any AnyValueBox)?
  /// Values that the key reads from common contents, and a sample of its type,
  /// which its transform may not be able to write.
  let found: @Sendable (FieldSample) -> [any AnyValueBox]
  /// An empty collection and nil, if the type has them.
  let empty: [any AnyValueBox]
}

extension KeyMapping {
  var samples: KeySamples {
    let (sample, read, type, isTransient) = (transform.sample, read, key.type, key.isTransient)
    return KeySamples(
      type: unwrapped(Value.self),
      declared: { isTransient ? nil : sample($0).map { ValueBox(value: $0) } },
      found: { sample in
        // A model is sampled by its keys or not at all.
        let related = (Value.self as? any FieldValue.Type)?.relatedModels
        guard related == nil || related?.isReference == true else { return [] }
        var values: [any AnyValueBox] = FieldContent.common(of: type, at: sample.position)
          .compactMap { content in
            (try? read(ContentDecoder([content]), 0)).map { ValueBox(value: $0) }
          }
        if let sample = sampleOfType(Value.self, sample), let value = sample as? Value {
          values.append(ValueBox(value: value))
        }
        return values
      },
      empty: Self.emptyValues)
  }

  private static var emptyValues: [any AnyValueBox] {
    var values: [any AnyValueBox] = []
    if let type = unwrapped(Value.self) as? any EmptyCollection.Type,
      let value = type.empty as? Value
    {
      values.append(ValueBox(value: value))
    }
    if let type = Value.self as? any AnyOptionalValue.Type,
      let none = (type.arrayOfNil as? [Value])?.first
    {
      values.append(ValueBox(value: none))
    }
    return values
  }
}

/// Returns a sample of a type, independent of any transform.
func sampleOfType(_ type: Any.Type, _ sample: FieldSample) -> Any? {
  func element<Cases: CaseIterable>(_ type: Cases.Type) -> Any? {
    sample.element(of: Array(type.allCases))
  }
  let type = unwrapped(type)
  if let type = type as? any FieldValue.Type, let value = type.sample(sample) { return value }
  return (type as? any CaseIterable.Type).flatMap { element($0) }
}

/// Collections whose empty value requires no sample of the elements.
private protocol EmptyCollection {
  static var empty: Self { get }
}

extension Array: EmptyCollection { fileprivate static var empty: [Element] { [] } }
extension Set: EmptyCollection { fileprivate static var empty: Set<Element> { [] } }
extension Dictionary: EmptyCollection { fileprivate static var empty: [Key: Value] { [:] } }
extension LossyArray: EmptyCollection { fileprivate static var empty: Self { LossyArray([]) } }

/// An optional of any type.
protocol AnyOptionalValue {
  static var wrappedType: Any.Type { get }
  /// An array that contains nil. Casting nil itself to an optional type does
  /// not distinguish it from failure.
  static var arrayOfNil: Any { get }
  var wrappedValue: Any? { get }
}

extension Optional: AnyOptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }
  static var arrayOfNil: Any { [Self.none] }
  var wrappedValue: Any? { map { $0 as Any } }
}

/// Returns a type without the optionals around it.
func unwrapped(_ type: Any.Type) -> Any.Type {
  var type = type
  while let optional = type as? any AnyOptionalValue.Type { type = optional.wrappedType }
  return type
}

/// Returns a value without the optionals around it, or nil.
func unwrapped(_ value: Any) -> Any? {
  var value = value
  while let optional = value as? any AnyOptionalValue {
    guard let wrapped = optional.wrappedValue else { return nil }
    value = wrapped
  }
  return value
}

extension FieldContent {
  /// Contents that documents commonly have. A key whose type or transform has
  /// no samples reads its sample values from them.
  fileprivate static func common(of type: FieldType, at position: Int) -> [FieldContent] {
    let number = position + 1
    switch type {
    case .null, .object, .reference: return []
    case .boolean: return [.bool(position % 2 == 1)]
    case .integer, .unsignedInteger: return [.int64(Int64(number))]
    case .double: return [.double(Double(number))]
    case .decimal: return [.decimal(Decimal(number))]
    case .date: return [.date(Date(timeIntervalSinceReferenceDate: Double(number)))]
    case .data: return [.data(Data("\(number)".utf8))]
    case .string, .uuid: return commonTexts(number).map { .string($0) }
    case .array: return commonElements(at: position).map { .array([$0]) }
    case .dictionary: return commonElements(at: position).map { .dictionary(["sample": $0]) }
    }
  }

  private static func commonElements(at position: Int) -> [FieldContent] {
    let types: [FieldType] = [.boolean, .integer, .double, .decimal, .date, .data, .string]
    return types.flatMap { common(of: $0, at: position) }
  }

  private static func commonTexts(_ number: Int) -> [String] {
    let digits = String(repeating: "0", count: max(0, 6 - "\(number)".count)) + "\(number)"
    return [
      "sample \(number)", "\(number)", "sample\(number)", "sample\(number)@example.com",
      "https://example.com/\(number)", "\(number).5", "#\(digits)",
      "00000000-0000-0000-0000-000000\(digits)",
      "20\(digits.suffix(2))-01-01", "20\(digits.suffix(2))-01-01T00:00:00Z",
      "00:\(digits.suffix(2))", "00:00:\(digits.suffix(2))", "1.\(number).0",
      "+1555\(digits)", "[\(number)]", "{}", "true",
      "a", "A", "en", "",
    ]
  }
}
