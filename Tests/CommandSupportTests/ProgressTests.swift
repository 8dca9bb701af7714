import CommandSupport
import Testing

@Suite struct ProgressTests {
  @Test(arguments: [
    (0, 8, "[------------------------]   0 %  0 of 8 rows"),
    (1, 3, "[########----------------]  33 %  1 of 3 rows"),
    (999, 1_000, "[#######################-]  99 %  999 of 1000 rows"),
    (8, 8, "[########################] 100 %  8 of 8 rows"),
    (0, 0, "[########################] 100 %  0 of 0 rows"),
    (9, 8, "[########################] 100 %  9 of 8 rows"),
    (-1, 8, "[------------------------]   0 %  -1 of 8 rows"),
  ])
  func theBarShowsTheCompletedPart(_ done: Int, _ total: Int, _ line: String) {
    #expect(Progress.line(done, of: total, "rows") == line)
  }
}
