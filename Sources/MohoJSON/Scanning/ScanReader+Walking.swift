/// Objects that are on the tape.
extension ScanReader {
  /// Moves to a value on the tape, or to the same object as another reader.
  func move(to place: Int) {
    scanner.pointee.stamp += 1
    state.pointee = State(stamp: scanner.pointee.stamp, place: place)
    if shape == .object { walkObject(0, at: place) }
  }

  private func walkObject(_ node: Int, at place: Int) {
    var position = place + 1
    var last = plan.entryCount + node
    for _ in 0..<scanner.pointee.tape[place].count {
      let key = scanner.pointee.tape[position]
      var entry = Int(following[last])
      if entry < 0 || plan.entries[entry].hash != key.hash {
        entry = plan.entry(of: node, hash: key.hash)
        if entry >= 0 { following[last] = Int32(entry) }
      }
      if entry >= 0, isName(entry, key) {
        walkValue(entry, at: position + 1)
        last = entry
      }
      position = scanner.pointee.tape.position(behind: position + 1)
    }
  }

  private func walkArray(_ node: Int, at place: Int) {
    var position = place + 1
    for index in 0..<UInt64(scanner.pointee.tape[place].count) {
      let entry = plan.nodes[node].entries.first { plan.entries[Int($0)].hash == index }
      if let entry { walkValue(Int(entry), at: position) }
      position = scanner.pointee.tape.position(behind: position)
    }
  }

  private func walkValue(_ entry: Int, at place: Int) {
    let token = scanner.pointee.tape[place]
    let (slot, child) = (Int(plan.entries[entry].slot), Int(plan.entries[entry].child))
    if slot >= 0 { slots[slot] = Slot(token: token, place: place, stamp: state.pointee.stamp) }
    guard child >= 0 else { return }
    switch token.kind {
    case .object where !plan.nodes[child].isArray: walkObject(child, at: place)
    case .array where plan.nodes[child].isArray: walkArray(child, at: place)
    case .null: fill(child, .null)
    default: fill(child, .obstacle)
    }
  }
}
