import Foundation
import MohoMapping

/// Writes the fields of one object, and is used for object after object. The
/// fields must come in the order of the plan, unless the writer takes any; what
/// is left out leaves no trace.
final class ObjectWriter: FieldEncoder {
  let plan: OutputPlan
  /// The text, and what is open in it.
  // SAFETY: Memory of the writer's own, which `deinit` frees, for one access at a
  // time. No property, because checking that for each value that is written
  // takes a fifth of the time.
  let layout: UnsafeMutablePointer<LayoutWriter>

  let settings: Settings
  private let keys: [MappingKey]
  /// The object of the keys, kept so that no others have its identity.
  private let table: MappingKeys?
  /// The values so far, where only they tell which members the object has, or
  /// come in another order than the plan's.
  let collection: MemberCollection?
  private let envelope: FieldPath?
  /// Where the fields lie in the elements of an array, if they do.
  private let inside: FieldPath?
  private var index: Int?
  /// The names of a dictionary's members; nil for the elements of an array.
  private var names: [String]?
  /// Whether the fields are elements or members, not keys.
  let hasParts: Bool
  /// Whether the fields are values inside elements, at the plan's only place.
  let isWrapping: Bool
  /// Whether the fields are keys whose places the plan knows.
  private let isPlanned: Bool
  /// The writer of the value that this one is part of, and where.
  private weak var parent: ObjectWriter?
  private var parentIndex = 0
  /// How many models lie in each other, this one counted.
  private(set) var modelDepth = 1
  /// Writers of values inside, by their keys; kept to be used again.
  var inner: [ObjectIdentifier?: ObjectWriter] = [:]
  /// Writers of what is collected, by the paths inside the elements.
  var collecting: [FieldPath: ObjectWriter] = [:]

  /// How all values of a document are written.
  struct Settings {
    let nulls: NullPolicy
    /// Whether the policy holds for keys that declare another too.
    let overridesKeys: Bool
    let formatting: JSONFormatting
  }

  /// - Parameters:
  ///   - depth: How deep in the document the objects lie.
  ///   - takesAnyOrder: Whether the fields may come in another order than the
  ///     plan's.
  init(
    plan: OutputPlan, keys: MappingKeys, settings: Settings, envelope: FieldPath?, depth: Int,
    takesAnyOrder: Bool = false
  ) {
    self.plan = plan
    self.keys = keys.keys
    table = keys
    self.settings = settings
    self.envelope = envelope
    inside = nil
    hasParts = false
    isWrapping = false
    isPlanned = !keys.isOpen && !(takesAnyOrder && !plan.isInDeclarationOrder)
    collection =
      isPlanned
      ? nil
      : MemberCollection(
        keys, envelope: envelope, isSorted: settings.formatting.contains(.sorted))
    layout = .allocate(capacity: 1)
    layout.initialize(
      to: LayoutWriter(
        plan: plan, isPretty: settings.formatting.contains(.pretty), depth: depth))
  }

  /// Makes a writer of arrays or dictionaries.
  ///
  /// - Parameters:
  ///   - path: Where the values lie in the elements of an array.
  ///   - depth: How deep in the document the array or dictionary lies.
  init(partsWith settings: Settings, at path: FieldPath? = nil, depth: Int) {
    plan = OutputPlan(OutputTree([path], envelope: nil), keyCount: 1)
    isWrapping = path?.valuePath.components.isEmpty == false
    keys = []
    table = nil
    self.settings = settings
    envelope = nil
    hasParts = true
    inside = path
    isPlanned = false
    collection = nil
    // Where elements are objects or arrays by the plan, they are the roots.
    layout = .allocate(capacity: 1)
    layout.initialize(
      to: LayoutWriter(
        plan: plan, isPretty: settings.formatting.contains(.pretty),
        depth: isWrapping ? depth + 1 : depth))
  }

  deinit {
    layout.deinitialize(count: 1)
    layout.deallocate()
  }

  /// Begins the object at an index of an array, or the only one.
  func begin(index: Int?) {
    self.index = index
    if let collection {
      collection.begin(at: layout.pointee.text.count)
    } else {
      layout.pointee.begin(plan)
    }
  }

  /// Ends the object.
  ///
  /// - Throws: `MappingError` where unknown members are in the way of keys.
  func end() throws {
    if let collection {
      try end(collection)
    } else {
      layout.pointee.end(plan)
    }
  }

  /// The keys in the order of writing.
  var order: [Int] { collection?.order ?? plan.order }

  /// Begins a value at a key of another writer.
  ///
  /// - Parameter modelDepth: How many models lie in each other there.
  func begin(in parent: ObjectWriter, at index: Int, names: [String]?, modelDepth: Int) {
    self.modelDepth = modelDepth
    layout.pointee.text.removeAll()
    self.parent = parent
    parentIndex = index
    self.names = names
  }

