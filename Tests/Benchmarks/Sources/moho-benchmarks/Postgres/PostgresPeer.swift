import Foundation

/// A Python program that does the work of a benchmark when it is asked to, so
/// that the time of its start is not measured.
final class PostgresPeer {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Returns nil if the Python module is not installed.
  init?(module: String, url: String, count: Int, folder: URL) throws {
    let script = folder.appending(path: "postgres_peer.py")
    try Data(Self.script.utf8).write(to: script)
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script.path, module, url, "\(count)"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    guard try line() == "ready" else {
      process.waitUntilExit()
      return nil
    }
  }

  deinit { try? input.fileHandleForWriting.close() }

  /// Runs the work, and returns the number that the program prints.
  func run(_ work: String) throws -> Double {
    try input.fileHandleForWriting.write(contentsOf: Data("\(work)\n".utf8))
    return Double(try line()) ?? .nan
  }

  private func line() throws -> String {
    var bytes = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      bytes += byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let script = #"""
    import asyncio, dataclasses, datetime, sys
    module, url, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    columns = ["id", "guid", "title", "summary", "author", "publishedAt", "number", "season",
               "isExplicit", "duration", "rating", "mediaURL", "mediaSize"]
    types = ["int8", "text", "text", "text", "text", "timestamptz", "int8", "int8", "bool",
             "float8", "float8", "text", "int8"]
    names = ", ".join(f'"{c}"' for c in columns)
    changes = ", ".join(f'"{c}" = excluded."{c}"' for c in columns if c != "guid")
    create = f'CREATE TEMPORARY TABLE peer_rows ON COMMIT DROP AS SELECT {names} FROM "FeedEpisode" LIMIT 0'
    upsert = f'INSERT INTO "FeedEpisode" ({names}) SELECT {names} FROM peer_rows ON CONFLICT (guid) DO UPDATE SET {changes}'
    select = f'SELECT {names} FROM "FeedEpisode"'
    epoch = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)

    @dataclasses.dataclass(slots=True)
    class Episode:
        id: int; guid: str; title: str; summary: str; author: str; published_at: object
        number: int; season: object; is_explicit: bool; duration: float; rating: float
        media_url: str; media_size: int

        def checksum(self):
            total = self.id + self.number + (-1 if self.season is None else self.season)
            total += self.media_size + self.is_explicit
            for text in (self.guid, self.title, self.summary, self.author, self.media_url):
                total += len(text.encode())
            return (total + self.duration + self.rating
                    + (self.published_at - epoch) / datetime.timedelta(seconds=1))

    def row(n):
        summary = (f"In dem „Gestein“ Nº {n} von allen Seiten betrachtet wird:\n\tlangsam, mit Muße."
                   if n % 8 == 0 else f"In which rock number {n} is looked at from all sides, and not put back"
                   f" before all that is \"under\" it has been looked at too.")
        return (n, f"urn:episode:{n * 2654435761 % 1000000007}",
                f"Episode {n}: what the mantle is made of", summary,
                "Andrija Mohorovičić" if n % 3 == 0 else "Inge Lehmann",
                epoch + datetime.timedelta(seconds=n * 3607), n % 400,
                None if n % 10 == 0 else n // 10000, n % 16 == 0, n % 5000 + 0.25,
                n % 500 / 100, f"https://media.example.com/podcasts/discontinuity/episodes/{n}.mp3",
                20000000 + n * 17)

    rows = [row(n) for n in range(count)]

    def serve(work):
        print("ready", flush=True)
        for line in sys.stdin:
            episodes = work(line.strip())
            print(repr(float(episodes)), flush=True)

    if module == "psycopg":
        import psycopg
        connection = psycopg.connect(url, autocommit=True)
        def work(name):
            if name == "import":
                with connection.transaction(), connection.cursor() as cursor:
                    cursor.execute(create)
                    with cursor.copy(f"COPY peer_rows ({names}) FROM STDIN (FORMAT binary)") as copy:
                        copy.set_types(types)
                        for values in rows: copy.write_row(values)
                    cursor.execute(upsert)
                    return cursor.rowcount
            cursor = connection.cursor(binary=True)
            cursor.execute(select)
            work.episodes = [Episode(*values) for values in cursor.fetchall()]
            return 0 if name == "fetch" else sum(e.checksum() for e in work.episodes)
        serve(work)
    else:
        import asyncpg
        loop = asyncio.new_event_loop()
        connection = loop.run_until_complete(asyncpg.connect(url))
        async def save():
            async with connection.transaction():
                await connection.execute(create)
                await connection.copy_records_to_table("peer_rows", records=rows, columns=columns)
                return int((await connection.execute(upsert)).split()[-1])
        async def fetch():
            return [Episode(*values) for values in await connection.fetch(select)]
        def work(name):
            if name == "import": return loop.run_until_complete(save())
            episodes = loop.run_until_complete(fetch())
            return 0 if name == "fetch" else sum(e.checksum() for e in episodes)
        serve(work)
    """#
}
