<?php

declare(strict_types=1);

namespace Warung;

/**
 * Every operation of the service as a method. Generated from docs/openapi.json by npm run clients-api. Do not edit.
 *
 * Parameters are spelt as in the API reference, for named arguments: `listEvents(after: 12, limit: 100)`.
 */
trait Operations
{
    /** @var array<string, array{string, string, bool, bool}> method, path, has a body, needs no credentials */
    private static array $routes = [
        'getCatalog' => ['GET', '/v2/catalog', false, false],
        'getOptions' => ['GET', '/v2/options', false, false],
        'getNetworkStatus' => ['GET', '/v2/networkstatus', false, false],
        'lookupNumber' => ['GET', '/v2/number-lookup', false, false],
        'listBillers' => ['GET', '/v1/billpay/billers', false, false],
        'listProducts' => ['GET', '/v2/product-list', false, false],
        'listSubProducts' => ['GET', '/v2/subproducts', false, false],
        'getBillPresentment' => ['GET', '/v2/bill-presentment', false, false],
        'pay' => ['POST', '/v2/topup', true, false],
        'createQuote' => ['POST', '/v2/quotes', true, false],
        'getQuote' => ['GET', '/v2/quotes/{quote_id}', false, false],
        'getReceipt' => ['GET', '/v2/receipts/{transaction_id}', false, false],
        'getLimits' => ['GET', '/v2/limits', false, false],
        'listTransactions' => ['GET', '/v2/transactions', false, false],
        'disputeTransaction' => ['POST', '/v2/transactions/check', true, false],
        'voidTransaction' => ['POST', '/v2/transactions/void', true, false],
        'listCases' => ['GET', '/v2/cases', false, false],
        'getCase' => ['GET', '/v2/cases/{number}', false, false],
        'listOrders' => ['GET', '/v2/orders', false, false],
        'createOrder' => ['POST', '/v2/orders', true, false],
        'getOrder' => ['GET', '/v2/orders/{order_id}', false, false],
        'confirmOrder' => ['POST', '/v2/orders/{order_id}/confirm', true, false],
        'cancelOrder' => ['POST', '/v2/orders/{order_id}/cancel', true, false],
        'getCheckoutSettings' => ['GET', '/v2/checkout-settings', false, false],
        'putCheckoutSettings' => ['PUT', '/v2/checkout-settings', true, false],
        'getBalance' => ['GET', '/v2/balance', false, false],
        'getBalanceStatement' => ['GET', '/v2/balance-statement', false, false],
        'getLowBalanceThreshold' => ['GET', '/v2/low-balance-threshold', false, false],
        'setLowBalanceThreshold' => ['POST', '/v2/low-balance-threshold', false, false],
        'getKey' => ['GET', '/v2/key', false, false],
        'getCallbackUrl' => ['GET', '/v2/callback-url', false, false],
        'setCallbackUrl' => ['POST', '/v2/callback-url', false, false],
        'deleteCallbackUrl' => ['DELETE', '/v2/callback-url', false, false],
        'getCallbackSecret' => ['GET', '/v2/callback-url/secret', false, false],
        'rotateCallbackSecret' => ['POST', '/v2/callback-url/secret/rotate', true, false],
        'getBalanceWebhook' => ['GET', '/v2/balance-webhook', false, false],
        'putBalanceWebhook' => ['PUT', '/v2/balance-webhook', true, false],
        'deleteBalanceWebhook' => ['DELETE', '/v2/balance-webhook', false, false],
        'enableBalanceWebhook' => ['PATCH', '/v2/balance-webhook/enabled', true, false],
        'rotateBalanceWebhookSecret' => ['POST', '/v2/balance-webhook/rotate-secret', true, false],
        'getBalanceWebhookTypes' => ['GET', '/v2/balance-webhook/types', false, false],
        'putBalanceWebhookTypes' => ['PUT', '/v2/balance-webhook/types', true, false],
        'getCatalogWebhook' => ['GET', '/v2/catalog-webhook', false, false],
        'putCatalogWebhook' => ['PUT', '/v2/catalog-webhook', true, false],
        'deleteCatalogWebhook' => ['DELETE', '/v2/catalog-webhook', false, false],
        'enableCatalogWebhook' => ['PATCH', '/v2/catalog-webhook/enabled', true, false],
        'rotateCatalogWebhookSecret' => ['POST', '/v2/catalog-webhook/rotate-secret', true, false],
        'getOrderWebhook' => ['GET', '/v2/order-webhook', false, false],
        'putOrderWebhook' => ['PUT', '/v2/order-webhook', true, false],
        'deleteOrderWebhook' => ['DELETE', '/v2/order-webhook', false, false],
        'enableOrderWebhook' => ['PATCH', '/v2/order-webhook/enabled', true, false],
        'rotateOrderWebhookSecret' => ['POST', '/v2/order-webhook/rotate-secret', true, false],
        'getCallbackStatus' => ['GET', '/v2/callback-url/status', false, false],
        'getBalanceWebhookStatus' => ['GET', '/v2/balance-webhook/status', false, false],
        'getCatalogWebhookStatus' => ['GET', '/v2/catalog-webhook/status', false, false],
        'getOrderWebhookStatus' => ['GET', '/v2/order-webhook/status', false, false],
        'listCallbackDeliveries' => ['GET', '/v2/callback-url/deliveries', false, false],
        'getCallbackDelivery' => ['GET', '/v2/callback-url/deliveries/{jobId}', false, false],
        'listCallbackAttempts' => ['GET', '/v2/callback-url/deliveries/{jobId}/attempts', false, false],
        'listBalanceWebhookDeliveries' => ['GET', '/v2/balance-webhook/deliveries', false, false],
        'getBalanceWebhookDelivery' => ['GET', '/v2/balance-webhook/deliveries/{jobId}', false, false],
        'listBalanceWebhookAttempts' => ['GET', '/v2/balance-webhook/deliveries/{jobId}/attempts', false, false],
        'listCatalogWebhookDeliveries' => ['GET', '/v2/catalog-webhook/deliveries', false, false],
        'getCatalogWebhookDelivery' => ['GET', '/v2/catalog-webhook/deliveries/{jobId}', false, false],
        'listCatalogWebhookAttempts' => ['GET', '/v2/catalog-webhook/deliveries/{jobId}/attempts', false, false],
        'listOrderWebhookDeliveries' => ['GET', '/v2/order-webhook/deliveries', false, false],
        'getOrderWebhookDelivery' => ['GET', '/v2/order-webhook/deliveries/{jobId}', false, false],
        'listOrderWebhookAttempts' => ['GET', '/v2/order-webhook/deliveries/{jobId}/attempts', false, false],
        'replayCallbackDelivery' => ['POST', '/v2/callback-url/deliveries/{jobId}/replay', false, false],
        'replayCallbackDeliveries' => ['POST', '/v2/callback-url/deliveries/replay-bulk', true, false],
        'replayBalanceWebhookDelivery' => ['POST', '/v2/balance-webhook/deliveries/{jobId}/replay', false, false],
        'replayBalanceWebhookDeliveries' => ['POST', '/v2/balance-webhook/deliveries/replay-bulk', true, false],
        'replayCatalogWebhookDelivery' => ['POST', '/v2/catalog-webhook/deliveries/{jobId}/replay', false, false],
        'replayCatalogWebhookDeliveries' => ['POST', '/v2/catalog-webhook/deliveries/replay-bulk', true, false],
        'replayOrderWebhookDelivery' => ['POST', '/v2/order-webhook/deliveries/{jobId}/replay', false, false],
        'replayOrderWebhookDeliveries' => ['POST', '/v2/order-webhook/deliveries/replay-bulk', true, false],
        'testCallback' => ['POST', '/v2/callback-url/test', true, false],
        'testBalanceWebhook' => ['POST', '/v2/balance-webhook/test', true, false],
        'testCatalogWebhook' => ['POST', '/v2/catalog-webhook/test', true, false],
        'testOrderWebhook' => ['POST', '/v2/order-webhook/test', true, false],
        'listEvents' => ['GET', '/v2/events', false, false],
        'getTestClock' => ['GET', '/v2/test-clock', false, false],
        'advanceTestClock' => ['POST', '/v2/test-clock', false, false],
        'createToken' => ['POST', '/v2/token', true, true],
        'refreshToken' => ['POST', '/v2/token/refresh', true, true],
        'getJwks' => ['GET', '/.well-known/jwks.json', false, true],
        'getHealth' => ['GET', '/healthz', false, true],
        'getReadiness' => ['GET', '/readyz', false, true],
        'listErrors' => ['GET', '/v2/errors', false, true],
        'getOpenApi' => ['GET', '/openapi.json', false, true],
    ];

