/// The changes of unknown members in a partial model.
struct PartialMembers: Sendable {
  /// The index of the key that receives the members, or of an inlined model that
  /// does.
  let index: Int
  var patch: MemberPatch
  /// Whether the other keys of an inlined model are part of the partial model.
  var isWhole: Bool
}

extension Partial {
  /// Replaces the unknown members of a difference by their changes.
  mutating func addMembers(from old: Model, to new: Model, among changed: [Int]) {
    let mapping = Model.mapping
    guard let index = mapping.fieldKeys.receiver, changed.contains(index),
      let patch = mapping.memberPatch(from: old, to: new)
    else { return }
    setMembers(PartialMembers(index: index, patch: patch, isWhole: true))
  }

  /// Sets the changes, and the value of their key to the members that they
  /// assign.
  mutating func setMembers(_ members: PartialMembers) {
    let mapping = Model.mapping
    var patch = members.patch
    patch.endpoints = nil
    self.members = members
    let whole = members.isWhole ? values[members.index] : nil
    let box = mapping.fields[members.index].receiver?.apply(patch, nil, whole)
    guard let box, members.isWhole || box.unwrapped != nil else { return }
    for index in mapping.indexes(changingWith: members.index) { values[index] = box }
  }

  /// Adds what a merge patch says about the key that receives unknown members.
  ///
  /// - Parameter whole: Reads the other keys of an inlined model. Returns nil if
  ///   they are absent.
  mutating func readMembers(
    at index: Int, from decoder: any MergePatchDecoder, whole: () throws -> (any AnyValueBox)?
  ) throws {
    let mapping = Model.mapping
    let patch = try mapping.readMembers(from: decoder)
    var value: (any AnyValueBox)?
    if mapping.keys[index].isInlined {
      decoder.hidesUnknownMembers = true
      defer { decoder.hidesUnknownMembers = false }
      value = try whole()
    }
    if let value { for index in mapping.indexes(changingWith: index) { values[index] = value } }
    guard patch != nil || value != nil else { return }
    setMembers(
      PartialMembers(index: index, patch: patch ?? MemberPatch(), isWhole: value != nil))
  }

  /// Returns the values of the present keys, with the unknown members of a model
  /// after their changes.
  func patched(by members: PartialMembers, _ model: Model) -> [Int: any AnyValueBox] {
    let mapping = Model.mapping
    let stored = mapping.value(of: model, at: members.index)
    var values = values
    for index in mapping.indexes(changingWith: members.index) {
      values[index] = patched(stored, by: members)
    }
    return values
  }

  private func patched(
    _ stored: any AnyValueBox, by members: PartialMembers
  ) -> (any AnyValueBox)? {
    Model.mapping.fields[members.index].receiver?.apply(
      members.patch, stored, members.isWhole ? values[members.index] : nil)
  }

  /// Merges the changes of another partial model, whose values were merged
  /// before.
  mutating func merge(_ next: PartialMembers, of other: Partial, over earlier: Partial) {
    if let first = earlier.members {
      values[next.index] = next.isWhole ? other.values[next.index] : earlier.values[next.index]
      return setMembers(
        PartialMembers(
          index: next.index, patch: first.patch.followed(by: next.patch),
          isWhole: first.isWhole || next.isWhole))
    }
    guard let value = earlier.values[next.index] else { return members = next }
    let box = other.patched(value, by: next)
    for index in Model.mapping.indexes(changingWith: next.index) { values[index] = box }
  }

  /// The index of the key whose stored value is needed to change unknown
  /// members. Nil if the partial model changes none.
  package var patchedIndex: Int? { members?.index }

  /// Returns the partial model with the unknown members of a row after their
  /// changes, as a value.
  ///
  /// - Parameter stored: A partial model with the stored value, or nil if there
  ///   is no row.
  package func resolvingMembers(over stored: Partial?) -> Partial {
    guard let members else { return self }
    var partial = self
    partial.members = nil
    if let stored {
      let merged = stored.merging(self)
      for index in Model.mapping.indexes(changingWith: members.index) {
        partial.values[index] = merged.values[index]
      }
    }
    return partial
  }
}

extension Mapping where Model: MappedModel {
  /// Returns a partial model with one key that a row contains.
  ///
  /// - Throws: ``MappingError`` if the key cannot read the content.
  package func partial(
    ofStored content: FieldContent, at index: Int
  ) throws -> Partial<Model> {
    var partial = Partial<Model>()
    let contents = Array(repeating: FieldContent?.none, count: index) + [content]
    do {
      let decoder = ContentDecoder(stored: contents, keys: fieldKeys)
      partial.values[index] = try fields[index].read(decoder, index)
    } catch let error as MappingError {
      throw error.naming(model: name, key: keys[index].name)
    }
    return partial
  }

  /// Writes the key that receives unknown members, or an inlined model that
  /// does.
  func write(
    _ members: PartialMembers, _ whole: (any AnyValueBox)?, to encoder: any FieldEncoder
  ) throws {
    try fields[members.index].receiver?.write(
      members.patch, members.isWhole ? whole : nil, encoder, members.index)
  }

  /// Returns what a key writes for changes of unknown members. Nil if it is
  /// another key.
  func content(
    of members: PartialMembers, _ whole: (any AnyValueBox)?, at index: Int
  ) -> FieldContent? {
    guard index == members.index else { return nil }
    let recorder = FieldRecorder()
    try? write(members, whole, to: recorder)
    return recorder.contents.first
  }
}
