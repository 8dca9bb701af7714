extension ScanReader {
  /// What was found at an index of an object whose keys have alternatives or are
  /// models inlined in it.
  @inline(never)
  func findOdd(_ index: Int) -> Slot {
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

  /// An element of the array, or the value of a member of the dictionary.
  ///
  /// - Complexity: For parts that are asked for in ascending order, constant.
  @inline(__always)
  func part(_ index: Int) -> Slot {
    let place = state.pointee.place
    guard place >= 0, index >= 0, index < scanner.pointee.tape[place].count else { return Slot() }
    let keySize = shape == .dictionary ? 1 : 0
    if index < state.pointee.part || state.pointee.partPlace <= place {
      state.pointee.part = 0
      state.pointee.partPlace = place + 1 + keySize
    }
    while state.pointee.part < index {
      let next = scanner.pointee.tape.position(behind: state.pointee.partPlace)
      state.pointee.partPlace = next + keySize
      state.pointee.part += 1
    }
    let partPlace = state.pointee.partPlace
    return Slot(token: scanner.pointee.tape[partPlace], place: partPlace)
  }
}

extension ScanReader.Slot {
  /// Whether a key's alternatives are looked at.
  fileprivate var isNothing: Bool { token.kind == .none || token.kind == .obstacle }
}
