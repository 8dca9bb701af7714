/// A fault of the network or of a peer, such as `client 12 cut`: the connection ends before the
/// 12th message of the client.
package struct ProxyFault: Hashable, Sendable, CustomStringConvertible {
  /// The sender of a message.
  package enum Sender: String, CaseIterable, Sendable {
    case client, server
  }

  package enum Failure: String, CaseIterable, Sendable {
    // The connection ends.
    case cut, cutHalfway, cutAfterwards
    /// The message of a client passes, and the connection ends when the server answers.
    case loseAnswer
    // All bytes pass, late or in parts.
    case delay, splitInHalves, splitInBytes
    // Bytes that no peer sends.
    case repeated, repeatedStart, repeatedEnd
    case wrongType, otherType, tooLong, tooShort, noLength, negativeLength
    case emptied, halved, inverted, endless
  }

  package var sender: Sender
  /// The number of the first message that is damaged, from 1.
  package var number: Int
  package var failure: Failure
  /// Whether all later messages are damaged, too.
  package var isPermanent: Bool

  package init(
    _ sender: Sender, _ number: Int, _ failure: Failure, isPermanent: Bool = false
  ) {
    (self.sender, self.number) = (sender, number)
    (self.failure, self.isPermanent) = (failure, isPermanent)
  }

  /// Reads a description.
  package init?(_ words: [String]) {
    guard words.count >= 3, let sender = Sender(rawValue: words[0]), let number = Int(words[1]),
      let failure = Failure(rawValue: words[2]), words.count == 3 || words[3] == "always"
    else { return nil }
    self.init(sender, number, failure, isPermanent: words.count > 3)
  }

  package var description: String {
    "\(sender) \(number) \(failure)" + (isPermanent ? " always" : "")
  }

  /// All faults of a message.
  package static func all(_ sender: Sender, _ number: Int) -> [ProxyFault] {
    Failure.allCases.filter { $0 != .loseAnswer || sender == .client }.map {
      ProxyFault(sender, number, $0)
    } + [ProxyFault(sender, number, .cut, isPermanent: true)]
  }
}

extension ProxyFault.Failure {
  /// The effect of a failure.
  package enum Kind: Sendable {
    /// The connection ends.
    case loss
    /// All bytes arrive.
    case delay
    /// Other bytes arrive.
    case nonsense
  }

  package var kind: Kind {
    switch self {
    case .cut, .cutHalfway, .cutAfterwards, .loseAnswer: .loss
    case .delay, .splitInHalves, .splitInBytes: .delay
    default: .nonsense
    }
  }
}

/// A step of a proxy that forwards a message.
enum ProxyStep: Equatable {
  case send(ArraySlice<UInt8>)
  case pause(microseconds: UInt32)
  case cut
  /// Ends the connection when the receiver answers.
  case cutAnswer
  /// Ends the connection when neither peer sends anything: they may wait for each other.
  case cutWhenSilent
}

extension ProxyFault {
  /// The steps that damage a message.
  func steps(_ message: ProtocolMessage) -> [ProxyStep] {
    let bytes = message.bytes
    let start = bytes.prefix((bytes.count + 1) / 2)
    let end = bytes.dropFirst(start.count)
    let steps: [ProxyStep]
    switch failure {
    case .cut: return [.cut]
    case .cutHalfway: return [.send(start), .cut]
    case .cutAfterwards: return [.send(bytes), .cut]
    case .loseAnswer: return [.cutAnswer, .send(bytes)]
    case .delay: return [.pause(microseconds: 20_000), .send(bytes)]
    case .splitInHalves: return [.send(start), .pause(microseconds: 2_000), .send(end)]
    case .splitInBytes:
      // Large messages are split at their start.
      return bytes.prefix(64).indices.flatMap {
        [.send(bytes[$0...$0]), .pause(microseconds: 30)]
      } + [.send(bytes.dropFirst(64))]
    case .repeated: steps = [.send(bytes), .send(bytes)]
    case .repeatedStart: steps = [.send(start), .send(bytes)]
    case .repeatedEnd: steps = [.send(bytes), .send(end)]
    case .wrongType: steps = [.send(message.with(type: 0xFF))]
    case .otherType: steps = [.send(message.with(type: otherType))]
    case .tooLong: steps = [.send(message.with(length: message.length + 1))]
    case .tooShort: steps = [.send(message.with(length: message.length - 1))]
    case .noLength: steps = [.send(message.with(length: 0))]
    case .negativeLength: steps = [.send(message.with(length: -1))]
    // The server does not check the data of a copy.
    case .emptied where message.isData, .halved where message.isData,
      .inverted where message.isData:
      return [.send(start), .cut]
    case .emptied: steps = [.send(message.with(body: []))]
    case .halved: steps = [.send(message.with(body: message.body.prefix(message.body.count / 2)))]
    case .inverted: steps = [.send(message.with(body: message.body.map { ~$0 }))]
    case .endless:
      let zeros = [UInt8](repeating: 0, count: 100_000)
      steps = [.send(message.with(length: 0x3FFF_FFFF)), .send(zeros[...])]
    }
    return steps + [.cutWhenSilent]
  }

  /// Another type of messages of the sender, which depends on the number of the message. The
  /// server ignores some types of clients, which would only make it miss the message.
  private var otherType: UInt8 {
    let types =
      switch sender {
      case .client: Array("BCDEFHPQSXp".utf8)
      case .server: Array("123ACDEGHIKNRSTVWZcdnst".utf8)
      }
    return types[number % types.count]
  }
}