    /**
     * Calls an operation by its name, with its parameters or its body.
     *
     * @param array<string, mixed> $input
     */
    abstract public function operation(string $name, array $input = []): mixed;

    /** Products, as this account sees them. */
    public function getCatalog(
        ?string $product_code = null,
        ?bool $is_active = null,
        ?bool $include_inactive = null,
    ): array {
        return $this->operation('getCatalog', [
            'product_code' => $product_code,
            'is_active' => $is_active,
            'include_inactive' => $include_inactive,
        ]);
    }

    /** Choices of a select field. */
    public function getOptions(
        string $product_code,
        string $field_id,
        ?string $account_number = null,
        ?string $biller_code = null,
        ?int $limit = null,
        ?int $per_page = null,
        ?int $page = null,
        ?bool $is_active = null,
        ?bool $include_hidden = null,
        ?bool $include_inactive = null,
    ): array {
        return $this->operation('getOptions', [
            'product_code' => $product_code,
            'field_id' => $field_id,
            'account_number' => $account_number,
            'biller_code' => $biller_code,
            'limit' => $limit,
            'per_page' => $per_page,
            'page' => $page,
            'is_active' => $is_active,
            'include_hidden' => $include_hidden,
            'include_inactive' => $include_inactive,
        ]);
    }

    /** Whether a product works at present. */
    public function getNetworkStatus(string $product): array
    {
        return $this->operation('getNetworkStatus', ['product' => $product]);
    }

