/// Scanning the bytes of an object.
extension ScanFieldDecoder {
  /// The most levels on the way to a value, because scanning them is recursive. Together
  /// with the levels inside a value that is skipped or recorded, they are fewer than JSON
  /// text may have.
  private static let maxLevel = 256

  /// Scans the object at the scanner's position, and fills the slots of its keys.
  ///
  /// - Returns: Whether it is a valid object, with an object in its envelope.
  func scan() -> Bool {
    scanner.pointee.stamp += 1
    state.pointee = State(stamp: scanner.pointee.stamp, start: -1)
    forgetUnknownMembers()
    return scanObject(0) && state.pointee.start >= 0
  }

  private func scanObject(_ node: Int) -> Bool {
    if node == plan.body { state.pointee.start = scanner.pointee.position }
    guard scanner.pointee.skip("{"), enter() else { return false }
    scanner.pointee.skipSpace()
    if scanner.pointee.skip("}") { return leave() }
    let firstKey = scanner.pointee.keys.count
    // The unmapped keys of this object so far, as a bit set of their numbers.
    var seenNumbers: UInt64 = 0
    var last = plan.entryCount + node
    repeat {
      scanner.pointee.skipSpace()
      let expected = Int(nextKeys[last])
      let key: Int
      if expected >= 0, isLiteral(expected, at: scanner.pointee.position) {
        scanner.pointee.position += Int(plan.entries[expected].length)
        scanner.pointee.skipSpace()
        key = expected
      } else if expected < -1, scanner.pointee.skipExpectedKey(unmapped.pointee[-2 - expected]) {
        noteExpectedKey(unmapped.pointee[-2 - expected])
        scanner.pointee.skipSpace()
        key = expected
      } else {
        key = scanUnexpectedKey(of: node)
        guard scanner.pointee.skipColon() else { return false }
        if key != -1 { nextKeys[last] = Int32(key) }
      }
      if key >= 0 {
        guard scanValue(key) else { return false }
        last = key
      } else if key < -1 {
        let number = -2 - key
        guard seenNumbers & 1 << UInt64(number) == 0 else { return false }
        seenNumbers |= 1 << UInt64(number)
        let link = unmapped.pointee[number]
        // An earlier unmapped key without a number may be the same key.
        if scanner.pointee.keys.count > firstKey {
          scanner.pointee.keys.append(scanner.pointee.keyOrders[link].hash)
        }
        guard passUnmappedValue(of: node, at: link) else { return false }
        last = plan.entryCount + plan.nodeCount + number
      } else {
        guard passUnmappedValue(of: node, at: -1) else { return false }
      }
      scanner.pointee.skipSpace()
    } while scanner.pointee.skip(",")
    return scanner.pointee.skip("}") && scanner.pointee.keys.endObject(from: firstKey) && leave()
  }

  /// Enters an array or object.
  ///
  /// - Returns: False if it is nested too deep.
  @inline(__always)
  private func enter() -> Bool {
    scanner.pointee.level += 1
    return scanner.pointee.level <= Self.maxLevel
  }

  /// Leaves an array or object.
  @inline(__always)
  private func leave() -> Bool {
    scanner.pointee.level -= 1
    return true
  }

  /// Scans a key that differs from the predicted one.
  ///
  /// - Returns: Its entry; -2 minus its number if it is unmapped; -1 without a
  ///   number. If there is no valid key, no colon follows.
  @inline(never)
  private func scanUnexpectedKey(of node: Int) -> Int {
    var hash: UInt64 = 0
    guard scanner.pointee.skip("\"") else { return stopAtKey() }
    let start = scanner.pointee.position
    let kind = scanner.pointee.scanKey(&hash)
    guard kind != .none else { return stopAtKey() }
    let key = Token(kind, start, scanner.pointee.position - 1)
    let entry = plan.entry(of: node, hash: hash)
    if entry >= 0, isName(entry, key) { return entry }
    if plan.unknownIndex < 0, text.isStored, scanner.pointee.isPreservedJSON(key) {
      return stopAtKey()
    }
    state.pointee.unmappedKey = Token(
      key: kind, start, scanner.pointee.position - 1, hash: hash)
    // Keys with an entry or a number need no hash to find duplicates.
    let number = unmapped.pointee.number(key, hash, of: node, &scanner.pointee)
    if number >= 0 { return -2 - number }
    scanner.pointee.keys.append(hash)
    return -1
  }

  private func stopAtKey() -> Int {
    scanner.pointee.position = scanner.pointee.count
    return -1
  }

