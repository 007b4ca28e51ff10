"""Every operation of the service as a method.

Generated from docs/openapi.json by npm run clients-api. Do not edit.
"""

from typing import Any, Dict, List, Optional

ROUTES = {
    "getCatalog": ("GET", "/v2/catalog", False, False),
    "getOptions": ("GET", "/v2/options", False, False),
    "getNetworkStatus": ("GET", "/v2/networkstatus", False, False),
    "lookupNumber": ("GET", "/v2/number-lookup", False, False),
    "listBillers": ("GET", "/v1/billpay/billers", False, False),
    "listProducts": ("GET", "/v2/product-list", False, False),
    "listSubProducts": ("GET", "/v2/subproducts", False, False),
    "getBillPresentment": ("GET", "/v2/bill-presentment", False, False),
    "pay": ("POST", "/v2/topup", True, False),
    "createQuote": ("POST", "/v2/quotes", True, False),
    "getQuote": ("GET", "/v2/quotes/{quote_id}", False, False),
    "getReceipt": ("GET", "/v2/receipts/{transaction_id}", False, False),
    "getLimits": ("GET", "/v2/limits", False, False),
    "listTransactions": ("GET", "/v2/transactions", False, False),
    "disputeTransaction": ("POST", "/v2/transactions/check", True, False),
    "voidTransaction": ("POST", "/v2/transactions/void", True, False),
    "listCases": ("GET", "/v2/cases", False, False),
    "getCase": ("GET", "/v2/cases/{number}", False, False),
    "listOrders": ("GET", "/v2/orders", False, False),
    "createOrder": ("POST", "/v2/orders", True, False),
    "getOrder": ("GET", "/v2/orders/{order_id}", False, False),
    "confirmOrder": ("POST", "/v2/orders/{order_id}/confirm", True, False),
    "cancelOrder": ("POST", "/v2/orders/{order_id}/cancel", True, False),
    "getCheckoutSettings": ("GET", "/v2/checkout-settings", False, False),
    "putCheckoutSettings": ("PUT", "/v2/checkout-settings", True, False),
    "getBalance": ("GET", "/v2/balance", False, False),
    "getBalanceStatement": ("GET", "/v2/balance-statement", False, False),
    "getLowBalanceThreshold": ("GET", "/v2/low-balance-threshold", False, False),
    "setLowBalanceThreshold": ("POST", "/v2/low-balance-threshold", False, False),
    "getKey": ("GET", "/v2/key", False, False),
    "getCallbackUrl": ("GET", "/v2/callback-url", False, False),
    "setCallbackUrl": ("POST", "/v2/callback-url", False, False),
    "deleteCallbackUrl": ("DELETE", "/v2/callback-url", False, False),
    "getCallbackSecret": ("GET", "/v2/callback-url/secret", False, False),
    "rotateCallbackSecret": ("POST", "/v2/callback-url/secret/rotate", True, False),
    "getBalanceWebhook": ("GET", "/v2/balance-webhook", False, False),
    "putBalanceWebhook": ("PUT", "/v2/balance-webhook", True, False),
    "deleteBalanceWebhook": ("DELETE", "/v2/balance-webhook", False, False),
    "enableBalanceWebhook": ("PATCH", "/v2/balance-webhook/enabled", True, False),
    "rotateBalanceWebhookSecret": ("POST", "/v2/balance-webhook/rotate-secret", True, False),
    "getBalanceWebhookTypes": ("GET", "/v2/balance-webhook/types", False, False),
    "putBalanceWebhookTypes": ("PUT", "/v2/balance-webhook/types", True, False),
    "getCatalogWebhook": ("GET", "/v2/catalog-webhook", False, False),
    "putCatalogWebhook": ("PUT", "/v2/catalog-webhook", True, False),
    "deleteCatalogWebhook": ("DELETE", "/v2/catalog-webhook", False, False),
    "enableCatalogWebhook": ("PATCH", "/v2/catalog-webhook/enabled", True, False),
    "rotateCatalogWebhookSecret": ("POST", "/v2/catalog-webhook/rotate-secret", True, False),
    "getOrderWebhook": ("GET", "/v2/order-webhook", False, False),
    "putOrderWebhook": ("PUT", "/v2/order-webhook", True, False),
    "deleteOrderWebhook": ("DELETE", "/v2/order-webhook", False, False),
    "enableOrderWebhook": ("PATCH", "/v2/order-webhook/enabled", True, False),
    "rotateOrderWebhookSecret": ("POST", "/v2/order-webhook/rotate-secret", True, False),
    "getCallbackStatus": ("GET", "/v2/callback-url/status", False, False),
    "getBalanceWebhookStatus": ("GET", "/v2/balance-webhook/status", False, False),
    "getCatalogWebhookStatus": ("GET", "/v2/catalog-webhook/status", False, False),
    "getOrderWebhookStatus": ("GET", "/v2/order-webhook/status", False, False),
    "listCallbackDeliveries": ("GET", "/v2/callback-url/deliveries", False, False),
    "getCallbackDelivery": ("GET", "/v2/callback-url/deliveries/{jobId}", False, False),
    "listCallbackAttempts": ("GET", "/v2/callback-url/deliveries/{jobId}/attempts", False, False),
    "listBalanceWebhookDeliveries": ("GET", "/v2/balance-webhook/deliveries", False, False),
    "getBalanceWebhookDelivery": ("GET", "/v2/balance-webhook/deliveries/{jobId}", False, False),
    "listBalanceWebhookAttempts": ("GET", "/v2/balance-webhook/deliveries/{jobId}/attempts", False, False),
    "listCatalogWebhookDeliveries": ("GET", "/v2/catalog-webhook/deliveries", False, False),
    "getCatalogWebhookDelivery": ("GET", "/v2/catalog-webhook/deliveries/{jobId}", False, False),
    "listCatalogWebhookAttempts": ("GET", "/v2/catalog-webhook/deliveries/{jobId}/attempts", False, False),
    "listOrderWebhookDeliveries": ("GET", "/v2/order-webhook/deliveries", False, False),
    "getOrderWebhookDelivery": ("GET", "/v2/order-webhook/deliveries/{jobId}", False, False),
    "listOrderWebhookAttempts": ("GET", "/v2/order-webhook/deliveries/{jobId}/attempts", False, False),
    "replayCallbackDelivery": ("POST", "/v2/callback-url/deliveries/{jobId}/replay", False, False),
    "replayCallbackDeliveries": ("POST", "/v2/callback-url/deliveries/replay-bulk", True, False),
    "replayBalanceWebhookDelivery": ("POST", "/v2/balance-webhook/deliveries/{jobId}/replay", False, False),
    "replayBalanceWebhookDeliveries": ("POST", "/v2/balance-webhook/deliveries/replay-bulk", True, False),
    "replayCatalogWebhookDelivery": ("POST", "/v2/catalog-webhook/deliveries/{jobId}/replay", False, False),
    "replayCatalogWebhookDeliveries": ("POST", "/v2/catalog-webhook/deliveries/replay-bulk", True, False),
    "replayOrderWebhookDelivery": ("POST", "/v2/order-webhook/deliveries/{jobId}/replay", False, False),
    "replayOrderWebhookDeliveries": ("POST", "/v2/order-webhook/deliveries/replay-bulk", True, False),
    "testCallback": ("POST", "/v2/callback-url/test", True, False),
    "testBalanceWebhook": ("POST", "/v2/balance-webhook/test", True, False),
    "testCatalogWebhook": ("POST", "/v2/catalog-webhook/test", True, False),
    "testOrderWebhook": ("POST", "/v2/order-webhook/test", True, False),
    "listEvents": ("GET", "/v2/events", False, False),
    "getTestClock": ("GET", "/v2/test-clock", False, False),
    "advanceTestClock": ("POST", "/v2/test-clock", False, False),
    "createToken": ("POST", "/v2/token", True, True),
    "refreshToken": ("POST", "/v2/token/refresh", True, True),
    "getJwks": ("GET", "/.well-known/jwks.json", False, True),
    "getHealth": ("GET", "/healthz", False, True),
    "getReadiness": ("GET", "/readyz", False, True),
    "listErrors": ("GET", "/v2/errors", False, True),
    "getOpenApi": ("GET", "/openapi.json", False, True),
}


