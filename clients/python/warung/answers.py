"""Meaning of an answer, after the retry policy has decided not to repeat the request."""

import json
import re
from email.utils import parsedate_to_datetime

from . import errors as e
from .retry import is_payment, is_repeatable, is_uncertain

# Rejections that the same payment may overcome: after a deposit, a delivery of stock, a few seconds.
_MAY_SUCCEED_LATER = (43, 45, 49)
_WAITS = "Send it again later, as it is."
_ASK = "Send the same again: it has no second effect."
_LOOK = "Look whether it was carried out before you repeat it."
_HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT")


def parse(body):
    """The parsed JSON of an answer; None when it is empty or no JSON."""
    try:
        return json.loads(body.decode("utf-8"))
    except ValueError:
        return None


def payment_in(parsed):
    """The payment that an answer describes, whatever its status; None when it describes none that exists."""
    data = parsed.get("data") if isinstance(parsed, dict) else None
    return data if isinstance(data, dict) and data.get("transaction_id") else None


def rejection_in(status, parsed):
    data = parsed.get("data") if isinstance(parsed, dict) else None
    is_rejection = status == 400 and isinstance(data, dict) and isinstance(data.get("statusCode"), int)
    return data if is_rejection and not data.get("transaction_id") else None


def result_of(method, path, status, parsed, headers):
    """Returns the body of a good answer, of a payment the payment itself; raises the error of any other."""
    if is_payment(method, path):
        found = payment_in(parsed)
        if found is not None and status != 409:
            return found
    elif 200 <= status < 300:
        return parsed
    raise _error_of(method, path, status, parsed if isinstance(parsed, dict) else {}, headers)


def unanswered(method, path, failure, message):
    """The error of a request that got no answer. `failure` is `connection` or `timeout`."""
    if is_uncertain(method, path, None):
        return _unknown(method, path, message)
    token = "timeout" if failure == "timeout" else "connection_failed"
    return e.ConnectionFailed(message, token=token, remedy=_WAITS, retry_safe=True)


def _unknown(method, path, message, **known):
    safe = is_repeatable(method, path)
    return e.UnknownOutcome(message, remedy=_ASK if safe else _LOOK, retry_safe=safe, **known)


def retry_after_of(headers):
    """The seconds of `Retry-After`, or None.

    A date, which proxies send, counts from the `Date` of the same answer: the local clock may be wrong.
    """
    text = headers.get("retry-after", "")
    if text.isascii() and text.isdigit():
        return int(text)
    until, now = _time_of(text), _time_of(headers.get("date", ""))
    return None if until is None or now is None else max(0, until - now)


def _time_of(text):
    if _HTTP_DATE.fullmatch(text) is None:
        return None
    try:
        return int(parsedate_to_datetime(text).timestamp())
    except (TypeError, ValueError):
        return None


def _error_of(method, path, status, body, headers):
    known = {"status": status, "request_id": headers.get("x-request-id")}
    message = body.get("message") or f"the service answered {status}"
    errors = body.get("errors") if isinstance(body.get("errors"), dict) else {}
    if is_payment(method, path):
        found = _payment_error(status, body, message, errors, known)
        if found is not None:
            return found
    if is_uncertain(method, path, status) or _is_foreign(method, path, body):
        return _unknown(method, path, message, **known)
    if status == 401:
        token = body.get("error") or "unauthorized"
        safe = token == "nonce_reused"
        return e.AuthenticationFailed(
            message, token=token, debug=body.get("debug"), retry_safe=safe, **known
        )
    return _plain_error(status, body, message, errors, retry_after_of(headers), known)


def _is_foreign(method, path, body):
    """True for an answer to a payment that the service did not write: a proxy may have replaced the true one."""
    return is_payment(method, path) and not any(name in body for name in ("data", "error", "message"))


def _payment_error(status, body, message, errors, known):
    rejected = rejection_in(status, body)
    if rejected is not None:
        code = rejected["statusCode"]
        return e.PaymentRejected(
            message,
            token=rejected.get("remarks") or "rejected",
            code=code,
            errors=errors,
            payment=rejected,
            retry_safe=code in _MAY_SUCCEED_LATER,
            **known,
        )
    existing = payment_in(body)
    if status == 409 and existing is not None:
        remedy = "Use a new refid for a new payment, or send the first payment unchanged to see its status."
        return e.RefidConflict(
            message,
            token="refid_conflict",
            code=existing.get("statusCode"),
            errors=errors,
            payment=existing,
            remedy=remedy,
            **known,
        )
    return None


def _plain_error(status, body, message, errors, retry_after, known):
    token = body.get("error") or body.get("code")
    if status == 403:
        return e.Forbidden(message, token=token or "forbidden", retry_after=retry_after, **known)
    if status == 404:
        return e.NotFound(message, token=token or "not_found", errors=errors, **known)
    if status == 409:
        return e.Conflict(message, token=token or "conflict", errors=errors, **known)
    if status == 429:
        return e.TooManyRequests(
            message,
            token=token or "too_many_requests",
            retry_after=retry_after,
            remedy=_WAITS,
            retry_safe=True,
            **known,
        )
    if status == 503:
        return e.ServiceUnavailable(
            message, token="service_unavailable", retry_after=retry_after, remedy=_WAITS, retry_safe=True, **known
        )
    if status >= 500:
        return e.ServiceFault(message, token="service_fault", remedy=_WAITS, retry_safe=True, **known)
    remedy = "Correct what `errors` names."
    return e.InvalidRequest(message, token=token or "invalid_request", errors=errors, remedy=remedy, **known)
