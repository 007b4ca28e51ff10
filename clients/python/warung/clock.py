"""Clock of the client, corrected by the service's own."""

from email.utils import parsedate_to_datetime

# Smaller differences are left alone: `Date` is in whole seconds, and an answer takes its time.
TOLERATED_SECONDS = 60
HALF_SECOND = 0.5


class Clock:
    """`now` returns the local Unix time in seconds."""

    def __init__(self, now):
        self._now = now
        self.offset_seconds = 0.0

    def seconds(self):
        """Unix time in whole seconds, as a signature needs it."""
        return int(self._now() + self.offset_seconds)

    def learn(self, date, is_refused):
        """Takes the `Date` of an answer. `is_refused`: the service said that the time was wrong."""
        try:
            server = parsedate_to_datetime(date or "").timestamp() + HALF_SECOND
        except (TypeError, ValueError):
            return
        found = server - self._now()
        if is_refused or abs(found - self.offset_seconds) > TOLERATED_SECONDS:
            self.offset_seconds = found
