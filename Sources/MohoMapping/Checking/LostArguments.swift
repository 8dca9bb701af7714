/// Finds keys whose values are lost when models are written: the initializer
/// stores the argument of the key in a property that no key reads, and the key
/// writes the value of another key.
///
/// The usual cause is a property that is declared for two keys. Only evidence
/// counts. The initializer may ignore the argument of a key that is derived from
/// another one, or store it in a property that the key reads for other values.
struct LostArguments<Model>: Sendable {
  let fields: [MappedField<Model>]
  let keys: [FieldKey]
  let make: @Sendable ((Int) -> (any AnyValueBox)?) -> Model?

  typealias Values = [Int: any AnyValueBox]

  /// What is known about a key that does not read its own value.
  struct Finding {
    let key: Int
    /// The key whose value it writes.
    let source: Int
    /// The stored property that has the argument, or nil if it is not known.
    let property: String?
  }

  /// Compares all keys by samples.
  func findings(_ samples: SampleAssignments<Model>) -> [Finding] {
    var found: [Int: Finding] = [:]
    for round in 0..<samples.rounds {
      let values = samples.values(round)
      for finding in findings(of: Array(fields.indices), values, candidates: candidates(of:))
      where found[finding.key]?.property == nil {
        found[finding.key] = finding
      }
    }
    return found.values.sorted { $0.key < $1.key }
  }

  /// Compares keys of the same type by the values of a model.
  func findings(_ keys: [Int], given values: Values) -> [Finding] {
    findings(of: keys, values) { _ in keys.compactMap { values[$0] } }
      .filter { sharesProperty($0.key, $0.source) }
  }

  private func findings(
    of keys: [Int], _ values: Values, candidates: (Int) -> [any AnyValueBox]
  ) -> [Finding] {
    guard let model = make({ values[$0] }) else { return [] }
    return keys.compactMap { key in
      guard let own = values[key], !equal(own.unwrapped, read(key, model), key) else {
        return nil
      }
      return finding(key, own.unwrapped, values, model, candidates(key))
    }
  }

  private func finding(
    _ key: Int, _ own: Any?, _ values: Values, _ model: Model, _ candidates: [any AnyValueBox]
  ) -> Finding? {
    guard let source = source(of: key, values, model) else { return nil }
    var property: StoredValue.Path?
    for other in candidates.map(\.unwrapped) where !equal(own, other, key) {
      guard let box = box(other, of: key),
        let changed = make({ $0 == key ? box : values[$0] })
      else { continue }
      guard equal(read(key, changed), read(source, changed), key),
        equal(read(key, changed), read(key, model), key)
      else { return nil }
      guard property == nil else { continue }
      let follows = { (one: Any?, two: Any?) in equal(own, one, key) && equal(other, two, key) }
      property = lost(from: model, to: changed, follows)
    }
    // A computed property may read another one only as a fallback.
    guard sharesProperty(key, source) || !readsOwn(key, own, values, without: source) else {
      return nil
    }
    return Finding(key: key, source: source, property: property.map(text))
  }

  /// The key whose value a key reads.
  private func source(of key: Int, _ values: Values, _ model: Model) -> Int? {
    let type = fields[key].samples.type
    let sources = fields.indices.filter { other in
      other != key && fields[other].samples.type == type
        && equal(values[other]?.unwrapped, read(other, model), key)
        && equal(read(other, model), read(key, model), key)
    }
    return sources.first { sharesProperty(key, $0) } ?? sources.first
  }

  /// Whether a key reads its own value if the other key is empty.
  private func readsOwn(_ key: Int, _ own: Any?, _ values: Values, without other: Int) -> Bool {
    let texts = ["", " "].compactMap { try? fields[other].read(ContentDecoder([.string($0)]), 0) }
    return (fields[other].samples.empty + texts).contains { empty in
      make { $0 == other ? empty : values[$0] }.map { equal(own, read(key, $0), key) } ?? false
    }
  }

  /// Returns the stored property that follows the argument, or nil if a key
  /// reads it.
  private func lost(
    from model: Model, to changed: Model, _ follows: (Any?, Any?) -> Bool
  ) -> StoredValue.Path? {
    for field in fields.indices {
      let (one, two) = (read(field, model), read(field, changed))
      if follows(one, two) { return nil }
      guard let one, let two else { continue }
      if StoredValue.path(in: one, two, where: follows) != nil { return nil }
    }
    return StoredValue.path(in: model, changed, where: follows)
  }

