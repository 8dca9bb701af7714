/// Objects whose bytes nobody has passed yet.
extension ScanReader {
  /// The most arrays and objects that lead to a value, but for those inside one that
  /// is passed or kept: together they are fewer than the parser takes.
  private static let greatestLevel = 512

  /// Passes the object at the scanner's position, and keeps where the values of
  /// its keys are.
  ///
  /// - Returns: Whether the parser would accept it, and it is an object, in the
  ///   envelope of the plan.
  func scan() -> Bool {
    scanner.pointee.stamp += 1
    state.pointee = State(stamp: scanner.pointee.stamp, start: -1)
    return scanObject(0) && state.pointee.start >= 0
  }

  private func scanObject(_ node: Int) -> Bool {
    if node == plan.body { state.pointee.start = scanner.pointee.position }
    guard scanner.pointee.skip("{"), enter() else { return false }
    scanner.pointee.skipSpace()
    if scanner.pointee.skip("}") { return leave() }
    let firstKey = scanner.pointee.keys.count
    // Of the other keys, by their numbers, those that the object has had.
    var had: UInt64 = 0
    var last = plan.entryCount + node
    repeat {
      scanner.pointee.skipSpace()
      let expected = Int(following[last])
      let key: Int
      if expected >= 0, isLiteral(expected, at: scanner.pointee.position) {
        scanner.pointee.position += Int(plan.entries[expected].length)
        scanner.pointee.skipSpace()
        key = expected
      } else if expected < -1, scanner.pointee.passLiteral(others.pointee[-2 - expected]) {
        scanner.pointee.skipSpace()
        key = expected
      } else {
        key = scanOtherKey(of: node)
        guard scanner.pointee.passColon() else { return false }
        if key != -1 { following[last] = Int32(key) }
      }
      if key >= 0 {
        guard scanValue(key) else { return false }
        last = key
      } else if key < -1 {
        let number = -2 - key
        guard had & 1 << UInt64(number) == 0 else { return false }
        had |= 1 << UInt64(number)
        let link = others.pointee[number]
        // It may be the first with a number of those that are spelled so.
        if scanner.pointee.keys.count > firstKey {
          scanner.pointee.keys.append(scanner.pointee.chains[link].hash)
        }
        guard scanner.pointee.passValue(at: link) else { return false }
        last = plan.entryCount + plan.nodeCount + number
      } else {
        guard scanner.pointee.passValue(at: -1) else { return false }
      }
      scanner.pointee.skipSpace()
    } while scanner.pointee.skip(",")
    return scanner.pointee.skip("}") && scanner.pointee.keys.endObject(from: firstKey) && leave()
  }

  /// Notes that an array or object was entered.
  ///
  /// - Returns: Whether that is not too deep.
  @inline(__always)
  private func enter() -> Bool {
    scanner.pointee.level += 1
    return scanner.pointee.level <= Self.greatestLevel
  }

  /// Notes that an array or object was left.
  @inline(__always)
  private func leave() -> Bool {
    scanner.pointee.level -= 1
    return true
  }

  /// Passes a key that is not the one that was expected.
  ///
  /// - Returns: Its entry; if it has none, -2 less its number among the others, or
  ///   -1 without that. Where it is no key, what follows is no colon.
  @inline(never)
  private func scanOtherKey(of node: Int) -> Int {
    var hash: UInt64 = 0
    guard scanner.pointee.skip("\"") else { return stopAtKey() }
    let start = scanner.pointee.position
    let kind = scanner.pointee.passKey(&hash)
    guard kind != .none else { return stopAtKey() }
    let key = Token(kind, start, scanner.pointee.position - 1)
    let entry = plan.entry(of: node, hash: hash)
    if entry >= 0, isName(entry, key) { return entry }
    // Those that have an entry or a number are told apart by that.
    let number = others.pointee.number(key, hash, of: node, &scanner.pointee)
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
      guard entry.map({ scanValue(Int($0)) }) ?? scanner.pointee.passValue(at: -1) else {
        return false
      }
      index += 1
      scanner.pointee.skipSpace()
    } while scanner.pointee.skip(",")
    return scanner.pointee.skip("]") && leave()
  }

  /// Passes the value of a member or element on the way to others.
  @inline(__always)
  private func scanValue(_ entry: Int) -> Bool {
    // An object has no two members of one key.
    guard met[entry] != state.pointee.stamp else { return false }
    met[entry] = state.pointee.stamp
    let (slot, child) = (Int(plan.entries[entry].slot), Int(plan.entries[entry].child))
    return child < 0 ? scanSlot(slot) : scanWay(child, slot)
  }

  /// Passes a value that paths lead through.
  private func scanWay(_ node: Int, _ slot: Int) -> Bool {
    let start = scanner.pointee.position
    let byte = scanner.pointee.byte
    let isWay = byte == (plan.nodes[node].isArray ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    if !isWay {
      fill(node, byte == UInt8(ascii: "n") ? .null : .obstacle)
      return slot >= 0 ? scanSlot(slot) : scanner.pointee.passValue(at: -1)
    }
    if slot >= 0 {
      guard scanSlot(slot) else { return false }
      scanner.pointee.position = start
    }
    return plan.nodes[node].isArray ? scanArray(node) : scanObject(node)
  }

  /// Says what there is at all paths that lead through a node.
  func fill(_ node: Int, _ token: Token) {
    for position in plan.nodes[node].below {
      slots[Int(plan.slotsBelow[Int(position)])] = Slot(token: token, stamp: state.pointee.stamp)
    }
  }

  /// Passes a value that a path ends at, and keeps it.
  @inline(__always)
  private func scanSlot(_ slot: Int) -> Bool {
    let start = scanner.pointee.position
    var place = 0
    var token: Token
    switch scanner.pointee.byte {
    case UInt8(ascii: "\""):
      scanner.pointee.position += 1
      token = Token(scanner.pointee.passText(), start + 1, scanner.pointee.position - 1)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      token = scanner.pointee.keepNumber()
    case UInt8(ascii: "{") where readers[slot] != nil:
      guard readers[slot]?.scan() == true else { return false }
      token = Token(.object, start, scanner.pointee.position)
      place = -1
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      place = scanner.pointee.tape.count
      guard scanner.pointee.keepValue(at: self.place(ofSlot: slot)) else { return false }
      token = scanner.pointee.tape[place]
    default:
      token = Token(scanner.pointee.passName(), start, scanner.pointee.position)
    }
    slots[slot] = Slot(token: token, place: place, stamp: state.pointee.stamp)
    return token.kind != .none
  }

  /// The place of a slot's values among the chains, or -1.
  @inline(__always)
  private func place(ofSlot slot: Int) -> Int {
    if places[slot] < 0 { places[slot] = Int32(scanner.pointee.chains.place()) }
    return Int(places[slot])
  }
}
