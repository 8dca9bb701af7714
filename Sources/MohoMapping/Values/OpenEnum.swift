/// A value of an enum, or a raw value that the enum does not know. Unknown raw
/// values are preserved and written back.
///
/// ```swift
/// enum EpisodeKind: String { case free, paid }
///
/// struct Episode: MappedModel {
///   var kind: OpenEnum<EpisodeKind>
///   …
/// }
/// episode.kind.value  // nil for a kind that a later version added
/// ```
///
/// Two values are equal if their raw values are equal.
public enum OpenEnum<Known: RawRepresentable & Sendable>: RawRepresentable, Sendable
where Known.RawValue: Sendable {
  /// A value of the enum.
  case known(Known)
  /// A raw value that the enum does not know.
  case unknown(Known.RawValue)

  /// Creates a known or unknown value.
  public init(rawValue: Known.RawValue) {
    self = Known(rawValue: rawValue).map { .known($0) } ?? .unknown(rawValue)
  }

  /// The known or unknown raw value.
  public var rawValue: Known.RawValue {
    switch self {
    case .known(let value): value.rawValue
    case .unknown(let rawValue): rawValue
    }
  }

  /// The value of the enum, or nil if the raw value is unknown.
  public var value: Known? {
    if case .known(let value) = self { value } else { nil }
  }
}

extension OpenEnum: FieldValue where Known.RawValue: FieldValue {
  /// A sample of the enum if it has samples, or of its raw value type.
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
