import Testing

@testable import MohoSQLite

@Suite struct CommitProgressTests {
  @Test func aCommitIsDoneWhenItHasBeenReported() {
    let progress = CommitProgress()
    #expect(progress.isDone)

    progress.begin()
    #expect(!progress.isDone)

    progress.end()
    #expect(progress.isDone)
    progress.wait()
  }
}