    /** Operator of a telephone number, and the products for it. */
    public function lookupNumber(string $account): array
    {
        return $this->operation('lookupNumber', ['account' => $account]);
    }

    /** Billers of bill payment. */
    public function listBillers(
        ?int $page = null,
        ?int $limit = null,
        ?string $biller_code = null,
        ?string $suggested_category = null,
    ): array {
        return $this->operation('listBillers', [
            'page' => $page,
            'limit' => $limit,
            'biller_code' => $biller_code,
            'suggested_category' => $suggested_category,
        ]);
    }

    /** Products, in the form before the catalogue. Deprecated. */
    public function listProducts(): array
    {
        return $this->operation('listProducts');
    }

    /** Plans and loan accounts, in the form before the options. Deprecated. */
    public function listSubProducts(string $product_code, ?string $account_number = null, ?int $limit = null): array
    {
        return $this->operation('listSubProducts', [
            'product_code' => $product_code,
            'account_number' => $account_number,
            'limit' => $limit,
        ]);
    }

    /** Show the bill of an account, before it is paid. */
    public function getBillPresentment(
        string $account,
        string $product,
        ?string $biller_code = null,
        ?string $ref2 = null,
        ?string $amount = null,
    ): array {
        return $this->operation('getBillPresentment', [
            'account' => $account,
            'product' => $product,
            'biller_code' => $biller_code,
            'ref2' => $ref2,
            'amount' => $amount,
        ]);
    }

