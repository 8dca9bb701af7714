/// The messages of a connection between a client and a server.
struct Conversation {
  struct Message {
    let message: ProtocolMessage
    /// Whether the server commits when it receives this message.
    let isCommit: Bool
    /// Whether the client waits for the answer to this message.
    let awaitsAnswer: Bool
  }

  private enum Phase {
    /// The client has sent no message with its parameters.
    case starting
    /// The client has asked for encryption.
    case negotiating
    case encrypted
    case started
  }

  private var phase = Phase.starting
  private var buffers: [ProxyFault.Sender: ArraySlice<UInt8>] = [:]
  private var commits: Set<String> = []
  private var isCommitBound = false
  /// Whether the client listens to notifications.
  private(set) var isListening = false

  /// Adds bytes that a peer has sent.
  ///
  /// - Returns: The messages that are complete.
  mutating func add(_ bytes: [UInt8], from sender: ProxyFault.Sender) -> [Message] {
    var buffer = (buffers.removeValue(forKey: sender) ?? []) + bytes
    var messages: [Message] = []
    while !buffer.isEmpty, let message = ProtocolMessage(form(sender), takenFrom: &buffer) {
      messages.append(sender == .client ? clientMessage(message) : serverMessage(message))
    }
    // A slice would retain the bytes before it.
    buffers[sender] = Array(buffer)[...]
    return messages
  }

  private func form(_ sender: ProxyFault.Sender) -> ProtocolMessage.Form {
    switch (phase, sender) {
    case (.encrypted, _): .record
    case (.negotiating, .server): .byte
    case (.starting, .client), (.negotiating, .client): .untyped
    case (.started, _), (.starting, .server): .typed
    }
  }

  private mutating func serverMessage(_ message: ProtocolMessage) -> Message {
    if case .negotiating = phase {
      phase = message.bytes.first == UInt8(ascii: "S") ? .encrypted : .starting
    }
    return Message(message: message, isCommit: false, awaitsAnswer: false)
  }

  private mutating func clientMessage(_ message: ProtocolMessage) -> Message {
    var isCommit = false
    switch message.form {
    case .untyped:
      let isRequest = Self.encryptionRequests.contains(Array(message.body))
      phase = isRequest ? .negotiating : .started
    case .typed: isCommit = self.isCommit(message)
    case .byte, .record: break
    }
    // The end of a pipeline, or a text with statements.
    let awaitsAnswer = message.form == .typed && (message.type == "S" || message.type == "Q")
    return Message(message: message, isCommit: isCommit, awaitsAnswer: awaitsAnswer)
  }

  /// The codes of the requests for TLS and for GSSAPI.
  private static let encryptionRequests: [[UInt8]] = [[4, 210, 22, 47], [4, 210, 22, 48]]

  private mutating func isCommit(_ message: ProtocolMessage) -> Bool {
    let texts = message.body.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    switch message.type {
    case "Q":
      if texts[0].contains("LISTEN ") { isListening = true }
      return texts[0] == "COMMIT"
    case "P" where texts.count > 1:
      if texts[1] == "COMMIT" { commits.insert(texts[0]) } else { commits.remove(texts[0]) }
    case "B" where texts.count > 1: isCommitBound = commits.contains(texts[1])
    case "E": return isCommitBound
    default: break
    }
    return false
  }
}
