"""Order and repetition of deliveries: the same event can come twice, and an older state after a newer one."""

from threading import Lock

# Keys that the store in memory keeps; the oldest goes first.
KEYS_MAX = 100_000


class MemoryStore:
    """Store in memory. Use one that outlives the process where it matters."""

    def __init__(self):
        self._values = {}

    def get(self, key):
        return self._values.get(key)

    def set(self, key, value):
        self._values.pop(key, None)
        self._values[key] = value
        if len(self._values) > KEYS_MAX:
            del self._values[next(iter(self._values))]


class Inbox:
    """Says of each verified event whether it is `new`, a `duplicate`, or `stale`: an older state that came late.

    The store has `get(key)`, which returns None for a key that it does not know, and `set(key, value)`. Threads may
    share an inbox.
    """

    def __init__(self, store=None):
        self._store = MemoryStore() if store is None else store
        self._lock = Lock()

    def accept(self, event, handle=lambda event: None):
        """Judges an event, calls `handle` with it if it is new, and remembers it then. Answer 2xx to every verdict.

        An event whose handling failed is new again when it comes again. Events are judged one after another.
        """
        with self._lock:
            return self._judge(event, handle)

    def _judge(self, event, handle):
        seen = f"id:{event.id}"
        if self._store.get(seen) is not None:
            return "duplicate"
        subject, version = _state_of(event)
        is_stale = False
        if subject is not None:
            latest = self._store.get(subject)
            is_stale = latest is not None and version < latest
        if not is_stale:
            handle(event)
            if subject is not None:
                self._store.set(subject, version)
        # Last: after a crash in between, the event is new again.
        self._store.set(seen, "1")
        return "stale" if is_stale else "new"


def _state_of(event):
    """The subject of an event, and a text that grows with its states; (None, "") where every event counts."""
    payload = event.payload
    if event.stream == "callback":
        return f"payment:{payload.get('refid')}", _rank_of(payload)
    if event.stream == "catalog":
        return f"{payload.get('resource')}:{payload.get('id')}", str(payload.get("timestamp", ""))
    return None, ""


def _rank_of(payment):
    if payment.get("statusCode") == 53:
        return "3"
    return "2" if payment.get("status") in ("Succesful", "Failed") else "1"
