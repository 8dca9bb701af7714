import EpisodeFeed
import Foundation
import Moho

/// Answers the requests of pages.
struct PageHandler: Sendable {
  let service: EpisodeService
  let safety: PageSafety

  /// The time that a body has to arrive.
  private static let bodyTimeout = Duration.seconds(30)

  func response(to head: RequestHead, _ body: inout RequestBody) async -> PageResponse {
    var response: PageResponse
    do {
      response = try await answer(head, &body)
    } catch {
      response = PageResponse(PageError(error))
    }
    if response.status == 405 {
      let methods = PageRequest.methods(head.path)
      response.headers.append(("Allow", methods.joined(separator: ", ")))
    }
    return response
  }

  private func answer(
    _ head: RequestHead, _ body: inout RequestBody
  ) async throws -> PageResponse {
    let (host, origin) = (head.headers["host"], head.headers["origin"])
    try safety.check(host: host, origin: origin, isCommand: false)
    let page = try PageRequest(method: head.method, path: head.path, query: head.query)
    try safety.check(host: host, origin: origin, isCommand: page.isCommand)

    switch page {
    case .file(let file): return Self.file(file, head.headers["if-none-match"])
    case .events(let list, let name):
      let client = try await service.follow(
        list, after: head.headers["last-event-id"], page: name)
      return Self.events(client)
    case .podcasts: return Self.events(try service.followPodcasts())
    case .rows(let list, let version, let start, let count):
      return PageResponse(
        200, try await service.rows(list, version: version, from: start, count: count))
    case .details(let rowID): return PageResponse(200, try await service.details(of: rowID))
    case .chapters(let rowID): return PageResponse(200, try await service.chapters(of: rowID))
    default:
      if page.requiresJSON { try Self.checkType(head) }
      let data = try await body.read(upTo: page.bodyLimit ?? 0, within: Self.bodyTimeout)
      return PageResponse(200, try await service.perform(page, body: data))
    }
  }

  private static func checkType(_ head: RequestHead) throws {
    let type = head.headers["content-type"]?.split(separator: ";").first
    guard type?.trimmingCharacters(in: .whitespaces).lowercased() == "application/json" else {
      throw PageError(.unsupportedType, "the body must have the type application/json")
    }
  }

  private static func events(_ client: any EventClient) -> PageResponse {
    PageResponse(
      200, [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")], .events(client))
  }

  private static func file(_ file: PageFile, _ knownTag: String?) -> PageResponse {
    let headers = [("Content-Type", file.type), ("Cache-Control", "no-cache"), ("ETag", file.tag)]
    return knownTag == file.tag
      ? PageResponse(304, headers, .data(Data())) : PageResponse(200, headers, .data(file.data))
  }
}
