import EpisodeFeed
import FlyingFox
import FlyingSocks
import Foundation
import Moho

/// Answers the requests of pages.
struct PageHandler: HTTPHandler {
  let service: EpisodeService
  let safety: PageSafety

  /// The time that a body has to arrive.
  private static let bodyTimeout = Duration.seconds(30)

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    var body = RequestBody(request.bodySequence)
    var response: HTTPResponse
    do {
      response = try await answer(request, &body)
    } catch {
      let error = PageError(error)
      response = Self.json(error, HTTPStatusCode(error))
    }
    if response.statusCode == .methodNotAllowed {
      let methods = PageRequest.methods(request.target.path())
      response.headers[HTTPHeader("Allow")] = methods.joined(separator: ", ")
    }
    if request.method == .HEAD { response.payload = .httpBody(HTTPBodySequence()) }
    // The rest of a body must not be taken for the next request.
    return await body.discard() ? response : response.closingConnection
  }

  private func answer(
    _ request: HTTPRequest, _ body: inout RequestBody
  ) async throws -> HTTPResponse {
    try checkHead(request)
    let (host, origin) = (request.headers[.host], request.headers[HTTPHeader("Origin")])
    try safety.check(host: host, origin: origin, isCommand: false)
    let page = try PageRequest(
      method: request.method.rawValue, path: request.target.path(), query: request.target.query())
    try safety.check(host: host, origin: origin, isCommand: page.isCommand)

    switch page {
    case .file(let file): return Self.file(file, request.headers[.ifNoneMatch])
    case .events(let list, let name):
      let client = try await service.follow(
        list, after: request.headers[HTTPHeader("Last-Event-ID")], page: name)
      return Self.response(
        .ok, [.contentType: "text/event-stream", .cacheControl: "no-store"],
        HTTPBodySequence(from: EventStream(client: client)))
    case .rows(let list, let version, let start, let count):
      return Self.json(
        try await service.rows(list, version: version, from: start, count: count), .ok)
    default:
      if page.requiresJSON { try checkType(request) }
      let data = try await body.read(upTo: page.bodyLimit ?? 0, within: Self.bodyTimeout)
      return Self.json(try await service.perform(page, body: data), .ok)
    }
  }

  private func checkHead(_ request: HTTPRequest) throws {
    let size = request.headers.reduce(request.target.rawValue.utf8.count) {
      $0 + $1.key.rawValue.utf8.count + $1.value.utf8.count + 4
    }
    guard size <= PageSafety.headLimit else {
      throw PageError(.headTooLarge, "the head of the request is larger than 8 kB")
    }
  }

  private func checkType(_ request: HTTPRequest) throws {
    let type = request.headers[.contentType]?.split(separator: ";").first
    guard type?.trimmingCharacters(in: .whitespaces).lowercased() == "application/json" else {
      throw PageError(.unsupportedType, "the body must have the type application/json")
    }
  }

  private static func file(_ file: PageFile, _ knownTag: String?) -> HTTPResponse {
    let headers: [HTTPHeader: String] = [
      .contentType: file.type, .cacheControl: "no-cache", .eTag: file.tag,
    ]
    return knownTag == file.tag
      ? response(.notModified, headers, HTTPBodySequence())
      : response(.ok, headers, HTTPBodySequence(data: file.data, suggestedBufferSize: 1 << 16))
  }

  private static func json<Message: MappedModel>(
    _ message: Message, _ status: HTTPStatusCode
  ) -> HTTPResponse {
    let data = (try? JSONAdapter<Message>().data(from: message)) ?? Data("{}".utf8)
    return response(
      status, [.contentType: "application/json", .cacheControl: "no-store"],
      HTTPBodySequence(data: data, suggestedBufferSize: 1 << 16))
  }

  private static func response(
    _ status: HTTPStatusCode, _ headers: [HTTPHeader: String], _ body: HTTPBodySequence
  ) -> HTTPResponse {
    var all = HTTPHeaders(headers)
    for (name, value) in PageSafety.headers { all.setValues([value], for: HTTPHeader(name)) }
    return HTTPResponse(statusCode: status, headers: all, body: body)
  }
}

extension HTTPStatusCode {
  fileprivate init(_ error: PageError) {
    switch error.status {
    case 400: self = .badRequest
    case 403: self = .forbidden
    case 404: self = .notFound
    case 405: self = .methodNotAllowed
    case 408: self = .requestTimeout
    case 409: self = .conflict
    case 410: self = .gone
    case 413: self = .payloadTooLarge
    case 415: self = .unsupportedMediaType
    case 421: self = .misdirectedRequest
    case 422: self = .unprocessableContent
    case 431: self = .requestHeaderFieldsTooLarge
    case 502: self = .badGateway
    case 503: self = .serviceUnavailable
    default: self = .internalServerError
    }
  }
}