  private func scanArray(_ node: Int) -> Bool {
    guard scanner.pointee.skip("["), enter() else { return false }
    scanner.pointee.skipSpace()
    if scanner.pointee.skip("]") { return leave() }
    var index: UInt64 = 0
    repeat {
      scanner.pointee.skipSpace()
      let entry = plan.nodes[node].entries.first { plan.entries[Int($0)].hash == index }
      guard entry.map({ scanValue(Int($0)) }) ?? scanner.pointee.skipValue(at: -1) else {
        return false
      }
      index += 1
      scanner.pointee.skipSpace()
    } while scanner.pointee.skip(",")
    return scanner.pointee.skip("]") && leave()
  }

  /// Scans the value of an entry.
  @inline(__always)
  private func scanValue(_ entry: Int) -> Bool {
    // A duplicate key.
    guard lastStamps[entry] != state.pointee.stamp else { return false }
    lastStamps[entry] = state.pointee.stamp
    let (slot, child) = (Int(plan.entries[entry].slot), Int(plan.entries[entry].child))
    return child < 0 ? scanSlot(slot) : scanWay(child, slot)
  }

  /// Scans a value on the way to others.
  private func scanWay(_ node: Int, _ slot: Int) -> Bool {
    let start = scanner.pointee.position
    let byte = scanner.pointee.byte
    let isWay = byte == (plan.nodes[node].isArray ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    if !isWay {
      fill(node, byte == UInt8(ascii: "n") ? .null : .obstacle)
      return slot >= 0 ? scanSlot(slot) : scanner.pointee.skipValue(at: -1)
    }
    if slot >= 0 {
      guard scanSlot(slot) else { return false }
      scanner.pointee.position = start
    }
    return plan.nodes[node].isArray ? scanArray(node) : scanObject(node)
  }

  /// Fills the slots of all paths through a node.
  func fill(_ node: Int, _ token: Token) {
    if plan.unknownIndex >= 0 { replacedNodes.append(node) }
    for position in plan.nodes[node].below {
      slots[Int(plan.slotsBelow[Int(position)])] = Slot(token: token, stamp: state.pointee.stamp)
    }
  }

  /// Scans a value at the end of a path, and fills its slot.
  @inline(__always)
  private func scanSlot(_ slot: Int) -> Bool {
    let start = scanner.pointee.position
    var tapePosition = 0
    var token: Token
    switch scanner.pointee.byte {
    case UInt8(ascii: "\""):
      scanner.pointee.position += 1
      token = Token(scanner.pointee.scanString(), start + 1, scanner.pointee.position - 1)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      token = scanner.pointee.recordNumber()
    case UInt8(ascii: "{") where slotDecoders[slot] != nil:
      guard slotDecoders[slot]?.scan() == true else { return false }
      token = Token(.object, start, scanner.pointee.position)
      tapePosition = -1
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      tapePosition = scanner.pointee.tape.count
      guard scanner.pointee.recordValue(at: site(ofSlot: slot)) else { return false }
      token = scanner.pointee.tape[tapePosition]
    default:
      token = Token(scanner.pointee.scanName(), start, scanner.pointee.position)
    }
    slots[slot] = Slot(token: token, tapePosition: tapePosition, stamp: state.pointee.stamp)
    return token.kind != .none
  }

  /// The site of a slot's values in the predictor, or -1.
  @inline(__always)
  private func site(ofSlot slot: Int) -> Int {
    if sites[slot] < 0 { sites[slot] = Int32(scanner.pointee.keyOrders.addSite()) }
    return Int(sites[slot])
  }
}

/// Comparing the keys of a text with those of a plan.
extension ScanFieldDecoder {
  /// Whether the key of an entry, in quotes and with a colon, is at an offset.
  @inline(__always)
  func isLiteral(_ entry: Int, at offset: Int) -> Bool {
    plan.entries[entry].isLiteral
      && scanner.pointee.has(
        plan.name(entry), count: Int(plan.entries[entry].length), at: offset)
  }

  /// Whether a key is that of an entry, with or without escape sequences.
  @inline(__always)
  func isName(_ entry: Int, _ key: Token) -> Bool {
    if key.kind == .escaped { return isEscapedName(entry, key) }
    // From quote to quote: whitespace may precede the colon.
    return plan.entries[entry].isLiteral
      && scanner.pointee.has(
        plan.name(entry), count: Int(plan.entries[entry].length) - 1, at: Int(key.start) - 1)
  }

  @inline(never)
  private func isEscapedName(_ entry: Int, _ key: Token) -> Bool {
    let key = scanner.pointee.text(key)
    let name = UnsafeRawBufferPointer(
      start: plan.name(entry) + 1, count: Int(plan.entries[entry].length) - 3)
    return name.elementsEqual(key)
  }
}
