import base64
import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.request
import uuid


def sign(secret, method, query, body, timestamp, nonce):
    body_hash = base64.b64encode(hashlib.sha256(body).digest()).decode()
    canonical = f"v1:{timestamp}:{nonce}:{method.upper()}:{canonical_query(query)}:{body_hash}"
    mac = hmac.new(base64.b64decode(secret), canonical.encode(), hashlib.sha256).digest()
    return body_hash, canonical, "v1=" + base64.b64encode(mac).decode()


def canonical_query(query):
    """Parameters that have a value, sorted by key. Sorting is stable: equal keys keep their order."""
    parts = [part for part in query.split("&") if part.partition("=")[2] != ""]
    return "&".join(sorted(parts, key=lambda part: part.partition("=")[0]))


def call(method, path, query="", body=b""):
    timestamp, nonce = str(int(time.time())), str(uuid.uuid4())
    _, _, signature = sign(os.environ["SIGNING_SECRET"], method, query, body, timestamp, nonce)
    headers = {
        "X-Api-Key": os.environ["API_KEY"],
        "X-Timestamp": timestamp,
        "X-Nonce": nonce,
        "X-Signature": signature,
    }
    if body:
        headers["Content-Type"] = "application/json"
    address = os.environ["BASE_URL"] + path + ("?" + query if query else "")
    request = urllib.request.Request(address, data=body or None, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        # A refusal has a body too: it says why.
        return json.load(refusal)
