extension ByteScanner {
  /// Passes a value that nobody wants.
  ///
  /// - Parameter place: Its place among the chains, or -1.
  /// - Returns: Whether it is one that the parser accepts, too.
  mutating func passValue(at place: Int) -> Bool { pass(at: place, isKept: false) }

  /// Passes a value and puts it on the tape, with all inside it.
  mutating func keepValue(at place: Int) -> Bool { pass(at: place, isKept: true) }

  // Not recursive, so that it is one loop over local values. It is there twice,
  // with and without what is done to keep values.
  @inline(__always)
  private mutating func pass(at outermost: Int, isKept: Bool) -> Bool {
    var depth = 0
    var place = outermost
    while true {
      let start = position
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        let kind = passText()
        guard kind != .none else { return false }
        if isKept { tape.append(Token(kind, start + 1, position - 1)) }
      case UInt8(ascii: "{"):
        guard depth < Self.greatestDepth else { return false }
        frames[depth] = Frame(
          isObject: true, firstKey: keys.count, token: tape.count, place: place,
          walk: chains.isChained(place) ? ChainWalk(place, chains) : ChainWalk())
        if isKept { tape.append(Token(.object, start, start)) }
        position += 1
        skipSpace()
        depth += 1
        if byte != UInt8(ascii: "}") {
          guard passMemberKey(depth, &place, isKept: isKept) else { return false }
          continue
        }
        end(depth, isEmpty: true, isKept: isKept)
        depth -= 1
      case UInt8(ascii: "["):
        guard depth < Self.greatestDepth else { return false }
        frames[depth] = Frame(
          isObject: false, firstKey: keys.count, token: tape.count, place: place,
          walk: ChainWalk())
        if isKept { tape.append(Token(.array, start, start)) }
        position += 1
        skipSpace()
        depth += 1
        if byte != UInt8(ascii: "]") { continue }
        end(depth, isEmpty: true, isKept: isKept)
        depth -= 1
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        if isKept {
          let token = keepNumber()
          guard token.kind != .none else { return false }
          tape.append(token)
        } else {
          guard passNumber() != .none else { return false }
        }
      default:
        let kind = passName()
        guard kind != .none else { return false }
        if isKept { tape.append(Token(kind, start, position)) }
      }
      // What is behind the value: the ends of what it is in, or the next one.
      while true {
        if depth == 0 { return true }
        skipSpace()
        let isObject = frames[depth - 1].isObject
        if skip(",") {
          if isKept { frames[depth - 1].count += 1 }
          skipSpace()
          if isObject {
            guard passMemberKey(depth, &place, isKept: isKept) else { return false }
          } else {
            place = frames[depth - 1].place
          }
          break
        }
        guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
        if isObject {
          guard keys.endObject(from: frames[depth - 1].firstKey) else { return false }
        }
        end(depth, isEmpty: false, isKept: isKept)
        depth -= 1
      }
    }
  }

  /// Passes the bracket that closes the innermost array or object.
  @inline(__always)
  private mutating func end(_ depth: Int, isEmpty: Bool, isKept: Bool) {
    position += 1
    guard isKept else { return }
    let frame = frames[depth - 1]
    tape.close(frame.token, end: position, count: isEmpty ? 0 : frame.count + 1)
  }

  /// Passes the key of a member of the innermost object, and its colon.
  ///
  /// - Parameter place: Receives the place of the value.
  @inline(__always)
  private mutating func passMemberKey(
    _ depth: Int, _ place: inout Int, isKept: Bool
  ) -> Bool {
    let link = Int(frames[depth - 1].walk.expected)
    guard link >= 0, passLiteral(link) else {
      return passOtherKey(depth, &place, isKept: isKept)
    }
    if isKept {
      // Before the quote and the colon.
      let end = position - 2
      let start = end - (Int(chains[link].length) - 3)
      tape.append(Token(key: chains[link].kind, start, end, hash: chains[link].hash))
    }
    frames[depth - 1].walk.take(link, bit: frames[depth - 1].walk.bit, chains)
    place = link
    skipSpace()
    return true
  }

  /// Passes a key of a chain, in its quotes and with its colon, if it is there.
  @inline(__always)
  mutating func passLiteral(_ link: Int) -> Bool {
    let length = Int(chains[link].length)
    guard has(chains.name(link), count: length, at: position) else { return false }
    position += length
    return true
  }

  /// Passes a key that is not the one that was expected.
  @inline(never)
  private mutating func passOtherKey(
    _ depth: Int, _ place: inout Int, isKept: Bool
  ) -> Bool {
    guard skip("\"") else { return false }
    let start = position
    var hash: UInt64 = 0
    let kind = passKey(&hash)
    guard kind != .none else { return false }
    let key = Token(kind, start, position - 1)
    if isKept { tape.append(Token(key: kind, start, position - 1, hash: hash)) }
    if frames[depth - 1].walk.place >= 0, !follow(key, hash, depth) { leaveChain(depth) }
    place = Int(frames[depth - 1].walk.place < 0 ? -1 : frames[depth - 1].walk.last)
    if place < 0 { keys.append(hash) }
    return passColon()
  }

  /// Finds the link of a key in the chain, or makes one.
  ///
  /// - Returns: Whether there is one that the object has not passed yet.
  private mutating func follow(_ key: Token, _ hash: UInt64, _ depth: Int) -> Bool {
    let walk = frames[depth - 1].walk
    guard key.kind != .escaped else { return false }
    let place = Int(walk.place)
    var link = Int(chains[place].first)
    var bit: UInt64 = 1
    while link >= 0 {
      if chains[link].hash == hash {
        // Links before the one that is expected were passed or left out.
        guard bit >= walk.bit else { return false }
        frames[depth - 1].walk.take(link, bit: bit, chains)
        return true
      }
      link = Int(chains[link].next)
      bit <<= 1
    }
    let new = chains.insert(
      bytes(key.range), hash: hash, kind: key.kind, behind: Int(walk.last), at: place)
    guard new >= 0 else { return false }
    frames[depth - 1].walk.take(new, bit: walk.bit, chains)
    return true
  }

  /// Goes on without a chain, and with the hashes of the keys that were passed.
  private mutating func leaveChain(_ depth: Int) {
    let walk = frames[depth - 1].walk
    var link = Int(chains[Int(walk.place)].first)
    var bit: UInt64 = 1
    while link >= 0 {
      if walk.had & bit != 0 { keys.append(chains[link].hash) }
      link = Int(chains[link].next)
      bit <<= 1
    }
    frames[depth - 1].walk = ChainWalk()
  }
}
