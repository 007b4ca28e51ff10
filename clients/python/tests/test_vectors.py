"""Golden cases that hold every client of ours. Run: python3 -m unittest discover -s clients/python/tests"""

import base64
import hashlib
import hmac
import json
import os
import sys
import unittest
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import warung  # noqa: E402
from warung import retry  # noqa: E402
from warung.operations import ROUTES  # noqa: E402
from warung.transport import Answer, NoAnswer  # noqa: E402

VECTORS = os.path.join(HERE, "..", "..", "..", "packages", "sdk", "vectors")
SECRET = base64.b64encode(b"secret").decode("ascii")
ORDER_ID = "ord_0123456789abcdefghjkmnpq"


def vectors(name):
    with open(os.path.join(VECTORS, f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)


def bytes_of(body):
    if body is None:
        return b""
    if "utf8" in body:
        return body["utf8"].encode("utf-8")
    if "base64" in body:
        return base64.b64decode(body["base64"])
    return bytes([body["generator"]["byte"]]) * body["generator"]["length"]


class FakeTransport:
    """Answers every request in the same way."""

    def __init__(self, answer):
        self.answer = answer

    def send(self, method, url, headers, body, timeout):
        content = self.answer["body"]
        is_text = isinstance(content, str)
        kind = "text/html" if is_text else "application/json"
        text = content if is_text else json.dumps(content)
        names = {"content-type": kind, **self.answer["headers"]}
        return Answer(self.answer["status"], names, text.encode("utf-8"))


class ScriptedTransport:
    """Answers with these, one after another; None is no answer. Keeps the seconds of the signatures."""

    def __init__(self, *script):
        self.script = list(script)
        self.seconds = []

    def send(self, method, url, headers, body, timeout):
        self.seconds.append(int(headers["X-Timestamp"]))
        answer = self.script.pop(0)
        if answer is None:
            raise NoAnswer("lost", "connection")
        status, content, more = answer
        return Answer(status, {"content-type": "application/json", **more}, json.dumps(content).encode("utf-8"))


class FakeTime:
    """Time that passes only by sleeping."""

    def __init__(self):
        self.seconds = 1767225600.0

    def now(self):
        return self.seconds

    def sleep(self, seconds):
        self.seconds += seconds


def client_of(answer):
    time = FakeTime()
    return warung.Client(
        "http://service.example", "k", SECRET, transport=FakeTransport(answer), now=time.now, sleep=time.sleep
    )


class Vectors(unittest.TestCase):
    def each(self, check, name, key="cases"):
        cases = vectors(name)[key]
        self.assertTrue(cases)
        for case in cases:
            with self.subTest(f"{name}: {case['name']}"):
                check(case)

    def test_requests_are_signed_as_written_down(self):
        def check(one):
            body = bytes_of(one["body"])
            self.assertEqual(warung.body_hash(body), one["body_hash"])
            parts = (one["timestamp"], one["nonce"], one["method"], one["query"], body)
            self.assertEqual(warung.canonical_string(*parts), one["canonical_string"])
            headers = warung.sign_request(
                "k", one["secret"], one["method"], one["query"], body, one["timestamp"], one["nonce"]
            )
            self.assertEqual(headers["X-Signature"], one["signature"])

        self.each(check, "signing")

    def test_queries_are_sent_as_written_down(self):
        def check(one):
            self.assertEqual(warung.encode_query(one["input"]), one["wire"])

        self.each(check, "queries")

    def test_webhooks_are_judged_as_written_down(self):
        def check(one):
            found = self.verdict(one)
            self.assertEqual({name: found[name] for name in one["expect"]}, one["expect"])

        self.each(check, "webhooks")

    def verdict(self, one):
        given = one["request"]
        request = {name: given.get(name, "") for name in ("method", "url", "headers", "body")}
        try:
            event = warung.verify_webhook(**request, secrets=one["secrets"], now=one["now"])
        except warung.InvalidWebhook as error:
            return {"ok": False, "token": error.token}
        found = {"stream": event.stream, "id": event.id, "signed_at": event.signed_at}
        return {"ok": True, **found, "is_test": event.is_test, "payload": event.payload}

    def test_body_signatures_are_judged_as_written_down(self):
        def check(one):
            verdict = warung.verify_body_signature(one["body"], one["header"], one["secrets"])
            self.assertEqual(verdict, one["ok"])

        self.each(check, "webhooks", "body_signatures")

    def test_arrivals_are_sorted_out(self):
        def check(one):
            inbox = warung.Inbox()
            events = [
                warung.WebhookEvent(each["stream"], each["id"], 0, False, each["payload"])
                for each in one["arrivals"]
            ]
            self.assertEqual([inbox.accept(event) for event in events], one["verdicts"])

        self.each(check, "inbox")

    def test_payments_are_built_as_written_down(self):
        def check(one):
            options = dict(one["options"])
            if "allowTestAccounts" in options:
                options["allow_test_accounts"] = options.pop("allowTestAccounts")
            try:
                found = {"payment": warung.build_payment(one["product"], one["values"], **options)}
            except warung.InvalidPayment as error:
                found = {"problems": error.problems}
            self.assertEqual(found, one["expect"])

        self.each(check, "forms")

    def test_answers_mean_what_is_written_down(self):
        def check(one):
            client = client_of(one["answer"])
            ask = {
                "/v2/balance": client.get_balance,
                "/v2/topup": lambda: client.pay({"refid": "A-1"}),
                "/v2/transactions/check": lambda: client.dispute_transaction({"refid": "A-1"}),
                "/v2/orders": lambda: client.create_order({"reference": "A-1"}),
                f"/v2/orders/{ORDER_ID}/confirm": lambda: client.confirm_order(
                    ORDER_ID, {"payment_reference": "bank-1"}
                ),
            }[one["request"]["path"]]
            try:
                found = {"payment": ask()}
            except warung.WarungError as error:
                self.assertEqual((error.request_id, error.status), ("req-1", one["answer"]["status"]))
                found = {
                    "error": type(error).__name__,
                    "code": error.code,
                    "token": error.token,
                    "retry_safe": error.retry_safe,
                    "retry_after": getattr(error, "retry_after", None),
                }
            self.assertEqual(found, one["expect"])

        self.each(check, "answers")

    def test_decisions_about_retries_are_as_written_down(self):
        def check(one):
            request, outcome = one["request"], one["outcome"]
            given = (request["method"], request["path"], one["attempt"], outcome.get("status"))
            waits = [
                retry.decide(*given, outcome.get("retry_after"), 0.5, lambda value=value: value)
                for value in (0, 1)
            ]
            if one["expect"]["repeat"]:
                wanted = one["expect"]["wait_ms"]
                self.assertEqual([wait * 1000 for wait in waits], [wanted["min"], wanted["max"]])
            else:
                self.assertEqual(waits, [None, None])

        self.each(check, "retries")

    def test_numbers_of_the_policy_are_as_written_down(self):
        found = {each["name"]: each["value"] for each in vectors("retries")["settings"]}
        self.assertEqual(found["attempts_max"], retry.ATTEMPTS_MAX)
        self.assertEqual(found["retry_after_max_seconds"], retry.RETRY_AFTER_MAX_SECONDS)
        self.assertEqual(found["poll_schedule_ms"], [each * 1000 for each in retry.POLL_SCHEDULE_SECONDS])
        statuses = ["Accepted", "Processing", "Succesful", "Failed"]
        final = [status for status in statuses if warung.is_final({"status": status})]
        self.assertEqual(found["final_statuses"], final)

    def test_every_operation_of_the_table_is_a_method(self):
        operations = vectors("operations")["operations"]
        for one in operations:
            route = (one["method"], one["path"], one.get("hasBody", False), one.get("isOpen", False))
            self.assertEqual(ROUTES[one["operation"]], route)
            spelt = "".join("_" + char.lower() if char.isupper() else char for char in one["operation"])
            self.assertTrue(callable(getattr(warung.Client, spelt)), spelt)
        self.assertEqual(len(ROUTES), len(operations))

    def test_every_token_has_its_remedy(self):
        self.assertEqual(warung.REMEDIES, vectors("remedies")["remedies"])


class Payments(unittest.TestCase):
    payment = {"refid": "A-1"}
    found = {"transaction_id": "7", "refid": "A-1", "status": "Processing", "statusCode": 1}

    def pay(self, *script):
        time = FakeTime()
        transport = ScriptedTransport(*script)
        client = warung.Client(
            "http://service.example", "k", SECRET, transport=transport, now=time.now, sleep=time.sleep
        )
        return client.pay(self.payment), transport.seconds

    def test_an_answer_that_describes_a_payment_is_never_asked_for_again(self):
        for status in (400, 500, 503):
            paid, seconds = self.pay((status, {"data": self.found}, {}))
            self.assertEqual((paid, len(seconds)), (self.found, 1))

    def test_after_a_corrected_clock_the_next_attempt_is_signed_one_second_later(self):
        refused = {"error": "timestamp_expired", "message": "No."}
        # The local clock is ten minutes fast, and then ten minutes slow.
        for date in ("Wed, 31 Dec 2025 23:50:00 GMT", "Thu, 01 Jan 2026 00:10:00 GMT"):
            script = ((401, refused, {"date": date}), None, (200, {"data": self.found}, {}))
            _, (_, lost, repeated) = self.pay(*script)
            self.assertEqual(repeated - lost, 1)

    def test_a_clock_that_the_answer_set_back_is_not_waited_for(self):
        # The service still takes the first clock, and refuses the second one.
        for date, later in (("Wed, 31 Dec 2025 23:56:00 GMT", 1), ("Wed, 31 Dec 2025 23:00:00 GMT", -3600)):
            script = ((502, {"message": "No."}, {"date": date}), (200, {"data": self.found}, {}))
            _, (first, second) = self.pay(*script)
            self.assertLessEqual(abs(second - first - later), 0 if later > 0 else 1)

    def test_no_variable_in_the_trace_of_an_error_holds_the_secret(self):
        with self.assertRaises(warung.UnknownOutcome) as caught:
            self.pay(None, None, None, None)
        error = caught.exception
        while error is not None:
            trace = error.__traceback__
            while trace is not None:
                if trace.tb_frame.f_globals["__name__"].startswith("warung"):
                    self.assertNotIn(SECRET, repr(trace.tb_frame.f_locals))
                trace = trace.tb_next
            error = error.__cause__

    def test_an_answer_that_says_nothing_stays_unknown_when_the_next_question_is_refused(self):
        time = FakeTime()
        refused = (401, {"error": "invalid_api_key", "message": "No."}, {})
        transport = ScriptedTransport((302, {"message": "Moved."}, {}), refused)
        client = warung.Client(
            "http://service.example", "k", SECRET, transport=transport, now=time.now, sleep=time.sleep
        )
        with self.assertRaises(warung.UnknownOutcome):
            client.pay_and_wait(self.payment, timeout=60, poll_schedule=[0, 61])

    def test_a_used_nonce_leaves_the_payment_unknown_because_a_copy_of_the_request_came_first(self):
        with self.assertRaises(warung.UnknownOutcome):
            self.pay((401, {"error": "nonce_reused", "message": "No."}, {}))

    def test_no_two_attempts_are_signed_in_one_second_also_when_the_caller_sends_again_at_once(self):
        time = FakeTime()
        transport = ScriptedTransport(*[None] * 8)
        client = warung.Client(
            "http://service.example", "k", SECRET, transport=transport, now=time.now, sleep=time.sleep
        )
        for _ in range(2):
            with self.assertRaises(warung.UnknownOutcome):
                client.pay(self.payment)
        self.assertEqual(len(set(transport.seconds)), 8)

    def test_each_attempt_is_signed_later_also_when_the_clock_is_set_back_between_two_calls(self):
        for back in (1, 60):
            time = FakeTime()
            transport = ScriptedTransport(*[None] * 12)
            client = warung.Client(
                "http://service.example", "k", SECRET, transport=transport, now=time.now, sleep=time.sleep
            )
            again = client.with_options(timeout=1)
            for send in (client.pay, again.pay, lambda payment: client.pay_and_wait(payment, timeout=0)):
                with self.assertRaises(warung.UnknownOutcome):
                    send(self.payment)
                time.seconds -= back
            self.assertEqual(len(transport.seconds), 12)
            self.assertEqual(transport.seconds, sorted(set(transport.seconds)))


class Reads(unittest.TestCase):
    def test_an_answer_that_is_cut_to_nothing_is_asked_for_again(self):
        time = FakeTime()
        answers = [b"", b'{"data": 1}']
        json_type = {"content-type": "application/json"}
        transport = SimpleNamespace(send=lambda *_: Answer(200, json_type, answers.pop(0)))
        client = warung.Client(
            "http://service.example", "k", SECRET, transport=transport, now=time.now, sleep=time.sleep
        )
        self.assertEqual(client.get_balance(), {"data": 1})


class Feed(unittest.TestCase):
    def test_a_follower_that_asks_too_often_waits(self):
        time = FakeTime()
        transport = ScriptedTransport((429, {"message": "No."}, {}), (403, {"error": "ip_blocked"}, {}))
        client = warung.Client(
            "http://service.example", "k", SECRET, transport=transport, now=time.now, sleep=time.sleep
        )
        store = SimpleNamespace(load=lambda: 0)
        with self.assertRaises(warung.Forbidden):
            client.follow_events(store=store, handle=print)


class Webhooks(unittest.TestCase):
    def test_a_secret_without_a_key_is_refused_and_verifies_nothing(self):
        for secret in ("", "whsec_"):
            with self.assertRaises(ValueError):
                warung.sign_webhook(id="e1", timestamp=1, payload="{}", secrets=[secret])
        forged = "sha256=" + hmac.new(b"", b"{}", hashlib.sha256).hexdigest()
        with self.assertRaises(ValueError):
            warung.verify_body_signature("{}", forged, [""])

    def test_an_event_whose_handling_failed_is_new_again(self):
        inbox = warung.Inbox()
        payment = {"refid": "A-1", "status": "Succesful", "statusCode": 20}
        event = warung.WebhookEvent("callback", "e1", 0, False, payment)
        handled = []

        def fail(_):
            raise OSError("the disk is full")

        with self.assertRaises(OSError):
            inbox.accept(event, fail)
        verdicts = [inbox.accept(event, handled.append) for _ in range(2)]
        self.assertEqual((verdicts, handled), (["new", "duplicate"], [event]))


if __name__ == "__main__":
    unittest.main()
