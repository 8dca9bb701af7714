import Foundation

// Uses shared objects from several threads in repeated rounds, under
// ThreadSanitizer. `.ci/races` builds and runs it. If there is a race, the
// sanitizer ends the process with status 66.

guard CommandLine.arguments.count <= 2,
  let seconds = Double(CommandLine.arguments.dropFirst().first ?? "20"), seconds >= 0
else {
  FileHandle.standardError.write(Data("usage: RaceCampaign [SECONDS]\n".utf8))
  exit(64)
}

// Ends the process if it does not finish, such as in a deadlock.
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
