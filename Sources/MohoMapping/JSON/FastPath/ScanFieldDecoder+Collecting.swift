/// A step of a path inside the elements of an array.
enum CollectedStep: Sendable {
  case member(name: [UInt8], hash: UInt64)
  case element(Int)

  /// Nil if the path needs the diagnostic path.
  static func steps(of path: FieldPath) -> [CollectedStep]? {
    var steps: [CollectedStep] = []
    for component in path.components {
      switch component {
      case .key(let key):
        let name = Array(key.utf8)
        let hash = name.withUnsafeBufferPointer { DuplicateKeyDetector.hash($0) }
        steps.append(.member(name: name, hash: hash))
      case .index(let index) where index >= 0: steps.append(.element(index))
      case .index, .each: return nil
      }
    }
    return steps
  }
}

/// Values at a path in each element of an array.
extension ScanFieldDecoder {
  /// The decoder of the values that a key collects, or nil if it does not collect.
  func collectingDecoder(at index: Int) -> ScanFieldDecoder? {
    guard !plan.isPlain, let steps = plan.collected[index] else { return nil }
    if let decoder = collectingDecoders[index] { return decoder }
    let decoder = ScanFieldDecoder(.collection, nil, .empty, text)
    decoder.collectedSteps = steps
    collectingDecoders[index] = decoder
    return decoder
  }

  /// Follows the path inside an element on the tape.
  @inline(never)
  func collectedSlot(_ element: Int) -> Slot {
    var position = element
    for step in collectedSteps {
      let token = scanner.pointee.tape[position]
      if token.kind == .null { break }
      let next: Int?
      switch (step, token.kind) {
      case (.member(let name, let hash), .object):
        next = scanner.pointee.member(name, hash, ofObjectAt: position)
      case (.element(let index), .array):
        next = scanner.pointee.element(index, ofArrayAt: position)
      default: return Slot(token: .obstacle)
      }
      guard let next else { return Slot() }
      position = next
    }
    return Slot(token: scanner.pointee.tape[position], tapePosition: position)
  }
}

extension ByteScanner {
  /// The position of a member's value on the tape.
  fileprivate mutating func member(
    _ name: [UInt8], _ hash: UInt64, ofObjectAt start: Int
  ) -> Int? {
    var position = start + 1
    for _ in 0..<tape[start].count {
      let key = tape[position]
      if key.hash == hash, text(key).elementsEqual(name) { return position + 1 }
      position = tape.position(after: position + 1)
    }
    return nil
  }

  /// The position of an element on the tape.
  fileprivate func element(_ index: Int, ofArrayAt start: Int) -> Int? {
    guard index < tape[start].count else { return nil }
    var position = start + 1
    for _ in 0..<index { position = tape.position(after: position) }
    return position
  }
}
