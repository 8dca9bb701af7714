/// Objects whose bytes nobody has passed yet.
extension ScanReader {
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
    guard scanner.pointee.skip("{") else { return false }
    scanner.pointee.skipSpace()
    if scanner.pointee.skip("}") { return true }
    let firstKey = scanner.pointee.keys.count
    var last = plan.entryCount + node
    repeat {
      scanner.pointee.skipSpace()
      guard scanner.pointee.skip("\"") else { return false }
      var entry = Int(following[last])
      if entry >= 0, isLiteral(entry, at: scanner.pointee.position) {
        scanner.pointee.position += Int(plan.entries[entry].length)
      } else {
        entry = scanOtherKey(of: node)
        if entry >= 0 { following[last] = Int32(entry) }
      }
      guard scanner.pointee.passColon() else { return false }
      if entry >= 0 {
        guard scanValue(entry) else { return false }
        last = entry
      } else {
        guard scanner.pointee.passValue() else { return false }
      }
      scanner.pointee.skipSpace()
    } while scanner.pointee.skip(",")
    return scanner.pointee.skip("}") && scanner.pointee.keys.endObject(from: firstKey)
  }

  /// Passes a key that is not the one that came the last time.
  ///
  /// - Returns: Its entry, or -1 where it has none. Where it is no key, what
  ///   follows is no colon.
  @inline(never)
  private func scanOtherKey(of node: Int) -> Int {
    let start = scanner.pointee.position
    var hash: UInt64 = 0
    let kind = scanner.pointee.passKey(&hash)
    guard kind != .none else {
      scanner.pointee.position = scanner.pointee.count
      return -1
    }
    let entry = plan.entry(of: node, hash: hash)
    if entry >= 0, isName(entry, Token(kind, start, scanner.pointee.position - 1)) { return entry }
    // Those that have an entry are told apart by that.
    scanner.pointee.keys.append(hash)
    return -1
  }

  private func scanArray(_ node: Int) -> Bool {
    guard scanner.pointee.skip("[") else { return false }
    scanner.pointee.skipSpace()
    if scanner.pointee.skip("]") { return true }
    var index: UInt64 = 0
    repeat {
      scanner.pointee.skipSpace()
      let entry = plan.nodes[node].entries.first { plan.entries[Int($0)].hash == index }
      guard entry.map({ scanValue(Int($0)) }) ?? scanner.pointee.passValue() else { return false }
      index += 1
      scanner.pointee.skipSpace()
    } while scanner.pointee.skip(",")
    return scanner.pointee.skip("]")
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
      return slot >= 0 ? scanSlot(slot) : scanner.pointee.passValue()
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
      token = Token(scanner.pointee.passNumber(), start, scanner.pointee.position)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      place = scanner.pointee.tape.count
      guard scanner.pointee.keepValue() else { return false }
      token = scanner.pointee.tape[place]
    default:
      token = Token(scanner.pointee.passName(), start, scanner.pointee.position)
    }
    slots[slot] = Slot(token: token, place: place, stamp: state.pointee.stamp)
    return token.kind != .none
  }
}
