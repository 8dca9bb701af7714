import Foundation
import MohoMapping

extension ScanReader {
  func object(at index: Int, keys: MappingKeys) throws -> any FieldDecoder {
    var slot = find(index)
    guard slot.token.kind == .object else { throw mismatch() }
    let isInlined = !plan.isPlain && plan.inlined.contains(index)
    let depth = isInlined ? depth : depth + 1
    guard depth <= NestingDepth.limit else { throw giveUp() }
    if slot.place < 0 {
      if let reader = readers[index], reader.table === keys {
        reader.depth = depth
        return reader
      }
      slot.place = try keep(index, slot)
    }
    guard let reader = reader(of: keys) else { throw giveUp() }
    reader.depth = depth
    if !isInlined {
      reader.move(to: slot.place)
      if shape == .object, state.pointee.place < 0 { scanNext(index, reader) }
    } else if state.pointee.place >= 0 {
      reader.move(to: state.pointee.place)
    } else {
      // The object is not on the tape: its bytes are passed again.
      scanner.pointee.position = state.pointee.start
      guard reader.scan() else { throw giveUp() }
    }
    return reader
  }

  /// Has the next object at an index scanned by a reader of the same keys.
  @inline(never)
  private func scanNext(_ index: Int, _ reader: ScanReader) {
    let bit: UInt64 = index < 64 ? 1 << UInt64(index) : 0
    defer { askedSlots |= bit }
    guard plan.isPlain, askedSlots & bit == bit, !fickleSlots.contains(index) else { return }
    readers[index] = ScanReader(.object, reader.table, reader.plan, text)
  }

  /// Puts an object on the tape that a reader has scanned: it is asked for in another
  /// form.
  @inline(never)
  private func keep(_ index: Int, _ slot: Slot) throws -> Int {
    fickleSlots.insert(index)
    readers[index] = nil
    let place = scanner.pointee.tape.count
    scanner.pointee.position = Int(slot.token.start)
    guard scanner.pointee.keepValue(at: -1) else { throw giveUp() }
    let token = scanner.pointee.tape[place]
    slots[index] = Slot(token: token, place: place, stamp: slot.stamp)
    return place
  }

  func array(at index: Int) throws -> FieldElements {
    let slot = find(index)
    guard slot.token.kind == .array else { throw mismatch() }
    let reader = arrays ?? makeArrays()
    reader.depth = depth
    reader.move(to: slot.place)
    return FieldElements(decoder: reader, count: Int(slot.token.count))
  }

  @inline(never)
  private func makeArrays() -> ScanReader {
    let reader = ScanReader(.array, nil, noPlan, text)
    arrays = reader
    return reader
  }

  func dictionary(at index: Int) throws -> FieldMembers {
    var slot = find(index)
    guard slot.token.kind == .object else { throw mismatch() }
    guard !plan.inlined.contains(index) else { throw giveUp() }
    if slot.place < 0 {
      _ = try keep(index, slot)
      slot = find(index)
    }
    let reader = dictionaries ?? ScanReader(.dictionary, nil, noPlan, text)
    dictionaries = reader
    reader.depth = depth
    reader.move(to: slot.place)
    var names: [String] = []
    names.reserveCapacity(Int(slot.token.count))
    var position = slot.place + 1
    for _ in 0..<slot.token.count {
      names.append(scanner.pointee.string(scanner.pointee.tape[position]))
      position = scanner.pointee.tape.position(behind: position + 1)
    }
    return FieldMembers(decoder: reader, names: names)
  }

  // As rare as it is slow: the parser reads the value, as it would in its place.
  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    let token = token(index)
    guard token.kind != .none, token.kind != .obstacle,
      !plan.inlined.contains(index)
    else { throw giveUp() }
    let isAnyJSON = Value.self == JSONValue.self
    guard token.kind != .null else {
      if isAnyJSON, let null = JSONValue.null as? Value { return null }
      throw giveUp()
    }
    let quotes = token.kind.isText ? 1 : 0
    let range = (token.range.lowerBound - quotes)..<(token.range.upperBound + quotes)
    let bytes = Data(scanner.pointee.bytes(range))
    guard let json = try? JSONDocument(parsing: bytes).value() else { throw giveUp() }
    if isAnyJSON, let value = json as? Value { return value }
    return try codable(type, at: index, json: json.data())
  }

  /// The reader of objects with the keys of a mapping; nil of keys that no reader
  /// knows.
  private func reader(of keys: MappingKeys) -> ScanReader? {
    let identity = ObjectIdentifier(keys)
    if let lastInner, lastInner.keys == identity { return lastInner.reader }
    let reader: ScanReader
    if let known = inner[identity] {
      reader = known
    } else {
      guard let plan = ScanPlan(keys.keys) else { return nil }
      reader = ScanReader(.object, keys, plan, text)
      // Mappings that are made for each use have keys without end.
      if inner.count >= 64 { inner.removeAll() }
      inner[identity] = reader
    }
    lastInner = (identity, reader)
    return reader
  }
}

/// The plan of values without keys.
private let noPlan = ScanPlan()
