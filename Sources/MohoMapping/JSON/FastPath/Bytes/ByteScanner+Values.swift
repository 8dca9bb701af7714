extension ByteScanner {
  /// Skips a value.
  ///
  /// - Parameter site: Its site in the key order predictor, or -1.
  /// - Returns: False if it needs the diagnostic path.
  mutating func skipValue(at site: Int) -> Bool { pass(at: site, isRecorded: false) }

  /// Scans a value and records it on the tape with everything in it.
  mutating func recordValue(at site: Int) -> Bool { pass(at: site, isRecorded: true) }

  // Not recursive, so that it is one loop over local values. It is specialized twice:
  // with and without recording.
  @inline(__always)
  private mutating func pass(at outermost: Int, isRecorded: Bool) -> Bool {
    var depth = 0
    var site = outermost
    while true {
      let start = position
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        let kind = scanString()
        guard kind != .none else { return false }
        if isRecorded { tape.append(Token(kind, start + 1, position - 1)) }
      case UInt8(ascii: "{"):
        guard depth < Self.maxDepth else { return false }
        frames[depth] = ScanFrame(
          isObject: true, firstKey: keys.count, token: tape.count, site: site,
          prediction: keyOrders.hasPrediction(site)
            ? PredictionCursor(site, keyOrders) : PredictionCursor())
        if isRecorded { tape.append(Token(.object, start, start)) }
        position += 1
        skipSpace()
        depth += 1
        if byte != UInt8(ascii: "}") {
          guard scanMemberKey(depth, &site, isRecorded: isRecorded) else { return false }
          continue
        }
        end(depth, isEmpty: true, isRecorded: isRecorded)
        depth -= 1
      case UInt8(ascii: "["):
        guard depth < Self.maxDepth else { return false }
        frames[depth] = ScanFrame(
          isObject: false, firstKey: keys.count, token: tape.count, site: site,
          prediction: PredictionCursor())
        if isRecorded { tape.append(Token(.array, start, start)) }
        position += 1
        skipSpace()
        depth += 1
        if byte != UInt8(ascii: "]") { continue }
        end(depth, isEmpty: true, isRecorded: isRecorded)
        depth -= 1
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        if isRecorded {
          let token = recordNumber()
          guard token.kind != .none else { return false }
          tape.append(token)
        } else {
          guard scanNumber() != .none else { return false }
        }
      default:
        let kind = scanName()
        guard kind != .none else { return false }
        if isRecorded { tape.append(Token(kind, start, position)) }
      }
      // After the value: the ends of its containers, or the next value.
      while true {
        if depth == 0 { return true }
        skipSpace()
        let isObject = frames[depth - 1].isObject
        if skip(",") {
          if isRecorded { frames[depth - 1].count += 1 }
          skipSpace()
          if isObject {
            guard scanMemberKey(depth, &site, isRecorded: isRecorded) else { return false }
          } else {
            site = frames[depth - 1].site
          }
          break
        }
        guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
        if isObject {
          guard keys.endObject(from: frames[depth - 1].firstKey) else { return false }
        }
        end(depth, isEmpty: false, isRecorded: isRecorded)
        depth -= 1
      }
    }
  }

  /// Skips the closing bracket of the innermost array or object.
  @inline(__always)
  private mutating func end(_ depth: Int, isEmpty: Bool, isRecorded: Bool) {
    position += 1
    guard isRecorded else { return }
    let frame = frames[depth - 1]
    tape.close(frame.token, end: position, count: isEmpty ? 0 : frame.count + 1)
  }

  /// Scans the key of a member of the innermost object, and its colon.
  ///
  /// - Parameter site: Receives the site of the value.
  @inline(__always)
  private mutating func scanMemberKey(
    _ depth: Int, _ site: inout Int, isRecorded: Bool
  ) -> Bool {
    let link = Int(frames[depth - 1].prediction.expected)
    guard link >= 0, skipExpectedKey(link) else {
      return scanUnexpectedKey(depth, &site, isRecorded: isRecorded)
    }
    if isRecorded {
      // Before the quote and the colon.
      let end = position - 2
      let start = end - (Int(keyOrders[link].length) - 3)
      tape.append(Token(key: keyOrders[link].kind, start, end, hash: keyOrders[link].hash))
    }
    frames[depth - 1].prediction.take(link, bit: frames[depth - 1].prediction.bit, keyOrders)
    site = link
    skipSpace()
    return true
  }

  /// Skips the key of a link, in quotes with a colon, if it is the next one.
  @inline(__always)
  mutating func skipExpectedKey(_ link: Int) -> Bool {
    let length = Int(keyOrders[link].length)
    guard has(keyOrders.name(link), count: length, at: position) else { return false }
    position += length
    return true
  }

  /// Scans a key that differs from the predicted one.
  @inline(never)
  private mutating func scanUnexpectedKey(
    _ depth: Int, _ site: inout Int, isRecorded: Bool
  ) -> Bool {
    guard skip("\"") else { return false }
    let start = position
    var hash: UInt64 = 0
    let kind = scanKey(&hash)
    guard kind != .none else { return false }
    let key = Token(kind, start, position - 1)
    if isRecorded { tape.append(Token(key: kind, start, position - 1, hash: hash)) }
    if frames[depth - 1].prediction.site >= 0, !follow(key, hash, depth) { leavePrediction(depth) }
    site = Int(frames[depth - 1].prediction.site < 0 ? -1 : frames[depth - 1].prediction.last)
    if site < 0 { keys.append(hash) }
    return skipColon()
  }

  /// Moves to the link of a key, which is added if it is new.
  ///
  /// - Returns: False if the object already passed the link.
  private mutating func follow(_ key: Token, _ hash: UInt64, _ depth: Int) -> Bool {
    let prediction = frames[depth - 1].prediction
    guard key.kind != .escaped else { return false }
    let site = Int(prediction.site)
    var link = Int(keyOrders[site].first)
    var bit: UInt64 = 1
    while link >= 0 {
      if keyOrders[link].hash == hash {
        // The links before the predicted one were used or omitted.
        guard bit >= prediction.bit else { return false }
        frames[depth - 1].prediction.take(link, bit: bit, keyOrders)
        return true
      }
      link = Int(keyOrders[link].next)
      bit <<= 1
    }
    let new = keyOrders.insert(
      bytes(key.range), hash: hash, kind: key.kind, after: Int(prediction.last), at: site)
    guard new >= 0 else { return false }
    frames[depth - 1].prediction.take(new, bit: prediction.bit, keyOrders)
    return true
  }

  /// Continues without predictions, with the hashes of the keys so far.
  private mutating func leavePrediction(_ depth: Int) {
    let prediction = frames[depth - 1].prediction
    var link = Int(keyOrders[Int(prediction.site)].first)
    var bit: UInt64 = 1
    while link >= 0 {
      if prediction.used & bit != 0 { keys.append(keyOrders[link].hash) }
      link = Int(keyOrders[link].next)
      bit <<= 1
    }
    frames[depth - 1].prediction = PredictionCursor()
  }
}