    /** Ask what a payment would cost, and hold that cost. */
    public function createQuote(array $body): array
    {
        return $this->operation('createQuote', $body);
    }

    /** A quote, and whether it was paid. */
    public function getQuote(string $quote_id): array
    {
        return $this->operation('getQuote', ['quote_id' => $quote_id]);
    }

    /** Receipt of a payment, signed. */
    public function getReceipt(string $transaction_id): array
    {
        return $this->operation('getReceipt', ['transaction_id' => $transaction_id]);
    }

    /** Limits of your payments, and what is used of them. */
    public function getLimits(?string $account = null): array
    {
        return $this->operation('getLimits', ['account' => $account]);
    }

    /** Payments of a day or of a range of days, with totals. */
    public function listTransactions(
        int $limit,
        string $date,
        ?array $status = null,
        ?string $account = null,
        ?int $offset = null,
        ?string $product = null,
    ): array {
        return $this->operation('listTransactions', [
            'limit' => $limit,
            'date' => $date,
            'status' => $status,
            'account' => $account,
            'offset' => $offset,
            'product' => $product,
        ]);
    }

    /** Report an issue with a successful payment. */
    public function disputeTransaction(array $body = []): array
    {
        return $this->operation('disputeTransaction', $body);
    }

    /** Ask for a successful payment to be taken back. */
    public function voidTransaction(array $body): array
    {
        return $this->operation('voidTransaction', $body);
    }

    /** Disputes and voids of this account, newest first. */
    public function listCases(
        ?string $state = null,
        ?string $kind = null,
        ?string $from = null,
        ?string $to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->operation('listCases', [
            'state' => $state,
            'kind' => $kind,
            'from' => $from,
            'to' => $to,
            'limit' => $limit,
            'cursor' => $cursor,
        ]);
    }

    /** A dispute or void with its messages. */
    public function getCase(string $number): array
    {
        return $this->operation('getCase', ['number' => $number]);
    }

    /** Orders of this account, newest first. */
    public function listOrders(
        ?string $status = null,
        ?string $reference = null,
        ?string $user_id = null,
        ?string $from = null,
        ?string $to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->operation('listOrders', [
            'status' => $status,
            'reference' => $reference,
            'user_id' => $user_id,
            'from' => $from,
            'to' => $to,
            'limit' => $limit,
            'cursor' => $cursor,
        ]);
    }

    /** Make an order for a customer, or get it again. */
    public function createOrder(array $body): array
    {
        return $this->operation('createOrder', $body);
    }

    /** An order with its payments. */
    public function getOrder(string $order_id): array
    {
        return $this->operation('getOrder', ['order_id' => $order_id]);
    }

    /** Confirm an order, because you have the customer's money. */
    public function confirmOrder(string $order_id, array $body): array
    {
        return $this->operation('confirmOrder', ['order_id' => $order_id] + $body);
    }

    /** Cancel an order that is not confirmed. */
    public function cancelOrder(string $order_id, array $body = []): array
    {
        return $this->operation('cancelOrder', ['order_id' => $order_id] + $body);
    }

    /** Name, sites and colours of your checkout. */
    public function getCheckoutSettings(): array
    {
        return $this->operation('getCheckoutSettings');
    }

    /** Replace the settings of your checkout. */
    public function putCheckoutSettings(array $body): array
    {
        return $this->operation('putCheckoutSettings', $body);
    }

    /** Wallet balance. */
    public function getBalance(): array
    {
        return $this->operation('getBalance');
    }

    /** The wallet's entries over a time. */
    public function getBalanceStatement(
        string $date,
        ?string $type = null,
        ?int $page = null,
        ?int $limit = null,
    ): array {
        return $this->operation('getBalanceStatement', ['date' => $date, 'type' => $type, 'page' => $page, 'limit' => $limit]);
    }

