package import Foundation

/// Encodes the fields of one object after the other. Fields come in the order of the
/// plan unless the writer accepts any order.
package final class ObjectWriter: ErrorCollectingEncoder {
  let plan: OutputPlan
  /// The text, and its open containers.
  // SAFETY: The writer owns this memory, and `deinit` frees it. Each access is exclusive.
  // It is a pointer because checking exclusive access to a property took a fifth of
  // the time.
  let layout: UnsafeMutablePointer<LayoutWriter>

  package let settings: Settings
  private let keys: [FieldKey]
  /// The keys of the mapping, retained so that their identity stays unique.
  private let table: FieldKeys?
  /// Collects the values if they come in another order than the plan's, or if the plan has no
  /// slots for them. Use ``collection``, which is nil while the object is planned.
  private let members: MemberCollection?
  private let envelope: FieldPath?
  /// The path of the values in the elements of an array, if it collects.
  private let inside: FieldPath?
  private var index: Int?
  /// The names of a dictionary's members; nil for an array.
  private var names: [String]?
  /// The ranges of the members of a dictionary in the text, with their line breaks, if members
  /// are sorted. The last one ends with the text.
  private var memberRanges: [Range<Int>] = []
  /// Whether the fields are elements or members instead of keys.
  let hasParts: Bool
  /// Whether the fields are values inside elements, at the only slot of the plan.
  let isWrapping: Bool
  /// Whether the fields of the object come in the order of the plan, which has their slots.
  /// ``order(of:)`` begins such an object even if the writer can collect the values of others.
  private var isPlanned: Bool
  /// The writer of the containing value, and the index of this value in it. It is nil
  /// between values: the parent owns this writer.
  // Not weak: objects with weak references are retained and released more slowly.
  private var parent: ObjectWriter?
  private var parentIndex = 0
  /// Whether the parts are those of no array or dictionary: the only part is a structured
  /// text, or the parts are unknown members of the containing object.
  private(set) var hasLooseParts = false
  /// The first error of a value of which a part was written. If another value is written
  /// instead, the text is not JSON.
  private var failure: (any Error)?
  /// The nesting level of the model or its parts, from 1.
  private(set) var modelDepth = 1
  package private(set) var validatesModels = false
  /// Columns report all errors.
  package var collectsErrors: Bool { settings.isStored }
  /// Writers of nested values.
  var inner: [InnerID: ObjectWriter] = [:]
  /// The last writer of `inner`.
  var lastInner: (id: InnerID, writer: ObjectWriter)?
  /// Writers of collected values, by the paths inside the elements.
  var collecting: [FieldPath: ObjectWriter] = [:]

  /// What identifies the writer of nested values.
  struct InnerID: Hashable {
    /// The identity of their keys; nil for arrays and dictionaries.
    let keys: ObjectIdentifier?
    /// Their nesting depth in the document.
    let depth: Int
  }

  /// The greatest length of a text after which a writer is used again. Writers keep the memory
  /// of their longest values.
  package static let greatestIdleLength = 1 << 18

  /// The settings of a document.
  package struct Settings: Equatable {
    let nullPolicy: NullPolicy
    /// Whether the policy applies to keys that declare another one.
    let overridesKeys: Bool
    let formatting: JSONFormatting
    /// Whether the text is structured text of a store; see ``StructuredText``.
    let isStored: Bool

    package init(nullPolicy: NullPolicy, overridesKeys: Bool, formatting: JSONFormatting) {
      self.init(nullPolicy, overridesKeys, formatting, isStored: false)
    }

    private init(
      _ nullPolicy: NullPolicy, _ overridesKeys: Bool, _ formatting: JSONFormatting, isStored: Bool
    ) {
      self.nullPolicy = nullPolicy
      self.overridesKeys = overridesKeys
      self.formatting = formatting
      self.isStored = isStored
    }

    /// The settings of structured text.
    static let stored = Settings(.omit, false, .sorted, isStored: true)
  }

  /// - Parameters:
  ///   - depth: The nesting depth of the objects in the document.
  ///   - takesAnyOrder: Whether fields can arrive in another order than the plan's.
  package init(
    plan: OutputPlan, keys: FieldKeys, settings: Settings, envelope: FieldPath?, depth: Int,
    takesAnyOrder: Bool = false
  ) {
    let stored = settings.isStored ? keys.inStructuredText : keys
    self.plan = plan
    self.keys = stored.keys
    table = keys
    self.settings = settings
    self.envelope = envelope
    inside = nil
    hasParts = false
    isWrapping = false
    isPlanned = !keys.isOpen && !(takesAnyOrder && !plan.isInDeclarationOrder)
    members =
      isPlanned
      ? nil
      : MemberCollection(
        stored, envelope: envelope, isSorted: settings.formatting.contains(.sorted),
        isStored: settings.isStored)
    layout = .allocate(capacity: 1)
    layout.initialize(
      to: LayoutWriter(
        plan: plan, isPretty: settings.formatting.contains(.pretty), depth: depth))
  }

  /// Creates a writer of arrays or dictionaries.
  ///
  /// - Parameters:
  ///   - path: The path of the values in the elements of an array.
  ///   - depth: The nesting depth of the array or dictionary in the document.
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
    members = nil
    // Elements that are objects or arrays of the plan are its roots.
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
  package func begin(index: Int?) {
    self.index = index
    if let members {
      isPlanned = false
      members.begin(at: layout.pointee.text.count)
    } else {
      layout.pointee.begin(plan)
    }
  }

  /// Begins an object whose fields come in the order of the plan.
  package func order(of keys: FieldKeys) -> [Int]? {
    guard let collection, collection.isEmpty, !keys.isOpen, keys === table else { return nil }
    isPlanned = true
    layout.pointee.begin(plan)
    return plan.order
  }

  /// The values so far, if the members of the object or their order are not known yet.
  var collection: MemberCollection? { isPlanned ? nil : members }

  /// Ends the object.
  ///
  /// - Throws: `MappingError` if the paths of unknown members conflict with keys.
  package func end() throws {
    if let collection {
      try end(collection)
    } else {
      layout.pointee.end(plan)
    }
  }

  /// The keys in the order of writing.
  package var order: [Int] { collection?.order ?? plan.order }

  /// Writes the array of some objects.
  ///
  /// - Parameter encode: Writes the fields of the object at an index.
  package func writeArray(of count: Int, _ encode: (Int) throws -> Void) throws {
    layout.pointee.text.append("[")
    for index in 0..<count {
      if index > 0 { layout.pointee.text.append(",") }
      layout.pointee.breakLine(0)
      begin(index: index)
      try encode(index)
      try end()
    }
    if count > 0 { layout.pointee.breakLine(-1) }
    layout.pointee.text.append("]")
  }

  /// Hands over the text without a copy.
  ///
  /// - Throws: The error of a value that was written in part.
  package func takeText() throws -> Data {
    try checkText()
    return layout.pointee.text.take()
  }

  /// Throws the error of a value that was written in part.
  func checkText() throws {
    if let failure { throw failure }
  }

  /// Calls a closure that writes a value after its label, and notes its error.
  @inline(__always)
  func writeValue(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      fail(error)
      throw error
    }
  }

  @inline(never)
  private func fail(_ error: any Error) {
    var writer = self
    while let parent = writer.parent { writer = parent }
    writer.failure = writer.failure ?? error
  }

  /// As ``writeValue(_:)``, for a value whose errors have paths inside it.
  func writeValue(at index: Int, _ body: () throws -> Void) throws {
    try writeValue {
      do {
        try body()
      } catch let error as MappingError {
        throw error.inside(path(at: index) ?? FieldPath([]))
      }
    }
  }

  /// Begins structured text. It is that of the value at index 0.
  ///
  /// - Parameters:
  ///   - depth: The number of levels that contain the value.
  ///   - validatesModels: Whether nested models must be valid.
  func beginText(depth: Int, validatesModels: Bool) {
    modelDepth = depth
    self.validatesModels = validatesModels
    hasLooseParts = true
    failure = nil
    layout.pointee.text.removeAll()
  }

  /// Begins a value of another writer.
  ///
  /// - Parameter modelDepth: The nesting level of the model.
  func begin(
    in parent: ObjectWriter, at index: Int, names: [String]?, modelDepth: Int,
    hasUnknownMembers: Bool = false
  ) {
    self.modelDepth = modelDepth
    validatesModels = parent.validatesModels
    hasLooseParts = hasUnknownMembers
    memberRanges.removeAll(keepingCapacity: true)
    layout.pointee.text.removeAll()
    self.parent = parent
    parentIndex = index
    self.names = names
  }

  /// Ends a value of another writer, also after an error.
  func endValue() { parent = nil }

  /// Ends the range of the last member.
  private func endMember() {
    guard let last = memberRanges.indices.last else { return }
    memberRanges[last] = memberRanges[last].lowerBound..<layout.pointee.text.count
  }

  /// Returns the ranges of the members of a dictionary in the text, which ends with the last
  /// one. Empty unless members are sorted.
  func endMembers() -> [Range<Int>] {
    endMember()
    return memberRanges
  }

  /// Sorts the members of a dictionary whose names are in another order than their bytes.
  private func sortMembers() {
    let ranges = endMembers()
    guard let names, ranges.count > 1, ranges.count == names.count else { return }
    let order = names.indices.sorted(byBytesOf: { names[$0] })
    guard order != Array(names.indices) else { return }
    var members = TextBuffer()
    let start = ranges[0].lowerBound
    layout.pointee.text.move(from: start, to: &members)
    let separator = ranges[0].upperBound..<ranges[1].lowerBound
    func append(_ range: Range<Int>) {
      layout.pointee.text.append(members, (range.lowerBound - start)..<(range.upperBound - start))
    }
    for (position, index) in order.enumerated() {
      if position > 0 { append(separator) }
      append(ranges[index])
    }
  }

  /// Ends the last element or member.
  func endParts() {
    sortMembers()
    if isWrapping { layout.pointee.end(plan) }
    layout.pointee.breakLine(isWrapping ? -1 : 0)
  }

  /// The nesting depth of the object, array or dictionary in the document.
  package var rootDepth: Int { isWrapping ? layout.pointee.depth - 1 : layout.pointee.depth }

  /// The path of the object from the root.
  package var path: FieldPath {
    if let parent { return parent.path.appending(parent.source(at: parentIndex)) }
    return ElementLocation(index: index, envelope: envelope).path
  }

  private func source(at index: Int) -> FieldPath {
    if let names { return FieldPath([.key(names[index])]) }
    guard hasParts else { return key(at: index).source?.valuePath ?? FieldPath([]) }
    return FieldPath([.index(index)]).appending(inside?.valuePath ?? FieldPath([]))
  }

  /// The path of the values in the elements of the array that a field collects.
  func collected(at index: Int) -> FieldPath? {
    if let collection { return collection.elementPath(at: index) }
    return plan.collected.isEmpty ? nil : plan.collected[hasParts ? 0 : index]
  }

  func key(at index: Int) -> FieldKey { collection?.key(at: index) ?? keys[index] }

  /// Writes what precedes a value.
  ///
  /// - Returns: False if the key is not part of documents.
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
    if index > 0 {
      endMember()
      layout.pointee.text.append(",")
    }
    if isWrapping {
      layout.pointee.breakLine(0)
      layout.pointee.begin(plan)
      _ = layout.pointee.label(0, plan)
      return
    }
    if names != nil, settings.formatting.contains(.sorted) {
      memberRanges.append(layout.pointee.text.count..<layout.pointee.text.count)
    }
    layout.pointee.breakLine(1)
    guard let names else { return }
    let name = names[index]
    layout.pointee.text.append(string: settings.isStored ? StoredMemberName.stored(name) : name)
    layout.pointee.text.append(":")
    if settings.formatting.contains(.pretty) { layout.pointee.text.append(" ") }
  }

  package func encodeNull(at index: Int) {
    if let collection, omitsNull(at: index) { return collection.omit(index) }
    if let collection, collection.key(at: index).isInlined {
      return encodeNull(inlinedAt: index, collection)
    }
    guard hasParts || settings.writesNull(key(at: index)), label(index) else { return }
    layout.pointee.text.append(literal: "null")
  }

  private func omitsNull(at index: Int) -> Bool {
    let key = key(at: index)
    return key.isInlined ? settings.nullPolicy == .omit : !settings.writesNull(key)
  }

  package func encode(_ value: Bool, at index: Int) {
    if label(index) { layout.pointee.text.append(literal: value ? "true" : "false") }
  }

  package func encode(_ value: Int64, at index: Int) {
    if label(index) { layout.pointee.text.append(value) }
  }

  package func encode(_ value: UInt64, at index: Int) {
    if label(index) { layout.pointee.text.append(value) }
  }

  package func encode(_ value: Double, at index: Int) throws {
    if !value.isFinite { try refuse(index, "number \(value)", expected: "finite number") }
    if label(index) { append(value) }
  }

  /// Appends a finite number.
  func append(_ value: Double) {
    settings.isStored
      ? layout.pointee.text.append(stored: value) : layout.pointee.text.append(value)
  }

  /// Encodes the digits of the float. As a double, 0.1 has 17 digits. Structured text
  /// contains the double.
  package func encode(_ value: Float, at index: Int) throws {
    if settings.isStored { return try encode(Double(value), at: index) }
    let near = Double(value.description) ?? Double(value)
    try encode(Float(near) == value ? near : Double(value), at: index)
  }

  package func encode(_ value: Decimal, at index: Int) throws {
    if !value.isFinite { try refuse(index, "number \(value)", expected: "finite number") }
    if label(index) { layout.pointee.text.append(raw: value.description) }
  }

  package func encode(_ value: String, at index: Int) {
    if label(index) { layout.pointee.text.append(string: value) }
  }

  package func encode(_ value: Data, at index: Int) {
    guard label(index) else { return }
    layout.pointee.text.append("\"")
    layout.pointee.text.append(raw: value.base64EncodedString())
    layout.pointee.text.append("\"")
  }

  /// Throws an error about a value that JSON cannot represent, unless the key is not part
  /// of documents.
  func refuse(_ index: Int, _ found: String, expected: String) throws {
    guard hasParts || key(at: index).source != nil else { return }
    throw error(.invalidValue, at: index, expected: expected, found: found)
  }

  package func path(at index: Int) -> FieldPath? { path.appending(source(at: index)) }
}

extension ObjectWriter.Settings {
  /// Whether a nil key is written as null.
  func writesNull(_ key: FieldKey) -> Bool {
    overridesKeys ? nullPolicy == .null : key.writesNull(nullPolicy)
  }
}
