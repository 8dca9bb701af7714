extension ScanFieldDecoder {
  /// The slot of a key in an object whose keys have alternatives or are inlined.
  @inline(never)
  func findUncommon(_ index: Int) -> Slot {
    guard 0..<plan.keyCount ~= index else { return Slot() }
    if plan.inlined.contains(index) {
      return Slot(token: Token(kind: .object, start: 0, end: 0))
    }
    let own = slot(index)
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
    return Slot(token: scanner.pointee.tape[partPosition], tapePosition: partPosition)
  }
}

extension ScanFieldDecoder.Slot {
  /// Whether an alternative path can have the value.
  fileprivate var isNothing: Bool { token.kind == .none || token.kind == .obstacle }
}
