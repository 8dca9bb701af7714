"""A server of feeds, recordings and chapters for the tests."""

import http.server
import io
import json
import threading
import time
import wave

# Show notes as a hostile feed could have them.
NOTES = """
<h2>What we <b>heard</b></h2>
<p onclick="window.hacked = 1">First <a href="https://example.com/first">link</a>,
<a href="javascript:window.hacked=1">second</a><script>window.hacked = 1</script>
<img src="/x" onerror="window.hacked = 1" alt="A picture"></p>
<style>body { display: none }</style>
<iframe src="https://example.com/"></iframe><form><input autofocus onfocus="window.hacked = 1"></form>
<ul><li>One<li>Two &amp; three &lt;script&gt;</ul>
<svg onload="window.hacked = 1"><a xlink:href="javascript:1">x</a></svg>
"""


def sound(seconds):
    """The bytes of a quiet recording."""
    file = io.BytesIO()
    with wave.open(file, "wb") as recording:
        recording.setnchannels(1)
        recording.setsampwidth(1)
        recording.setframerate(8_000)
        recording.writeframes(bytes(128 + (index // 20 % 2) for index in range(8_000 * seconds)))
    return file.getvalue()


def item(number, *, seconds=60, extra="", notes=NOTES):
    return f"""<item><guid isPermaLink="false">{number}</guid><title>Episode {number}</title>
      <pubDate>Fri, {number:02} Jan 2027 08:00:00 +0000</pubDate>
      <enclosure url="recording-{seconds}.wav" type="audio/wav" length="1"/>
      <itunes:duration>{seconds}</itunes:duration>{extra}
      <content:encoded><![CDATA[{notes}]]></content:encoded></item>"""


def feed(title, *items):
    return f"""<?xml version="1.0"?><rss version="2.0"
      xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
      xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:podcast="https://podcastindex.org/namespace/1.0"
      xmlns:psc="http://podlove.org/simple-chapters"><channel><title>{title}</title>
      {"".join(items)}</channel></rss>"""


class FeedServer:
    """Serves documents by their paths, which the tests can change."""

    def __init__(self):
        self.documents = {
            f"/recording-{seconds}.wav": sound(seconds) for seconds in (2, 60)}
        self.delays = {}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer._answer(self)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def set(self, path, document):
        if not isinstance(document, (str, bytes)):
            document = json.dumps(document)
        self.documents[path] = document if isinstance(document, bytes) else document.encode()

    def _answer(self, request):
        body = self.documents.get(request.path)
        try:
            if body is None:
                request.send_error(404)
                return
            time.sleep(self.delays.get(request.path, 0))
            total, part = len(body), request.headers.get("Range")
            if part:
                first, _, last = part.removeprefix("bytes=").partition("-")
                first = int(first)
                last = min(int(last) if last else total - 1, total - 1)
                body = body[first:last + 1]
                request.send_response(206)
                request.send_header("Content-Range", f"bytes {first}-{last}/{total}")
            else:
                request.send_response(200)
            request.send_header("Accept-Ranges", "bytes")
            request.send_header("Content-Length", str(len(body)))
            if request.path.endswith(".wav"):
                request.send_header("Content-Type", "audio/wav")
            request.end_headers()
            request.wfile.write(body)
        except OSError:
            pass  # The client has disconnected.
