import Synchronization

/// Hands what several tasks post to one that takes it, all at once.
public final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let arrivals: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation

  /// Makes an empty mailbox.
  public init() {
    (arrivals, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Posts a message.
  public func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    bell.yield()
  }

  /// All messages in the order in which they were posted, as soon as there are
  /// any; nil once the task is canceled.
  public func take() async -> [Message]? {
    for await _ in arrivals {
      let all = takeNow()
      if !all.isEmpty { return all }
    }
    return nil
  }

  /// The messages that are there.
  public func takeNow() -> [Message] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
