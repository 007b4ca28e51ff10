// Generated from docs/openapi.json by npm run sdk-api. Do not edit.
import type * as S from './types.generated.ts'

/** Input and answer of every operation. The input has the parameters of path and query, or the body. */
export type Operations = {
  /** Products, as this account sees them */
  getCatalog: { input: {
    /** One product alone */
    product_code?: string | undefined
    /** true: products that you sell. false: products that you switched off. */
    is_active?: boolean | undefined
    /** true: both; is_active is then ignored */
    include_inactive?: boolean | undefined
  } | undefined; answer: S.Catalog }
  /** Choices of a select field */
  getOptions: { input: {
    /** Product code */
    product_code: string
    /** Id of a select field of the product */
    field_id: string
    /** Value that a dynamic field depends on: an identity number, a phone number */
    account_number?: string | undefined
    /** Bill payment: one biller alone */
    biller_code?: string | undefined
    /** Items of a page; 100 when left out */
    limit?: number | undefined
    /** Another name of limit */
    per_page?: number | undefined
    /** Number of the page */
    page?: number | undefined
    /** Static options: false for those you switched off */
    is_active?: boolean | undefined
    /** true: also options of hidden products */
    include_hidden?: boolean | undefined
    /** true: also options of products that are off for everybody */
    include_inactive?: boolean | undefined
  }; answer: S.OptionPage }
  /** Whether a product works at present */
  getNetworkStatus: { input: {
    /** Product code */
    product: string
  }; answer: S.NetworkStatus }
  /** Operator of a telephone number, and the products for it */
  lookupNumber: { input: {
    /** Number as it was typed */
    account: string
  }; answer: S.NumberLookUpResponse }
  /** Billers of bill payment */
  listBillers: { input: {
    /** Number of the page, with limit */
    page?: number | undefined
    /** Billers of a page; left out: the whole list */
    limit?: number | undefined
    /** One biller alone */
    biller_code?: string | undefined
    /** Billers of this suggested category */
    suggested_category?: string | undefined
  } | undefined; answer: S.BillerPage }
  /**
   * Products, in the form before the catalogue
   * @deprecated
   */
  listProducts: { input: undefined; answer: S.ProductList }
  /**
   * Plans and loan accounts, in the form before the options
   * @deprecated
   */
  listSubProducts: { input: {
    /** Product code */
    product_code: string
    /** Required for mobile data and student loans */
    account_number?: string | undefined
    /** Blank: all */
    limit?: number | undefined
  }; answer: S.SubProducts }
  /** Show the bill of an account, before it is paid */
  getBillPresentment: { input: {
    /** Bill payment: Ref-1 */
    account: string
    /** Product code */
    product: string
    /** Required for bill payment, where it says whose bill it is */
    biller_code?: string | undefined
    /** Bill payment: the second reference, where the biller requires one */
    ref2?: string | undefined
    /** Sum to be paid; judged as a payment would be */
    amount?: string | undefined
  }; answer: S.Bill }
  /** Pay, or ask for the status of a payment */
  pay: { input: S.PaymentRequest; answer: S.PaymentResponse }
  /** Ask what a payment would cost, and hold that cost */
  createQuote: { input: S.QuoteRequest; answer: S.QuoteResponse }
  /** A quote, and whether it was paid */
  getQuote: { input: {
    /** As the quote has it */
    quote_id: string
  }; answer: S.QuoteResponse }
  /** Receipt of a payment, signed */
  getReceipt: { input: {
    /** As the payment has it */
    transaction_id: string
  }; answer: S.ReceiptResponse }
  /** Limits of your payments, and what is used of them */
  getLimits: { input: {
    /** Account whose use of the limits of accounts is shown */
    account?: string | undefined
  } | undefined; answer: S.LimitsResponse }
  /** Payments of a day or of a range of days, with totals */
  listTransactions: { input: {
    /** Payments of a page */
    limit: number
    /** yyyy-MM-dd, or yyyy-MM-dd - yyyy-MM-dd with both ends included; at most 366 days, GMT+8 */
    date: string
    /** May be repeated. Left out: all */
    status?: ("SUCCESSFUL" | "PENDING" | "FAILED" | "REFUND")[] | undefined
    /** Payments to this account alone */
    account?: string | undefined
    /** How many of the newest to pass over */
    offset?: number | undefined
    /** Payments of this product alone. Blank: all */
    product?: string | undefined
  }; answer: S.HistoryPage }
  /** Report an issue with a successful payment */
  disputeTransaction: { input: S.DisputeRequest | undefined; answer: S.SupportResponse }
  /** Ask for a successful payment to be taken back */
  voidTransaction: { input: S.VoidRequest; answer: S.SupportResponse }
  /** Disputes and voids of this account, newest first */
  listCases: { input: {
    /** Cases in this state alone */
    state?: "open" | "in_progress" | "resolved" | "refused" | undefined
    /** Cases of this kind alone */
    kind?: "dispute" | "void" | undefined
    /** Opened on or after: a day yyyy-MM-dd (GMT+8) or an ISO 8601 instant */
    from?: string | undefined
    /** Opened on or before: the same */
    to?: string | undefined
    /** Cases of a page */
    limit?: number | undefined
    /** cursor of the page before */
    cursor?: string | undefined
  } | undefined; answer: S.CasePage }
  /** A dispute or void with its messages */
  getCase: { input: {
    /** Number of the case, such as C-2026-000123 */
    number: string
  }; answer: S.CaseDetailsResponse }
  /** Orders of this account, newest first */
  listOrders: { input: {
    /** Orders in this state alone */
    status?: "draft" | "awaiting_payment" | "confirmed" | "completed" | "partially_completed" | "failed" | "cancelled" | "timeout" | undefined
    /** The order with this reference alone */
    reference?: string | undefined
    /** Orders of this customer alone */
    user_id?: string | undefined
    /** Made on or after: a day yyyy-MM-dd (GMT+8) or an ISO 8601 instant */
    from?: string | undefined
    /** Made on or before: the same */
    to?: string | undefined
    /** Orders of a page */
    limit?: number | undefined
    /** cursor of the page before */
    cursor?: string | undefined
  } | undefined; answer: S.OrderPage }
  /** Make an order for a customer, or get it again */
  createOrder: { input: S.NewOrder; answer: S.OrderResponse }
  /** An order with its payments */
  getOrder: { input: {
    /** Id of the order */
    order_id: string
  }; answer: S.OrderResponse }
  /** Confirm an order, because you have the customer's money */
  confirmOrder: { input: {
    /** Id of the order */
    order_id: string
  } & S.OrderConfirmation; answer: S.OrderResponse }
  /** Cancel an order that is not confirmed */
  cancelOrder: { input: {
    /** Id of the order */
    order_id: string
  } & S.OrderCancellation; answer: S.OrderResponse }
  /** Name, sites and colours of your checkout */
  getCheckoutSettings: { input: undefined; answer: S.CheckoutSettingsResponse }
  /** Replace the settings of your checkout */
  putCheckoutSettings: { input: S.CheckoutSettings; answer: S.CheckoutSettingsResponse }
  /** Wallet balance */
  getBalance: { input: undefined; answer: S.BalanceResponse }
  /** The wallet's entries over a time */
  getBalanceStatement: { input: {
    /** yyyy-MM-dd, or yyyy-MM-dd - yyyy-MM-dd with both ends included; at most 366 days, GMT+8 */
    date: string
    /** Entries of this type alone. Blank: all */
    type?: "DEPOSIT" | "TRANSACTION" | "REFUND" | "COMMISSION" | undefined
    /** Number of the page */
    page?: number | undefined
    /** Entries of a page */
    limit?: number | undefined
  }; answer: S.BalanceStatement }
  /** The balance under which you are told by e-mail */
  getLowBalanceThreshold: { input: undefined; answer: S.LowBalanceThreshold }
  /** Set the balance under which you are told by e-mail */
  setLowBalanceThreshold: { input: {
    /** In MYR, with at most 4 decimals; in the signed query alone */
    amount: number
  }; answer: S.NewLowBalanceThreshold }
  /** Purpose of the key of the request, and what it has spent */
  getKey: { input: undefined; answer: S.OwnAPIKeyResponse }
  /** Show the receiver of transaction callbacks */
  getCallbackUrl: { input: undefined; answer: S.CallbackURL }
  /** Set where transaction callbacks are sent */
  setCallbackUrl: { input: {
    /** Absolute HTTP or HTTPS URL, in the signed query alone */
    url: string
    /** How it is called; in the signed query alone */
    method: "GET" | "POST"
  }; answer: S.CallbackURL }
  /** Stop transaction callbacks */
  deleteCallbackUrl: { input: undefined; answer: null }
  /** Which secret signs transaction callbacks */
  getCallbackSecret: { input: undefined; answer: S.CallbackSecret }
  /** Make a new secret for transaction callbacks */
  rotateCallbackSecret: { input: S.RotateCallbackSecretRequest | undefined; answer: S.NewCallbackSecret }
  /** The balance webhook's configuration */
  getBalanceWebhook: { input: undefined; answer: S.WebhookConfiguration }
  /** Configure the balance webhook, or change its URL */
  putBalanceWebhook: { input: S.PutBalanceWebhookRequest; answer: S.WebhookPut }
  /** Remove the balance webhook */
  deleteBalanceWebhook: { input: undefined; answer: null }
  /** Switch the balance webhook on or off */
  enableBalanceWebhook: { input: S.WebhookSwitch; answer: S.WebhookSwitch }
  /** Make a new secret for the balance webhook */
  rotateBalanceWebhookSecret: { input: S.RotateBalanceWebhookSecretRequest | undefined; answer: S.NewWebhookSecret }
  /** Which events the balance webhook sends */
  getBalanceWebhookTypes: { input: undefined; answer: S.EventTypes }
  /** Choose which events the balance webhook sends */
  putBalanceWebhookTypes: { input: S.PutBalanceWebhookTypesRequest; answer: S.EventTypes }
  /** The catalog webhook's configuration */
  getCatalogWebhook: { input: undefined; answer: S.WebhookConfiguration }
  /** Configure the catalog webhook, or change its URL */
  putCatalogWebhook: { input: S.PutBalanceWebhookRequest; answer: S.WebhookPut }
  /** Remove the catalog webhook */
  deleteCatalogWebhook: { input: undefined; answer: null }
  /** Switch the catalog webhook on or off */
  enableCatalogWebhook: { input: S.WebhookSwitch; answer: S.WebhookSwitch }
  /** Make a new secret for the catalog webhook */
  rotateCatalogWebhookSecret: { input: S.RotateCallbackSecretRequest | undefined; answer: S.NewWebhookSecret }
  /** The order webhook's configuration */
  getOrderWebhook: { input: undefined; answer: S.WebhookConfiguration }
  /** Configure the order webhook, or change its URL */
  putOrderWebhook: { input: S.PutBalanceWebhookRequest; answer: S.WebhookPut }
  /** Remove the order webhook */
  deleteOrderWebhook: { input: undefined; answer: null }
  /** Switch the order webhook on or off */
  enableOrderWebhook: { input: S.WebhookSwitch; answer: S.WebhookSwitch }
  /** Make a new secret for the order webhook */
  rotateOrderWebhookSecret: { input: S.RotateCallbackSecretRequest | undefined; answer: S.NewWebhookSecret }
  /** Whether your receiver gets what is sent */
  getCallbackStatus: { input: undefined; answer: S.EndpointStatus }
  /** Whether your receiver gets what is sent */
  getBalanceWebhookStatus: { input: undefined; answer: S.EndpointStatus }
  /** Whether your receiver gets what is sent */
  getCatalogWebhookStatus: { input: undefined; answer: S.EndpointStatus }
  /** Whether your receiver gets what is sent */
  getOrderWebhookStatus: { input: undefined; answer: S.EndpointStatus }
  /** Show a delivery and its result */
  listCallbackDeliveries: { input: {
    /** all: those that came to an end */
    status?: "all" | "success" | "failed" | "pending" | undefined
    /** A day yyyy-MM-dd (GMT+8) or an ISO 8601 instant; inclusive */
    from?: string | undefined
    /** A day yyyy-MM-dd (GMT+8) or an ISO 8601 instant; inclusive */
    to?: string | undefined
    /** The id of an event; when no delivery has it, the beginning of one */
    search?: string | undefined
    /** Deliveries of a page */
    limit?: number | undefined
    /** That of the page before */
    cursor?: string | undefined
  } | undefined; answer: S.DeliveryPage }
  /** One delivery */
  getCallbackDelivery: { input: {
    /** The id of a delivery */
    jobId: string
  }; answer: S.Delivery }
  /** Every attempt of a delivery, oldest first */
  listCallbackAttempts: { input: {
    /** The id of a delivery */
    jobId: string
  }; answer: S.DeliveryAttempts }
  /** Show a delivery and its result */
  listBalanceWebhookDeliveries: { input: {
    /** all: those that came to an end */
    status?: "all" | "success" | "failed" | "pending" | undefined
    /** A day yyyy-MM-dd (GMT+8) or an ISO 8601 instant; inclusive */
    from?: string | undefined
    /** A day yyyy-MM-dd (GMT+8) or an ISO 8601 instant; inclusive */
    to?: string | undefined
    /** The id of an event; when no delivery has it, the beginning of one */
    search?: string | undefined
    /** Deliveries of a page */
    limit?: number | undefined
    /** That of the page before */
    cursor?: string | undefined
  } | undefined; answer: S.DeliveryPage }
  /** One delivery */
  getBalanceWebhookDelivery: { input: {
    /** The id of a delivery */
    jobId: string
  }; answer: S.Delivery }
  /** Every attempt of a delivery, oldest first */
  listBalanceWebhookAttempts: { input: {
    /** The id of a delivery */
    jobId: string
  }; answer: S.DeliveryAttempts }
  /** Show a delivery and its result */
  listCatalogWebhookDeliveries: { input: {
    /** all: those that came to an end */
    status?: "all" | "success" | "failed" | "pending" | undefined
    /** A day yyyy-MM-dd (GMT+8) or an ISO 8601 instant; inclusive */
    from?: string | undefined
    /** A day yyyy-MM-dd (GMT+8) or an ISO 8601 instant; inclusive */
    to?: string | undefined
    /** The id of an event; when no delivery has it, the beginning of one */
    search?: string | undefined
    /** Deliveries of a page */
    limit?: number | undefined
    /** That of the page before */
    cursor?: string | undefined
  } | undefined; answer: S.DeliveryPage }
  /** One delivery */
  getCatalogWebhookDelivery: { input: {
    /** The id of a delivery */
    jobId: string
  }; answer: S.Delivery }
  /** Every attempt of a delivery, oldest first */
  listCatalogWebhookAttempts: { input: {
    /** The id of a delivery */
    jobId: string
  }; answer: S.DeliveryAttempts }
  /** Show a delivery and its result */
  listOrderWebhookDeliveries: { input: {
    /** all: those that came to an end */
    status?: "all" | "success" | "failed" | "pending" | undefined
    /** A day yyyy-MM-dd (GMT+8) or an ISO 8601 instant; inclusive */
    from?: string | undefined
    /** A day yyyy-MM-dd (GMT+8) or an ISO 8601 instant; inclusive */
    to?: string | undefined
    /** The id of an event; when no delivery has it, the beginning of one */
    search?: string | undefined
    /** Deliveries of a page */
    limit?: number | undefined
    /** That of the page before */
    cursor?: string | undefined
  } | undefined; answer: S.DeliveryPage }
  /** One delivery */
  getOrderWebhookDelivery: { input: {
    /** The id of a delivery */
    jobId: string
  }; answer: S.Delivery }
  /** Every attempt of a delivery, oldest first */
  listOrderWebhookAttempts: { input: {
    /** The id of a delivery */
    jobId: string
  }; answer: S.DeliveryAttempts }
  /** Send a failed delivery again */
  replayCallbackDelivery: { input: {
    /** The id of a delivery */
    jobId: string
  }; answer: S.Replay }
  /** Send up to 50 failed deliveries again */
  replayCallbackDeliveries: { input: S.ReplayCallbackDeliveriesRequest; answer: S.BulkReplay }
  /** Send a failed delivery again */
  replayBalanceWebhookDelivery: { input: {
    /** The id of a delivery */
    jobId: string
  }; answer: S.Replay }
  /** Send up to 50 failed deliveries again */
  replayBalanceWebhookDeliveries: { input: S.ReplayCallbackDeliveriesRequest; answer: S.BulkReplay }
  /** Send a failed delivery again */
  replayCatalogWebhookDelivery: { input: {
    /** The id of a delivery */
    jobId: string
  }; answer: S.Replay }
  /** Send up to 50 failed deliveries again */
  replayCatalogWebhookDeliveries: { input: S.ReplayCallbackDeliveriesRequest; answer: S.BulkReplay }
  /** Send a failed delivery again */
  replayOrderWebhookDelivery: { input: {
    /** The id of a delivery */
    jobId: string
  }; answer: S.Replay }
  /** Send up to 50 failed deliveries again */
  replayOrderWebhookDeliveries: { input: S.ReplayCallbackDeliveriesRequest; answer: S.BulkReplay }
  /** Send a test event */
  testCallback: { input: S.TestCallbackRequest | undefined; answer: S.TestEvent }
  /** Send a test event */
  testBalanceWebhook: { input: S.TestCallbackRequest | undefined; answer: S.TestEvent }
  /** Send a test event */
  testCatalogWebhook: { input: S.TestCallbackRequest | undefined; answer: S.TestEvent }
  /** Send a test event */
  testOrderWebhook: { input: S.TestCallbackRequest | undefined; answer: S.TestEvent }
  /** Everything that happened to your account, in order */
  listEvents: { input: {
    /** The last sequence that you have; 0 begins with the oldest that is kept */
    after?: number | undefined
    /** Events of a page */
    limit?: number | undefined
  } | undefined; answer: S.EventPage }
  /** How far this account's test clock was moved */
  getTestClock: { input: undefined; answer: S.TestClock }
  /** Move this account's test clock forward */
  advanceTestClock: { input: {
    /** At most a year */
    advance_seconds: number
  }; answer: S.TestClock }
  /**
   * Exchange a user name and password for tokens
   * @deprecated
   */
  createToken: { input: S.TokenRequest; answer: S.Tokens }
  /**
   * Exchange a refresh token for new tokens
   * @deprecated
   */
  refreshToken: { input: S.TokenRefreshRequest; answer: S.Tokens }
  /** Public keys of receipts and of the legacy tokens */
  getJwks: { input: undefined; answer: S.GetJwksResponse }
  /** The process is alive */
  getHealth: { input: undefined; answer: S.Health }
  /** The service can answer requests */
  getReadiness: { input: undefined; answer: S.Readiness }
  /** Every error code, with its cause and remedy */
  listErrors: { input: undefined; answer: S.ErrorGuides }
  /** This API as an OpenAPI 3.1 document */
  getOpenApi: { input: undefined; answer: S.GetOpenApiResponse }
}

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** True: the input is sent as JSON; else as the query. */
  readonly hasBody?: true
  /** True: the operation takes no credentials. */
  readonly isOpen?: true
}

