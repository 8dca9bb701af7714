import Foundation

extension ObjectWriter {
  package func encodeObject(
    at index: Int, keys: FieldKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    if let collection, collection.key(at: index).isInlined {
      let keys = settings.isStored ? keys.inStructuredText : keys
      return try collection.inline(keys, at: index) { try body(self) }
    }
    try checkDepth(modelDepth + 1, at: index)
    guard label(index) else { return }
    try writeValue { try checkStoredLevel(of: "object", at: index) }
    let isSorted = settings.formatting.contains(.sorted)
    let writer = writer(ObjectIdentifier(keys), at: index) { depth in
      let own = settings.isStored ? keys.inStructuredText : keys
      let tree = OutputTree(own.keys.map(\.source), envelope: nil)
      return ObjectWriter(
        plan: OutputPlan(isSorted ? tree.sorted : tree, keyCount: keys.keys.count),
        keys: keys, settings: settings, envelope: nil, depth: depth, takesAnyOrder: true)
    }
    writer.begin(in: self, at: index, names: nil, modelDepth: modelDepth + 1)
    defer { writer.endValue() }
    writer.begin(index: nil)
    try writeValue {
      try body(writer)
      try writer.end()
    }
    layout.pointee.text.append(writer.layout.pointee.text)
  }

  package func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try encodeParts(at: index, count: count, names: nil, in: ("[", "]"), body)
  }

  package func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void
  ) throws {
    if let collection, collection.key(at: index).receivesUnknownMembers {
      return try encodeUnknown(at: index, names: names, in: collection, body)
    }
    try encodeParts(at: index, count: names.count, names: names, in: ("{", "}"), body)
  }

  /// Writes the value compactly, whatever the formatting.
  package func encode<Value: Encodable>(codable value: Value, at index: Int) throws {
    if collected(at: index) != nil { throw unsupportedCollecting(at: index) }
    if let value = value as? JSONValue { return try encode(json: value, at: index) }
    guard settings.isStored else {
      let json = try CodingDepth.within(modelDepth) { try Self.json(of: value) }
      if label(index) { layout.pointee.text.append(raw: String(decoding: json, as: UTF8.self)) }
      return
    }
    if label(index) { try encode(storedCodable: value, at: index) }
  }

  /// Writes a value whose name was written.
  private func encode<Value: Encodable>(storedCodable value: Value, at index: Int) throws {
    try writeValue(at: index) {
      let text = try StructuredText.text(of: value, inside: depth(of: index), depth: modelDepth)
      layout.pointee.text.append(raw: text)
    }
  }

  private func encodeParts(
    at index: Int, count: Int, names: [String]?, in brackets: (Unicode.Scalar, Unicode.Scalar),
    _ body: (any FieldEncoder) throws -> Void
  ) throws {
    let modelDepth = try depth(
      ofPartsIn: modelDepth, isPart: hasParts && !hasLooseParts, at: index,
      names == nil ? "array" : "dictionary")
    guard label(index) else { return }
    try writeValue { try checkStoredLevel(of: names == nil ? "array" : "object", at: index) }
    let writer =
      (names == nil ? collectingWriter(at: index) : nil)
      ?? writer(nil, at: index) { ObjectWriter(partsWith: settings, depth: $0) }
    writer.begin(in: self, at: index, names: names, modelDepth: modelDepth)
    defer { writer.endValue() }
    writer.layout.pointee.text.append(brackets.0)
    try writeValue { try body(writer) }
    if count > 0 { writer.endParts() }
    writer.layout.pointee.text.append(brackets.1)
    layout.pointee.text.append(writer.layout.pointee.text)
  }

  /// The writer of nested values with the keys of a mapping, of arrays, or of
  /// dictionaries.
  private func writer(
    _ keys: ObjectIdentifier?, at index: Int, _ make: (_ depth: Int) -> ObjectWriter
  ) -> ObjectWriter {
    let id = InnerID(keys: keys, depth: depth(of: index))
    if let last = lastInner, last.id == id { return last.writer }
    let writer: ObjectWriter
    if let known = inner[id] {
      writer = known
    } else {
      writer = make(id.depth)
      // A mapping that is created for each use adds new keys every time.
      if inner.count >= 64 { inner.removeAll() }
      inner[id] = writer
    }
    lastInner = (id, writer)
    return writer
  }

  /// The writer of the values that a field collects; nil if it does not collect.
  private func collectingWriter(at index: Int) -> ObjectWriter? {
    guard let path = collected(at: index) else { return nil }
    let depth = depth(of: index)
    if let writer = collecting[path], writer.rootDepth == depth { return writer }
    let writer = ObjectWriter(partsWith: settings, at: path, depth: depth)
    collecting[path] = writer
    return writer
  }

  /// Throws an error if structured text cannot contain an object or an array at a key.
  private func checkStoredLevel(of found: StaticString, at index: Int) throws {
    guard settings.isStored, depth(of: index) >= EncodableTree.greatestLevel else { return }
    throw error(
      .tooDeep, at: index, expected: "at most \(EncodableTree.greatestLevel) levels",
      found: "\(found)")
  }

  /// The nesting depth of the value of a field in the document.
  func depth(of index: Int) -> Int {
    if let collection { return layout.pointee.depth + collection.depth(of: index) }
    if hasParts, !isWrapping { return layout.pointee.depth + 1 }
    return layout.pointee.depth(of: isWrapping ? 0 : index, plan)
  }
}