    /** The balance under which you are told by e-mail. */
    public function getLowBalanceThreshold(): array
    {
        return $this->operation('getLowBalanceThreshold');
    }

    /** Set the balance under which you are told by e-mail. */
    public function setLowBalanceThreshold(int|float $amount): array
    {
        return $this->operation('setLowBalanceThreshold', ['amount' => $amount]);
    }

    /** Purpose of the key of the request, and what it has spent. */
    public function getKey(): array
    {
        return $this->operation('getKey');
    }

    /** Show the receiver of transaction callbacks. */
    public function getCallbackUrl(): array
    {
        return $this->operation('getCallbackUrl');
    }

    /** Set where transaction callbacks are sent. */
    public function setCallbackUrl(string $url, string $method): array
    {
        return $this->operation('setCallbackUrl', ['url' => $url, 'method' => $method]);
    }

    /** Stop transaction callbacks. */
    public function deleteCallbackUrl(): void
    {
        $this->operation('deleteCallbackUrl');
    }

    /** Which secret signs transaction callbacks. */
    public function getCallbackSecret(): array
    {
        return $this->operation('getCallbackSecret');
    }

    /** Make a new secret for transaction callbacks. */
    public function rotateCallbackSecret(array $body = []): array
    {
        return $this->operation('rotateCallbackSecret', $body);
    }

    /** The balance webhook's configuration. */
    public function getBalanceWebhook(): array
    {
        return $this->operation('getBalanceWebhook');
    }

    /** Configure the balance webhook, or change its URL. */
    public function putBalanceWebhook(array $body): array
    {
        return $this->operation('putBalanceWebhook', $body);
    }

    /** Remove the balance webhook. */
    public function deleteBalanceWebhook(): void
    {
        $this->operation('deleteBalanceWebhook');
    }

    /** Switch the balance webhook on or off. */
    public function enableBalanceWebhook(array $body): array
    {
        return $this->operation('enableBalanceWebhook', $body);
    }

    /** Make a new secret for the balance webhook. */
    public function rotateBalanceWebhookSecret(array $body = []): array
    {
        return $this->operation('rotateBalanceWebhookSecret', $body);
    }

    /** Which events the balance webhook sends. */
    public function getBalanceWebhookTypes(): array
    {
        return $this->operation('getBalanceWebhookTypes');
    }

    /** Choose which events the balance webhook sends. */
    public function putBalanceWebhookTypes(array $body): array
    {
        return $this->operation('putBalanceWebhookTypes', $body);
    }

    /** The catalog webhook's configuration. */
    public function getCatalogWebhook(): array
    {
        return $this->operation('getCatalogWebhook');
    }

    /** Configure the catalog webhook, or change its URL. */
    public function putCatalogWebhook(array $body): array
    {
        return $this->operation('putCatalogWebhook', $body);
    }

    /** Remove the catalog webhook. */
    public function deleteCatalogWebhook(): void
    {
        $this->operation('deleteCatalogWebhook');
    }

    /** Switch the catalog webhook on or off. */
    public function enableCatalogWebhook(array $body): array
    {
        return $this->operation('enableCatalogWebhook', $body);
    }

    /** Make a new secret for the catalog webhook. */
    public function rotateCatalogWebhookSecret(array $body = []): array
    {
        return $this->operation('rotateCatalogWebhookSecret', $body);
    }

    /** The order webhook's configuration. */
    public function getOrderWebhook(): array
    {
        return $this->operation('getOrderWebhook');
    }

    /** Configure the order webhook, or change its URL. */
    public function putOrderWebhook(array $body): array
    {
        return $this->operation('putOrderWebhook', $body);
    }

    /** Remove the order webhook. */
    public function deleteOrderWebhook(): void
    {
        $this->operation('deleteOrderWebhook');
    }

    /** Switch the order webhook on or off. */
    public function enableOrderWebhook(array $body): array
    {
        return $this->operation('enableOrderWebhook', $body);
    }

