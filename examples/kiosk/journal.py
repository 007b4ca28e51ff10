"""Journal of the till: one JSON object in a line, on the disk before anything else happens."""

import json
import os


class Journal:
    def __init__(self, path):
        self._path = path

    def write(self, refid, status, payment, **more):
        """Appends a line and waits until the disk has it: after a power cut it is there."""
        line = json.dumps({"refid": refid, "status": status, "payment": payment, **more}) + "\n"
        is_new = not os.path.exists(self._path)
        with open(self._path, "ab") as file:
            # A line that a power cut left half written is ended first: else it would swallow this one.
            file.write((b"" if self._ends_with_a_line() else b"\n") + line.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            self._keep_name()

    def _ends_with_a_line(self):
        with open(self._path, "rb") as file:
            if file.seek(0, os.SEEK_END) == 0:
                return True
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"

    def _keep_name(self):
        """Waits until the disk has the name of the new file, too."""
        folder = os.open(os.path.dirname(os.path.abspath(self._path)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def open_payments(self):
        """Payments that were taken and have no end yet, oldest first."""
        latest = {}
        for entry in self._entries():
            latest[entry["refid"]] = entry
        return [entry["payment"] for entry in latest.values() if entry["status"] == "Taken"]

    def _entries(self):
        if not os.path.exists(self._path):
            return
        with open(self._path, encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    yield json.loads(line)
                except ValueError:
                    # The power was cut in the middle of this line. A payment of which it was the first line was not
                    # sent yet; any other is still open, and is asked about again.
                    continue
