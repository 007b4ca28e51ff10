"""Order and repetition of deliveries: the same event can come twice, and an older state after a newer one."""


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

    The store has `get(key)`, which returns None for a key that it does not know, and `set(key, value)`.
    """

    def __init__(self, store=None):
        self._store = MemoryStore() if store is None else store

    def accept(self, event):
        """Judges an event and remembers it. Answer 2xx in every case; act on `new` alone."""
        seen = f"id:{event.id}"
        if self._store.get(seen) is not None:
            return "duplicate"
        subject, version = _state_of(event)
        is_stale = False
        if subject is not None:
            latest = self._store.get(subject)
            is_stale = latest is not None and version < latest
            if not is_stale:
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
