import EpisodeFeed
import Testing

/// Expects that a closure throws a ``PageError`` of a code.
func expectPageError(
  _ code: PageError.Code, location: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  let error = await #expect(throws: PageError.self, sourceLocation: location) { try await body() }
  #expect(error?.code == code, sourceLocation: location)
}
