import Foundation
import TextTables

/// The user's web browser.
public enum WebBrowser {
  /// How long to wait for an error. Some openers run until the browser ends.
  private static let errorTime = Duration.seconds(3)

  /// The program that opens pages. It selects the browser.
  private static var opener: String {
    #if os(macOS)
      "open"
    #else
      "xdg-open"
    #endif
  }

  /// Opens a page. No shell interprets the URL.
  ///
  /// - Throws: ``Failure`` if the URL is not the address of a web page, or if
  ///   no browser could be started.
  public static func open(_ url: URL) async throws {
    guard ["http", "https"].contains(url.scheme?.lowercased()) else {
      throw Failure(
        .badData, "not the address of a web page: \(VisibleText.quoted(url.absoluteString))")
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [opener, url.absoluteString]
    // The screen belongs to this program.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let (ends, sink) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { process in
      sink.yield(process.terminationStatus)
      sink.finish()
    }
    do {
      try process.run()
    } catch {
      throw failure("\(opener) cannot be started: \(error.localizedDescription)")
    }
    let timer = Task {
      try await Task.sleep(for: errorTime)
      sink.finish()
    }
    defer { timer.cancel() }
    for await status in ends where status != 0 {
      throw failure(
        status == 127
          ? "the program \(opener) is not installed"
          : "\(opener) found no browser (exit status \(status))")
    }
  }

  private static func failure(_ reason: String) -> Failure {
    Failure(.inputOutput, "the page cannot be opened: \(reason)")
  }
}