    /** Make a new secret for the order webhook. */
    public function rotateOrderWebhookSecret(array $body = []): array
    {
        return $this->operation('rotateOrderWebhookSecret', $body);
    }

    /** Whether your receiver gets what is sent. */
    public function getCallbackStatus(): array
    {
        return $this->operation('getCallbackStatus');
    }

    /** Whether your receiver gets what is sent. */
    public function getBalanceWebhookStatus(): array
    {
        return $this->operation('getBalanceWebhookStatus');
    }

    /** Whether your receiver gets what is sent. */
    public function getCatalogWebhookStatus(): array
    {
        return $this->operation('getCatalogWebhookStatus');
    }

    /** Whether your receiver gets what is sent. */
    public function getOrderWebhookStatus(): array
    {
        return $this->operation('getOrderWebhookStatus');
    }

    /** Show a delivery and its result. */
    public function listCallbackDeliveries(
        ?string $status = null,
        ?string $from = null,
        ?string $to = null,
        ?string $search = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->operation('listCallbackDeliveries', [
            'status' => $status,
            'from' => $from,
            'to' => $to,
            'search' => $search,
            'limit' => $limit,
            'cursor' => $cursor,
        ]);
    }

    /** One delivery. */
    public function getCallbackDelivery(string $jobId): array
    {
        return $this->operation('getCallbackDelivery', ['jobId' => $jobId]);
    }

    /** Every attempt of a delivery, oldest first. */
    public function listCallbackAttempts(string $jobId): array
    {
        return $this->operation('listCallbackAttempts', ['jobId' => $jobId]);
    }

    /** Show a delivery and its result. */
    public function listBalanceWebhookDeliveries(
        ?string $status = null,
        ?string $from = null,
        ?string $to = null,
        ?string $search = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->operation('listBalanceWebhookDeliveries', [
            'status' => $status,
            'from' => $from,
            'to' => $to,
            'search' => $search,
            'limit' => $limit,
            'cursor' => $cursor,
        ]);
    }

    /** One delivery. */
    public function getBalanceWebhookDelivery(string $jobId): array
    {
        return $this->operation('getBalanceWebhookDelivery', ['jobId' => $jobId]);
    }

    /** Every attempt of a delivery, oldest first. */
    public function listBalanceWebhookAttempts(string $jobId): array
    {
        return $this->operation('listBalanceWebhookAttempts', ['jobId' => $jobId]);
    }

    /** Show a delivery and its result. */
    public function listCatalogWebhookDeliveries(
        ?string $status = null,
        ?string $from = null,
        ?string $to = null,
        ?string $search = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->operation('listCatalogWebhookDeliveries', [
            'status' => $status,
            'from' => $from,
            'to' => $to,
            'search' => $search,
            'limit' => $limit,
            'cursor' => $cursor,
        ]);
    }

    /** One delivery. */
    public function getCatalogWebhookDelivery(string $jobId): array
    {
        return $this->operation('getCatalogWebhookDelivery', ['jobId' => $jobId]);
    }

    /** Every attempt of a delivery, oldest first. */
    public function listCatalogWebhookAttempts(string $jobId): array
    {
        return $this->operation('listCatalogWebhookAttempts', ['jobId' => $jobId]);
    }

    /** Show a delivery and its result. */
    public function listOrderWebhookDeliveries(
        ?string $status = null,
        ?string $from = null,
        ?string $to = null,
        ?string $search = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->operation('listOrderWebhookDeliveries', [
            'status' => $status,
            'from' => $from,
            'to' => $to,
            'search' => $search,
            'limit' => $limit,
            'cursor' => $cursor,
        ]);
    }

    /** One delivery. */
    public function getOrderWebhookDelivery(string $jobId): array
    {
        return $this->operation('getOrderWebhookDelivery', ['jobId' => $jobId]);
    }