  /// Values of a key for which an initializer could behave differently.
  private func candidates(of key: Int) -> [any AnyValueBox] {
    let (samples, context) = (fields[key].samples, SampleContext(models: .any))
    let boxes = (0..<4).flatMap { position in
      let sample = FieldSample(position: position, context: context)
      return [samples.declared(sample)].compactMap { $0 } + samples.found(sample)
    }
    return boxes + samples.empty
  }

  private func box(_ value: Any?, of key: Int) -> (any AnyValueBox)? {
    guard let value else { return fields[key].samples.empty.first { $0.unwrapped == nil } }
    return fields[key].box(value)
  }

  /// Whether any two of some keys have the same property.
  func haveSharedProperty(_ keys: [Int]) -> Bool {
    keys.indices.contains { position in
      keys[..<position].contains { sharesProperty($0, keys[position]) }
    }
  }

  /// Whether two keys have the same stored property or the same key path.
  private func sharesProperty(_ key: Int, _ other: Int) -> Bool {
    guard let one = fields[key].keyPath, let two = fields[other].keyPath else { return false }
    if one == two { return true }
    guard let offset = MemoryLayout<Model>.offset(of: one) else { return false }
    return offset == MemoryLayout<Model>.offset(of: two)
      && type(of: one).valueType == type(of: two).valueType
  }

  private func read(_ key: Int, _ model: Model) -> Any? {
    withUnsafePointer(to: model) { fields[key].value($0).unwrapped }
  }

  private func equal(_ one: Any?, _ other: Any?, _ key: Int) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    guard let one = fields[key].box(one), let other = fields[key].box(other) else { return false }
    let written = fields.indices.filter { index in
      fields[index].samples.type == fields[key].samples.type && !keys[index].isTransient
    }
    return ComparedValue(one, of: written, fields)
      .isEqual(to: ComparedValue(other, of: written, fields)) == true
  }

  private func text(_ path: StoredValue.Path) -> String {
    "`\\\(Model.self).\(path.joined(separator: "."))`"
  }
}

extension LostArguments {
  /// Returns the issue of a finding, or a note if nothing shows that the value
  /// is lost.
  func judge(_ finding: Finding, name: (Int) -> String) -> (DeclarationIssue?, DeclarationNote?) {
    let (key, source) = (finding.key, finding.source)
    let both = [key, source].sorted().map(name).joined(separator: " and ")
    let what = "\(both) are both mapped to the value of \(property(of: source))"
    guard let property = finding.property else {
      let note = "\(what): a value that is read for \(name(key)) is not written"
      return (nil, keys[key].isTransient ? nil : DeclarationNote(note))
    }
    let issue =
      "\(what), and no key writes \(property): map \(name(key)) to this property, or ignore its"
      + " argument in the function that creates the model"
    return (DeclarationIssue(issue), nil)
  }

  private func property(of key: Int) -> String {
    fields[key].keyPath.map { propertyText($0) } ?? "`\(keys[key].name)`"
  }
}

/// The stored properties of a value, found by reflection.
enum StoredValue {
  typealias Path = [String]

  /// The number of levels that are searched.
  private static let depth = 4
  /// The number of properties that are searched in each value.
  private static let width = 256

  /// Returns the path of the first stored property for which two values satisfy
  /// a condition.
  static func path(
    in one: Any, _ two: Any, depth: Int = depth, where isFound: (Any?, Any?) -> Bool
  ) -> Path? {
    guard depth > 0 else { return nil }
    let (one, two) = (Mirror(reflecting: one), Mirror(reflecting: two))
    guard one.displayStyle == .struct || one.displayStyle == .class else { return nil }
    for (one, two) in zip(one.children, two.children).prefix(width) {
      guard let label = one.label, label == two.label else { continue }
      let values = (unwrapped(one.value), unwrapped(two.value))
      if isFound(values.0, values.1) { return [label] }
      guard let first = values.0, let second = values.1 else { continue }
      if let rest = path(in: first, second, depth: depth - 1, where: isFound) {
        return [label] + rest
      }
    }
    return nil
  }
}
