"""Memory between calls: a payment that is sent again must be signed later than each attempt that got no answer, also on
a machine whose clock was set back after the call before.
"""

from threading import Lock

# Number of payments that are remembered. The one that was noted first is forgotten first.
LOST_ATTEMPTS_MAX = 1000


class LostAttempts:
    def __init__(self):
        self._seconds = {}
        self._lock = Lock()

    def latest(self, refid):
        """The latest second in which an unanswered attempt of the payment was signed; 0 if there is none."""
        return self._seconds.get(str(refid), 0)

    def note(self, refid, second):
        with self._lock:
            self._seconds.pop(str(refid), None)
            self._seconds[str(refid)] = second
            while len(self._seconds) > LOST_ATTEMPTS_MAX:
                del self._seconds[next(iter(self._seconds))]