  /// Ends the last element or member.
  func endParts() {
    if isWrapping { layout.pointee.end(plan) }
    layout.pointee.breakLine(isWrapping ? -1 : 0)
  }

  /// How deep in the document the object, array or dictionary lies.
  var rootDepth: Int { isWrapping ? layout.pointee.depth - 1 : layout.pointee.depth }

  /// The way to the object from the document's root.
  var path: FieldPath {
    if let parent { return parent.path.appending(parent.source(at: parentIndex)) }
    return ElementPlace(index: index, envelope: envelope).path
  }

  private func source(at index: Int) -> FieldPath {
    if let names { return FieldPath([.key(names[index])]) }
    guard hasParts else { return key(at: index).source?.valuePath ?? FieldPath([]) }
    return FieldPath([.index(index)]).appending(inside?.valuePath ?? FieldPath([]))
  }

  /// Where the values lie in the elements of the array that a field collects;
  /// nil where it does not.
  func collected(at index: Int) -> FieldPath? {
    if let collection { return collection.key(at: index).source?.elementPath }
    return plan.collected.isEmpty ? nil : plan.collected[hasParts ? 0 : index]
  }

  func key(at index: Int) -> MappingKey { collection?.key(at: index) ?? keys[index] }

  /// Writes what stands before a value.
  ///
  /// - Returns: False where documents do not hold the key.
  @inline(__always)
  func label(_ index: Int) -> Bool {
    isPlanned ? layout.pointee.label(index, plan) : labelUnplanned(index)
  }

  @inline(never)
  private func labelUnplanned(_ index: Int) -> Bool {
    if let collection { return collection.add(index, at: layout.pointee.text.count) }
    labelPart(index)
    return true
  }

  @inline(never)
  private func labelPart(_ index: Int) {
    if isWrapping, index > 0 { layout.pointee.end(plan) }
    if index > 0 { layout.pointee.text.append(",") }
    if isWrapping {
      layout.pointee.breakLine(0)
      layout.pointee.begin(plan)
      _ = layout.pointee.label(0, plan)
      return
    }
    layout.pointee.breakLine(1)
    guard let names else { return }
    layout.pointee.text.append(string: names[index])
    layout.pointee.text.append(":")
    if settings.formatting.contains(.pretty) { layout.pointee.text.append(" ") }
  }

  func encodeNull(at index: Int) {
    if let collection, collection.key(at: index).isInlined {
      if settings.nulls == .null { encodeNull(inlinedAt: index, collection) }
      return
    }
    guard hasParts || settings.writesNull(key(at: index)), label(index) else { return }
    layout.pointee.text.append(literal: "null")
  }

  func encode(_ value: Bool, at index: Int) {
    if label(index) { layout.pointee.text.append(literal: value ? "true" : "false") }
  }

  func encode(_ value: Int64, at index: Int) {
    if label(index) { layout.pointee.text.append(value) }
  }

  func encode(_ value: UInt64, at index: Int) {
    if label(index) { layout.pointee.text.append(value) }
  }

  func encode(_ value: Double, at index: Int) throws {
    if !value.isFinite { try refuse(index, "number \(value)", expected: "finite number") }
    if label(index) { layout.pointee.text.append(value) }
  }

  /// By its own digits: in double precision, 0.1 would have 17 of them.
  func encode(_ value: Float, at index: Int) throws {
    let near = Double(value.description) ?? Double(value)
    try encode(Float(near) == value ? near : Double(value), at: index)
  }

  func encode(_ value: Decimal, at index: Int) throws {
    if !value.isFinite { try refuse(index, "number \(value)", expected: "finite number") }
    if label(index) { layout.pointee.text.append(raw: value.description) }
  }

  func encode(_ value: String, at index: Int) {
    if label(index) { layout.pointee.text.append(string: value) }
  }

  func encode(_ value: Data, at index: Int) {
    guard label(index) else { return }
    layout.pointee.text.append("\"")
    layout.pointee.text.append(raw: value.base64EncodedString())
    layout.pointee.text.append("\"")
  }

  /// Throws about a value that has no JSON, unless it is not written anyway.
  func refuse(_ index: Int, _ found: String, expected: String) throws {
    guard hasParts || key(at: index).source != nil else { return }
    throw error(.invalidValue, at: index, expected: expected, found: found)
  }

  func path(at index: Int) -> FieldPath? { path.appending(source(at: index)) }
}

extension ObjectWriter.Settings {
  /// Whether a key whose value is nil is written as null.
  func writesNull(_ key: MappingKey) -> Bool {
    overridesKeys ? nulls == .null : key.writesNull(nulls)
  }
}
