/// What a mapping says about one key, whatever the key's Swift type is.
public struct MappingKey: Sendable, Hashable {
  /// The name of the key: its column, and its path in JSON unless another is
  /// declared.
  ///
  /// A transient property has the name of the property, or an empty name where
  /// Swift does not know it: of a computed property, and where reflection is
  /// turned off.
  public let name: String

  /// Where the key is found in a document, or nil where documents do not hold
  /// it, or hold it in no one place, as the key that takes the unknown members.
  public private(set) var source: FieldPath?

  /// Where else a document may hold the key, in the order of looking, where
  /// there is nothing at ``source``. Only that is written to.
  public let alternatives: [FieldPath]

  /// Whether the key's declaration says where documents hold it.
  let hasDeclaredSource: Bool

  /// The kind of value that the key holds.
  public let type: FieldType

  /// Whether the key's value may be nil.
  public let isOptional: Bool

  /// Whether the key has a default for documents that do not hold it.
  public let hasDefault: Bool

  /// What is special about the key.
  public let traits: KeyTraits

  /// Whether the property is part of the model alone: neither read, written
  /// nor stored.
  public let isTransient: Bool

  /// Whether a store holds the key.
  public var isStored: Bool { !isTransient && !traits.contains(.documentOnly) }

  /// What the key declares about the models that it relates to, or nil of a key
  /// that holds a value of its own.
  public internal(set) var relation: Relation?

  /// What is wrong with the declaration of the key itself, or its transform.
  var problems: [String]

  /// Whether the key's value is what no other key of the object is mapped to.
  ///
  /// Such a key is read by ``FieldDecoder/dictionary(at:)`` and written by
  /// ``FieldEncoder/encodeDictionary(at:names:_:)``, which say how.
  public private(set) var receivesUnknownMembers = false

  /// Whether the key is a model whose own keys lie among the others, in the same
  /// object.
  public var isInlined: Bool { source?.components.isEmpty == true }

  /// The key as a naming strategy spells it, unless its path is declared.
  func named(by naming: KeyNaming) -> MappingKey {
    guard !hasDeclaredSource, source != nil else { return self }
    var key = self
    key.source = FieldPath([.key(naming.name(name))])
    return key
  }
}

/// What is special about a key.
///
/// ```swift
/// .key("row", \.row, default: 0, .unique, .storeOnly)
/// ```
///
/// What documents say of a key is one of three things, and what becomes of it:
///
/// | the document has | a key with a default | an optional key | a required key |
/// |---|---|---|---|
/// | a value | the value | the value | the value |
/// | null | nil where the key is optional, else an error | nil | an error |
/// | null, by ``nullIsAbsent`` | the default | nil | an error, as missing |
/// | nothing | the default | nil | an error |
///
/// A ``Partial`` has a key where the document has a value or null, null of
/// optional keys alone; with ``nullIsAbsent``, where it has a value. How nil is
/// written, ``NullPolicy`` says.
public struct KeyTraits: OptionSet, Sendable, Hashable {
  /// The traits as bits.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No two rows have the same value. Saving a model whose unique key is
  /// already stored updates that row: the first unique key, if there are
  /// several. Nil equals no other nil, and texts are equal by their UTF-8 bytes.
  public static let unique = KeyTraits(rawValue: 1)

  /// The store keeps an index on the key, for ordering and filtering by it.
  public static let indexed = KeyTraits(rawValue: 2)

  /// Documents do not hold the key: only a store does. Such a key needs a
  /// default, or is optional, to be read from a document.
  public static let storeOnly = KeyTraits(rawValue: 4)

  /// A store does not hold the key: only documents do. Such a key needs a
  /// default, or is optional, to be read from a store.
  ///
  /// The property is part of the model: it is read from documents, written to
  /// them, and compared. Saving a model leaves it out, and a context, a request
  /// or a change set does not know it.
  public static let documentOnly = KeyTraits(rawValue: 64)

  /// Nil is written as null, whatever the policy of an adapter.
  public static let nilAsNull = KeyTraits(rawValue: 8)

  /// Nil is left out by ``NullPolicy/omit``, whatever the policy of an adapter.
  public static let nilOmitted = KeyTraits(rawValue: 16)

  /// Null is read as if the key were not there, from rows of a store too: as the
  /// default, where there is one. A key with a default then never reads as nil.
  public static let nullIsAbsent = KeyTraits(rawValue: 32)
}
