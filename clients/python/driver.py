"""Driver of the common test suite: reads commands, one JSON object in a line, and writes results.

The protocol is in packages/acceptance/src/sdk/driver.md.
"""

import json
import os
import sys
import time
from itertools import islice

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import warung  # noqa: E402

EXIT_BEFORE_SAVING = 7
ITERATORS = {
    "callbackDeliveries": "callback_deliveries",
    "balanceWebhookDeliveries": "balance_webhook_deliveries",
    "catalogWebhookDeliveries": "catalog_webhook_deliveries",
    "orderWebhookDeliveries": "order_webhook_deliveries",
}


class Driver:
    def __init__(self):
        self.client = None
        self.settings = {}

    def hello(self, command):
        return {"client": "python", "version": warung.__version__}

    def configure(self, command):
        self.settings = given = command["settings"]
        wrong_by = given.get("clockOffsetSeconds", 0)
        more = {"now": lambda: time.time() + wrong_by}
        if given.get("timeoutMs") is not None:
            more["timeout"] = given["timeoutMs"] / 1000
        if given.get("retryBaseMs") is not None:
            more["retry_base"] = given["retryBaseMs"] / 1000
        self.client = warung.Client(given["baseUrl"], given["apiKey"], given["signingSecret"], **more)

    def operation(self, command):
        return self.client.operation(command["name"], command.get("input"))

    def call(self, command):
        query, body = command.get("query"), command.get("body")
        answer = self.client.call(command["method"], command["path"], query=query, body=body)
        return {"status": answer.status, "requestId": answer.request_id, "body": answer.body}

    def getProduct(self, command):
        return self.client.get_product(command["code"])

    def optionsFor(self, command):
        return list(self.client.options_for(command["product"], command["field"], command.get("values")))

    def buildPayment(self, command):
        options = dict(command["options"])
        if "allowTestAccounts" in options:
            options["allow_test_accounts"] = options.pop("allowTestAccounts")
        return warung.build_payment(command["product"], command["values"], **options)

    def pay(self, command):
        return self.client.pay(command["payment"])

    def payAndWait(self, command):
        more = {}
        if command.get("timeoutMs") is not None:
            more["timeout"] = command["timeoutMs"] / 1000
        if command.get("pollScheduleMs") is not None:
            more["poll_schedule"] = [each / 1000 for each in command["pollScheduleMs"]]
        return self.client.pay_and_wait(command["payment"], **more)

    def list(self, command):
        iterator = getattr(self.client, ITERATORS.get(command["iterator"], command["iterator"]))
        given = {("from_" if name == "from" else name): value for name, value in (command.get("input") or {}).items()}
        return list(islice(iterator(**given), command.get("max")))

    def followEvents(self, command):
        handled = []
        saved = []
        cursor = warung.FileCursor(command["storeFile"])

        class Store:
            load = staticmethod(cursor.load)

            @staticmethod
            def save(sequence):
                saved.append(sequence)
                if len(saved) == command.get("dieBeforeSaving"):
                    os._exit(EXIT_BEFORE_SAVING)
                cursor.save(sequence)

        def handle(event):
            line = {name: event[name] for name in ("sequence", "id", "type")}
            with open(command["storeFile"] + ".handled", "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            handled.append(line)

        pause = command.get("pauseMs", 5000) / 1000
        self.client.follow_events(
            store=Store, handle=handle, stop=lambda: len(saved) >= command["max"], pause=pause
        )
        return handled

    def verifyWebhook(self, command):
        given = command["request"]
        more = {"now": command["now"]} if command.get("now") is not None else {}
        if command.get("toleranceSeconds") is not None:
            more["tolerance"] = command["toleranceSeconds"]
        event = warung.verify_webhook(
            method=given.get("method", "POST"),
            url=given.get("url", ""),
            headers=given["headers"],
            body=given.get("body") or "",
            secrets=command["secrets"],
            **more,
        )
        return {
            "stream": event.stream,
            "id": event.id,
            "signedAt": event.signed_at,
            "isTest": event.is_test,
            "payload": event.payload,
        }

    def inbox(self, command):
        inbox = warung.Inbox()
        return [
            inbox.accept(warung.WebhookEvent(each["stream"], each["id"], 0, False, each["payload"]))
            for each in command["events"]
        ]

    def sign(self, command):
        return warung.sign_request(
            self.settings["apiKey"],
            self.settings["signingSecret"],
            command["method"],
            command.get("query") or "",
            (command.get("body") or "").encode("utf-8"),
            command["timestamp"],
            command["nonce"],
        )

    def clock(self, command):
        return {"offsetMs": self.client.clock.offset_seconds * 1000}


def error_of(error):
    described = {
        "class": type(error).__name__,
        "token": error.token,
        "code": error.code,
        "status": error.status,
        "requestId": error.request_id,
        "remedy": error.remedy,
        "retrySafe": error.retry_safe,
        "message": error.message,
    }
    own = {"errors": "errors", "payment": "payment", "refid": "refid", "problems": "problems"}
    own["retry_after"] = "retryAfterSeconds"
    for name, spelt in own.items():
        if hasattr(error, name):
            described[spelt] = getattr(error, name)
    return described


def main():
    driver = Driver()
    for line in sys.stdin:
        command = json.loads(line)
        try:
            result = {"id": command["id"], "ok": getattr(driver, command["do"])(command)}
        except warung.WarungError as error:
            result = {"id": command["id"], "error": error_of(error)}
        print(json.dumps(result, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    main()
