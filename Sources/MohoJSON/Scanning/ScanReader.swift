import MohoMapping

/// Reads the fields of one object, or the parts of an array or a dictionary, from
/// the places that a scanner has found, and is moved from value to value.
///
/// What the parser would not accept, or is an error of the model, is none of its
/// business: it gives up, and the parser and ``ObjectReader`` say what is to be
/// said. That it has given up stands until the next text, so that no one who
/// catches an error makes a value of it: what is caught here is not what would be
/// caught there.
// SAFETY: The memory is the reader's own. Positions in it are checked where they
// come from outside: indexes of keys. What lies in the slots is believed with the
// stamp of this move only, and that is that of this text only.
final class ScanReader: FastPathDecoder, UTF8Source {
  /// What the positions of fields stand for.
  enum Shape { case object, array, dictionary }

  /// A value that was found at a path.
  struct Slot {
    var token = Token.none
    /// Where it is on the tape, if it is an array or object; -1 where a reader of
    /// its own has scanned it.
    var place = 0
    var stamp = 0
  }

  struct State {
    /// When the reader was moved.
    var stamp = 0
    /// Where the array or object is on the tape; -1 where it is not.
    var place = -1
    /// Where the object begins in the text, if it is not on the tape.
    var start = 0
    /// The part of an array or dictionary that was last asked for, and where it
    /// is on the tape.
    var part = 0
    var partPlace = 0
  }

  let shape: Shape
  /// The keys, kept so that no others have their identity.
  let table: MappingKeys?
  let plan: ScanPlan
  let text: ScannedText
  let scanner: UnsafeMutablePointer<ByteScanner>
  let state: UnsafeMutablePointer<State>
  let slots: UnsafeMutablePointer<Slot>
  /// When the scanner met each entry of the plan.
  let met: UnsafeMutablePointer<Int>
  /// The key that came behind each entry of the plan the last time, first in each
  /// node, and behind each of the other keys, in this order: an entry, -2 less the
  /// number of another key, or -1 where none did. That one is looked for first.
  let following: UnsafeMutablePointer<Int32>
  /// The keys that have no entry.
  let others: UnsafeMutablePointer<OtherKeys>
  /// The place of each slot's values among the chains, or -1.
  let places: UnsafeMutablePointer<Int32>
  /// The readers that scan the objects of slots where they are met, in one pass with
  /// what is around: of slots whose objects were asked for by one mapping's keys.
  let readers: UnsafeMutablePointer<ScanReader?>
  /// Of the first 64 slots, those whose objects were asked for: a reader is made when
  /// a second one is.
  var askedSlots: UInt64 = 0
  /// The slots whose objects are asked for by several.
  var fickleSlots: Set<Int> = []
  /// How many models lie in each other, this one counted.
  var depth = 1
  /// Readers of values inside, by their keys; kept to be moved again.
  var inner: [ObjectIdentifier: ScanReader] = [:]
  /// The reader of values inside that was used last.
  var lastInner: (keys: ObjectIdentifier, reader: ScanReader)?
  /// Readers of arrays and dictionaries inside.
  var arrays: ScanReader?
  var dictionaries: ScanReader?

  init(_ shape: Shape, _ table: MappingKeys?, _ plan: ScanPlan, _ text: ScannedText) {
    self.shape = shape
    self.table = table
    self.plan = plan
    self.text = text
    scanner = text.scanner
    state = .filled(State(), count: 1)
    slots = .filled(Slot(), count: plan.slotCount)
    met = .filled(0, count: plan.entryCount)
    following = .filled(
      -1, count: plan.entryCount + plan.nodeCount + OtherKeys.greatestCount)
    others = .allocate(capacity: 1)
    others.initialize(to: OtherKeys())
    places = .filled(-1, count: plan.slotCount)
    readers = .filled(nil, count: plan.slotCount)
    predictDeclarationOrder()
  }

  deinit {
    state.deallocate()
    slots.deallocate()
    met.deallocate()
    following.deallocate()
    others.deinitialize(count: 1)
    others.deallocate()
    places.deallocate()
    readers.deinitialize(count: max(plan.slotCount, 1))
    readers.deallocate()
  }

  private func predictDeclarationOrder() {
    for node in 0..<plan.nodeCount {
      var last = plan.entryCount + node
      for entry in plan.nodes[node].entries {
        following[last] = entry
        last = Int(entry)
      }
    }
  }

  /// What was found at an index: nothing, where the text is gone.
  @inline(__always)
  func find(_ index: Int) -> Slot {
    let stamp = state.pointee.stamp
    guard stamp >= scanner.pointee.firstStamp else { return Slot() }
    guard shape == .object, UInt(bitPattern: index) < UInt(bitPattern: plan.keyCount), plan.isPlain
    else { return shape == .object ? findOdd(index) : part(index) }
    let slot = slots[index]
    return slot.stamp == stamp ? slot : Slot()
  }

  @inline(__always)
  func token(_ index: Int) -> Token { find(index).token }

  /// Says that the parser must be asked, whatever becomes of the error.
  func giveUp() -> ScanStop {
    scanner.pointee.hasGivenUp = true
    return ScanStop(mismatches: .max)
  }

  /// Says that a value is not what was asked for, so that the parser must be asked
  /// unless it need not be that.
  func mismatch() -> ScanStop {
    defer { scanner.pointee.mismatches += 1 }
    return ScanStop(mismatches: scanner.pointee.mismatches)
  }

  func discardError(_ error: any Error) {
    guard let stop = error as? ScanStop, stop.mismatches < scanner.pointee.mismatches else {
      return
    }
    scanner.pointee.mismatches = stop.mismatches
  }
}

extension UnsafeMutablePointer {
  fileprivate static func filled(_ value: Pointee, count: Int) -> UnsafeMutablePointer {
    let count = Swift.max(count, 1)
    let memory = UnsafeMutablePointer.allocate(capacity: count)
    memory.initialize(repeating: value, count: count)
    return memory
  }
}
