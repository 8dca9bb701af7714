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
  /// The index of the key that receives unknown members.
  package let receiver: Int
  private let access: FieldMemberAccess
  /// The paths of each key, including those of inlined models.
  private let paths: [[FieldPath]]

  /// Returns nil if no key of the mapping receives unknown members.
  package init?(_ mapping: Mapping<Model>) {
    guard let receiver = mapping.mappingKeys.unknownIndex,
      let access = mapping.fields[receiver].receiver?.access
    else { return nil }
    self.mapping = mapping
    self.receiver = receiver
    self.access = access
    paths = mapping.keys.indices.map { mapping.mappingKeys.possiblePaths(at: $0) }
  }

  /// The paths that keys are mapped to, as text. Equal declarations have equal
  /// texts.
  package var claims: String {
    Set(paths.joined().map(\.description)).sorted().joined(separator: "\n")
  }

  /// The indexes of the keys that documents contain, except the receiver.
  package var indexes: [Int] { paths.indices.filter { !paths[$0].isEmpty } }

  /// Returns what keys take out of a stored content of the receiver. Nil if
  /// nothing changes.
  ///
  /// The members are read as from a document.
  ///
  /// - Parameters:
  ///   - content: The content, or nil if the store does not have the receiver.
  ///   - documents: Objects as JSON text, whose members are added.
  ///   - isFree: Whether a key has no value yet.
  /// - Throws: ``MappingError`` if the content is not that of the receiver, or if
  ///   it cannot contain the members of a document.
  package func members(
    of content: FieldContent?, adding documents: [String], where isFree: (Int) -> Bool
  ) throws -> TakenMembers? {
    let box = try self.box(content)
    let added = documents.reduce(into: Set<String>()) { names, document in
      names.formUnion(DocumentTree(document)?.names ?? [])
    }
    let names = Set(access.names(box)).filter { name in
      let path = FieldPath(stringLiteral: name)
      if case .key(let first)? = path.components.first, added.contains(first) { return true }
      return isClaimed(path)
    }
    if names.isEmpty, documents.isEmpty { return nil }
    var text = try access.document(box, names)
    for document in documents { text = try JSONTree.merging(document, into: text) }
    guard let document = DocumentTree(text),
      let decoder = StructuredText.document(text, keys: mapping.mappingKeys)
    else { return nil }
    var taken = TakenMembers(remaining: .null)
    for index in indexes where document.hasValue(at: paths[index]) {
      try take(index, from: decoder, document, isFree(index), into: &taken)
    }
    let rest = try mapping.fields[receiver].read(decoder, receiver)
    taken.remaining = try access.stored(access.replacing(box, names, rest))
    return taken
  }

  /// Whether the path of a member leads to a key, or the path of a key to it.
  private func isClaimed(_ path: FieldPath) -> Bool {
    paths.joined().contains {
      $0.components.starts(with: path.components) || path.components.starts(with: $0.components)
    }
  }

  private func box(_ content: FieldContent?) throws -> any AnyValueBox {
    let contents =
      content.map { Array(repeating: FieldContent?.none, count: receiver) + [$0] } ?? []
    return try mapping.fields[receiver].read(
      ContentDecoder(stored: contents, keys: mapping.mappingKeys), receiver)
  }

  private func take(
    _ index: Int, from decoder: any FieldDecoder, _ document: DocumentTree, _ isFree: Bool,
    into taken: inout TakenMembers
  ) throws {
    let key = mapping.keys[index]
    func lose(_ reason: String) { taken.losses.append(.init(index: index, reason: reason)) }
    guard key.isStored else { return lose("the store does not contain the key") }
    guard key.relation == nil else { return lose("the key is a relation") }
    guard isFree else { return lose("the key has another value") }
    do {
      let box = try mapping.value(from: decoder, at: index)
      taken.contents[index] = try mapping.stored(box, at: index)
      let written = try StructuredText.object(mapping.mappingKeys, at: FieldPath([])) {
        try mapping.fields[index].writeValue(box, $0, index)
      }
      if let path = document.firstUnread(at: paths[index], source: key.source, in: written) {
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
    let recorder = FieldRecorder(keys: mappingKeys, path: FieldPath([]))
    try fields[index].writeValue(box, recorder, index)
    return try storedContent(recorder.contents.first ?? .null, at: index)
  }
}
