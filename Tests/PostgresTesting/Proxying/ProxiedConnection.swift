import Foundation
import Synchronization

/// A connection of a client that a proxy forwards to a server.
final class ProxiedConnection: Sendable {
  /// The time after which a connection ends if a message was damaged and no peer sends
  /// anything, while the proxy is armed and later.
  private static let silenceLimits = (Duration.milliseconds(150), Duration.seconds(3))

  private struct State {
    var conversation = Conversation()
    /// Whether the connection ends with the next bytes of the server.
    var isAnswerCut = false
    var lastRead = ContinuousClock.now
  }

  private let pipe: ProxiedPipe
  private let state = Mutex(State())
  private let fault:
    @Sendable (Conversation.Message, ProxyFault.Sender, _ isListening: Bool) -> ProxyFault?
  private let isArmed: @Sendable () -> Bool
  private let onForwarding: @Sendable (Conversation.Message) -> Void

  /// - Parameters:
  ///   - fault: Returns the fault that damages a message.
  ///   - isArmed: Whether messages are damaged.
  ///   - onForwarding: A closure that is called before a message is forwarded to its end.
  init(
    _ pipe: ProxiedPipe,
    fault:
      @escaping @Sendable (
        Conversation.Message, ProxyFault.Sender, _ isListening: Bool
      ) -> ProxyFault?,
    isArmed: @escaping @Sendable () -> Bool,
    onForwarding: @escaping @Sendable (Conversation.Message) -> Void
  ) {
    (self.pipe, self.fault) = (pipe, fault)
    (self.isArmed, self.onForwarding) = (isArmed, onForwarding)
  }

  /// Forwards the messages of a peer until the connection ends.
  func forward(from sender: ProxyFault.Sender) {
    let receiver: ProxyFault.Sender = sender == .client ? .server : .client
    while let bytes = pipe.read(from: sender) {
      let (messages, isListening, isCut) = state.withLock { state in
        state.lastRead = .now
        return (
          state.conversation.add(bytes, from: sender), state.conversation.isListening,
          state.isAnswerCut && sender == .server
        )
      }
      if isCut { break }
      let actions = messages.map { ($0, fault($0, sender, isListening)) }
      guard forward(actions, to: receiver) else { break }
    }
    pipe.end()
  }

  /// - Returns: Whether the connection goes on.
  private func forward(
    _ messages: [(Conversation.Message, ProxyFault?)], to receiver: ProxyFault.Sender
  ) -> Bool {
    var undamaged: [UInt8] = []
    for (message, fault) in messages {
      guard let fault else {
        onForwarding(message)
        undamaged += message.message.bytes
        continue
      }
      guard pipe.write(undamaged[...], to: receiver) else { return false }
      undamaged = []
      for step in fault.steps(message.message) {
        switch step {
        case .send(let bytes):
          if bytes.count >= message.message.bytes.count { onForwarding(message) }
          guard pipe.write(bytes, to: receiver) else { return false }
        case .pause(let time): usleep(time)
        case .cut: return false
        case .cutAnswer: state.withLock { $0.isAnswerCut = true }
        case .cutWhenSilent: cutWhenSilent()
        }
      }
    }
    return pipe.write(undamaged[...], to: receiver)
  }

  private func cutWhenSilent() {
    Thread { [self] in
      while true {
        let silence = .now - state.withLock { $0.lastRead }
        let limit = isArmed() ? Self.silenceLimits.0 : Self.silenceLimits.1
        if silence > limit { break }
        usleep(10_000)
      }
      pipe.end()
    }.start()
  }
}
