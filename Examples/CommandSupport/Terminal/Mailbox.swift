import Synchronization

/// Collects messages from several tasks for one receiver, which takes all
/// pending messages together.
public final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let wakeUps: AsyncStream<Void>
  private let wakeUpSink: AsyncStream<Void>.Continuation

  /// Creates an empty mailbox.
  public init() {
    (wakeUps, wakeUpSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Posts a message.
  public func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    wakeUpSink.yield()
  }

  /// Waits for messages and returns them in the order in which they were
  /// posted; nil if the task is canceled.
  public func take() async -> [Message]? {
    for await _ in wakeUps {
      let all = takeNow()
      if !all.isEmpty { return all }
    }
    return nil
  }

  /// Returns the pending messages without waiting.
  public func takeNow() -> [Message] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
