"""Signing of requests: the contract's canonical string, and HMAC-SHA256 over it."""

import base64
import binascii
import hashlib
import hmac
import secrets
from urllib.parse import quote


def body_hash(body: bytes) -> str:
    """Base64 of the SHA-256 of the exact bytes that are sent; of no bytes when there is no body."""
    return base64.b64encode(hashlib.sha256(body).digest()).decode("ascii")


def canonical_query(query: str) -> str:
    """The query as it is sent, sorted by key, without parameters that have no `=` or an empty value."""
    pairs = [part.split("=", 1) for part in query.split("&") if "=" in part]
    # The sort is stable: parameters of the same name stay in the order in which they are sent.
    kept = sorted((pair for pair in pairs if pair[1] != ""), key=lambda pair: pair[0])
    return "&".join("=".join(pair) for pair in kept)


def canonical_string(timestamp: str, nonce: str, method: str, query: str, body: bytes) -> str:
    """The text that is signed. Neither the host nor the path is part of it."""
    return ":".join(["v1", timestamp, nonce, method.upper(), canonical_query(query), body_hash(body)])


def decode_secret(signing_secret: str) -> bytes:
    """The key behind a signing secret as the dashboard shows it."""
    try:
        key = base64.b64decode(signing_secret, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        # The secret itself stays out of the message: messages are logged.
        raise ValueError("signing_secret is not Base64: copy it as the dashboard shows it")
    return key


def sign(signing_secret: str, canonical: str) -> str:
    """The value of X-Signature."""
    mac = hmac.new(decode_secret(signing_secret), canonical.encode("utf-8"), hashlib.sha256)
    return "v1=" + base64.b64encode(mac.digest()).decode("ascii")


def new_nonce() -> str:
    """24 characters of a-z A-Z 0-9 - _, never used before."""
    return secrets.token_urlsafe(18)


def sign_request(api_key, signing_secret, method, query, body, timestamp, nonce=None):
    """The four headers of a signed request. Every attempt needs its own: a nonce works once."""
    own_nonce = new_nonce() if nonce is None else nonce
    canonical = canonical_string(str(timestamp), own_nonce, method, query, body)
    return {
        "X-Api-Key": api_key,
        "X-Timestamp": str(timestamp),
        "X-Nonce": own_nonce,
        "X-Signature": sign(signing_secret, canonical),
    }


def encode_query(params) -> str:
    """Encodes parameters for the wire, sorted. None and empty text are left out, lists repeat their name."""
    parts = []
    for name, value in sorted(params.items()):
        for each in value if isinstance(value, (list, tuple)) else [value]:
            text = _text_of(each)
            if text != "":
                parts.append(quote(name, safe="") + "=" + quote(text, safe=""))
    return "&".join(parts)


def _text_of(value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