class Operations:
    """Methods by the names of the operations. Parameters are spelt as in the API reference."""

    def operation(self, name: str, given: Optional[Dict[str, Any]] = None) -> Any:
        """Calls an operation by its name, with its parameters or its body."""
        raise NotImplementedError

    def get_catalog(
        self,
        *,
        product_code: Optional[str] = None,
        is_active: Optional[bool] = None,
        include_inactive: Optional[bool] = None,
    ) -> Dict[str, Any]:
        """Products, as this account sees them."""
        return self.operation("getCatalog", {
            "product_code": product_code,
            "is_active": is_active,
            "include_inactive": include_inactive,
        })

    def get_options(
        self,
        *,
        product_code: str,
        field_id: str,
        account_number: Optional[str] = None,
        biller_code: Optional[str] = None,
        limit: Optional[int] = None,
        per_page: Optional[int] = None,
        page: Optional[int] = None,
        is_active: Optional[bool] = None,
        include_hidden: Optional[bool] = None,
        include_inactive: Optional[bool] = None,
    ) -> Dict[str, Any]:
        """Choices of a select field."""
        return self.operation("getOptions", {
            "product_code": product_code,
            "field_id": field_id,
            "account_number": account_number,
            "biller_code": biller_code,
            "limit": limit,
            "per_page": per_page,
            "page": page,
            "is_active": is_active,
            "include_hidden": include_hidden,
            "include_inactive": include_inactive,
        })

    def get_network_status(self, *, product: str) -> Dict[str, Any]:
        """Whether a product works at present."""
        return self.operation("getNetworkStatus", {"product": product})

    def lookup_number(self, *, account: str) -> Dict[str, Any]:
        """Operator of a telephone number, and the products for it."""
        return self.operation("lookupNumber", {"account": account})

    def list_billers(
        self,
        *,
        page: Optional[int] = None,
        limit: Optional[int] = None,
        biller_code: Optional[str] = None,
        suggested_category: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Billers of bill payment."""
        return self.operation("listBillers", {
            "page": page,
            "limit": limit,
            "biller_code": biller_code,
            "suggested_category": suggested_category,
        })

    def list_products(self) -> Dict[str, Any]:
        """Products, in the form before the catalogue. Deprecated."""
        return self.operation("listProducts")

    def list_sub_products(
        self,
        *,
        product_code: str,
        account_number: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Dict[str, Any]:
        """Plans and loan accounts, in the form before the options. Deprecated."""
        return self.operation("listSubProducts", {
            "product_code": product_code,
            "account_number": account_number,
            "limit": limit,
        })

    def get_bill_presentment(
        self,
        *,
        account: str,
        product: str,
        biller_code: Optional[str] = None,
        ref2: Optional[str] = None,
        amount: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Show the bill of an account, before it is paid."""
        return self.operation("getBillPresentment", {
            "account": account,
            "product": product,
            "biller_code": biller_code,
            "ref2": ref2,
            "amount": amount,
        })

    def create_quote(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Ask what a payment would cost, and hold that cost."""
        return self.operation("createQuote", body)

    def get_quote(self, quote_id: str) -> Dict[str, Any]:
        """A quote, and whether it was paid."""
        return self.operation("getQuote", {"quote_id": quote_id})

    def get_receipt(self, transaction_id: str) -> Dict[str, Any]:
        """Receipt of a payment, signed."""
        return self.operation("getReceipt", {"transaction_id": transaction_id})

    def get_limits(self, *, account: Optional[str] = None) -> Dict[str, Any]:
        """Limits of your payments, and what is used of them."""
        return self.operation("getLimits", {"account": account})

    def list_transactions(
        self,
        *,
        limit: int,
        date: str,
        status: Optional[List[str]] = None,
        account: Optional[str] = None,
        offset: Optional[int] = None,
        product: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Payments of a day or of a range of days, with totals."""
        return self.operation("listTransactions", {
            "limit": limit,
            "date": date,
            "status": status,
            "account": account,
            "offset": offset,
            "product": product,
        })

    def dispute_transaction(self, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Report an issue with a successful payment."""
        return self.operation("disputeTransaction", body)

    def void_transaction(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Ask for a successful payment to be taken back."""
        return self.operation("voidTransaction", body)

    def list_cases(
        self,
        *,
        state: Optional[str] = None,
        kind: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Disputes and voids of this account, newest first."""
        return self.operation("listCases", {
            "state": state,
            "kind": kind,
            "from": from_,
            "to": to,
            "limit": limit,
            "cursor": cursor,
        })

    def get_case(self, number: str) -> Dict[str, Any]:
        """A dispute or void with its messages."""
        return self.operation("getCase", {"number": number})

    def list_orders(
        self,
        *,
        status: Optional[str] = None,
        reference: Optional[str] = None,
        user_id: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Orders of this account, newest first."""
        return self.operation("listOrders", {
            "status": status,
            "reference": reference,
            "user_id": user_id,
            "from": from_,
            "to": to,
            "limit": limit,
            "cursor": cursor,
        })

    def create_order(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Make an order for a customer, or get it again."""
        return self.operation("createOrder", body)

    def get_order(self, order_id: str) -> Dict[str, Any]:
        """An order with its payments."""
        return self.operation("getOrder", {"order_id": order_id})

    def confirm_order(self, order_id: str, body: Dict[str, Any]) -> Dict[str, Any]:
        """Confirm an order, because you have the customer's money."""
        return self.operation("confirmOrder", {"order_id": order_id, **(body or {})})

    def cancel_order(self, order_id: str, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Cancel an order that is not confirmed."""
        return self.operation("cancelOrder", {"order_id": order_id, **(body or {})})

    def get_checkout_settings(self) -> Dict[str, Any]:
        """Name, sites and colours of your checkout."""
        return self.operation("getCheckoutSettings")

    def put_checkout_settings(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Replace the settings of your checkout."""
        return self.operation("putCheckoutSettings", body)

    def get_balance(self) -> Dict[str, Any]:
        """Wallet balance."""
        return self.operation("getBalance")

    def get_balance_statement(
        self,
        *,
        date: str,
        type: Optional[str] = None,
        page: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Dict[str, Any]:
        """The wallet's entries over a time."""
        return self.operation("getBalanceStatement", {"date": date, "type": type, "page": page, "limit": limit})

    def get_low_balance_threshold(self) -> Dict[str, Any]:
        """The balance under which you are told by e-mail."""
        return self.operation("getLowBalanceThreshold")

    def set_low_balance_threshold(self, *, amount: float) -> Dict[str, Any]:
        """Set the balance under which you are told by e-mail."""
        return self.operation("setLowBalanceThreshold", {"amount": amount})

    def get_key(self) -> Dict[str, Any]:
        """Purpose of the key of the request, and what it has spent."""
        return self.operation("getKey")

    def get_callback_url(self) -> Dict[str, Any]:
        """Show the receiver of transaction callbacks."""
        return self.operation("getCallbackUrl")

    def set_callback_url(self, *, url: str, method: str) -> Dict[str, Any]:
        """Set where transaction callbacks are sent."""
        return self.operation("setCallbackUrl", {"url": url, "method": method})

    def delete_callback_url(self) -> None:
        """Stop transaction callbacks."""
        return self.operation("deleteCallbackUrl")

    def get_callback_secret(self) -> Dict[str, Any]:
        """Which secret signs transaction callbacks."""
        return self.operation("getCallbackSecret")

    def rotate_callback_secret(self, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Make a new secret for transaction callbacks."""
        return self.operation("rotateCallbackSecret", body)

    def get_balance_webhook(self) -> Dict[str, Any]:
        """The balance webhook's configuration."""
        return self.operation("getBalanceWebhook")

    def put_balance_webhook(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Configure the balance webhook, or change its URL."""
        return self.operation("putBalanceWebhook", body)

    def delete_balance_webhook(self) -> None:
        """Remove the balance webhook."""
        return self.operation("deleteBalanceWebhook")

    def enable_balance_webhook(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Switch the balance webhook on or off."""
        return self.operation("enableBalanceWebhook", body)

    def rotate_balance_webhook_secret(
        self,
        body: Optional[Dict[str, Any]] = None,
    ) -> Dict[str, Any]:
        """Make a new secret for the balance webhook."""
        return self.operation("rotateBalanceWebhookSecret", body)

    def get_balance_webhook_types(self) -> Dict[str, Any]:
        """Which events the balance webhook sends."""
        return self.operation("getBalanceWebhookTypes")

    def put_balance_webhook_types(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Choose which events the balance webhook sends."""
        return self.operation("putBalanceWebhookTypes", body)

    def get_catalog_webhook(self) -> Dict[str, Any]:
        """The catalog webhook's configuration."""
        return self.operation("getCatalogWebhook")

    def put_catalog_webhook(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Configure the catalog webhook, or change its URL."""
        return self.operation("putCatalogWebhook", body)

    def delete_catalog_webhook(self) -> None:
        """Remove the catalog webhook."""
        return self.operation("deleteCatalogWebhook")

    def enable_catalog_webhook(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Switch the catalog webhook on or off."""
        return self.operation("enableCatalogWebhook", body)

    def rotate_catalog_webhook_secret(
        self,
        body: Optional[Dict[str, Any]] = None,
    ) -> Dict[str, Any]:
        """Make a new secret for the catalog webhook."""
        return self.operation("rotateCatalogWebhookSecret", body)

    def get_order_webhook(self) -> Dict[str, Any]:
        """The order webhook's configuration."""
        return self.operation("getOrderWebhook")

    def put_order_webhook(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Configure the order webhook, or change its URL."""
        return self.operation("putOrderWebhook", body)

    def delete_order_webhook(self) -> None:
        """Remove the order webhook."""
        return self.operation("deleteOrderWebhook")

    def enable_order_webhook(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Switch the order webhook on or off."""
        return self.operation("enableOrderWebhook", body)

    def rotate_order_webhook_secret(self, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Make a new secret for the order webhook."""
        return self.operation("rotateOrderWebhookSecret", body)

    def get_callback_status(self) -> Dict[str, Any]:
        """Whether your receiver gets what is sent."""
        return self.operation("getCallbackStatus")

    def get_balance_webhook_status(self) -> Dict[str, Any]:
        """Whether your receiver gets what is sent."""
        return self.operation("getBalanceWebhookStatus")

    def get_catalog_webhook_status(self) -> Dict[str, Any]:
        """Whether your receiver gets what is sent."""
        return self.operation("getCatalogWebhookStatus")

    def get_order_webhook_status(self) -> Dict[str, Any]:
        """Whether your receiver gets what is sent."""
        return self.operation("getOrderWebhookStatus")

    def list_callback_deliveries(
        self,
        *,
        status: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Show a delivery and its result."""
        return self.operation("listCallbackDeliveries", {
            "status": status,
            "from": from_,
            "to": to,
            "search": search,
            "limit": limit,
            "cursor": cursor,
        })

    def get_callback_delivery(self, job_id: str) -> Dict[str, Any]:
        """One delivery."""
        return self.operation("getCallbackDelivery", {"jobId": job_id})

    def list_callback_attempts(self, job_id: str) -> Dict[str, Any]:
        """Every attempt of a delivery, oldest first."""
        return self.operation("listCallbackAttempts", {"jobId": job_id})

    def list_balance_webhook_deliveries(
        self,
        *,
        status: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Show a delivery and its result."""
        return self.operation("listBalanceWebhookDeliveries", {
            "status": status,
            "from": from_,
            "to": to,
            "search": search,
            "limit": limit,
            "cursor": cursor,
        })

    def get_balance_webhook_delivery(self, job_id: str) -> Dict[str, Any]:
        """One delivery."""
        return self.operation("getBalanceWebhookDelivery", {"jobId": job_id})

    def list_balance_webhook_attempts(self, job_id: str) -> Dict[str, Any]:
        """Every attempt of a delivery, oldest first."""
        return self.operation("listBalanceWebhookAttempts", {"jobId": job_id})

    def list_catalog_webhook_deliveries(
        self,
        *,
        status: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Show a delivery and its result."""
        return self.operation("listCatalogWebhookDeliveries", {
            "status": status,
            "from": from_,
            "to": to,
            "search": search,
            "limit": limit,
            "cursor": cursor,
        })

    def get_catalog_webhook_delivery(self, job_id: str) -> Dict[str, Any]:
        """One delivery."""
        return self.operation("getCatalogWebhookDelivery", {"jobId": job_id})

    def list_catalog_webhook_attempts(self, job_id: str) -> Dict[str, Any]:
        """Every attempt of a delivery, oldest first."""
        return self.operation("listCatalogWebhookAttempts", {"jobId": job_id})

    def list_order_webhook_deliveries(
        self,
        *,
        status: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        search: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Show a delivery and its result."""
        return self.operation("listOrderWebhookDeliveries", {
            "status": status,
            "from": from_,
            "to": to,
            "search": search,
            "limit": limit,
            "cursor": cursor,
        })

    def get_order_webhook_delivery(self, job_id: str) -> Dict[str, Any]:
        """One delivery."""
        return self.operation("getOrderWebhookDelivery", {"jobId": job_id})

    def list_order_webhook_attempts(self, job_id: str) -> Dict[str, Any]:
        """Every attempt of a delivery, oldest first."""
        return self.operation("listOrderWebhookAttempts", {"jobId": job_id})

    def replay_callback_delivery(self, job_id: str) -> Dict[str, Any]:
        """Send a failed delivery again."""
        return self.operation("replayCallbackDelivery", {"jobId": job_id})

    def replay_callback_deliveries(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Send up to 50 failed deliveries again."""
        return self.operation("replayCallbackDeliveries", body)

    def replay_balance_webhook_delivery(self, job_id: str) -> Dict[str, Any]:
        """Send a failed delivery again."""
        return self.operation("replayBalanceWebhookDelivery", {"jobId": job_id})

    def replay_balance_webhook_deliveries(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Send up to 50 failed deliveries again."""
        return self.operation("replayBalanceWebhookDeliveries", body)

    def replay_catalog_webhook_delivery(self, job_id: str) -> Dict[str, Any]:
        """Send a failed delivery again."""
        return self.operation("replayCatalogWebhookDelivery", {"jobId": job_id})

    def replay_catalog_webhook_deliveries(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Send up to 50 failed deliveries again."""
        return self.operation("replayCatalogWebhookDeliveries", body)

    def replay_order_webhook_delivery(self, job_id: str) -> Dict[str, Any]:
        """Send a failed delivery again."""
        return self.operation("replayOrderWebhookDelivery", {"jobId": job_id})

    def replay_order_webhook_deliveries(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Send up to 50 failed deliveries again."""
        return self.operation("replayOrderWebhookDeliveries", body)

    def test_callback(self, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Send a test event."""
        return self.operation("testCallback", body)

    def test_balance_webhook(self, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Send a test event."""
        return self.operation("testBalanceWebhook", body)

    def test_catalog_webhook(self, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Send a test event."""
        return self.operation("testCatalogWebhook", body)

    def test_order_webhook(self, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Send a test event."""
        return self.operation("testOrderWebhook", body)

    def list_events(
        self,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Dict[str, Any]:
        """Everything that happened to your account, in order."""
        return self.operation("listEvents", {"after": after, "limit": limit})

    def get_test_clock(self) -> Dict[str, Any]:
        """How far this account's test clock was moved."""
        return self.operation("getTestClock")

    def advance_test_clock(self, *, advance_seconds: int) -> Dict[str, Any]:
        """Move this account's test clock forward."""
        return self.operation("advanceTestClock", {"advance_seconds": advance_seconds})

    def create_token(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Exchange a user name and password for tokens. Deprecated."""
        return self.operation("createToken", body)

    def refresh_token(self, body: Dict[str, Any]) -> Dict[str, Any]:
        """Exchange a refresh token for new tokens. Deprecated."""
        return self.operation("refreshToken", body)

    def get_jwks(self) -> Dict[str, Any]:
        """Public keys of receipts and of the legacy tokens."""
        return self.operation("getJwks")

    def get_health(self) -> Dict[str, Any]:
        """The process is alive."""
        return self.operation("getHealth")

    def get_readiness(self) -> Dict[str, Any]:
        """The service can answer requests."""
        return self.operation("getReadiness")

    def list_errors(self) -> Dict[str, Any]:
        """Every error code, with its cause and remedy."""
        return self.operation("listErrors")

    def get_open_api(self) -> Dict[str, Any]:
        """This API as an OpenAPI 3.1 document."""
        return self.operation("getOpenApi")
