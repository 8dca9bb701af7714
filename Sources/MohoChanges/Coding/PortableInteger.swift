/// An integer that every JSON parser can read.
///
/// Many parsers, such as JavaScript's, read numbers as double-precision values.
/// An integer beyond 2⁵³ − 1 is therefore a string of its digits.
struct PortableInteger: Codable {
  let value: Int64

  init(_ value: Int64) { self.value = value }

  var isExactAsDouble: Bool { value.magnitude < 1 << 53 }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      value = number
    } else if let text = try? container.decode(String.self), let number = Int64(text),
      text == String(number)
    {
      value = number
    } else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "invalid integer: expected a number of 64 bits or a string of its digits")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if isExactAsDouble {
      try container.encode(value)
    } else {
      try container.encode(String(value))
    }
  }
}
