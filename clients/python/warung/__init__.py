"""Client of the Warung reseller API. The README beside this package shows how to use it."""

from .client import Answer, Client, is_final
from .errors import (
    AuthenticationFailed,
    Conflict,
    ConnectionFailed,
    FeedGap,
    Forbidden,
    InvalidPayment,
    InvalidRequest,
    InvalidWebhook,
    NotFound,
    PaymentRejected,
    RefidConflict,
    ServiceFault,
    ServiceUnavailable,
    TooManyRequests,
    UnknownOutcome,
    WarungError,
)
from .feed import FileCursor
from .forms import build_payment
from .inbox import Inbox
from .remedies import REMEDIES
from .signing import body_hash, canonical_query, canonical_string, encode_query, sign_request
from .transport import HttpTransport
from .webhooks import WebhookEvent, sign_webhook, verify_body_signature, verify_webhook

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "AuthenticationFailed",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "FeedGap",
    "FileCursor",
    "Forbidden",
    "HttpTransport",
    "Inbox",
    "InvalidPayment",
    "InvalidRequest",
    "InvalidWebhook",
    "NotFound",
    "PaymentRejected",
    "REMEDIES",
    "RefidConflict",
    "ServiceFault",
    "ServiceUnavailable",
    "TooManyRequests",
    "UnknownOutcome",
    "WarungError",
    "WebhookEvent",
    "body_hash",
    "build_payment",
    "canonical_query",
    "canonical_string",
    "encode_query",
    "is_final",
    "sign_request",
    "sign_webhook",
    "verify_body_signature",
    "verify_webhook",
]
