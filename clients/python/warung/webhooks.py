"""Verification of callbacks and webhooks. All streams carry the Standard Webhooks headers."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from urllib.parse import unquote_plus

from .errors import InvalidWebhook

TOLERANCE_SECONDS = 300
_PREFIX = "whsec_"
# Begin of the id of a sample. The id is signed; the header X-Webhook-Test is not.
_TEST_PREFIX = "evt_test_"
_SECONDS = re.compile(r"[0-9]{1,12}")
_REMEDY = "Answer 503: it is tried again, and a secret that was just rotated is known by then."


class WebhookEvent:
    """A verified delivery.

    stream      `callback` (payload: the payment), `balance` and `order` (the event) or `catalog` (the envelope)
    id          the same in every attempt and replay: take each id once
    signed_at   Unix time of this attempt
    is_test     True for a sample that you asked for
    """

    def __init__(self, stream, id, signed_at, is_test, payload):
        self.stream = stream
        self.id = id
        self.signed_at = signed_at
        self.is_test = is_test
        self.payload = payload


def verify_webhook(*, method, url, headers, body, secrets, tolerance=TOLERANCE_SECONDS, now=None):
    """Returns the event of a request, or raises InvalidWebhook: then answer 503, because a 4xx is final.

    `url` is the request's, with its query as received; `body` the exact bytes (or text) received. `secrets` is a list:
    two while a rotated one is in its grace period.
    """
    given = {str(name).lower(): _text_of(value) for name, value in headers.items()}
    event_id, timestamp, header = (
        given.get(name, "") for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if "" in (event_id, header) or _SECONDS.fullmatch(timestamp) is None:
        raise _invalid("missing_headers", "the headers of a signature are missing")
    clock = time.time() if now is None else now
    if abs(clock - int(timestamp)) > tolerance:
        raise _invalid("timestamp_out_of_window", "signed too long ago, or a clock is wrong")
    is_get = method.upper() == "GET"
    signed = _bytes_of(url.partition("?")[2].partition("#")[0] if is_get else body)
    if not _is_signed(event_id, timestamp, header, signed, secrets):
        raise _invalid("wrong_signature", "no signature is by a secret that is known here")
    stream, payload = _read(is_get, signed)
    return WebhookEvent(stream, event_id, int(timestamp), event_id.startswith(_TEST_PREFIX), payload)


def sign_webhook(*, id, timestamp, payload, secrets, has_body_signature=False):
    """The headers of a delivery, for tests of your own receiver. `payload` is the body, or the query of a GET."""
    content = _bytes_of(payload)
    signatures = [_signature(secret, id, str(timestamp), content) for secret in secrets]
    headers = {
        "webhook-id": id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }
    if has_body_signature:
        headers["X-Webhook-Signature"] = _body_signature(secrets[0], content)
    return headers


def verify_body_signature(body, header, secrets):
    """True if `X-Webhook-Signature` is right. It has no time in it: prefer verify_webhook."""
    given = (header or "").encode("utf-8")
    content = _bytes_of(body)
    matches = [
        hmac.compare_digest(_body_signature(secret, content).encode("ascii"), given) for secret in secrets
    ]
    return any(matches)


def _body_signature(secret, content):
    if secret == "":
        # Everybody knows the empty key: a signature by it proves nothing.
        raise ValueError("a webhook secret is empty: copy it as it was shown")
    return "sha256=" + hmac.new(secret.encode("utf-8"), content, hashlib.sha256).hexdigest()


def _is_signed(event_id, timestamp, header, content, secrets):
    wanted = [_signature(secret, event_id, timestamp, content).encode("ascii") for secret in secrets]
    # Every pair is compared, each in constant time.
    matches = [
        hmac.compare_digest(each, given.encode("utf-8")) for each in wanted for given in header.split(" ")
    ]
    return any(matches)


def _signature(secret, event_id, timestamp, content):
    signed = f"{event_id}.{timestamp}.".encode("utf-8") + content
    mac = hmac.new(_key_of(secret), signed, hashlib.sha256).digest()
    return "v1," + base64.b64encode(mac).decode("ascii")


def _read(is_get, signed):
    try:
        if is_get:
            pairs = [part.partition("=") for part in signed.decode("utf-8").split("&")]
            # The service appends its parameters to the query that the URL has: the last one is its own.
            message = [value for name, _, value in pairs if name == "message"][-1]
            payload = json.loads(unquote_plus(message))
            return "callback", _object(payload)
        payload = _object(json.loads(signed.decode("utf-8")))
    except (ValueError, IndexError, TypeError):
        raise _invalid("unreadable", "it is signed, but is no event") from None
    if "resource" in payload:
        return "catalog", payload
    if "type" in payload:
        return "order" if str(payload["type"]).startswith("order.") else "balance", payload
    if isinstance(payload.get("data"), dict):
        return "callback", payload["data"]
    raise _invalid("unreadable", "it is signed, but is no event")


def _object(value):
    if not isinstance(value, dict):
        raise TypeError("no object")
    return value


def _invalid(token, message):
    return InvalidWebhook(message, token=token, remedy=_REMEDY)


def _key_of(secret):
    encoded = secret[len(_PREFIX):] if secret.startswith(_PREFIX) else secret
    try:
        key = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        # Everybody knows the empty key: a signature by it proves nothing.
        raise ValueError("a webhook secret is whsec_ and Base64: copy it as it was shown")
    return key


def _text_of(value):
    # Frameworks give headers as text, bytes or lists.
    if isinstance(value, (list, tuple)):
        return _text_of(value[0]) if value else ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _bytes_of(payload):
    return payload.encode("utf-8") if isinstance(payload, str) else bytes(payload)
