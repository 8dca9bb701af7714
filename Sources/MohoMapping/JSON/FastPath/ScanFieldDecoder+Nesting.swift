import Foundation

extension ScanFieldDecoder {
  func object(at index: Int, keys: FieldKeys) throws -> any FieldDecoder {
    var slot = find(index)
    guard slot.token.kind == .object, index != plan.unknownIndex else { throw mismatch() }
    let isInlined = !plan.isPlain && plan.inlined.contains(index)
    let depth = isInlined ? depth : depth + 1
    guard depth <= NestingDepth.limit else { throw giveUp() }
    if slot.tapePosition < 0 {
      if let decoder = slotDecoders[index], decoder.table === keys {
        decoder.depth = depth
        return decoder
      }
      slot.tapePosition = try record(index, slot)
    }
    let isReceiving = isInlined && keys.unknownIndex != nil
    guard let decoder = decoder(of: keys, receivingAt: isReceiving ? index : nil) else {
      throw giveUp()
    }
    decoder.depth = depth
    decoder.isInlinedObject = isInlined
    if !isInlined {
      decoder.move(to: slot.tapePosition)
      if shape == .object, state.pointee.tapePosition < 0 { scanNestedObjects(index, decoder) }
    } else if state.pointee.tapePosition >= 0 {
      decoder.move(to: state.pointee.tapePosition)
    } else {
      // The object is not on the tape: its bytes are passed again.
      scanner.pointee.position = state.pointee.start
      guard decoder.scan() else { throw giveUp() }
    }
    return decoder
  }

  /// Prepares a decoder that scans the next object in a slot together with the
  /// object around it.
  @inline(never)
  private func scanNestedObjects(_ index: Int, _ decoder: ScanFieldDecoder) {
    let bit: UInt64 = index < 64 ? 1 << UInt64(index) : 0
    defer { requestedSlots |= bit }
    guard plan.isPlain, requestedSlots & bit == bit, !polymorphicSlots.contains(index) else {
      return
    }
    slotDecoders[index] = ScanFieldDecoder(.object, decoder.table, decoder.plan, text)
  }

  /// Records an object on the tape that a nested decoder has scanned, because it is
  /// requested in another form.
  @inline(never)
  private func record(_ index: Int, _ slot: Slot) throws -> Int {
    polymorphicSlots.insert(index)
    slotDecoders[index] = nil
    let tapePosition = scanner.pointee.tape.count
    scanner.pointee.position = Int(slot.token.start)
    guard scanner.pointee.recordValue(at: -1) else { throw giveUp() }
    let token = scanner.pointee.tape[tapePosition]
    slots[index] = Slot(token: token, tapePosition: tapePosition, stamp: slot.stamp)
    return tapePosition
  }

  func array(at index: Int) throws -> FieldElements {
    let slot = find(index)
    guard slot.token.kind == .array else { throw mismatch() }
    let decoder = collectingDecoder(at: index) ?? arrayDecoder ?? makeArrayDecoder()
    decoder.depth = try depthOfParts
    decoder.move(to: slot.tapePosition)
    return FieldElements(decoder: decoder, count: Int(slot.token.count))
  }

  /// The nesting level of an array or dictionary.
  @inline(__always)
  private var depthOfParts: Int {
    get throws {
      if shape == .object { return depth }
      guard depth < NestingDepth.limit else { throw giveUp() }
      return depth + 1
    }
  }

  @inline(never)
  private func makeArrayDecoder() -> ScanFieldDecoder {
    let decoder = ScanFieldDecoder(.array, nil, .empty, text)
    arrayDecoder = decoder
    return decoder
  }

  func dictionary(at index: Int) throws -> FieldMembers {
    var slot = find(index)
    guard slot.token.kind == .object else { throw mismatch() }
    guard !plan.inlined.contains(index) else { throw giveUp() }
    if index == plan.unknownIndex {
      if text.isStored { try restoreUnknownMembers() }
      return unknownFields()
    }
    if slot.tapePosition < 0 {
      _ = try record(index, slot)
      slot = find(index)
    }
    return try members(ofObjectAt: slot.tapePosition, depth: depthOfParts)
  }

