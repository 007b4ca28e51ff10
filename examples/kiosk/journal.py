"""Journal of the till: one JSON object in a line, on the disk before anything else happens."""

import json
import os


class Journal:
    def __init__(self, path):
        self._path = path

    def write(self, refid, status, payment, **more):
        """Appends a line and waits until the disk has it: after a power cut it is there."""
        line = json.dumps({"refid": refid, "status": status, "payment": payment, **more}) + "\n"
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def open_payments(self):
        """Payments that were taken and have no end yet, oldest first."""
        latest = {}
        for entry in self._entries():
            latest[entry["refid"]] = entry
        return [entry["payment"] for entry in latest.values() if entry["status"] == "Taken"]

    def _entries(self):
        if not os.path.exists(self._path):
            return
        with open(self._path, encoding="utf-8") as file:
            for line in file:
                try:
                    yield json.loads(line)
                except ValueError:
                    # The power was cut in the middle of this line: its payment was not sent yet.
                    continue
