import Hummingbird
import Moho
import MohoPostgres
import ServiceLifecycle

struct Episode: MappedModel {
  var id: Int
  var title: String

  static let mapping = Mapping(
    "Episode", Episode.init, .key("id", \.id, .unique), .key("title", \.title))
}

/// Serves a live list of the episodes in a file or in a PostgreSQL database:
/// `live-list-server <path or URL> <port>`.
@main struct LiveListServer {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let port = Int(arguments[2]) else {
      return print("usage: live-list-server <path or URL> <port>")
    }
    let store = try await store(at: arguments[1])
    let list = try await ResultsController(ModelRequest<Episode>().order(by: \.title), in: store)

    let router = Router()
    // The response acknowledges that the episode is committed.
    router.put("episodes/:id") { request, context in
      let id = try context.parameters.require("id", as: Int.self)
      let title = String(buffer: try await request.body.collect(upTo: 1_000))
      try await store.write { try $0.save(Episode(id: id, title: title)) }
      return HTTPResponse.Status.created
    }
    // The changes of the list as server-sent events. The response ends with the program.
    router.get("changes") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/event-stream"],
        body: ResponseBody { writer in
          for try await update in list.updates.cancelOnGracefulShutdown() {
            try await writer.write(event("change", "\(update.after.count) episodes"))
          }
          try await writer.write(event("end", "\(list.snapshot.count) episodes"))
          try await writer.finish(nil)
        })
    }

    var application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in print("port", channel.localAddress?.port ?? port) })
    // Services are shut down in reverse order: the server answers its last request before the
    // store is closed.
    application.addServices(store)
    try await application.runService()
  }

  private static func store(at address: String) async throws -> ModelStore {
    PostgresAddress.isAddress(address)
      ? try await ModelStore(postgres: address, models: Episode.self)
      : try ModelStore(path: address, models: Episode.self)
  }

  private static func event(_ name: String, _ data: String) -> ByteBuffer {
    ByteBuffer(string: "event: \(name)\ndata: \(data)\n\n")
  }
}
