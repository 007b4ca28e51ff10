"""The client: signed requests, repeated as the policy says, and payments that are never paid twice."""

import json
import random as _random
import re
import time
from copy import copy
from decimal import Decimal
from urllib.parse import quote

from . import answers, retry
from .clock import Clock
from .errors import NotFound, PaymentRejected, RefidConflict, UnknownOutcome, WarungError
from .feed import FeedMixin
from .lists import ListsMixin
from .lost_attempts import LostAttempts
from .operations import ROUTES, Operations
from .signing import decode_secret, encode_query, sign_request
from .transport import HttpTransport, NoAnswer

API_VERSION = "2026-09-16"
# Longer than the 29 seconds after which the service itself answers 504.
TIMEOUT_SECONDS = 35
# Greatest difference between the time of a signature and the service's own.
WINDOW_SECONDS = 300
NO_CONTENT = 204
FINAL_STATUSES = ("Succesful", "Failed")


def is_final(payment):
    """True for `Succesful` and `Failed`: the status changes no more, except by a void."""
    return payment["status"] in FINAL_STATUSES


class Answer:
    """Answer of `call`: `status`, `headers` by lower-case name, `request_id`, and the parsed `body`."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.request_id = headers.get("x-request-id")
        self.body = body


class Client(Operations, ListsMixin, FeedMixin):
    """Client of the Warung reseller API. Make one and keep it: it remembers how far the clock is off.

    `timeout` is for one attempt, in seconds. `transport`, `now`, `sleep` and `random` are replacements for tests;
    `on_attempt` is called after each attempt with a dict, for logs.
    """

    def __init__(
        self,
        base_url,
        api_key,
        signing_secret,
        *,
        api_version=API_VERSION,
        timeout=TIMEOUT_SECONDS,
        retry_base=retry.RETRY_BASE_SECONDS,
        headers=None,
        transport=None,
        on_attempt=None,
        now=time.time,
        sleep=time.sleep,
        random=_random.random,
    ):
        for name, value in (("base_url", base_url), ("api_key", api_key), ("signing_secret", signing_secret)):
            if not isinstance(value, str) or value == "":
                raise ValueError(f"Client needs {name}")
        if not base_url.startswith(("https://", "http://")):
            raise ValueError("base_url begins with https:// or http://")
        decode_secret(signing_secret)
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._signing_secret = signing_secret
        self._headers = {"X-API-Version": api_version, **(headers or {})}
        self._timeout = timeout
        self._retry_base = retry_base
        self._transport = transport or HttpTransport()
        self._on_attempt = on_attempt or (lambda attempt: None)
        self._now = now
        self._sleep = sleep
        self._random = random
        self.clock = Clock(now)
        self._lost = LostAttempts()

    def with_options(self, *, timeout=None, headers=None):
        """A client with another timeout or more headers, for single calls. It shares the clock."""
        other = copy(self)
        other._timeout = self._timeout if timeout is None else timeout
        other._headers = {**self._headers, **(headers or {})}
        return other

    # ── Operations ──

    def operation(self, name, given=None):
        """Calls an operation by its name, with its parameters or its body. Returns the answer's body."""
        method, template, has_body, is_open = ROUTES[name]
        values = dict(given or {})
        if retry.is_payment(method, template):
            return self.pay(values)

        def fill(match):
            value = values.pop(match[1], None)
            if value in (None, ""):
                raise TypeError(f"{name} needs {match[1]}")
            return quote(str(value), safe="")

        path = re.sub(r"\{(\w+)\}", fill, template)
        # An operation with an optional body gets an empty one.
        body = _encode(values) if has_body else b""
        query = "" if has_body else encode_query(values)
        answer = self._exchange(method, path, query, body, is_open=is_open)
        return answers.result_of(method, path, answer.status, answer.body, answer.headers)

    def call(self, method, path, *, query=None, body=None, headers=None):
        """Signs and sends any request. Returns every answer, good or bad. A text is sent as it is, else as JSON."""
        own_path, _, own_query = path.partition("?")
        whole = "&".join(part for part in (own_query, encode_query(query or {})) if part)
        content = body.encode("utf-8") if isinstance(body, str) else b"" if body is None else _encode(body)
        sender = self.with_options(headers=headers)
        return sender._exchange(method.upper(), own_path, whole, content)

    # ── Payments ──

    def pay(self, payment):
        """Sends a payment and returns it as it is then. To ask for its status, call it again with the same payment.

        A returned payment exists. PaymentRejected: certainly nothing exists, and the refid is free. UnknownOutcome:
        nobody knows yet; keep the customer's money, and send the same payment again, as often as it takes.
        """
        return self._pay(payment, self._beginning(payment))

    def _beginning(self, payment):
        return _Unanswered(self._lost.latest(payment.get("refid")))

    def _pay(self, payment, unanswered):
        try:
            answer = self._exchange("POST", retry.PAYMENT_PATH, "", _encode(payment), unanswered=unanswered)
            return answers.result_of(
                "POST", retry.PAYMENT_PATH, answer.status, answer.body, answer.headers
            )
        except (PaymentRejected, RefidConflict):
            # The service judged the payment itself.
            raise
        except UnknownOutcome as error:
            # An answer that says nothing counts as none: a later refusal cannot make it certain.
            unanswered.second = unanswered.second or self.clock.seconds()
            raise _uncertain(payment, None, error) from error
        except WarungError as error:
            if error.token == "nonce_reused":
                # Nonces are made anew: a copy of this request came first, and may have been carried out.
                unanswered.second = unanswered.second or self.clock.seconds()
            if unanswered.second == 0:
                raise
            # Any other refusal says nothing about an earlier attempt without an answer.
            raise _uncertain(payment, None, error) from error
        finally:
            if unanswered.second > 0:
                self._lost.note(payment.get("refid"), unanswered.second)

    def pay_and_wait(
        self,
        payment,
        *,
        timeout=retry.PAY_TIMEOUT_SECONDS,
        poll_schedule=retry.POLL_SCHEDULE_SECONDS,
        on_status=None,
    ):
        """Sends a payment and asks again until it is `Succesful` or `Failed`, and returns it.

        Unanswered attempts are waited out. When the time is over, it raises UnknownOutcome with the payment as it was
        last seen: call it again with the same payment. `on_status` is called with every state that the service shows.
        """
        ends_at = time.monotonic() + timeout
        unanswered = self._beginning(payment)
        last = None
        cause = None
        question = 0
        while True:
            try:
                last = self._pay(payment, unanswered)
                if on_status is not None:
                    on_status(last)
                if is_final(last):
                    return last
            except WarungError as error:
                # A payment that was seen exists: a refused question says nothing about it.
                if not isinstance(error, UnknownOutcome) and last is None:
                    raise
                cause = error
            wait = poll_schedule[min(question, len(poll_schedule) - 1)]
            if time.monotonic() + wait > ends_at:
                raise _uncertain(payment, last, cause) from cause
            self._sleep(wait)
            question += 1

    def get_product(self, code):
        """A product of the catalogue, with its form."""
        product = self.get_catalog(product_code=code)["products"].get(code)
        if product is None:
            raise NotFound(f"the catalogue has no product {code}", token="not_found")
        return product

    # ── Exchange ──

    def _exchange(self, method, path, query, body, *, is_open=False, unanswered=None):
        """Sends a request until it is answered or the policy ends. `unanswered` learns of attempts without answer."""
        if unanswered is None and retry.is_payment(method, path):
            unanswered = _Unanswered()
        attempt = 0
        while True:
            attempt += 1
            after = 0 if unanswered is None else max(unanswered.second, unanswered.earlier)
            if self.clock.seconds() == after:
                self._wait_for_next_second()
            answer, failure, signed_at = self._attempt(attempt, method, path, query, body, is_open, after)
            if answer is not None and (answer.status < 500 or _describes_payment(method, path, answer)):
                return answer
            if unanswered is not None:
                unanswered.second = signed_at
            status = None if answer is None else answer.status
            retry_after = None if answer is None else answers.retry_after_of(answer.headers)
            wait = retry.decide(method, path, attempt, status, retry_after, self._retry_base, self._random)
            if wait is not None:
                self._sleep(wait)
                continue
            if unanswered is not None and self.clock.seconds() <= signed_at:
                # The caller may send the payment again at once, and then it must be signed in a later second as well.
                self._wait_for_next_second()
            if answer is not None:
                return answer
            raise answers.unanswered(method, path, failure.failure, str(failure)) from failure

    def _second_later_than(self, after):
        # An unanswered payment that is still on its way must be older, by its signature, than the one that is sent
        # now: else it could be carried out after this one was rejected. A clock that was set back in between is not
        # waited for: the service takes a second that is a little ahead. Where it would not, it does not take the
        # earlier signature either.
        second = self.clock.seconds()
        return after + 1 if second <= after and after - second < WINDOW_SECONDS else second

    def _wait_for_next_second(self):
        self._sleep(1 - (self._now() + self.clock.offset_seconds) % 1)

    def _attempt(self, attempt, method, path, query, body, is_open, after):
        sent = self._send(attempt, method, path, query, body, is_open, after)
        if sent[0] is not None and _is_time_refused(sent[0]):
            # No retry: nothing was done, and the clock is right now.
            sent = self._send(attempt, method, path, query, body, is_open, after)
        return sent

    def _send(self, attempt, method, path, query, body, is_open, after):
        """Sends once. Returns the answer or None, the failure or None, and the second of the signature."""
        signed_at = self._second_later_than(after)
        url = self._base_url + path + ("?" + query if query else "")
        headers = {"Accept": "application/json", **self._headers}
        if body:
            headers["Content-Type"] = "application/json"
        if not is_open:
            # No local variable holds the secret: reports of errors show the variables of each frame.
            headers.update(
                sign_request(self._api_key, self._signing_secret, method, query, body, signed_at)
            )
        started = time.monotonic()
        note = {"method": method, "path": path, "attempt": attempt}
        try:
            raw = self._transport.send(method, url, headers, body, self._timeout)
            answer = Answer(raw.status, raw.headers, _parse(raw))
        except NoAnswer as failure:
            self._on_attempt({**note, "failure": failure.failure, "duration": time.monotonic() - started})
            return None, failure, signed_at
        self.clock.learn(answer.headers.get("date"), _is_time_refused(answer))
        duration = time.monotonic() - started
        self._on_attempt(
            {**note, "status": answer.status, "request_id": answer.request_id, "duration": duration}
        )
        return answer, None, signed_at


