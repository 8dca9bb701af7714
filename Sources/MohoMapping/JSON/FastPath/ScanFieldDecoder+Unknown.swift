/// The members that no key is mapped to, for a key that receives them.
extension ScanFieldDecoder {
  @inline(__always)
  func forgetUnknownMembers() {
    guard plan.unknownIndex >= 0 else { return }
    listedMembers.removeAll(keepingCapacity: true)
    areMembersRestored = false
    replacedNodes.removeAll(keepingCapacity: true)
  }

  /// Notes an unmapped key that was predicted. The scanner is after its colon.
  @inline(__always)
  func noteExpectedKey(_ link: Int) {
    if plan.unknownIndex >= 0 { state.pointee.unmappedKey = scanner.pointee.lastKey(of: link) }
  }

  /// Skips the value of an unmapped key, or records it with the key.
  ///
  /// - Parameter site: The site of the value in the predictor, or -1.
  @inline(__always)
  func passUnmappedValue(of node: Int, at site: Int) -> Bool {
    plan.unknownIndex < 0
      ? scanner.pointee.skipValue(at: site) : recordUnknownMember(of: node, at: site)
  }

  @inline(never)
  private func recordUnknownMember(of node: Int, at site: Int) -> Bool {
    addUnknownMember(of: node, key: scanner.pointee.tape.count)
    scanner.pointee.tape.append(state.pointee.unmappedKey)
    return scanner.pointee.recordValue(at: site)
  }

  /// Adds a member whose key is at a position of the tape.
  func addUnknownMember(of node: Int, key: Int) {
    listedMembers.append((node, key))
    slots[plan.unknownIndex] = Slot(
      token: Token(kind: .object, start: 0, end: 0), tapePosition: -1,
      stamp: state.pointee.stamp)
  }

  /// The unknown members, with their paths as names.
  func unknownFields() -> FieldMembers {
    let decoder = membersDecoder ?? ScanFieldDecoder(.members, nil, .empty, text)
    membersDecoder = decoder
    decoder.depth = depth
    decoder.listedMembers = listedMembers
    decoder.move(to: 0)
    return FieldMembers(decoder: decoder, names: listedMembers.map { memberName($0.node, $0.key) })
  }

  /// The name of the unknown member whose key is at a position of the tape.
  func memberName(_ node: Int, _ key: Int) -> String {
    let token = scanner.pointee.tape[key]
    let name = scanner.pointee.string(token)
    guard node != plan.body || scanner.pointee.hasPathSyntax(token) else { return name }
    return FieldPath(plan.paths[node].components + [.key(name)]).description
  }
}

/// Merge patches. Keys in arrays and inlined models that receive unknown members need the
/// diagnostic path; see ``FieldKeys/needsDiagnosticMergePatches``.
extension ScanFieldDecoder: MergePatchDecoder {
  // Only inlined models hide them.
  var hidesUnknownMembers: Bool {
    get { false }
    set {}
  }

  func patchMembers(at index: Int) -> (members: FieldMembers, replaced: [FieldPath]) {
    (unknownFields(), replacedNodes.map { plan.paths[$0] })
  }

  func removes(_ index: Int) -> Bool { false }
}

extension ByteScanner {
  /// The token of a predicted key. The scanner is after its colon.
  @inline(__always)
  fileprivate func lastKey(of link: Int) -> Token {
    let end = position - 2
    let length = Int(keyOrders[link].length) - 3
    return Token(key: keyOrders[link].kind, end - length, end, hash: keyOrders[link].hash)
  }

  /// Whether the string form of a path differs from the key of a token.
  fileprivate mutating func hasPathSyntax(_ key: Token) -> Bool {
    text(key).contains(where: \.isPathSyntax)
  }
}
