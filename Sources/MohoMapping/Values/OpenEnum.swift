/// A value of an enum, or the raw value of a case that the enum does not have:
/// kept, and written back as it was.
///
/// ```swift
/// enum EpisodeKind: String { case free, paid }
///
/// struct Episode: MappedModel {
///   var kind: OpenEnum<EpisodeKind>
///   …
/// }
/// episode.kind.value  // nil for a kind of next year
/// ```
///
/// Two are equal where their raw values are.
public enum OpenEnum<Known: RawRepresentable & Sendable>: RawRepresentable, Sendable
where Known.RawValue: Sendable {
  /// A value that the enum has.
  case known(Known)
  /// A raw value that the enum does not have.
  case unknown(Known.RawValue)

  /// Makes the value that a raw value stands for.
  public init(rawValue: Known.RawValue) {
    self = Known(rawValue: rawValue).map { .known($0) } ?? .unknown(rawValue)
  }

  /// The raw value, known or not.
  public var rawValue: Known.RawValue {
    switch self {
    case .known(let value): value.rawValue
    case .unknown(let rawValue): rawValue
    }
  }

  /// The value, or nil where the enum does not have it.
  public var value: Known? {
    if case .known(let value) = self { value } else { nil }
  }
}

extension OpenEnum: FieldValue where Known.RawValue: FieldValue {
  /// A sample of the enum, where it has samples, else of its raw values.
  public static func sample(_ sample: FieldSample) -> OpenEnum? {
    if let known = (Known.self as? any FieldValue.Type)?.sample(sample) as? Known {
      return .known(known)
    }
    return Known.RawValue.sample(sample).map { OpenEnum(rawValue: $0) }
  }
}

extension OpenEnum: Equatable where Known.RawValue: Equatable {
  /// Whether the raw values are equal.
  public static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }
}

extension OpenEnum: Hashable where Known.RawValue: Hashable {
  /// Hashes the raw value.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
