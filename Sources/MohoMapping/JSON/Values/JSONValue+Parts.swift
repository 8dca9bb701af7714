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
  public struct Parts<Part: Hashable & Sendable>: Sendable {
    fileprivate var storage: Storage<Part>

    /// Creates a collection of an array's elements.
    public init(_ parts: [Part]) { storage = Storage(parts) }
  }

  /// Creates an array.
  public static func array(_ elements: [JSONValue]) -> JSONValue { .array(Elements(elements)) }

  /// Creates an object.
  public static func object(_ members: [Member]) -> JSONValue { .object(Members(members)) }
}

extension JSONValue {
  // SAFETY: `@unchecked Sendable` because the parts are written only while exactly one
  // collection refers to the storage, and by `deinit`.
  fileprivate final class Storage<Part>: @unchecked Sendable {
    var parts: [Part]

    init(_ parts: [Part]) { self.parts = parts }

    // Moves the parts of uniquely referenced containers to a list, so that no `deinit`
    // calls another one.
    deinit {
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
  public var endIndex: Int { storage.parts.count }

  /// The part at a position.
  public subscript(position: Int) -> Part {
    get { storage.parts[position] }
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
    guard !isKnownUniquelyReferenced(&storage) else { return }
    storage = JSONValue.Storage(storage.parts)
  }

  /// Whether both have the same storage.
  func isIdentical(to other: Self) -> Bool { storage === other.storage }
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
  public var description: String { "\(storage.parts)" }
}
