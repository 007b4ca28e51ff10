"""The one retry policy: which request may be sent again, and after how long. Each repetition has a new nonce."""

import re

ATTEMPTS_MAX = 4
RETRY_BASE_SECONDS = 0.5
# Longest `Retry-After` that is waited for.
RETRY_AFTER_MAX_SECONDS = 30

# Waits between two questions about a payment that is not final; the last one repeats.
POLL_SCHEDULE_SECONDS = (5, 5, 5, 5, 5, 5, 10)
PAY_TIMEOUT_SECONDS = 120

PAYMENT_PATH = "/v2/topup"
# POST operations that may be repeated: a payment by its refid, an order by its reference, and those that set a value.
_REPEATABLE_POSTS = (PAYMENT_PATH, "/v2/orders", "/v2/callback-url", "/v2/low-balance-threshold")
# Moves of an order: a second one finds the order moved.
_MOVES_ORDER = re.compile(r"/v2/orders/[^/]+/(confirm|cancel)")
# PUT operations whose first answer alone shows a secret: a repetition would hide it.
_SHOWS_SECRET = re.compile(r"/v2/[a-z]+-webhook")
_UNAVAILABLE = 503


def decide(method, path, attempt, status, retry_after, base_seconds, random):
    """Returns the seconds to wait before the next attempt, or None: do not repeat.

    `attempt` counts from 1; `status` is None when no answer came; `random` returns a number from 0 to 1.
    """
    if attempt >= ATTEMPTS_MAX or not _may_repeat(method, path, status):
        return None
    if (retry_after or 0) > RETRY_AFTER_MAX_SECONDS:
        return None
    longest = base_seconds * 2 ** (attempt - 1)
    return max(longest / 2 + random() * longest / 2, retry_after or 0)


def _may_repeat(method, path, status):
    if status is None:
        return is_repeatable(method, path)
    if status < 500:
        return False
    return status == _UNAVAILABLE or is_repeatable(method, path)


def is_repeatable(method, path):
    """True if sending the request twice has the effect of sending it once."""
    if method == "POST":
        return path in _REPEATABLE_POSTS or _MOVES_ORDER.fullmatch(path) is not None
    return method != "PUT" or _SHOWS_SECRET.fullmatch(path) is None


def is_payment(method, path):
    return method == "POST" and path == PAYMENT_PATH


def is_uncertain(method, path, status):
    """True if the request may have been carried out although it was not answered well."""
    if method == "GET":
        return False
    # Below 400 is no refusal: a redirect, or a good answer that cannot be understood.
    if status is None or status < 400:
        return True
    if status < 500:
        return False
    # A payment's refid was not looked up before a 503: an earlier attempt may have created it.
    return status != _UNAVAILABLE or is_payment(method, path)
