import Synchronization

extension JSONValue {
  /// The elements of an array.
  public typealias Elements = Parts<JSONValue>

  /// The members of an object.
  public typealias Members = Parts<Member>

  /// The elements of an array or the members of an object.
  ///
  /// A collection like `Array`, with the same value semantics and complexity. Unlike an
  /// array of arrays, it is released without recursion, so that values of any depth can be
  /// created and released on any thread.
  ///
  /// The parts of a decoded value are JSON text until one of them is accessed; this takes
  /// linear time in the length of the text.
  public struct Parts<Part: Hashable & Sendable>: Sendable {
    fileprivate var storage: Storage<Part>

    /// Creates a collection of an array's elements.
    public init(_ parts: [Part]) { storage = Storage(parts) }

    /// Creates a collection of the parts in a text.
    init(_ text: CompactJSON) { storage = Storage(text) }
  }

  /// Creates an array.
  public static func array(_ elements: [JSONValue]) -> JSONValue { .array(Elements(elements)) }

  /// Creates an object.
  public static func object(_ members: [Member]) -> JSONValue { .object(Members(members)) }
}

extension JSONValue {
  // SAFETY: `@unchecked Sendable` because the parts are written only while exactly one
  // collection refers to the storage, and by `deinit`.
  fileprivate final class Storage<Part: Sendable>: @unchecked Sendable {
    /// The parts. Empty if there is a text.
    var parts: [Part]
    let text: CompactJSON?
    /// The storage of the text's parts, after the first access. None of them has a text.
    private let builtStorage = AtomicLazyReference<Storage>()

    init(_ parts: [Part]) {
      self.parts = parts
      text = nil
    }

    init(_ text: CompactJSON) {
      parts = []
      self.text = text
    }

    /// The number of parts.
    var count: Int { text?.count ?? parts.count }

    /// The storage of the parts, which has no text.
    var built: Storage {
      guard let text else { return self }
      if let built = builtStorage.load() { return built }
      let storage =
        switch text.tree {
        case .array(let elements): elements.storage as? Storage
        case .object(let members): members.storage as? Storage
        default: nil as Storage?
        }
      return builtStorage.storeIfNil(storage ?? Storage([]))
    }

    // Moves the parts of uniquely referenced containers to a list, so that no `deinit`
    // calls another one, apart from that of the parts of a text.
    deinit {
      guard !parts.isEmpty else { return }
      var pending = JSONValue.containers(in: parts)
      guard !pending.isEmpty else { return }
      parts = []
      while var value = pending.popLast() { value.moveContainers(to: &pending) }
    }
  }

  private mutating func moveContainers(to pending: inout [JSONValue]) {
    var elements: Storage<JSONValue>?
    var members: Storage<Member>?
    switch self {
    case .array(let parts): elements = parts.storage
    case .object(let parts): members = parts.storage
    default: return
    }
    self = .null
    // Another value that refers to the parts releases them.
    if isKnownUniquelyReferenced(&elements), let elements {
      pending += Self.containers(in: elements.parts)
      elements.parts = []
    } else if isKnownUniquelyReferenced(&members), let members {
      pending += Self.containers(in: members.parts)
      members.parts = []
    }
  }

  private static func containers<Part>(in parts: [Part]) -> [JSONValue] {
    if let elements = parts as? [JSONValue] { return elements.filter(\.isContainer) }
    if let members = parts as? [Member] { return members.map(\.value).filter(\.isContainer) }
    return []
  }

  /// Whether the value has parts.
  private var isContainer: Bool {
    switch self {
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    default: false
    }
  }
}

extension JSONValue.Parts: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// Creates an empty collection.
  public init() { self.init([]) }

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of parts.
  public var endIndex: Int { storage.count }

  /// The part at a position.
  public subscript(position: Int) -> Part {
    get { storage.built.parts[position] }
    set {
      makeUnique()
      storage.parts[position] = newValue
    }
  }

  /// Replaces a range of parts.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with parts: some Collection<Part>
  ) {
    makeUnique()
    storage.parts.replaceSubrange(range, with: parts)
  }

  private mutating func makeUnique() {
    guard storage.text != nil || !isKnownUniquelyReferenced(&storage) else { return }
    storage = JSONValue.Storage(storage.built.parts)
  }

  /// Whether both have the same storage, or the same text.
  func isIdentical(to other: Self) -> Bool {
    if storage === other.storage { return true }
    guard let text, let other = other.text else { return false }
    return text.utf8 == other.utf8
  }

  /// The text of decoded parts.
  var text: CompactJSON? { storage.text }

  /// The parts. Loops over an array are faster.
  var array: [Part] { storage.built.parts }
}

extension JSONValue.Parts: ExpressibleByArrayLiteral {
  /// Creates a collection of parts.
  public init(arrayLiteral parts: Part...) { self.init(parts) }
}

extension JSONValue.Parts: Hashable {
  /// Whether two collections have equal parts in the same order.
  public static func == (one: Self, other: Self) -> Bool {
    one.isIdentical(to: other) || one.elementsEqual(other)
  }

  /// Hashes the parts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for part in self { hasher.combine(part) }
  }
}

extension JSONValue.Parts: CustomStringConvertible {
  /// The parts in brackets.
  public var description: String { "\(storage.built.parts)" }
}
