"""Follower of the event feed: every event at least once, in order, across crashes."""

import os

from .errors import ConnectionFailed, FeedGap, ServiceFault, ServiceUnavailable, TooManyRequests

PAGE = 100
PAUSE_SECONDS = 5
# Longest pause after faults of the network or the service.
FAULT_PAUSE_MAX_SECONDS = 60
_WAITED_OUT = (ConnectionFailed, ServiceFault, ServiceUnavailable, TooManyRequests)


class FileCursor:
    """Store of the cursor in a file: its replacement is atomic, so that a crash leaves the old or the new one."""

    def __init__(self, path):
        self._path = path

    def load(self):
        """The last sequence that was handled; None for a new follower."""
        try:
            with open(self._path, encoding="ascii") as file:
                return int(file.read())
        except FileNotFoundError:
            return None

    def save(self, sequence):
        beside = f"{self._path}.new"
        with open(beside, "w", encoding="ascii") as file:
            file.write(str(sequence))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, self._path)


class FeedMixin:
    def follow_events(self, *, store, handle, stop=lambda: False, pause=PAUSE_SECONDS):
        """Calls `handle` with each event, and saves the cursor after it has returned, until `stop()` is true.

        After a crash between the two the event comes again, with the same `id`. Faults of the network are waited out.
        `store` has `load()` and `save(sequence)`; FileCursor is one. FeedGap: events were lost, because the follower
        was away for longer than the feed is kept.
        """
        after = store.load() or 0
        faults = 0
        while not stop():
            page = self._read_feed(after)
            if page is None:
                faults += 1
                self._sleep(min(pause * 2**faults, FAULT_PAUSE_MAX_SECONDS))
                continue
            faults = 0
            for event in page["data"]:
                if stop():
                    return
                # A new follower begins with the oldest event that is kept, whatever its number.
                if after > 0 and event["sequence"] > after + 1:
                    raise FeedGap(after, event["sequence"])
                handle(event)
                store.save(event["sequence"])
                after = event["sequence"]
            if not page["has_more"] and not stop():
                self._sleep(pause)

    def _read_feed(self, after):
        try:
            return self.operation("listEvents", {"after": after, "limit": PAGE})
        except _WAITED_OUT:
            return None