    /** Every attempt of a delivery, oldest first. */
    public function listOrderWebhookAttempts(string $jobId): array
    {
        return $this->operation('listOrderWebhookAttempts', ['jobId' => $jobId]);
    }

    /** Send a failed delivery again. */
    public function replayCallbackDelivery(string $jobId): array
    {
        return $this->operation('replayCallbackDelivery', ['jobId' => $jobId]);
    }

    /** Send up to 50 failed deliveries again. */
    public function replayCallbackDeliveries(array $body): array
    {
        return $this->operation('replayCallbackDeliveries', $body);
    }

    /** Send a failed delivery again. */
    public function replayBalanceWebhookDelivery(string $jobId): array
    {
        return $this->operation('replayBalanceWebhookDelivery', ['jobId' => $jobId]);
    }

    /** Send up to 50 failed deliveries again. */
    public function replayBalanceWebhookDeliveries(array $body): array
    {
        return $this->operation('replayBalanceWebhookDeliveries', $body);
    }

    /** Send a failed delivery again. */
    public function replayCatalogWebhookDelivery(string $jobId): array
    {
        return $this->operation('replayCatalogWebhookDelivery', ['jobId' => $jobId]);
    }

    /** Send up to 50 failed deliveries again. */
    public function replayCatalogWebhookDeliveries(array $body): array
    {
        return $this->operation('replayCatalogWebhookDeliveries', $body);
    }

    /** Send a failed delivery again. */
    public function replayOrderWebhookDelivery(string $jobId): array
    {
        return $this->operation('replayOrderWebhookDelivery', ['jobId' => $jobId]);
    }

    /** Send up to 50 failed deliveries again. */
    public function replayOrderWebhookDeliveries(array $body): array
    {
        return $this->operation('replayOrderWebhookDeliveries', $body);
    }

    /** Send a test event. */
    public function testCallback(array $body = []): array
    {
        return $this->operation('testCallback', $body);
    }

    /** Send a test event. */
    public function testBalanceWebhook(array $body = []): array
    {
        return $this->operation('testBalanceWebhook', $body);
    }

    /** Send a test event. */
    public function testCatalogWebhook(array $body = []): array
    {
        return $this->operation('testCatalogWebhook', $body);
    }

    /** Send a test event. */
    public function testOrderWebhook(array $body = []): array
    {
        return $this->operation('testOrderWebhook', $body);
    }

    /** Everything that happened to your account, in order. */
    public function listEvents(?int $after = null, ?int $limit = null): array
    {
        return $this->operation('listEvents', ['after' => $after, 'limit' => $limit]);
    }

    /** How far this account's test clock was moved. */
    public function getTestClock(): array
    {
        return $this->operation('getTestClock');
    }

    /** Move this account's test clock forward. */
    public function advanceTestClock(int $advance_seconds): array
    {
        return $this->operation('advanceTestClock', ['advance_seconds' => $advance_seconds]);
    }

    /** Exchange a user name and password for tokens. Deprecated. */
    public function createToken(array $body): array
    {
        return $this->operation('createToken', $body);
    }

    /** Exchange a refresh token for new tokens. Deprecated. */
    public function refreshToken(array $body): array
    {
        return $this->operation('refreshToken', $body);
    }

    /** Public keys of receipts and of the legacy tokens. */
    public function getJwks(): array
    {
        return $this->operation('getJwks');
    }

    /** The process is alive. */
    public function getHealth(): array
    {
        return $this->operation('getHealth');
    }

    /** The service can answer requests. */
    public function getReadiness(): array
    {
        return $this->operation('getReadiness');
    }

    /** Every error code, with its cause and remedy. */
    public function listErrors(): array
    {
        return $this->operation('listErrors');
    }

    /** This API as an OpenAPI 3.1 document. */
    public function getOpenApi(): array
    {
        return $this->operation('getOpenApi');
    }
}
