"""Payments from the catalogue's forms: `fields` say what to ask, `fulfillment` how the answers become a payment."""

import re
from decimal import Decimal

from .errors import InvalidPayment

REFID_MAX = 50
# Amounts as the payment operation reads them: no sign, no exponent, at most 4 decimals.
_AMOUNT = re.compile(r"[0-9]{1,11}(\.[0-9]{1,4})?")
_TEST_ACCOUNT = re.compile(r"6012345[0-4][0-9]{3}")
# Spaces of any kind, dashes, dots, and the marks that copied texts carry unseen.
_SEPARATORS = re.compile(
    "[\\s.\\-\u2010-\u2015\u2212\ufe58\ufe63\uff0d\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)


def build_payment(
    product, values, *, refid, remarks=None, account=None, options=None, allow_test_accounts=False
):
    """Returns the payment for a product of the catalogue, or raises InvalidPayment with all problems.

    values               by field id: text or a number, and for a select field the whole option, or its code if
                         `options` has the field's options ({"amount": [...]})
    account              for products without an account field, such as PINs
    allow_test_accounts  lets staging's test accounts through, whatever the product's pattern says
    """
    form = _Form(product, values, options or {}, allow_test_accounts)
    mappings = product["fulfillment"]
    has_field = (mappings.get("account") or {}).get("from_field") is not None
    problems = []
    if not (isinstance(refid, str) and 1 <= len(refid) <= REFID_MAX):
        problems.append(_problem("refid", "A refid has 1 to 50 characters"))
    problems += form.problems()
    if not has_field and not account:
        problems.append(_problem("account", "An account is required"))
    if problems:
        raise InvalidPayment(problems)
    payment = {
        "refid": refid,
        "product": product["code"],
        "account": str(form.read(mappings["account"]) if has_field else account),
        "amount": form.read(mappings["amount"]),
    }
    if remarks is not None:
        payment["remarks"] = remarks
    extras = form.extras(mappings.get("extras") or {})
    if extras:
        payment["extras"] = extras
    return payment


class _Form:
    def __init__(self, product, values, options, allow_test_accounts):
        self._product = product
        self._fields = sorted(product["fields"], key=lambda field: field["order"])
        self._values = values
        self._options = options
        self._allow_test_accounts = allow_test_accounts
        self._chosen = {field["id"]: self._choose(field) for field in self._fields}

    def problems(self):
        found = [(field["id"], self._problem_of(field)) for field in self._fields]
        known = {field["id"] for field in self._fields}
        found += [(name, f"There is no field {name}") for name in self._values if name not in known]
        return [_problem(field, message) for field, message in found if message is not None]

    def read(self, mapping):
        """The value that a mapping names; None when there is none."""
        value = self._chosen.get(mapping["from_field"])
        for key in filter(None, (mapping.get("path") or "").split(".")):
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def extras(self, mappings):
        read = {key: (self.read(mapping), mapping) for key, mapping in mappings.items()}
        return {
            key: _text_of(value)
            for key, (value, mapping) in read.items()
            if not (_is_empty(value) and mapping.get("omit_if_empty"))
        }

    def _choose(self, field):
        """The value of a field: an option, text, or None."""
        value = self._values.get(field["id"])
        if _is_empty(value):
            return None
        if field["type"] != "select":
            return _text_of(value)
        if isinstance(value, dict):
            return value
        listed = self._options.get(field["id"], [])
        return next((option for option in listed if option["code"] == _text_of(value)), None)

    def _problem_of(self, field):
        label = field["label"]
        if _is_empty(self._values.get(field["id"])):
            return f"{label} is required" if self._is_required(field) else None
        value = self._chosen[field["id"]]
        if field["type"] == "select":
            return self._option_problem(field, value)
        if not self._has_form(field, value):
            return (field.get("validation") or {}).get("message") or f"{label} is not valid"
        return self._limit_problem(field, value) if field["role"] == "pricing" else None

    def _is_required(self, field):
        if field["required"]:
            return True
        second = ((self._product["fulfillment"].get("extras") or {}).get("ref2") or {}).get("from_field")
        return field["id"] == second and any(option.get("ref2_required") for option in self._chosen_options())

    def _chosen_options(self):
        return [value for value in self._chosen.values() if isinstance(value, dict)]

    def _option_problem(self, field, option):
        label = field["label"]
        if option is None:
            return f"{label} has no option {_text_of(self._values[field['id']])}"
        amount = self._product["fulfillment"]["amount"]
        if amount["from_field"] == field["id"] and _is_empty(self.read(amount)):
            return f"{label} has no {amount.get('path', 'amount')}"
        return None

    def _has_form(self, field, text):
        validation = field.get("validation") or {}
        if self._allow_test_accounts and field["role"] == "account" and _TEST_ACCOUNT.fullmatch(text):
            return True
        pattern = validation.get("pattern")
        if field.get("number_kind") is not None:
            text = _without_separators(text)
        # Patterns are JavaScript's: digits are 0-9, and `$` is the very end of the text.
        if pattern and ("\n" in text or re.search(pattern, text, re.ASCII) is None):
            return False
        if field["type"] not in ("money", "number"):
            return True
        if not _AMOUNT.fullmatch(text):
            return False
        number = Decimal(text)
        if number == 0:
            return False
        low, high = validation.get("min"), validation.get("max")
        return (low is None or number >= Decimal(str(low))) and (high is None or number <= Decimal(str(high)))

    def _limit_problem(self, field, text):
        """Limits of the account and of the chosen biller, which the field's own message does not know."""
        sources = [self._product, *self._chosen_options()]
        lows = [Decimal(each["min_amount"]["amount"]) for each in sources if each.get("min_amount")]
        highs = [Decimal(each["max_amount"]["amount"]) for each in sources if each.get("max_amount")]
        if lows and Decimal(text) < max(lows):
            return f"{field['label']} must be at least {_plain(max(lows))}"
        if highs and Decimal(text) > min(highs):
            return f"{field['label']} must be at most {_plain(min(highs))}"
        return None


def _without_separators(text):
    """A telephone number without what people write between its digits, for its pattern. It is sent as it is."""
    bare = re.sub(r"([0-9]\)?)\(0\)", r"\1", _SEPARATORS.sub("", text), count=1)
    return re.sub(r"^00", "+", re.sub(r"[()\[\]]", "", bare))


def _is_empty(value):
    return value is None or value == ""


def _text_of(value):
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _plain(number):
    return format(number, "f")


def _problem(field, message):
    return {"field": field, "message": message}
