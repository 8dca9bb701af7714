extension ScanFieldDecoder {
  /// The slot of a key in an object whose keys have alternatives, are inlined, or collect.
  @inline(never)
  func findUncommon(_ index: Int) -> Slot {
    guard 0..<plan.keyCount ~= index else { return Slot() }
    if plan.inlined.contains(index) {
      return Slot(token: Token(kind: .object, start: 0, end: 0))
    }
    let own = slot(index)
    if plan.collected[index] != nil, own.token.kind != .array, own.token.kind != .null {
      return own.token.kind == .none ? own : Slot(token: .obstacle)
    }
    guard !plan.alternatives.isEmpty, own.isNothing else { return own }
    for alternative in plan.alternatives[index] {
      let slot = slot(alternative)
      if !slot.isNothing { return slot }
    }
    return own
  }

  private func slot(_ position: Int) -> Slot {
    let slot = slots[position]
    return slot.stamp == state.pointee.stamp ? slot : Slot()
  }

  /// The slot of an element or member.
  ///
  /// - Complexity: Constant for ascending indices.
  @inline(__always)
  func part(_ index: Int) -> Slot {
    if shape == .members { return member(index) }
    let tapePosition = state.pointee.tapePosition
    guard tapePosition >= 0, index >= 0, index < scanner.pointee.tape[tapePosition].count else {
      return Slot()
    }
    let keySize = shape == .dictionary ? 1 : 0
    if index < state.pointee.part || state.pointee.partPosition <= tapePosition {
      state.pointee.part = 0
      state.pointee.partPosition = tapePosition + 1 + keySize
    }
    while state.pointee.part < index {
      let next = scanner.pointee.tape.position(after: state.pointee.partPosition)
      state.pointee.partPosition = next + keySize
      state.pointee.part += 1
    }
    let partPosition = state.pointee.partPosition
    if shape == .collection { return collectedSlot(partPosition) }
    return Slot(token: scanner.pointee.tape[partPosition], tapePosition: partPosition)
  }
}

extension ScanFieldDecoder {
  @inline(never)
  private func member(_ index: Int) -> Slot {
    guard listedMembers.indices.contains(index) else { return Slot() }
    let position = listedMembers[index].key + 1
    return Slot(token: scanner.pointee.tape[position], tapePosition: position)
  }
}

extension ScanFieldDecoder.Slot {
  /// Whether an alternative path can have the value.
  fileprivate var isNothing: Bool { token.kind == .none || token.kind == .obstacle }
}

/// Decoding objects on the tape.
extension ScanFieldDecoder {
  /// Moves to a value on the tape, and fills the slots of an object.
  func move(to tapePosition: Int) {
    scanner.pointee.stamp += 1
    state.pointee = State(stamp: scanner.pointee.stamp, tapePosition: tapePosition)
    forgetUnknownMembers()
    if shape == .object { walkObject(0, at: tapePosition) }
  }

  private func walkObject(_ node: Int, at tapePosition: Int) {
    var position = tapePosition + 1
    var last = plan.entryCount + node
    for _ in 0..<scanner.pointee.tape[tapePosition].count {
      let key = scanner.pointee.tape[position]
      var entry = Int(nextKeys[last])
      if entry < 0 || plan.entries[entry].hash != key.hash {
        entry = plan.entry(of: node, hash: key.hash)
        if entry >= 0 { nextKeys[last] = Int32(entry) }
      }
      if entry >= 0, isName(entry, key) {
        walkValue(entry, at: position + 1)
        last = entry
      } else if plan.unknownIndex >= 0 {
        addUnknownMember(of: node, key: position)
      } else if text.isStored, scanner.pointee.isPreservedJSON(key) {
        scanner.pointee.hasGivenUp = true
      }
      position = scanner.pointee.tape.position(after: position + 1)
    }
  }

  private func walkArray(_ node: Int, at tapePosition: Int) {
    var position = tapePosition + 1
    for index in 0..<UInt64(scanner.pointee.tape[tapePosition].count) {
      let entry = plan.nodes[node].entries.first { plan.entries[Int($0)].hash == index }
      if let entry { walkValue(Int(entry), at: position) }
      position = scanner.pointee.tape.position(after: position)
    }
  }

  private func walkValue(_ entry: Int, at tapePosition: Int) {
    let token = scanner.pointee.tape[tapePosition]
    let (slot, child) = (Int(plan.entries[entry].slot), Int(plan.entries[entry].child))
    if slot >= 0 {
      slots[slot] = Slot(token: token, tapePosition: tapePosition, stamp: state.pointee.stamp)
    }
    guard child >= 0 else { return }
    switch token.kind {
    case .object where !plan.nodes[child].isArray: walkObject(child, at: tapePosition)
    case .array where plan.nodes[child].isArray: walkArray(child, at: tapePosition)
    case .null: fill(child, .null)
    default: fill(child, .obstacle)
    }
  }
}
