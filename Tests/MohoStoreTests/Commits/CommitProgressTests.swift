import Testing

@testable import MohoSQLite

@Suite struct CommitProgressTests {
  @Test func aCommitIsDoneWhenItHasBeenReported() {
    let progress = CommitProgress()
    #expect(progress.unreported == nil)

    progress.begin()
    #expect(progress.unreported == 1)

    progress.end()
    #expect(progress.unreported == nil)
    progress.wait(for: 1)
  }
}
