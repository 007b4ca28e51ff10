"""Errors as classes: the class says what is certain, the attributes say why and what to do."""

from .remedies import REMEDIES


class WarungError(Exception):
    """Anything that this package raises about the service.

    token       stable word, such as `Insufficient_Balance` or `invalid_signature`
    code        status code of a payment, such as 43; None elsewhere
    status      HTTP status; None when no answer came
    request_id  names the request in the operator's log; None when no answer came
    remedy      what to do about it
    retry_safe  the same call may be repeated as it is: nothing can happen twice, and it may succeed
    """

    def __init__(
        self, message, *, token, code=None, status=None, request_id=None, remedy="", retry_safe=False
    ):
        super().__init__(message)
        self.message = message
        self.token = token
        self.code = code
        self.status = status
        self.request_id = request_id
        self.remedy = REMEDIES.get(token, remedy)
        self.retry_safe = retry_safe


class _WithErrors(WarungError):
    """`errors` has the mistakes by field; it is empty when no field is at fault."""

    def __init__(self, message, *, errors=None, **known):
        super().__init__(message, **known)
        self.errors = errors or {}


class _WithPayment(_WithErrors):
    def __init__(self, message, *, payment=None, **known):
        super().__init__(message, **known)
        self.payment = payment


class PaymentRejected(_WithPayment):
    """The payment was refused and does not exist: its refid is free."""


class RefidConflict(_WithPayment):
    """The refid belongs to another payment, which is `payment`. `errors` names what differs."""


class UnknownOutcome(WarungError):
    """The request may have been carried out. For a payment: keep the customer's money, and send the same again."""

    def __init__(self, message, *, refid=None, payment=None, **known):
        super().__init__(message, token="unknown_outcome", **known)
        self.refid = refid
        self.payment = payment


class AuthenticationFailed(WarungError):
    """401. In staging `debug` has the text that the service expected to be signed."""

    def __init__(self, message, *, debug=None, **known):
        super().__init__(message, **known)
        self.debug = debug


class _WithRetryAfter(WarungError):
    def __init__(self, message, *, retry_after=None, **known):
        super().__init__(message, **known)
        self.retry_after = retry_after


class Forbidden(_WithRetryAfter):
    """403: blocked or foreign address, missing scope."""


class InvalidRequest(_WithErrors):
    """400, 413 and other refusals of a request that is wrong."""


class NotFound(_WithErrors):
    """404."""


class Conflict(_WithErrors):
    """409 of an operation that is no payment."""


class TooManyRequests(_WithRetryAfter):
    """429: wait for `retry_after` seconds."""


class ServiceUnavailable(_WithRetryAfter):
    """503 to the last attempt: nothing was done."""


class ServiceFault(WarungError):
    """Another 5xx to a read."""


class ConnectionFailed(WarungError):
    """No answer to a read."""


class InvalidPayment(WarungError):
    """The values do not fit the product's form. `problems` has each as {"field", "message"}, in its order."""

    def __init__(self, problems):
        text = "; ".join(each["message"] for each in problems)
        super().__init__(text, token="invalid_payment", remedy="Correct the fields that `problems` names.")
        self.problems = problems


class InvalidWebhook(WarungError):
    """The request is not one of ours, or cannot be proved to be. Answer 503, so that it is tried again."""


class FeedGap(WarungError):
    """Events were lost: the follower was away for longer than the feed keeps them."""

    def __init__(self, after, next):
        super().__init__(
            f"the feed goes on with event {next}, and the last one handled was {after}",
            token="feed_gap",
            remedy="Compare your records with the history and the catalogue, then save the cursor anew.",
        )
        self.after = after
        self.next = next