export const ROUTES = {
  getCatalog: {"method":"GET","path":"/v2/catalog"},
  getOptions: {"method":"GET","path":"/v2/options"},
  getNetworkStatus: {"method":"GET","path":"/v2/networkstatus"},
  lookupNumber: {"method":"GET","path":"/v2/number-lookup"},
  listBillers: {"method":"GET","path":"/v1/billpay/billers"},
  listProducts: {"method":"GET","path":"/v2/product-list"},
  listSubProducts: {"method":"GET","path":"/v2/subproducts"},
  getBillPresentment: {"method":"GET","path":"/v2/bill-presentment"},
  pay: {"method":"POST","path":"/v2/topup","hasBody":true},
  createQuote: {"method":"POST","path":"/v2/quotes","hasBody":true},
  getQuote: {"method":"GET","path":"/v2/quotes/{quote_id}"},
  getReceipt: {"method":"GET","path":"/v2/receipts/{transaction_id}"},
  getLimits: {"method":"GET","path":"/v2/limits"},
  listTransactions: {"method":"GET","path":"/v2/transactions"},
  disputeTransaction: {"method":"POST","path":"/v2/transactions/check","hasBody":true},
  voidTransaction: {"method":"POST","path":"/v2/transactions/void","hasBody":true},
  listCases: {"method":"GET","path":"/v2/cases"},
  getCase: {"method":"GET","path":"/v2/cases/{number}"},
  listOrders: {"method":"GET","path":"/v2/orders"},
  createOrder: {"method":"POST","path":"/v2/orders","hasBody":true},
  getOrder: {"method":"GET","path":"/v2/orders/{order_id}"},
  confirmOrder: {"method":"POST","path":"/v2/orders/{order_id}/confirm","hasBody":true},
  cancelOrder: {"method":"POST","path":"/v2/orders/{order_id}/cancel","hasBody":true},
  getCheckoutSettings: {"method":"GET","path":"/v2/checkout-settings"},
  putCheckoutSettings: {"method":"PUT","path":"/v2/checkout-settings","hasBody":true},
  getBalance: {"method":"GET","path":"/v2/balance"},
  getBalanceStatement: {"method":"GET","path":"/v2/balance-statement"},
  getLowBalanceThreshold: {"method":"GET","path":"/v2/low-balance-threshold"},
  setLowBalanceThreshold: {"method":"POST","path":"/v2/low-balance-threshold"},
  getKey: {"method":"GET","path":"/v2/key"},
  getCallbackUrl: {"method":"GET","path":"/v2/callback-url"},
  setCallbackUrl: {"method":"POST","path":"/v2/callback-url"},
  deleteCallbackUrl: {"method":"DELETE","path":"/v2/callback-url"},
  getCallbackSecret: {"method":"GET","path":"/v2/callback-url/secret"},
  rotateCallbackSecret: {"method":"POST","path":"/v2/callback-url/secret/rotate","hasBody":true},
  getBalanceWebhook: {"method":"GET","path":"/v2/balance-webhook"},
  putBalanceWebhook: {"method":"PUT","path":"/v2/balance-webhook","hasBody":true},
  deleteBalanceWebhook: {"method":"DELETE","path":"/v2/balance-webhook"},
  enableBalanceWebhook: {"method":"PATCH","path":"/v2/balance-webhook/enabled","hasBody":true},
  rotateBalanceWebhookSecret: {"method":"POST","path":"/v2/balance-webhook/rotate-secret","hasBody":true},
  getBalanceWebhookTypes: {"method":"GET","path":"/v2/balance-webhook/types"},
  putBalanceWebhookTypes: {"method":"PUT","path":"/v2/balance-webhook/types","hasBody":true},
  getCatalogWebhook: {"method":"GET","path":"/v2/catalog-webhook"},
  putCatalogWebhook: {"method":"PUT","path":"/v2/catalog-webhook","hasBody":true},
  deleteCatalogWebhook: {"method":"DELETE","path":"/v2/catalog-webhook"},
  enableCatalogWebhook: {"method":"PATCH","path":"/v2/catalog-webhook/enabled","hasBody":true},
  rotateCatalogWebhookSecret: {"method":"POST","path":"/v2/catalog-webhook/rotate-secret","hasBody":true},
  getOrderWebhook: {"method":"GET","path":"/v2/order-webhook"},
  putOrderWebhook: {"method":"PUT","path":"/v2/order-webhook","hasBody":true},
  deleteOrderWebhook: {"method":"DELETE","path":"/v2/order-webhook"},
  enableOrderWebhook: {"method":"PATCH","path":"/v2/order-webhook/enabled","hasBody":true},
  rotateOrderWebhookSecret: {"method":"POST","path":"/v2/order-webhook/rotate-secret","hasBody":true},
  getCallbackStatus: {"method":"GET","path":"/v2/callback-url/status"},
  getBalanceWebhookStatus: {"method":"GET","path":"/v2/balance-webhook/status"},
  getCatalogWebhookStatus: {"method":"GET","path":"/v2/catalog-webhook/status"},
  getOrderWebhookStatus: {"method":"GET","path":"/v2/order-webhook/status"},
  listCallbackDeliveries: {"method":"GET","path":"/v2/callback-url/deliveries"},
  getCallbackDelivery: {"method":"GET","path":"/v2/callback-url/deliveries/{jobId}"},
  listCallbackAttempts: {"method":"GET","path":"/v2/callback-url/deliveries/{jobId}/attempts"},
  listBalanceWebhookDeliveries: {"method":"GET","path":"/v2/balance-webhook/deliveries"},
  getBalanceWebhookDelivery: {"method":"GET","path":"/v2/balance-webhook/deliveries/{jobId}"},
  listBalanceWebhookAttempts: {"method":"GET","path":"/v2/balance-webhook/deliveries/{jobId}/attempts"},
  listCatalogWebhookDeliveries: {"method":"GET","path":"/v2/catalog-webhook/deliveries"},
  getCatalogWebhookDelivery: {"method":"GET","path":"/v2/catalog-webhook/deliveries/{jobId}"},
  listCatalogWebhookAttempts: {"method":"GET","path":"/v2/catalog-webhook/deliveries/{jobId}/attempts"},
  listOrderWebhookDeliveries: {"method":"GET","path":"/v2/order-webhook/deliveries"},
  getOrderWebhookDelivery: {"method":"GET","path":"/v2/order-webhook/deliveries/{jobId}"},
  listOrderWebhookAttempts: {"method":"GET","path":"/v2/order-webhook/deliveries/{jobId}/attempts"},
  replayCallbackDelivery: {"method":"POST","path":"/v2/callback-url/deliveries/{jobId}/replay"},
  replayCallbackDeliveries: {"method":"POST","path":"/v2/callback-url/deliveries/replay-bulk","hasBody":true},
  replayBalanceWebhookDelivery: {"method":"POST","path":"/v2/balance-webhook/deliveries/{jobId}/replay"},
  replayBalanceWebhookDeliveries: {"method":"POST","path":"/v2/balance-webhook/deliveries/replay-bulk","hasBody":true},
  replayCatalogWebhookDelivery: {"method":"POST","path":"/v2/catalog-webhook/deliveries/{jobId}/replay"},
  replayCatalogWebhookDeliveries: {"method":"POST","path":"/v2/catalog-webhook/deliveries/replay-bulk","hasBody":true},
  replayOrderWebhookDelivery: {"method":"POST","path":"/v2/order-webhook/deliveries/{jobId}/replay"},
  replayOrderWebhookDeliveries: {"method":"POST","path":"/v2/order-webhook/deliveries/replay-bulk","hasBody":true},
  testCallback: {"method":"POST","path":"/v2/callback-url/test","hasBody":true},
  testBalanceWebhook: {"method":"POST","path":"/v2/balance-webhook/test","hasBody":true},
  testCatalogWebhook: {"method":"POST","path":"/v2/catalog-webhook/test","hasBody":true},
  testOrderWebhook: {"method":"POST","path":"/v2/order-webhook/test","hasBody":true},
  listEvents: {"method":"GET","path":"/v2/events"},
  getTestClock: {"method":"GET","path":"/v2/test-clock"},
  advanceTestClock: {"method":"POST","path":"/v2/test-clock"},
  createToken: {"method":"POST","path":"/v2/token","hasBody":true,"isOpen":true},
  refreshToken: {"method":"POST","path":"/v2/token/refresh","hasBody":true,"isOpen":true},
  getJwks: {"method":"GET","path":"/.well-known/jwks.json","isOpen":true},
  getHealth: {"method":"GET","path":"/healthz","isOpen":true},
  getReadiness: {"method":"GET","path":"/readyz","isOpen":true},
  listErrors: {"method":"GET","path":"/v2/errors","isOpen":true},
  getOpenApi: {"method":"GET","path":"/openapi.json","isOpen":true},
} as const satisfies Readonly<Record<keyof Operations, Route>>
