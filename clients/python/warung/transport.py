"""One HTTP exchange over the standard library, with one deadline for the whole of it."""

import http.client
import socket
import ssl
import time
from urllib.parse import urlsplit

ANSWER_BYTES_MAX = 64 * 1024 * 1024
CHUNK_BYTES = 64 * 1024


class Answer:
    """A whole answer of the service: status, headers (lower-case names) and the bytes of the body."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body


class NoAnswer(Exception):
    """No whole answer came. `failure` is `connection` or `timeout`."""

    def __init__(self, message, failure):
        super().__init__(message)
        self.failure = failure


class HttpTransport:
    """Sends each request on a connection of its own: one that broke cannot spoil the next request.

    A transport is any object with this `send`; tests and proxies bring their own.
    """

    def __init__(self, ssl_context=None):
        self._ssl_context = ssl_context

    def send(self, method, url, headers, body, timeout):
        """Returns an Answer, or raises NoAnswer. Redirects are not followed: a signature is for one address."""
        deadline = time.monotonic() + timeout
        connection = self._connect(urlsplit(url), timeout)
        try:
            return self._exchange(connection, method, url, headers, body, deadline)
        finally:
            connection.close()

    def _connect(self, parts, timeout):
        if parts.scheme == "https":
            context = self._ssl_context or ssl.create_default_context()
            connection = http.client.HTTPSConnection(parts.netloc, timeout=timeout, context=context)
        elif parts.scheme == "http":
            connection = http.client.HTTPConnection(parts.netloc, timeout=timeout)
        else:
            raise ValueError("base_url begins with https:// or http://")
        try:
            connection.connect()
        except socket.timeout as error:
            raise NoAnswer("no connection in time", "timeout") from error
        except OSError as error:
            raise NoAnswer(f"no connection: {error}", "connection") from error
        return connection

    def _exchange(self, connection, method, url, headers, body, deadline):
        parts = urlsplit(url)
        target = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        # The library forgets the socket as soon as the service says that it closes the connection.
        connected = connection.sock
        try:
            _limit(connected, deadline)
            connection.request(method, target, body=body, headers=headers)
            _limit(connected, deadline)
            response = connection.getresponse()
            content = _read(connected, response, deadline)
        except socket.timeout as error:
            raise NoAnswer("no answer in time", "timeout") from error
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer(f"the connection broke: {error!r}", "connection") from error
        names = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, names, content)


def _read(connected, response, deadline):
    # The body is counted here: how the standard library counts what `read1` has read depends on its version.
    whole = None if response.chunked else response.length
    chunks = []
    size = 0
    while whole is None or size < whole:
        _limit(connected, deadline)
        chunk = response.read1(CHUNK_BYTES)
        if chunk == b"":
            break
        size += len(chunk)
        if size > ANSWER_BYTES_MAX:
            raise http.client.HTTPException("the answer is too large")
        chunks.append(chunk)
    if whole is not None and size < whole:
        raise http.client.IncompleteRead(b"", whole - size)
    return b"".join(chunks)


def _limit(connected, deadline):
    left = deadline - time.monotonic()
    if left <= 0:
        raise socket.timeout()
    try:
        connected.settimeout(left)
    except OSError:
        # Already closed, after the last byte of the answer: what is left to read is in memory.
        pass
