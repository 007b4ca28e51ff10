"""A receiver of callbacks and webhooks: verifies, keeps each event once, answers, and works afterwards."""

import hashlib
import json
import os
import re
import sys
import tempfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "clients", "python"))

from warung import Inbox, InvalidWebhook, verify_webhook  # noqa: E402

# Two secrets while a rotated one is in its grace period: WEBHOOK_SECRETS=whsec_new,whsec_old
SECRETS = [secret for secret in os.environ.get("WEBHOOK_SECRETS", "").split(",") if secret]
FOLDER = os.environ.get("RECEIVER_DATA", "events")
BODY_BYTES_MAX = 1_048_576

inbox = Inbox()


def keep(event):
    """Keeps an event in a file of its own. Returns False if it was kept before."""
    path = os.path.join(FOLDER, hashlib.sha256(event.id.encode("utf-8")).hexdigest() + ".json")
    with tempfile.NamedTemporaryFile("w", dir=FOLDER, encoding="utf-8") as draft:
        kept = {"stream": event.stream, "id": event.id, "isTest": event.is_test, "payload": event.payload}
        json.dump(kept, draft)
        draft.flush()
        os.fsync(draft.fileno())
        try:
            # A link never replaces a file: of two equal deliveries one wins, and a crash leaves no half of an event.
            os.link(draft.name, path)
            return True
        except FileExistsError:
            return False


def work(event):
    """Work of the shop, after the answer. A stale event is an older state of a payment or product.

    A sample that somebody asked for is passed over: nothing happened.
    """
    verdict = "sample" if event.is_test else inbox.accept(event)
    print(verdict, event.stream, event.id, event.payload.get("refid", event.payload.get("type")), flush=True)


class Receiver(BaseHTTPRequestHandler):
    # A sender that stops in the middle must not hold a thread for ever.
    timeout = 30

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        # A number of few digits alone: a negative one would read without an end.
        if not re.fullmatch("[0-9]{1,7}", length) or int(length) > BODY_BYTES_MAX:
            self.answer(503)
            return
        self.receive(self.rfile.read(int(length)))

    def do_GET(self):
        self.receive(b"")

    def receive(self, body):
        try:
            event = verify_webhook(
                method=self.command, url=self.path, headers=self.headers, body=body, secrets=SECRETS
            )
        except InvalidWebhook:
            # Not 401: a 4xx is final, and with a secret that is out of date every event would be lost for good.
            self.answer(503)
            return
        is_new = keep(event)
        self.answer(204)
        if is_new:
            work(event)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.wfile.flush()

    def log_message(self, *ignored):
        """Requests are not logged: their queries hold PINs."""


if __name__ == "__main__":
    if not SECRETS:
        sys.exit("Set WEBHOOK_SECRETS to the secret that was shown.")
    # Events hold PINs: nobody else reads them.
    os.makedirs(FOLDER, mode=0o700, exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8081"))), Receiver)
    print(f"receiving at http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
