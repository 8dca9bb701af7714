/// What the keys of a mapping take out of the unknown members of a stored model.
package struct TakenMembers: Sendable {
  /// Members that a key cannot take.
  package struct Loss: Sendable {
    /// The index of the key.
    package let index: Int
    package let reason: String

    package init(index: Int, reason: String) {
      self.index = index
      self.reason = reason
    }
  }

  /// The contents of the keys that take members, by index, in the form that a
  /// store exchanges.
  package var contents: [Int: FieldContent] = [:]
  /// The content of the key that receives unknown members, without the others.
  package var remaining: FieldContent
  package var losses: [Loss] = []
}

/// Moves unknown members to the keys that a newer declaration maps to them.
package struct MemberTaking<Model>: Sendable {
  private let mapping: Mapping<Model>
  /// The index of the key that receives unknown members, or whose inlined model
  /// does.
  package let receiver: Int
  private let access: FieldMemberAccess
  /// The paths of each key, including those of inlined models.
  private let keys: [[PathClaim]]
  /// The keys with a key for unknown members in place of an inlined model that
  /// receives them.
  private let table: FieldKeys

  /// Returns nil if no key of the mapping receives unknown members, also not in an
  /// inlined model.
  package init?(_ mapping: Mapping<Model>) {
    let table = mapping.fieldKeys
    guard !table.isCluster, let receiver = table.receiver,
      let access = mapping.fields[receiver].receiver?.access
    else { return nil }
    self.mapping = mapping
    self.receiver = receiver
    self.access = access
    self.table = table.receivingUnknownMembers(at: receiver)
    keys = mapping.keys.indices.map { table.claims(at: $0) }
  }

  /// The paths that keys are mapped to, as text. Equal declarations have equal
  /// texts.
  package var claims: String {
    let paths = keys.joined().flatMap { [$0.path] + $0.alternatives }
    return Set(paths.map(\.description)).sorted().joined(separator: "\n")
  }

  /// The indexes of the keys that documents contain, except the receiver.
  package var indexes: [Int] { keys.indices.filter { $0 != receiver && !keys[$0].isEmpty } }

  /// Returns what keys take out of a stored content of the receiver. Nil if
  /// nothing changes.
  ///
  /// The members are read as from a document. Members at alternative paths of keys
  /// that have a value remain unknown, and so do those at former paths: a key was
  /// null at its own path. The members of objects that are moved or divided are
  /// sorted by name.
  ///
  /// - Parameters:
  ///   - content: The content, or nil if the store does not have the receiver.
  ///   - documents: Objects as JSON text, whose members are added.
  ///   - former: The ``claims`` of the declaration that has written the content.
  ///   - isFree: Whether a key has no value yet.
  /// - Throws: ``MappingError`` if the content is not that of the receiver, or if
  ///   it cannot contain the members of a document. A member that JSON of Foundation
  ///   cannot represent is a loss of the key that is mapped to it.
  package func members(
    of content: FieldContent?, adding documents: [String], after former: String? = nil,
    where isFree: (Int) -> Bool
  ) throws -> TakenMembers? {
    guard let set = try members(in: content) else {
      if documents.isEmpty { return nil }
      throw MappingError(.unsupported, found: "unknown members of nil", expected: "model")
    }
    let former = Set((former ?? "").split(separator: "\n").map(String.init))
    let added = documents.reduce(into: Set<MemberName>()) { names, document in
      names.formUnion((DocumentTree(document)?.names ?? []).map(MemberName.init))
    }
    let names = Set(set.names.map(MemberName.init)).filter { name in
      let path = FieldPath(stringLiteral: name.text)
      // No document can contain the member.
      if path.isTooLong { return false }
      if case .key(let first)? = path.components.first, added.contains(MemberName(first)) {
        return true
      }
      return claimant(of: path, after: former, isFree) != nil
    }
    if names.isEmpty, documents.isEmpty { return nil }
    var taken = TakenMembers(remaining: .null)
    let written = names.subtracting(
      unwritable(names, of: set, into: &taken) { claimant(of: $0, after: former, isFree) })
    // The alternatives of these keys are not read.
    let filled = indexes.filter { !isFree($0) }.flatMap { keys[$0] }
      .filter { !$0.alternatives.isEmpty }
    var text = try set.document(written, filled.map(\.path))
    for document in documents { text = try JSONTree.merging(document, into: text) }
    guard let document = DocumentTree(text),
      let decoder = StructuredText.document(text, keys: table)
    else {
      throw MappingError(.tooDeep, found: "object", expected: "object that Foundation can read")
    }
    let rest = try decoder.dictionary(at: receiver).names.map { FieldPath(stringLiteral: $0) }
    for index in indexes {
      // A member stays if it is at the path of a variant that the object does not have.
      let claims = keys[index].filter { claim in !rest.contains { $0.meets(claim.path) } }
      let isFree = isFree(index)
      let paths = claims.flatMap { isFree ? [$0.path] + $0.alternatives : [$0.path] }
      guard document.hasValue(at: paths) else { continue }
      try take(index, claims, from: decoder, document, isFree, into: &taken)
    }
    taken.remaining = try access.stored(set.replacing(names, decoder, receiver))
    return taken
  }

  /// Returns the first key that the path of a member leads to, or whose path leads to
  /// the member.
  private func claimant(
    of path: FieldPath, after former: Set<String>, _ isFree: (Int) -> Bool
  ) -> Int? {
    indexes.first { index in
      if keys[index].contains(where: { $0.path.meets(path) }) { return true }
      return isFree(index)
        && keys[index].flatMap(\.alternatives).contains {
          $0.meets(path) && !former.contains($0.description)
        }
    }
  }

  /// Returns the members that JSON of Foundation cannot represent, and adds them to
  /// the losses.
  private func unwritable(
    _ names: Set<MemberName>, of set: MemberSet<any AnyValueBox>, into taken: inout TakenMembers,
    claimant: (FieldPath) -> Int?
  ) -> [MemberName] {
    func check(_ names: Set<MemberName>) throws {
      guard DocumentTree(try set.document(names, [])) == nil else { return }
      throw MappingError(.tooDeep, found: "value", expected: "value that Foundation can read")
    }
    if (try? check(names)) != nil { return [] }
    return names.filter { name in
      do {
        try check([name])
        return false
      } catch {
        let index = claimant(FieldPath(stringLiteral: name.text)) ?? receiver
        taken.losses.append(.init(index: index, reason: "\(error)"))
        return true
      }
    }
  }

  /// Returns the members in a content of the receiver. Nil if it receives none.
  private func members(in content: FieldContent?) throws -> MemberSet<any AnyValueBox>? {
    let contents =
      content.map { Array(repeating: FieldContent?.none, count: receiver) + [$0] } ?? []
    do {
      return access.members(
        try mapping.fields[receiver].read(
          ContentDecoder(stored: contents, keys: mapping.fieldKeys), receiver))
    } catch {
      // The steps of a migration convert an inlined model of another form, or refuse it.
      if mapping.keys[receiver].isInlined { return nil }
      throw error
    }
  }

  private func take(
    _ index: Int, _ claims: [PathClaim], from decoder: any FieldDecoder, _ document: DocumentTree,
    _ isFree: Bool, into taken: inout TakenMembers
  ) throws {
    let key = mapping.keys[index]
    func lose(_ reason: String) { taken.losses.append(.init(index: index, reason: reason)) }
    guard key.isStored else { return lose("the store does not contain the key") }
    guard key.relation == nil else { return lose("the key is a relation") }
    guard isFree else { return lose("the key has another value") }
    do {
      let box = try mapping.value(from: decoder, at: index)
      taken.contents[index] = try mapping.stored(box, at: index)
      let written = try StructuredText.text(at: FieldPath([])) { encoder in
        try encoder.encodeObject(at: 0, keys: mapping.fieldKeys) {
          try mapping.fields[index].writeValue(box, $0, index)
        }
      }
      if let path = document.firstUnread(of: claims, in: written) {
        lose("the key does not read `\(path)`")
      }
    } catch {
      let errors = mapping.errors(error, decoder, index)
      lose("\(MappingError(errors).map { "\($0)" } ?? "\(error)")")
    }
  }
}

extension Mapping {
  /// Returns what a key stores for a boxed value.
  fileprivate func stored(_ box: any AnyValueBox, at index: Int) throws -> FieldContent {
    let recorder = FieldRecorder(keys: fieldKeys, path: FieldPath([]))
    try fields[index].writeValue(box, recorder, index)
    return try storedContent(recorder.contents.first ?? .null, at: index)
  }
}
