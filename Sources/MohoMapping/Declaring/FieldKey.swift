/// The declaration of one key, independent of its Swift type.
public struct FieldKey: Sendable, Hashable {
  /// The name of the key. It is the name of the column, and the path in
  /// documents unless the key declares one.
  ///
  /// A transient key has the name of its property. The name is empty if Swift
  /// does not provide it: for a computed property, or if reflection metadata is
  /// disabled.
  public let name: String

  /// The path of the key in documents. Nil if documents do not hold the key, or
  /// if it receives unknown members, which have no single path.
  public private(set) var source: FieldPath?

  /// Paths that are read in order if ``source`` has no value. They are not
  /// written.
  public private(set) var alternatives: [FieldPath]

  /// Whether the declaration of the key specifies ``source``.
  let hasDeclaredSource: Bool

  /// The kind of value that the key holds.
  public let type: FieldType

  /// Whether the value can be nil.
  public let isOptional: Bool

  /// Whether the key has a default for documents that do not contain it.
  public let hasDefault: Bool

  /// The declared traits of the key.
  public private(set) var traits: KeyTraits

  /// Whether the property exists only in the model: it is not read, written or
  /// stored.
  public let isTransient: Bool

  /// Whether a store has a column or links for the key.
  public var isStored: Bool { !isTransient && !traits.contains(.documentOnly) }

  /// The declared relation, or nil if the key is an attribute.
  public internal(set) var relation: Relation?

  /// What is wrong with the declaration of the key itself, or of its transform.
  var problems: [String]

  /// Whether the value consists of the members of the object that no other key
  /// is mapped to.
  ///
  /// Such a key is read with ``FieldDecoder/dictionary(at:)`` and written with
  /// ``FieldEncoder/encodeDictionary(at:names:_:)``.
  public private(set) var receivesUnknownMembers = false

  /// Whether the key is a model whose own keys are part of the same object.
  public var isInlined: Bool { source?.components.isEmpty == true }

  /// The key with the path of a naming strategy, unless its path is declared.
  func named(by naming: KeyNaming) -> FieldKey {
    guard !hasDeclaredSource, source != nil else { return self }
    var key = self
    key.source = FieldPath([.key(naming.name(name))])
    return key
  }

  /// The key as it is written to structured text; see ``StructuredText``.
  var inStructuredText: FieldKey {
    if isTransient { return self }
    var key = self
    key.source = path(isStored: true)
    if hasStoredName, StoredMemberName.formerStoreOnly(name) != nil {
      // If it was omitted, the former path would be read.
      key.traits.insert(.nilAsNull)
    }
    // Unknown members cannot have the path that the key has in documents.
    if traits.contains(.documentOnly) { key.alternatives = [source].compactMap { $0 } }
    return key
  }
}

/// Properties of a key.
///
/// ```swift
/// .key("row", \.row, default: 0, .unique, .storeOnly)
/// ```
///
/// The result of reading a key depends on the document and on the declaration:
///
/// | the document has | a key with a default | an optional key | a required key |
/// |---|---|---|---|
/// | a value | the value | the value | the value |
/// | null | nil if the key is optional, otherwise an error | nil | an error |
/// | null, with ``nullIsAbsent`` | the default | nil | an error, as missing |
/// | nothing | the default | nil | an error |
///
/// A ``Partial`` contains a key if the document has a value, or null for an
/// optional key. With ``nullIsAbsent``, null does not count. ``NullPolicy``
/// defines how nil is written.
public struct KeyTraits: OptionSet, Sendable, Hashable {
  /// The traits as bits.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No two rows have the same value. Saving a model whose unique value is
  /// already stored updates that row. If several keys are unique, the first one
  /// decides, unless ``Mapping/identified(by:)`` declares the keys that identify
  /// a row. Nil values do not count as equal. Strings are compared by their
  /// UTF-8 bytes.
  public static let unique = KeyTraits(rawValue: 1)

  /// The store has an index on the key, for ordering and filtering.
  public static let indexed = KeyTraits(rawValue: 2)

  /// Only a store holds the key. A model that is read from a document has the
  /// value that the adapter sets, the default, or nil. A required key without a
  /// default must be set: otherwise, reading is an error.
  public static let storeOnly = KeyTraits(rawValue: 4)

  /// Only documents hold the key. It must have a default or be optional,
  /// because it is not read from a store.
  ///
  /// The key is read from documents, written to them, and compared. Saving
  /// skips it, and it does not exist for contexts, requests and change sets.
  public static let documentOnly = KeyTraits(rawValue: 64)

  /// Nil is written as null, whatever the null policy of the adapter.
  public static let nilAsNull = KeyTraits(rawValue: 8)

  /// Nil is omitted as by ``NullPolicy/omit``, whatever the null policy of the
  /// adapter.
  public static let nilOmitted = KeyTraits(rawValue: 16)

  /// The store has a full-text index on the key, whose type is text. Requests
  /// search it with `matches`. All searchable keys of a model share an index.
  public static let searchable = KeyTraits(rawValue: 128)

  /// Null is read as a missing value, also from the rows of a store. A key with
  /// a default is then never nil after reading.
  public static let nullIsAbsent = KeyTraits(rawValue: 32)
}

/// How a nil value is written to a document.
///
/// An adapter has one policy for all keys, and a call can override it. A key
/// with the trait ``KeyTraits/nilAsNull`` or ``KeyTraits/nilOmitted`` overrides
/// both. An inlined model that is nil follows the policy of the call or the
/// adapter.
public enum NullPolicy: Hashable, Sendable {
  /// The key is omitted. So are objects and arrays that would be empty.
  ///
  /// A key with a default is written as null: if it were omitted, it would be
  /// read as the default. This does not apply with ``KeyTraits/nullIsAbsent``,
  /// where null is read as the default as well.
  case omit
  /// The key is written as null.
  case null
}

extension FieldKey {
  /// Whether a nil value is written as null under a policy.
  package func writesNull(_ policy: NullPolicy) -> Bool {
    if traits.contains(.nilAsNull) { return true }
    let isNull = policy == .null && !traits.contains(.nilOmitted)
    return isNull || (hasDefault && !traits.contains(.nullIsAbsent))
  }
}