def _encode(body):
    """JSON in UTF-8. A Decimal is written as text, which the API takes for amounts."""
    return json.dumps(body, ensure_ascii=False, default=_plain).encode("utf-8")


def _plain(value):
    if isinstance(value, Decimal):
        return format(value, "f")
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


class _Unanswered:
    """Second of the latest attempt of a payment that got no answer; 0 while there is none.

    `earlier` is the same of earlier calls with this payment.
    """

    def __init__(self, earlier=0):
        self.second = 0
        self.earlier = earlier


def _uncertain(payment, seen, cause):
    status = "got no certain answer" if seen is None else f"is {seen['status']}"
    return UnknownOutcome(
        f"the payment {payment.get('refid')} {status}",
        status=None if cause is None else cause.status,
        request_id=None if cause is None else cause.request_id,
        remedy="Do not give the money back. Send the same payment with the same refid again, until it has ended.",
        retry_safe=True,
        refid=payment.get("refid"),
        payment=seen,
    )


def _describes_payment(method, path, answer):
    return retry.is_payment(method, path) and answers.payment_in(answer.body) is not None


def _is_time_refused(answer):
    body = answer.body if isinstance(answer.body, dict) else {}
    return answer.status == 401 and body.get("error") == "timestamp_expired"


def _parse(raw):
    """Parses an answer. JSON that is cut, also to nothing, or a good answer in another form, is no answer at all."""
    if raw.body == b"" and (raw.status == NO_CONTENT or raw.status >= 300):
        return None
    parsed = answers.parse(raw.body)
    is_json = "json" in raw.headers.get("content-type", "")
    if parsed is None and (is_json or raw.status < 300):
        raise NoAnswer("the answer cannot be read", "connection")
    return parsed