  /// The members of an object on the tape.
  ///
  /// - Parameter depth: The nesting level of the dictionary.
  func members(ofObjectAt tapePosition: Int, depth: Int) throws -> FieldMembers {
    var names: [String] = []
    let count = Int(scanner.pointee.tape[tapePosition].count)
    names.reserveCapacity(count)
    var position = tapePosition + 1
    for _ in 0..<count {
      names.append(scanner.pointee.string(scanner.pointee.tape[position]))
      position = scanner.pointee.tape.position(after: position + 1)
    }
    if text.isStored, let members = try sortedMembers(names, ofObjectAt: tapePosition, depth) {
      return members
    }
    let decoder = dictionaryDecoder ?? ScanFieldDecoder(.dictionary, nil, .empty, text)
    dictionaryDecoder = decoder
    decoder.depth = depth
    decoder.move(to: tapePosition)
    return FieldMembers(decoder: decoder, names: names)
  }

  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    let slot = find(index)
    let token = slot.token
    guard token.kind != .none, token.kind != .obstacle, index != plan.unknownIndex,
      !plan.inlined.contains(index), plan.collected[index] == nil
    else { throw giveUp() }
    if Value.self == JSONValue.self, let value = try jsonValue(index, slot) as? Value {
      return value
    }
    guard token.kind != .null else { throw giveUp() }
    if text.isStored { return try codable(type, storedAt: index, slot) }
    return try codable(type, at: index, json: jsonValue(index, slot).data(), depth: depth)
  }

  private func jsonValue(_ index: Int, _ slot: Slot) throws -> JSONValue {
    guard slot.token.kind == .object || slot.token.kind == .array else {
      return scanner.pointee.scalar(slot.token)
    }
    let position = slot.tapePosition < 0 ? try record(index, slot) : slot.tapePosition
    guard text.isStored else { return scanner.pointee.jsonValue(at: position) }
    guard
      let value = text.preservedJSON(at: position)
        ?? scanner.pointee.storedJSONValue(at: position)
    else { throw giveUp() }
    return value
  }

  /// The decoder of objects with the keys of a mapping; nil if they need the
  /// diagnostic path.
  ///
  /// - Parameter index: The index of the key, if the mapping is that of an inlined model
  ///   that receives the unknown members of this object.
  func decoder(of keys: FieldKeys, receivingAt index: Int? = nil) -> ScanFieldDecoder? {
    // If this object is inlined, too, other keys of the object around it claim members.
    if index != nil, isInlinedObject { return nil }
    let identity = NestedKeys(table: ObjectIdentifier(keys), receivesMembers: index != nil)
    if let lastNestedDecoder, lastNestedDecoder.keys == identity {
      return lastNestedDecoder.decoder
    }
    let nested: NestedDecoder
    if let known = nestedDecoders[identity] {
      nested = known
    } else {
      let plan = FieldScanPlan(
        keys.keys, otherPaths: otherPaths(of: keys, receivingAt: index), isStored: text.isStored)
      nested = NestedDecoder(
        table: keys, decoder: plan.map { ScanFieldDecoder(.object, keys, $0, text) })
      // A mapping that is created for each use adds new keys every time.
      if nestedDecoders.count >= 64 { nestedDecoders.removeAll() }
      nestedDecoders[identity] = nested
    }
    lastNestedDecoder = (identity, nested.decoder)
    return nested.decoder
  }

  /// The paths of other models that read the same object as a model. Nil if they depend on
  /// the document.
  private func otherPaths(of keys: FieldKeys, receivingAt index: Int?) -> [FieldPath]? {
    guard let inside = keys.pathsOfInlinedModels(isStored: text.isStored) else { return nil }
    guard let index else { return inside }
    guard let around = table?.fixedPaths(besides: index, isStored: text.isStored) else {
      return nil
    }
    // A variant can map the discriminator.
    let own = keys.keys.compactMap { $0.path(isStored: text.isStored) }
    return around.filter { !own.contains($0) } + inside
  }
}

extension FieldScanPlan {
  /// The plan of arrays, dictionaries and unknown members.
  static let empty = FieldScanPlan()
}
