import Testing

@testable import MohoSQLite

@Suite struct CommitProgressTests {
  @Test func aReportedCommitIsNotAwaited() {
    let progress = CommitProgress()
    #expect(progress.lastUnended == nil)

    progress.begin()
    #expect(progress.lastUnended == 1)

    progress.end()
    #expect(progress.lastUnended == nil)
    progress.wait(for: 1)
  }

  @Test func aReaderDoesNotWaitForCommitsThatBeginLater() {
    let progress = CommitProgress()
    progress.begin()
    let awaited = progress.lastUnended

    progress.end(upTo: 1)
    progress.begin()

    #expect(awaited == 1)
    #expect(progress.lastUnended == 2)
    progress.wait(for: 1)
  }
}