extension ObjectWriter {
  /// Ends an object whose values were collected.
  func end(_ collection: MemberCollection) throws {
    collection.forEachMisreadKey { index in
      if collection.key(at: index).isInlined {
        encodeNull(inlinedAt: index, collection)
      } else if label(index) {
        layout.pointee.text.append(literal: "null")
      }
    }
    let plan = try collection.plan
    let end = layout.pointee.text.count
    layout.pointee.text.move(from: collection.mark, to: &collection.values)
    layout.pointee.prepare(plan)
    layout.pointee.begin(plan)
    collection.forEachValue(until: end) { value, range in
      switch value {
      case .key(let slot):
        if layout.pointee.label(slot, plan) { layout.pointee.text.append(collection.values, range) }
      case .members(let count):
        layout.pointee.append(collection.values, range, memberCount: count, plan)
      }
    }
    layout.pointee.end(plan)
  }

  /// Writes null for every key of an inlined model.
  func encodeNull(inlinedAt index: Int, _ collection: MemberCollection) {
    guard var keys = collection.keysOfNil(at: index) else { return }
    if settings.isStored { keys = keys.inStructuredText }
    collection.inline(keys, at: index) {
      for (index, key) in keys.keys.enumerated() where key.source != nil {
        if key.isInlined {
          encodeNull(inlinedAt: index, collection)
        } else if label(index) {
          layout.pointee.text.append(literal: "null")
        }
      }
    }
  }
}

extension ObjectWriter {
  /// Writes unknown members at the paths that are their names.
  func encodeUnknown(
    at index: Int, names: [String], in collection: MemberCollection,
    _ body: (any FieldEncoder) throws -> Void
  ) throws {
    guard !names.isEmpty else { return }
    // The type of the key preserves the order of members.
    let keepsOrder = settings.isStored && collection.key(at: index).type == .string
    if collection.canJoin(names) {
      let writer = writer(nil, at: index) { ObjectWriter(partsWith: settings, depth: $0) }
      writer.begin(
        in: self, at: index, names: names, modelDepth: modelDepth, hasUnknownMembers: true)
      defer { writer.endValue() }
      try writeValue { try body(writer) }
      let start = layout.pointee.text.count
      collection.addJoined(names.count, at: start)
      layout.pointee.text.append(writer.layout.pointee.text)
      for (name, range) in zip(names, writer.endMembers()) {
        collection.addSorted(settings.isStored ? StoredMemberName.stored(name) : name, range)
      }
      if keepsOrder, UnknownOrder.isNeeded(for: names) {
        let range = layout.pointee.text.append(orderOf: names)
        collection.addSorted(
          UnknownOrder.name, (range.lowerBound - start)..<(range.upperBound - start))
      }
      return
    }
    let (keys, order) = try collection.unknownKeys(
      at: index, names: names, in: path, keepsOrder: keepsOrder)
    try collection.inline(keys, at: index) {
      try body(self)
      if let order, label(names.count) { layout.pointee.text.append(strings: order) }
    }
  }

  /// Writes a JSON value in the document's layout.
  func encode(json value: JSONValue, at index: Int) throws {
    guard label(index) else { return }
    if settings.isStored {
      let start = layout.pointee.text.count
      if value.appendStored(to: &layout.pointee.text, level: depth(of: index) + 1) { return }
      layout.pointee.text.removeAll(from: start)
      return try encode(storedCodable: value, at: index)
    }
    var writer = ValueWriter(formatting: settings.formatting, depth: depth(of: index))
    // The value is written into the text of the object.
    swap(&writer.text, &layout.pointee.text)
    defer { swap(&writer.text, &layout.pointee.text) }
    try writeValue(at: index) { try writer.append(value) }
  }
}
