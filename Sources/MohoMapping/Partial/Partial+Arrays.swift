// A merge patch replaces an array as a whole, so that it has all of its elements.
extension Partial {
  /// Returns the partial model with all keys and unknown members in the arrays that it
  /// changes.
  ///
  /// - Parameter model: The model after the changes.
  package func completingArrays(of model: Model) -> Partial {
    var partial = self
    var changed: [KeyArray] = []
    while true {
      // An inlined model can have keys in several arrays.
      let arrays = partial.changedArrays
      if arrays.count == changed.count { break }
      changed = arrays
      for array in arrays { partial.include(array.keys, of: model) }
    }
    partial.assignElements(of: changed.map(\.path), model)
    return partial
  }

  private mutating func include(_ indexes: Set<Int>, of model: Model) {
    let mapping = Model.mapping
    for index in indexes.sorted() where !writes(index) && !mapping.keys[index].isTransient {
      values[index] = mapping.value(of: model, at: index)
      guard index == mapping.fieldKeys.receiver else { continue }
      setMembers(
        PartialMembers(index: index, patch: members?.patch ?? MemberPatch(), isWhole: true))
    }
  }

  private mutating func assignElements(of arrays: [FieldPath], _ model: Model) {
    let mapping = Model.mapping
    guard !arrays.isEmpty, let receiver = mapping.fieldKeys.receiver else { return }
    // The value of the key has all unknown members.
    if members == nil, values[receiver] != nil { return }
    func isInside(_ entry: MemberPatch.Entry) -> Bool {
      arrays.contains { entry.path.isInside($0) }
    }
    var patch = members?.patch ?? MemberPatch()
    patch.entries =
      patch.entries.filter { !isInside($0) }
      + arrays.map { MemberPatch.Entry(path: $0, change: .removal, containsKeys: true) }
      + mapping.elementMembers(of: model).filter(isInside)
    setMembers(
      PartialMembers(index: receiver, patch: patch, isWhole: members?.isWhole ?? false))
  }

  /// Returns the keys that are nil and in an array that has other elements. They are
  /// not written, because null would be an element of the array.
  ///
  /// - Throws: ``MappingError`` if the partial model has only a part of an array that
  ///   contains keys.
  package func nilElements() throws -> Set<Int> {
    let arrays = changedArrays
    for array in arrays { try check(array) }
    return arrays.reduce(into: []) { keys, array in
      // An inlined model may write nothing into the array.
      let direct = array.keys.filter { !Model.mapping.keys[$0].isInlined }
      let nilKeys = direct.filter(isOmissible)
      if nilKeys.count < direct.count || hasMembers(inside: array.path) {
        keys.formUnion(nilKeys)
      }
    }
  }

  private func check(_ array: KeyArray) throws {
    let mapping = Model.mapping
    let missing = array.keys.filter { !writes($0) }.min()
    guard missing != nil || !hasAllElements(of: array.path) else { return }
    let key = (missing ?? mapping.fieldKeys.receiver).map { mapping.keys[$0].name }
    var error = MappingError(
      .unsupported, model: mapping.name, key: key, path: array.path,
      found: "part of an array that contains keys",
      expected: "all of its elements, because a merge patch replaces an array")
    error.advice = "create the patch with `mergePatch(from:to:)`"
    throw error
  }

  /// Whether a key writes null that has the meaning of its absence.
  private func isOmissible(_ index: Int) -> Bool {
    let mapping = Model.mapping
    guard !mapping.keys[index].writesNull(.omit), let box = values[index],
      let content = mapping.content(of: box, at: index)
    else { return false }
    return content == .null
  }

  /// Whether unknown members are in an array that the partial model has as a whole.
  private func hasMembers(inside array: FieldPath) -> Bool {
    let mapping = Model.mapping
    guard let receiver = mapping.fieldKeys.receiver else { return false }
    guard let members else {
      let elements = values[receiver].flatMap { mapping.fields[receiver].receiver?.elements($0) }
      return elements?.contains { $0.path.isInside(array) } ?? false
    }
    var paths: [FieldPath] = []
    for entry in members.patch.entries {
      if case .removal = entry.change {
        paths.removeAll { $0.isInside(entry.path) }
      } else if entry.path.isInside(array) {
        paths.append(entry.path)
      }
    }
    return !paths.isEmpty
  }

  /// The arrays that contain present keys, or unknown members that change.
  private var changedArrays: [KeyArray] {
    let keys = Model.mapping.fieldKeys
    let arrays = keys.arrays
    if arrays.isEmpty { return [] }
    var paths = members?.patch.entries.map(\.path) ?? []
    if members == nil, let receiver = keys.receiver, let box = values[receiver] {
      paths = Model.mapping.fields[receiver].receiver?.elements(box).map(\.path) ?? []
    }
    return arrays.filter { array in
      array.keys.contains(where: writes) || paths.contains { $0.isInside(array.path) }
    }
  }

  /// Whether a key is written, and not only changes of unknown members of an inlined
  /// model.
  private func writes(_ index: Int) -> Bool {
    values[index] != nil && (members?.index != index || members?.isWhole == true)
  }

  /// Whether the partial model has all unknown members in an array.
  private func hasAllElements(of array: FieldPath) -> Bool {
    guard let receiver = Model.mapping.fieldKeys.receiver else { return true }
    guard let members else { return values[receiver] != nil }
    return members.patch.entries.contains { entry in
      guard case .removal = entry.change else { return false }
      return array.isInside(entry.path)
    }
  }
}
