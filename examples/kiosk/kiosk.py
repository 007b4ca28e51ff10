"""A till on a bad network: reads sales, pays them, and never pays one twice.

Each line of the input is a sale: a mobile number and an amount, such as `60123456789 10`.
"""

import json
import os
import sys
import uuid
from datetime import datetime, timedelta, timezone

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "clients", "python"))

from journal import Journal  # noqa: E402
from warung import Client, InvalidPayment, PaymentRejected, UnknownOutcome, build_payment  # noqa: E402

PRODUCT = "KITA"


def main():
    client = Client(*credentials())
    journal = Journal(os.environ.get("KIOSK_JOURNAL", os.path.join(HERE, "journal.jsonl")))
    # First of all: payments that were under way when the power was cut. Each is sent again as it was.
    for payment in journal.open_payments():
        print(f"going on with {payment['refid']}", flush=True)
        finish(client, journal, payment)
    product = client.get_product(PRODUCT)
    print("ready", flush=True)
    for line in sys.stdin:
        sell(client, journal, product, line)


def sell(client, journal, product, line):
    try:
        phone, amount = line.split()
        values = {"phone": phone, "amount": amount}
        payment = build_payment(product, values, refid=str(uuid.uuid4()), allow_test_accounts=True)
    except (ValueError, InvalidPayment) as error:
        print(f"not taken: {error}", flush=True)
        return
    # On the disk before it is sent: from here on, this sale is finished after any power cut.
    journal.write(payment["refid"], "Taken", payment, day=today())
    print(f"taken {payment['refid']}", flush=True)
    finish(client, journal, payment)


def finish(client, journal, payment):
    """Sends the payment until it has an end, however long the network is away."""
    refid = payment["refid"]
    while True:
        try:
            paid = client.pay_and_wait(payment, **wait_settings())
            journal.write(refid, paid["status"], payment, amount=paid["amount"], cost=paid["cost"])
            print(f"{paid['status']} {refid} {paid['sn']}", flush=True)
            return
        except PaymentRejected as error:
            # Certainly not paid: give the customer the money back.
            journal.write(refid, "Rejected", payment, token=error.token)
            print(f"Rejected {refid} {error.token}", flush=True)
            return
        except UnknownOutcome:
            # Nobody knows yet. Neither paid nor failed: ask again with the same refid.
            print(f"no answer about {refid}, asking again", flush=True)


def today():
    """The day in GMT+8, by which the service counts."""
    return datetime.now(timezone(timedelta(hours=8))).date().isoformat()


def credentials():
    names = ("WARUNG_BASE_URL", "WARUNG_API_KEY", "WARUNG_SIGNING_SECRET")
    if all(os.environ.get(name) for name in names):
        return [os.environ[name] for name in names]
    with open(os.path.join(HERE, "..", "..", ".warung", "demo.json"), encoding="utf-8") as file:
        demo = json.load(file)
    reseller = demo["resellers"][0]
    return demo["base_url"], reseller["api_key"], reseller["signing_secret"]


def wait_settings():
    """KIOSK_HURRY=1 asks more often, and says sooner that there is no answer: for trying things out."""
    return {"poll_schedule": [0.2], "timeout": 2} if os.environ.get("KIOSK_HURRY") else {}


if __name__ == "__main__":
    main()
