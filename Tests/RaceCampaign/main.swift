import Foundation

// Uses what threads may share from several threads at once, round after round,
// for ThreadSanitizer to watch. `.ci/races` builds and runs it. A race makes the
// sanitizer end the process with status 66.

guard CommandLine.arguments.count <= 2,
  let seconds = Double(CommandLine.arguments.dropFirst().first ?? "20"), seconds >= 0
else {
  FileHandle.standardError.write(Data("usage: RaceCampaign [SECONDS]\n".utf8))
  exit(64)
}

// Ends a campaign that does not come to its end, as in a deadlock.
alarm(UInt32(min(seconds, 86_400)) + 120)

let clock = ContinuousClock()
let end = clock.now + .seconds(seconds)
let folder = FileManager.default.temporaryDirectory.appending(path: "races-\(UUID().uuidString)")
var rounds = 0
do {
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  repeat {
    try await AdapterRound().run()
    try await StoreRound(path: folder.appending(path: "\(rounds).sqlite").path).run()
    rounds += 1
  } while clock.now < end
} catch {
  FileHandle.standardError.write(Data("RaceCampaign: round \(rounds + 1): \(error)\n".utf8))
  exit(1)
}
print("\(rounds) rounds without a wrong result")
