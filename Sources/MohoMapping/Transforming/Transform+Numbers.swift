public import Foundation

/// Numbers in strings have JSON syntax: `-?(0|[1-9][0-9]*)`, and for `Double`
/// and `Decimal` an optional fraction and exponent. A plus sign, a leading
/// zero, white space and trailing characters are errors.
extension Transform where Value: FixedWidthInteger & FieldValue {
  /// An integer in a string, such as `"42"`. An integer outside the range of
  /// the type is an error.
  public static var numberInString: Transform<Value> {
    Transform<String>.standard.map(
      expected: "integer from \(Value.min) to \(Value.max) in a string",
      to: { text in
        guard let number = NumberText(text), number.isPlain else { return nil }
        return Value(text)
      },
      from: { String($0) }
    ).sampled { Value.sample($0) }
      .described(as: .string(pattern: "^\(integerPattern)$"))
  }

  /// An integer, or an integer in a string. It is written as a number.
  public static var numberOrString: Transform<Value> { standard.or(numberInString) }
}

extension Transform where Value == Double {
  /// A number in a string, such as `"0.5"`, rounded to the nearest double. A
  /// number that exceeds the range of `Double` is an error.
  ///
  /// It is written as the shortest string that is read back as the same number.
  /// A number that is not finite is an error.
  public static var numberInString: Transform<Double> {
    Transform<String>.standard.map(
      expected: "number in a string",
      to: { NumberText($0)?.double },
      writable: "finite number",
      from: { $0.isFinite ? $0.description : nil }
    ).sampled { Double.sample($0) }.described(as: .string(pattern: "^\(numberPattern)$"))
  }

  /// A number, or a number in a string. It is written as a number.
  public static var numberOrString: Transform<Double> { standard.or(numberInString) }
}

extension Transform where Value == Decimal {
  /// An exact decimal number in a string, such as `"19.99"`. A number that
  /// `Decimal` cannot represent is an error: it represents integers of 128 bits
  /// times powers of ten from -128 to 127.
  ///
  /// It is written with all digits and without an exponent. A number that is
  /// not finite is an error.
  public static var numberInString: Transform<Decimal> {
    Transform<String>.standard.map(
      expected: "decimal number in a string",
      to: { NumberText($0)?.decimal },
      writable: "finite number",
      from: { $0.isFinite ? $0.description : nil }
    ).sampled { Decimal.sample($0) }.described(as: .string(pattern: "^\(numberPattern)$"))
  }

  /// A number, or a number in a string. It is written as a number.
  public static var numberOrString: Transform<Decimal> { standard.or(numberInString) }
}

extension Transform where Value == String {
  /// A string, or the digits of an integer of up to 64 bits: for an identifier
  /// that some documents contain as a string and others as a number. It is
  /// written as a string.
  public static var stringOrInteger: Transform<String> {
    standard.or(
      Transform<Int64>.standard.map(
        expected: "integer", to: { String($0) }, writable: "integer", from: { Int64($0) }))
  }
}

extension Transform where Value == Bool {
  /// The integers 1 and 0. Other integers are an error.
  public static var booleanAsNumber: Transform<Bool> {
    Transform<Int64>.standard.map(
      expected: "0 or 1", to: { $0 == 1 ? true : $0 == 0 ? false : nil },
      from: { $0 ? 1 : 0 }
    ).sampled { Bool.sample($0) }.described(as: .one(of: [0, 1]))
  }

  /// The strings `true` and `false` in lowercase. Other strings are an error.
  public static var booleanInString: Transform<Bool> {
    Transform<String>.standard.map(
      expected: "\"true\" or \"false\"", to: { Bool($0) }, from: { "\($0)" }
    ).sampled { Bool.sample($0) }.described(as: .one(of: ["true", "false"]))
  }
}

/// The syntax of numbers in strings, as regular expressions.
private let integerPattern = "-?(0|[1-9][0-9]*)"
private let numberPattern = #"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?"#
