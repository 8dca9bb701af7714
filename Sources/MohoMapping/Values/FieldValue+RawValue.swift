extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
  /// The type of the raw value.
  public static var fieldType: FieldType { RawValue.fieldType }

  /// Reads a raw value. An unknown raw value is an error. The error lists the
  /// valid values if the type is `CaseIterable`.
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Self {
    guard let value = Self(rawValue: try RawValue.decode(from: decoder, at: index)) else {
      throw decoder.error(.invalidValue, at: index, expected: expectation)
    }
    return value
  }

  /// Writes the raw value.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try rawValue.encode(to: encoder, at: index)
  }

  /// One of the cases if the type is `CaseIterable`. Otherwise the value for a
  /// sample of the raw value type, if there is one.
  public static func sample(_ sample: FieldSample) -> Self? {
    guard let cases, !cases.isEmpty else {
      return RawValue.sample(sample).flatMap { Self(rawValue: $0) }
    }
    return cases[sample.index(among: cases.count)]
  }

  static var cases: [Self]? {
    func all<Cases: CaseIterable>(_ type: Cases.Type) -> [Self]? {
      Array(type.allCases) as? [Self]
    }
    return (Self.self as? any CaseIterable.Type).flatMap { all($0) }
  }

  private static var expectation: String {
    guard let cases else { return "\(Self.self)" }
    let values = cases.map { value in
      (value.rawValue as? String).map(quoted) ?? "\(value.rawValue)"
    }
    return "one of " + values.joined(separator: ", ")
  }
}
