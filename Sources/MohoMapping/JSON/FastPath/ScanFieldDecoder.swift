/// Decodes the fields of one object, or the parts of an array or dictionary, from
/// the tokens that a scanner has found. It is moved from value to value.
///
/// It reports no errors. Where the text is invalid or a key fails, it gives up, and
/// `TreeFieldDecoder` decodes the object again. The scanner remembers this until
/// the next text, so that a transform that catches an error cannot turn it into a
/// value that the diagnostic path would not produce.
// SAFETY: The decoder owns its memory. Indices of keys come from outside and are
// checked. The content of a slot is valid only with the stamp of the current move,
// which belongs to the current text.
final class ScanFieldDecoder: FastPathDecoder, UTF8Source {
  /// What the indices of fields refer to.
  enum Shape {
    case object, array, dictionary
    /// The values at a path in each element of an array.
    case collection
    /// The listed members of objects.
    case members
  }

  /// The value of a path.
  struct Slot {
    var token = Token.none
    /// The position of an array or object on the tape; -1 if a nested decoder has
    /// scanned it.
    var tapePosition = 0
    /// The move that filled the slot.
    var stamp = 0
  }

  /// The identity of the keys of a nested object.
  struct NestedKeys: Hashable {
    let table: ObjectIdentifier
    /// Whether the model is inlined and receives the unknown members of the object around it.
    let receivesMembers: Bool
  }

  struct NestedDecoder {
    /// The keys, retained so that their identity stays unique.
    let table: FieldKeys
    /// Nil if the objects need the diagnostic path.
    let decoder: ScanFieldDecoder?
  }

  struct State {
    /// The number of the move.
    var stamp = 0
    /// The position of the array or object on the tape; -1 if it is not there.
    var tapePosition = -1
    /// Where the object begins in the text, if it is not on the tape.
    var start = 0
    /// The last key that no path leads to.
    var unmappedKey = Token.none
    /// The last requested part of an array or dictionary, and its tape position.
    var part = 0
    var partPosition = 0
  }

  let shape: Shape
  /// The keys, retained so that their identity stays unique.
  let table: FieldKeys?
  let plan: FieldScanPlan
  let text: SharedByteScanner
  let scanner: UnsafeMutablePointer<ByteScanner>
  let state: UnsafeMutablePointer<State>
  let slots: UnsafeMutablePointer<Slot>
  /// The move in which each entry of the plan was last found.
  let lastStamps: UnsafeMutablePointer<Int>
  /// The key that last followed each entry of the plan, the start of each node, and
  /// each unmapped key, in this order: an entry, -2 minus the number of an unmapped
  /// key, or -1 if unknown. This key is tried first.
  let nextKeys: UnsafeMutablePointer<Int32>
  /// The keys without an entry.
  let unmapped: UnsafeMutablePointer<UnmappedKeys>
  /// The site of each slot's values in the predictor, or -1.
  let sites: UnsafeMutablePointer<Int32>
  /// The decoders that scan the objects in slots during the scan of the object around
  /// them: for slots whose objects are always decoded by one mapping.
  let slotDecoders: UnsafeMutablePointer<ScanFieldDecoder?>
  /// The slots, of the first 64, whose object was requested once. The second request
  /// creates a decoder.
  var requestedSlots: UInt64 = 0
  /// The slots whose objects are decoded by several mappings.
  var polymorphicSlots: Set<Int> = []
  /// The nesting level of the model or its parts, from 1.
  var depth = 1
  /// Decoders of nested objects.
  var nestedDecoders: [NestedKeys: NestedDecoder] = [:]
  /// Whether the keys are inlined in the object of another decoder.
  var isInlinedObject = false
  /// The nested decoder that was used last.
  var lastNestedDecoder: (keys: NestedKeys, decoder: ScanFieldDecoder?)?
  /// Decoders of nested arrays and dictionaries, and of listed members.
  var arrayDecoder: ScanFieldDecoder?
  var dictionaryDecoder: ScanFieldDecoder?
  var membersDecoder: ScanFieldDecoder?
  /// Decoders of collected values, by their keys.
  var collectingDecoders: [Int: ScanFieldDecoder] = [:]
  /// The path to each value, if the values are collected.
  var collectedSteps: [CollectedStep] = []
  /// The members of a decoder of members, or the unknown members of an object: the node
  /// that contains each of them, and the position of its key on the tape.
  var listedMembers: [(node: Int, key: Int)] = []
  /// Whether unknown members of structured text have the order in which they were encoded.
  var areMembersRestored = false
  /// The nodes whose values are no objects, if there is a key for unknown members.
  var replacedNodes: [Int] = []

  init(_ shape: Shape, _ table: FieldKeys?, _ plan: FieldScanPlan, _ text: SharedByteScanner) {
    self.shape = shape
    self.table = table
    self.plan = plan
    self.text = text
    scanner = text.scanner
    state = .filled(State(), count: 1)
    slots = .filled(Slot(), count: plan.slotCount)
    lastStamps = .filled(0, count: plan.entryCount)
    nextKeys = .filled(
      -1, count: plan.entryCount + plan.nodeCount + UnmappedKeys.maxCount)
    unmapped = .allocate(capacity: 1)
    unmapped.initialize(to: UnmappedKeys())
    sites = .filled(-1, count: plan.slotCount)
    slotDecoders = .filled(nil, count: plan.slotCount)
    predictDeclarationOrder()
  }

  deinit {
    state.deallocate()
    slots.deallocate()
    lastStamps.deallocate()
    nextKeys.deallocate()
    unmapped.deinitialize(count: 1)
    unmapped.deallocate()
    sites.deallocate()
    slotDecoders.deinitialize(count: max(plan.slotCount, 1))
    slotDecoders.deallocate()
  }

  private func predictDeclarationOrder() {
    for node in 0..<plan.nodeCount {
      var last = plan.entryCount + node
      for entry in plan.nodes[node].entries {
        nextKeys[last] = entry
        last = Int(entry)
      }
    }
  }

  var suppliedValues: SuppliedValues? { text.supplied }

  /// The slot of an index; empty if its text is gone.
  @inline(__always)
  func find(_ index: Int) -> Slot {
    let stamp = state.pointee.stamp
    guard stamp >= scanner.pointee.firstStamp else { return Slot() }
    guard shape == .object, UInt(bitPattern: index) < UInt(bitPattern: plan.keyCount), plan.isPlain
    else { return shape == .object ? findUncommon(index) : part(index) }
    let slot = slots[index]
    return slot.stamp == stamp ? slot : Slot()
  }

  @inline(__always)
  func token(_ index: Int) -> Token { find(index).token }

  /// Leaves the object to the diagnostic path, even if the error is caught.
  func giveUp() -> FastPathExit {
    scanner.pointee.hasGivenUp = true
    return FastPathExit(mismatches: .max)
  }

  /// Leaves the object to the diagnostic path because a value has another type than
  /// requested, unless the error is forgiven.
  func mismatch() -> FastPathExit {
    defer { scanner.pointee.mismatches += 1 }
    return FastPathExit(mismatches: scanner.pointee.mismatches)
  }

  func discardError(_ error: any Error) {
    guard let stop = error as? FastPathExit, stop.mismatches < scanner.pointee.mismatches else {
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
