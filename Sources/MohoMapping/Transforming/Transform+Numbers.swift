public import Foundation

/// Numbers in strings spell them as JSON does: `-?(0|[1-9][0-9]*)`, for
/// `Double` and `Decimal` also with a fraction and an exponent. A plus sign, a
/// zero in front, white space and anything behind are errors.
extension Transform where Value: FixedWidthInteger & FieldValue {
  /// An integer in a string, such as `"42"`; one outside the type's range is an
  /// error.
  public static var numberInString: Transform<Value> {
    Transform<String>.standard.map(
      expected: "integer from \(Value.min) to \(Value.max) in a string",
      to: { text in
        guard let number = NumberText(text), number.isPlain else { return nil }
        return Value(text)
      },
      from: { String($0) }
    ).sampled { Value.sample($0) }
  }

  /// An integer, or one in a string; written as a number.
  public static var numberOrString: Transform<Value> { standard.or(numberInString) }
}

extension Transform where Value == Double {
  /// A number in a string, such as `"0.5"`, rounded to the nearest double; one
  /// that is greater than all doubles is an error.
  ///
  /// Written as the shortest text that reads back as the same number; a number
  /// that is not finite is an error.
  public static var numberInString: Transform<Double> {
    Transform<String>.standard.map(
      expected: "number in a string",
      to: { NumberText($0)?.double },
      writable: "finite number",
      from: { $0.isFinite ? $0.description : nil }
    ).sampled { Double.sample($0) }
  }

  /// A number, or one in a string; written as a number.
  public static var numberOrString: Transform<Double> { standard.or(numberInString) }
}

extension Transform where Value == Decimal {
  /// A number in a string, such as `"19.99"`, exactly: more than 38 digits, or
  /// a power of ten outside -128 to 127, are an error.
  ///
  /// Written with all its digits and without an exponent; a number that is not
  /// finite is an error.
  public static var numberInString: Transform<Decimal> {
    Transform<String>.standard.map(
      expected: "decimal number in a string",
      to: { NumberText($0)?.decimal },
      writable: "finite number",
      from: { $0.isFinite ? $0.description : nil }
    ).sampled { Decimal.sample($0) }
  }

  /// A number, or one in a string; written as a number.
  public static var numberOrString: Transform<Decimal> { standard.or(numberInString) }
}

extension Transform where Value == String {
  /// Text as it stands, or an integer of up to 64 bits as its digits: an
  /// identifier that some documents hold as text, others as a number. Written
  /// as text.
  public static var stringOrInteger: Transform<String> {
    standard.or(
      Transform<Int64>.standard.map(
        expected: "integer", to: { String($0) }, writable: "integer", from: { Int64($0) }))
  }
}

extension Transform where Value == Bool {
  /// The integers 1 and 0; others are an error.
  public static var booleanAsNumber: Transform<Bool> {
    Transform<Int64>.standard.map(
      expected: "0 or 1", to: { $0 == 1 ? true : $0 == 0 ? false : nil },
      from: { $0 ? 1 : 0 }
    ).sampled { Bool.sample($0) }
  }

  /// The texts `true` and `false`, in lower case; others are an error.
  public static var booleanInString: Transform<Bool> {
    Transform<String>.standard.map(
      expected: "\"true\" or \"false\"", to: { Bool($0) }, from: { "\($0)" }
    ).sampled { Bool.sample($0) }
  }
}
