// Generated from docs/openapi.json by npm run sdk-api. Do not edit.
export type AccountMapping = {
  /** Id of the field that gives the value; null: none does, so send any, such as the number of the customer */
  from_field: string | null
  /** Dot-path into the selected option */
  path?: string
  /** Leave the key out when the value is empty */
  omit_if_empty?: boolean
}
export type Balance = {
  /** The reseller's account number */
  account: string
  /** Name of the reseller */
  name: string
  /** Wallet balance in MYR; pending payments are already taken off */
  balance: number
  /** The reseller's price list */
  level: string
  /** 0: may pay. 50: read only. */
  access: 0 | 50
}
export type BalanceChange = {
  /** Type of the event */
  type: "balance.added" | "balance.low" | "balance.deducted" | "balance.refunded"
  /** Version of the form of the event */
  version: "1"
  /** The same as in `webhook-id` */
  id: string
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: BalanceEventData
}
export type BalanceEvent = {
  /** Your own count of events, without gaps */
  sequence: number
  /** As in `webhook-id`, in every attempt and replay */
  id: string
  /** Type of the event */
  type: "balance.added" | "balance.low" | "balance.deducted" | "balance.refunded"
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: BalanceEventData
}
export type BalanceEventData = {
  /** Your account */
  resellerCode: string
  /** Amount moved, without a sign: the type says in which direction */
  amount: number
  /** The wallet afterwards */
  balance: number
  /** Description for people */
  description: string
  /** Only if a payment moved it */
  refid?: string
  /** Only if a payment moved it */
  transactionId?: string
  /** balance.low: the threshold, in MYR */
  threshold?: number
}
export type BalanceResponse = {
  /** Content of the answer or of the event */
  data: Balance
}
export type BalanceStatement = {
  /** Newest first */
  data: StatementEntry[]
  /** Addresses of the neighbouring pages */
  links: {
    /** URL */
    first: string
    /** URL */
    last: string
    /** URL; null when there is no such page */
    prev: string | null
    /** URL; null when there is no such page */
    next: string | null
  }
  /** Place of this page among all pages */
  meta: {
    /** Number of this page, from 1 */
    current_page: number
    /** null on an empty page */
    from: number | null
    /** Number of the last page */
    last_page: number
    /** Address of the list, without its query */
    path: string
    /** Items of a page */
    per_page: number
    /** null on an empty page */
    to: number | null
    /** Number of all matches */
    total: number
  }
  /** Over all matches, not only this page */
  summary: {
    /** Payments */
    total_transactions: {
      /** Signed, in MYR */
      amount: number
      /** How many */
      count: number
    }
    /** Deposits and adjustments */
    total_deposit: {
      /** Signed, in MYR */
      amount: number
      /** How many */
      count: number
    }
    /** Refunds */
    total_refund: {
      /** Signed, in MYR */
      amount: number
      /** How many */
      count: number
    }
  }
}
export type Bill = {
  /** Content of the answer or of the event */
  data: {
    /** Account no is valid; Bill presentment is unavailable for this product; or Service unavailable. Please try again later. The customer may pay in all three cases */
    message: string
    /** Name of the biller */
    BillerName: string | null
    /** Name of the customer */
    CustomerName: string | null
    /** Sum that is owed, in MYR */
    Outstanding: number | null
    /** As the biller writes it */
    Balance: string | null
    /** The biller's own text */
    Data: string | null
    /** Address of the customer */
    Address: string | null
    /** Link to the bill as PDF */
    "E-Bill": string | null
    /** The biller's own, of any type */
    CustomField: unknown
    /** As the biller writes it */
    DueDate: string | null
  }
  /** Facts about the answer */
  metadata: {
    /** HTTP status of the answer */
    status_code: 200
    /** Product code */
    product_code: string
    /** dd-MM-yyyy HH:mm:ss, GMT+8 */
    last_updated: string
  }
  /** true: the account is valid */
  transaction_validity: true
  /** The same as data.message */
  transaction_message: string
  /** Always empty */
  error_message: ""
}
export type BillRefusal = {
  /** Content of the answer or of the event */
  data: {
    /** The same as error_message. Invalid account no: the customer must not pay */
    message: string
    /** Always empty */
    BillerName: ""
    /** Always empty */
    CustomerName: ""
    /** Always null */
    Outstanding: null
    /** Always empty */
    Balance: ""
    /** Always empty */
    Data: ""
    /** Always empty */
    Address: ""
    /** Always empty */
    "E-Bill": ""
    /** Always empty */
    CustomField: ""
    /** Always empty */
    DueDate: ""
  }
  /** Facts about the answer */
  metadata: {
    /** HTTP status of the answer */
    status_code: 400
    /** Product code */
    product_code: string
    /** dd-MM-yyyy HH:mm:ss, GMT+8 */
    last_updated: string
  }
  /** true: the account is valid; null: it is not */
  transaction_validity: null
  /** Always null */
  transaction_message: null
  /** Invalid account no; The provided biller code is invalid; Ref-2 is required; The provided amount is invalid; or The provided product is invalid */
  error_message: string
}
export type Biller = {
  /** Code of the biller */
  biller_code: string
  /** Name that customers see */
  display_name: string
  /** Always null */
  denomination: null
  /** Always null */
  face_value: null
  /** Always null */
  validity: null
  /** Always null */
  account_number: null
  /** Description */
  description: string | null
  /** Further lines of the description */
  additional_description: string[]
  /** Decimal with 2 to 4 places; -1: no limit */
  min: string
  /** Decimal with 2 to 4 places; -1: no limit */
  max: string
  /** Advisory: may be wrong, is not official */
  suggested_category: string | null
}
export type BillerPage = {
  /** Explanation for people */
  message: string
  /** Content of the answer or of the event */
  data: Biller[]
  /** Addresses of the neighbouring pages */
  links: {
    /** URL; null when there is none */
    first: string | null
    /** URL; null when there is none */
    last: string | null
    /** URL; null when there is none */
    prev: string | null
    /** URL; null when there is none */
    next: string | null
  }
  /** Place of this page among all pages */
  meta: {
    /** Number of this page, from 1 */
    current_page: number
    /** Number of the first item; null: the page is empty */
    from: number | null
    /** Number of the last page */
    last_page: number
    /** Address of the list, without its query */
    path: string
    /** Items of a page */
    per_page: number
    /** Number of the last item; null: the page is empty */
    to: number | null
    /** Number of all matches */
    total: number
  }
}
export type BulkReplay = {
  /** One per id, in their order */
  results: ({
    /** Id of the delivery */
    jobId: string
    /** Whether it was sent again */
    success: true
    /** Id of the new delivery */
    newJobId: string
  } | {
    /** Id of the delivery */
    jobId: string
    /** Whether it was sent again */
    success: false
    /** Id of the new delivery; null: there is none */
    newJobId: null
    /** not_found, not_failed or replay_limit_exceeded */
    error: string
    /** Explanation for people */
    message: string
  })[]
}
export type CallbackPayment = {
  /** 0 accepted; 1 processing; 20 succesful; 41 account suspended or not authorised; 43 balance too low; 44 format, product, plan code or extras; 45 out of stock; 47 service unavailable; 48 rejected by the provider; 49 temporary, send again; 52 account; 53 voided; 54 duplicate or daily limit; 55 timed out at the provider; 56 blacklisted; 57 not eligible; 58 denomination; 61 denomination; 62 identity check */
  statusCode: number
  /** Account of the customer: a phone number, a bill account */
  account: string
  /** Product code */
  product: string
  /** Name of the product */
  productName: string
  /** Face value or quantity, in the unit of the product */
  amount: number
  /** Serial number of the provider */
  sn: string
  /** PIN of the voucher; empty when there is none */
  pin: string
  /** yyyyMMdd */
  expiry: string
  /** Taken from the wallet; 0 when nothing was */
  cost: number
  /** The wallet after this payment's latest movement of money */
  balance: number
  /** Yours, until a reason of failure takes their place */
  remarks: string
  /** The reseller's reference of the payment */
  refid: string
  /** yyyy-MM-dd HH:mm:ss, GMT+8: the latest change of state */
  timestamp: string
  /** Instructions for the user */
  note: string
  /** Link that redeems the voucher; empty when there is none */
  voucherlink: string
  /** Accepted and Processing change further; Succesful and Failed are final */
  status: "Accepted" | "Processing" | "Succesful" | "Failed"
}
export type CallbackSecret = {
  /** Empty when there is none */
  secret_last_four: string
  /** ISO 8601, UTC; null when there is none */
  created_at: string | null
}
export type CallbackURL = {
  /** Content of the answer or of the event */
  data: {
    /** Success; empty when none is set */
    Status: string
    /** Empty when none is set */
    CallbackUrl: string
    /** GET or POST; empty when none is set */
    Method: string
  }
  /** Facts about the answer */
  "@metadata": {
    /** HTTP status of the answer */
    status_code: 200
    /** dd-MM-yyyy HH:mm:ss, GMT+8 */
    last_updated: string
  }
}
export type CarriedVersion = {
  /** Version that the group has */
  version: number
  /** Versions by which it is behind the first group */
  behind: number
}
export type Case = {
  /** Number of the case, such as C-2026-000123 */
  number: string
  /** dispute: the payment is questioned. void: it is to be given back. */
  kind: "dispute" | "void"
  /** Present state */
  state: "open" | "in_progress" | "resolved" | "refused"
  /** The reseller's reference of the payment */
  refid: string
  /** Id of the payment, digits alone */
  transaction_id: string
  /** ISO 8601, UTC; so are the other times */
  created_at: string
  /** Latest change, ISO 8601, UTC */
  updated_at: string
  /** Due time, ISO 8601, UTC */
  due_at: string
  /** When it was closed; null: it is open */
  closed_at: string | null
}
export type CaseDetailsResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Number of the case, such as C-2026-000123 */
    number: string
    /** dispute: the payment is questioned. void: it is to be given back. */
    kind: "dispute" | "void"
    /** Present state */
    state: "open" | "in_progress" | "resolved" | "refused"
    /** The reseller's reference of the payment */
    refid: string
    /** Id of the payment, digits alone */
    transaction_id: string
    /** ISO 8601, UTC; so are the other times */
    created_at: string
    /** Latest change, ISO 8601, UTC */
    updated_at: string
    /** Due time, ISO 8601, UTC */
    due_at: string
    /** When it was closed; null: it is open */
    closed_at: string | null
    /** Addresses that get a copy of the mails */
    cc: string[]
    /** null: it is a dispute */
    refund_type: number | null
    /** The reseller's reason; null: there is none */
    refund_reason: string | null
    /** Oldest first */
    messages: ({
      /** Side that wrote the message */
      author: "reseller" | "operator" | "system"
      /** Text for people */
      text: string
      /** ISO 8601, UTC */
      at: string
    })[]
  }
}
export type CaseEvent = {
  /** Your own count of events, without gaps */
  sequence: number
  /** As in `webhook-id`, in every attempt and replay */
  id: string
  /** Type of the event */
  type: "case.opened" | "case.updated" | "case.resolved" | "case.refused"
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: CaseEventData
}
export type CaseEventData = {
  /** Number of the case, such as C-2026-000123 */
  number: string
  /** dispute: the payment is questioned. void: it is to be given back. */
  kind: "dispute" | "void"
  /** Present state */
  state: "open" | "in_progress" | "resolved" | "refused"
  /** The reseller's reference of the payment */
  refid: string
  /** Id of the payment, digits alone */
  transaction_id: string
  /** Message of this step */
  message: string
}
export type CasePage = {
  /** Content of the answer or of the event */
  data: Case[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type Catalog = {
  /** ISO 8601, UTC. Does not move with options and wholesale prices. */
  last_updated: string
  /** In the order to be shown; nothing in it is empty */
  tree: CatalogTree
  /** By product code */
  products: Record<string, Product>
}
export type CatalogChange = ProductChange | OptionChange | CategoryChange | GroupChange
export type CatalogTree = {
  /** Groups of categories, in order */
  groups: {
    /** Id, as other operations take it */
    id: string
    /** Name that people see */
    name: string
    /** URL of the icon */
    icon_url: string
    /** Categories of products, in order */
    categories: {
      /** Id, as other operations take it */
      id: string
      /** Name that people see */
      name: string
      /** Codes of its products, in order */
      product_codes: string[]
    }[]
  }[]
}
export type CategoryChange = {
  /** Type of the event */
  type: "category.created" | "category.updated" | "category.deleted"
  /** Part of the catalogue that changed */
  resource: "categories"
  /** Options: PRODUCT_CODE:FIELD_ID:OPTION_CODE */
  id: string
  /** ISO 8601, UTC */
  timestamp: string
  /** null: it is no more */
  data: CategoryEventData | null
}
export type CategoryEvent = {
  /** Your own count of events, without gaps */
  sequence: number
  /** As in `webhook-id`, in every attempt and replay */
  id: string
  /** Type of the event */
  type: "category.created" | "category.updated" | "category.deleted"
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: CategoryChange
}
export type CategoryEventData = {
  /** Code of the category */
  product_category_code: string
  /** Code of the group */
  product_group_code: string
  /** Name that people see */
  name: string
  /** URL of the icon */
  icon_url: string
  /** Place in the list: the smallest comes first */
  display_order: number
  /** Whether it is shown or sold */
  is_active: boolean
}
export type CheckoutSettings = {
  /** Name that customers see */
  display_name: string
  /** Sites that may embed the checkout: scheme, host and port */
  allowed_origins: string[]
  /** Whether an order is confirmed even if it costs more than its locked price */
  accepts_loss: boolean
  /** Design tokens of the page and of the component */
  theme: CheckoutTheme
}
export type CheckoutSettingsResponse = {
  /** Content of the answer or of the event */
  data: CheckoutSettings
}
export type CheckoutTheme = {
  /** Colour of buttons */
  accent: string
  /** Colour of the page */
  background: string
  /** Colour of cards */
  surface: string
  /** Colour of text */
  text: string
  /** Radius of corners */
  radius: string
  /** Family of the typeface */
  font: "system" | "serif" | "rounded" | "mono"
}
export type DataSource = {
  /** reference: a static list to cache. dynamic: depends on the user, to be fetched each time. */
  type: "reference" | "dynamic"
  /** Fields that must be filled first; dynamic only */
  depends_on?: string[]
  /** Path of the operation that lists the options */
  endpoint: "/options"
  /** Query parameters by name */
  params: Record<string, {
    /** The value itself */
    static: string
  } | {
    /** Id of the field whose value is sent */
    from_field: string
  }>
}
export type Delivery = {
  /** Id, as other operations take it */
  id: string
  /** Id of the event */
  eventId: string
  /** Present state */
  status: "success" | "failed" | "pending"
  /** Empty on success */
  error: string
  /** Attempts after the first */
  retryCount: number
  /** 3; 0 of a test event */
  retryLimit: number
  /** ISO 8601 UTC with milliseconds */
  createdAt: string
  /** Null while it is under way */
  completedAt: string | null
  /** URL of the last attempt */
  webhookUrl: string
  /** HTTP method */
  webhookMethod: string
  /** Replays of the event so far, whoever asked */
  replayCount: number
  /** For a replay: the delivery that it repeats */
  originalJobId: string | null
  /** The event; null when what it was about is no longer kept or cannot be read */
  payload: Record<string, unknown> | null
  /** The event as it is sent; for a GET callback its four parameters */
  webhookPayload: Record<string, unknown> | null
  /** 0 when nothing answered */
  responseCode: number
  /** The same */
  responseStatusCode: number
  /** At most 2 kB */
  responseBody: string
}
export type DeliveryAttempts = {
  /** Attempts so far */
  attempts: {
    /** ISO 8601 UTC with milliseconds */
    at: string
    /** Time until the answer, in milliseconds */
    durationMs: number
    /** 0 when nothing answered */
    responseStatusCode: number
    /** Empty on success */
    error: string
  }[]
}
export type DeliveryFailedData = {
  /** Stream of events with an endpoint of its own */
  stream: "callback" | "catalog" | "balance" | "order"
  /** The delivery, as the log has it */
  jobId: string
  /** The event that was not received */
  eventId: string
  /** Without its query */
  url: string
  /** Reason of the failure */
  error: string
  /** Attempts so far */
  attempts: number
}
export type DeliveryFailedEvent = {
  /** Your own count of events, without gaps */
  sequence: number
  /** As in `webhook-id`, in every attempt and replay */
  id: string
  /** Type of the event */
  type: "delivery.failed"
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: DeliveryFailedData
}
export type DeliveryPage = {
  /** Deliveries, newest first */
  deliveries: Delivery[]
  /** For the next page; null when there is none */
  cursor: string | null
  /** Whether a next page exists */
  hasMore: boolean
}
export type DepositRefusedData = {
  /** The deposit request */
  id: string
  /** MYR */
  amount: number
  /** The bank's own reference, as the slip shows it */
  bank_reference: string
  /** Reason that was given */
  reason: string
}
export type DepositRefusedEvent = {
  /** Your own count of events, without gaps */
  sequence: number
  /** As in `webhook-id`, in every attempt and replay */
  id: string
  /** Type of the event */
  type: "deposit.refused"
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: DepositRefusedData
}
export type Discount = {
  /** percentage: of the face value. fixed: a sum. */
  type: "percentage" | "fixed"
  /** For people, such as 1.5% or MYR 0.50 */
  value: string
}
export type DisputeRequest = {
  /** Reference of the payment */
  refid?: string
  /** The transaction_id of the payment; wins if both are given */
  trxid?: string
  /** Addresses that get a copy of the mails */
  user_email?: string[]
}
export type EndpointPausedData = {
  /** Stream of events with an endpoint of its own */
  stream: "callback" | "catalog" | "balance" | "order"
  /** Without its query */
  url: string
  /** Since when nothing was received */
  since: string
}
export type EndpointPausedEvent = {
  /** Your own count of events, without gaps */
  sequence: number
  /** As in `webhook-id`, in every attempt and replay */
  id: string
  /** Type of the event */
  type: "endpoint.paused"
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: EndpointPausedData
}
export type EndpointStatus = {
  /** Whether it is switched on */
  enabled: boolean
  /** When sending was paused, because everything failed for days or by the operator; a change of yours resumes it */
  paused_at: string | null
  /** Since when nothing was received; null: the last delivery was, or nothing has failed since another URL was set, a new secret made or sending resumed */
  failing_since: string | null
  /** When a delivery was last received */
  last_success_at: string | null
  /** Deliveries on their way, counted up to 100,000 */
  pending: number
}
export type ErrorGuide = {
  /** authentication: `error` of a 401 or 403. token: `error` of the two token operations. payment: `data.statusCode` and `data.remarks`. replay: `error` of an item in a bulk replay. order: `error` of the order operations. http: any other answer of this status */
  kind: "authentication" | "token" | "payment" | "replay" | "order" | "http"
  /** `data.statusCode` of a payment; null elsewhere */
  code: number | null
  /** Stable text to compare: `error`, or `data.remarks` of a payment. Null: there is none, or it is the caller's or the provider's own words */
  token: string | null
  /** Status of the answer */
  http_status: number
  /** Payments only. rejected: no payment exists, and the refid is free. All others are about a payment that exists */
  outcome: "rejected" | "accepted" | "processing" | "succeeded" | "failed" | "voided" | null
  /** Usual text for people. It may change, and may say more in a case */
  message: string | null
  /** Why it happens */
  cause: string
  /** The next step */
  remedy: string
  /** never; after_change: after the cause is corrected; later: unchanged after `Retry-After` or a few seconds; ask_first: it is not known whether it was done; new_refid: as a new payment; poll: every 5 to 10 seconds; not_needed: it is done */
  retry: "never" | "after_change" | "later" | "ask_first" | "new_refid" | "poll" | "not_needed"
  /** True: a program may send the same request again by itself, with a new nonce */
  retry_safe: boolean
}
export type ErrorGuides = {
  /** Content of the answer or of the event */
  data: ErrorGuide[]
}
export type Event = PaymentEvent | BalanceEvent | ProductEvent | OptionEvent | CategoryEvent | GroupEvent | CaseEvent | OrderEvent | DeliveryFailedEvent | EndpointPausedEvent | DepositRefusedEvent | ExpiredEvent
export type EventPage = {
  /** Oldest first */
  data: Event[]
  /** Value of `after` for the next page */
  next: number
  /** Whether there is more by now */
  has_more: boolean
}
export type EventTypes = {
  /** Which events are sent; empty when none is configured */
  types: ("balance.added" | "balance.low" | "balance.deducted" | "balance.refunded")[]
}
export type ExpiredEvent = {
  /** Your own count of events, without gaps */
  sequence: number
  /** As in `webhook-id`, in every attempt and replay */
  id: string
  /** Type of the event */
  type: "event.expired"
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: ExpiredEventData
}
export type ExpiredEventData = Record<string, unknown>
export type Field = {
  /** Unique within the product */
  id: string
  /** Control of the form */
  type: "text" | "number" | "select" | "money"
  /** Keyboard that suits the field */
  input_mode: "text" | "tel" | "numeric" | "email" | "decimal"
  /** Name that people see */
  label: string
  /** Sample value, shown while the field is empty */
  placeholder: string
  /** Whether the field must be filled */
  required: boolean
  /** Fields are shown in ascending order */
  order: number
  /** account: gives the account of the payment. pricing: gives its amount. */
  role: "account" | "pricing" | "none"
  /** Rules for the value */
  validation: FieldValidation
  /** Source of the options of a select field */
  data_source?: DataSource
  /** Money fields only */
  currency?: string
  /** The field takes telephone numbers, as people write them: with spaces, dashes, dots and brackets, and in their bare, national or international form. All spellings of a number are one account. */
  number_kind?: "mobile" | "fixed"
  /** Country of the numbers (ISO 3166); there where number_kind is */
  number_country?: string
}
export type FieldValidation = {
  /** Regular expression */
  pattern?: string
  /** Message for the user */
  message?: string
  /** Money and number fields */
  min?: number
  /** Money and number fields */
  max?: number
}
export type Forbidden = {
  /** Stable code, such as ip_blocked */
  error: string
  /** Explanation for people */
  message: string
}
export type Fulfillment = {
  /** Always there; its `from_field` is null where the product has no account field, such as PINs */
  account: AccountMapping
  /** Source of the amount */
  amount: Mapping
  /** By key of extras */
  extras?: Record<string, Mapping>
}
export type GetJwksResponse = {
  /** Public keys as JSON Web Keys (RFC 7517) */
  keys: Record<string, unknown>[]
}
export type GetOpenApiResponse = {
  /** Version of OpenAPI */
  openapi: string
  /** Title, version and licence of the API */
  info: Record<string, unknown>
  /** Operations by path and method */
  paths: Record<string, unknown>
}
export type GroupChange = {
  /** Type of the event */
  type: "group.created" | "group.updated" | "group.deleted"
  /** Part of the catalogue that changed */
  resource: "groups"
  /** Options: PRODUCT_CODE:FIELD_ID:OPTION_CODE */
  id: string
  /** ISO 8601, UTC */
  timestamp: string
  /** null: it is no more */
  data: GroupEventData | null
}
export type GroupEvent = {
  /** Your own count of events, without gaps */
  sequence: number
  /** As in `webhook-id`, in every attempt and replay */
  id: string
  /** Type of the event */
  type: "group.created" | "group.updated" | "group.deleted"
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: GroupChange
}
export type GroupEventData = {
  /** Code of the group */
  product_group_code: string
  /** Name that people see */
  name: string
  /** URL of the icon */
  icon_url: string
  /** Place in the list: the smallest comes first */
  display_order: number
  /** Whether it is shown or sold */
  is_active: boolean
}
export type Health = {
  /** ok: the process answers */
  status: string
}
export type HistoryPage = {
  /** Newest first */
  data: HistoryRecord[]
  /** Over all matches, not only this page */
  meta: {
    /** All payments */
    transaction_count: string
    /** Face value of Successful and Pending. Decimal with 2 to 4 places, in MYR */
    total_amount: string
    /** Your cost of the same. Decimal with 2 to 4 places, in MYR */
    total_price: string
    /** total_amount minus total_price */
    profit: string
    /** Payments that succeeded */
    successful_count: string
    /** Payments that failed */
    failed_count: string
    /** Payments that are not final */
    pending_count: string
    /** Payments that were given back */
    refund_count: string
  }
}
export type HistoryRecord = {
  /** transaction_id of the payment */
  trxid: string
  /** Initiation, yyyy-MM-dd HH:mm:ss.fff, GMT+8 */
  date: string
  /** Product code */
  product_code: string
  /** Name of the product */
  product_name: string
  /** Bill payments only */
  biller_code: string | null
  /** URL of the picture of the product */
  product_image_url: string
  /** Name of the category */
  category: string
  /** Decimal with 2 to 4 places, in `currency` */
  amount: string
  /** Account of the customer: a phone number, a bill account */
  account: string
  /** Address of the caller */
  sender: string
  /** The API key's or user's id; of a payment of an order, the order's id */
  member_id: string
  /** statusCode of the payment */
  status_code: string
  /** Successful, Pending, Failed or Refund */
  status_name: string
  /** When it became final, yyyy-MM-dd HH:mm:ss.fff, GMT+8; empty while it is not */
  response_date: string
  /** Your cost. Decimal with 2 to 4 places, in MYR */
  price: string
  /** Serial number of the provider */
  sn: string
  /** PIN of the voucher; empty when there is none */
  pin: string
  /** yyyyMMdd */
  expiry: string
  /** The reseller's note, or the reason of a failure */
  remarks: string
  /** The reseller's reference of the payment */
  refid: string
  /** Link that redeems the voucher; empty when there is none */
  voucherlink: string
  /** Unit of `amount`: a currency or a virtual unit */
  currency: string
}
export type LimitInForce = {
  /** account: for each account that is paid for */
  scope: "account" | "reseller"
  /** Days and months are of GMT+8 */
  period: "day" | "month"
  /** Category of the base catalogue; null: all together */
  category: string | null
  /** Number of payments; 0 lets nothing pass, null any number */
  payments: number | null
  /** Sum of face values in ringgit; 0 lets nothing pass, null any sum */
  sum: string | null
  /** Payments that count now; null: ask with an account, or they are being counted */
  used_payments: number | null
  /** Sum of their face values; null as used_payments */
  used_sum: string | null
  /** ISO 8601, UTC */
  resets_at: string
  /** reseller: by the account itself */
  set_by: "operator" | "reseller"
}
export type Limits = {
  /** Seconds in which the same payment again is refused; 0: never */
  duplicate_window_seconds: number
  /** Limits of the provider */
  limits: LimitInForce[]
}
export type LimitsResponse = {
  /** Content of the answer or of the event */
  data: Limits
}
export type LowBalanceThreshold = {
  /** Content of the answer or of the event */
  data: {
    /** Success; empty when no threshold is set */
    Status: string
    /** The account's registered address */
    Email: string
    /** In MYR; 0 when no threshold is set */
    BalanceThreshold: number
    /** A sentence that ends in the amount */
    Note: string
  }
  /** Facts about the answer */
  "@metadata": {
    /** HTTP status of the answer */
    status_code: 200
    /** dd-MM-yyyy HH:mm:ss, GMT+8 */
    last_updated: string
  }
}
export type Mapping = {
  /** Id of the field that gives the value */
  from_field: string
  /** Dot-path into the selected option */
  path?: string
  /** Leave the key out when the value is empty */
  omit_if_empty?: boolean
}
export type Money = {
  /** Decimal with 2 to 4 places */
  amount: string
  /** Currency or virtual unit, such as MYR */
  currency: string
}
export type NetworkStatus = {
  /** Content of the answer or of the event */
  data: {
    /** Product code */
    product_code: string
    /** Name of the product */
    product_name: string
    /** URL of the picture of the product */
    product_img: string
    /** Interruption: payments may fail or take long */
    network_status: "Healthy" | "Interruption"
  }
  /** Facts about the answer */
  metadata: {
    /** HTTP status of the answer */
    status_code: 200
    /** When this status began, dd-MM-yyyy HH:mm:ss, GMT+8 */
    last_updated: string
  }
}
export type NewCallbackSecret = {
  /** Shown this once; whsec_ and Base64 of 32 bytes */
  webhook_secret: string
}
export type NewLowBalanceThreshold = {
  /** Content of the answer or of the event */
  data: {
    /** Success; empty when no threshold is set */
    Status: string
    /** The account's registered address */
    Email: string
    /** In MYR; 0 when no threshold is set */
    BalanceThreshold: number
    /** A sentence that ends in the amount */
    Note: string
  }
  /** Facts about the answer */
  "@metadata": {
    /** HTTP status of the answer */
    status_code: 200
    /** yyyy-MM-dd HH:mm:ss, GMT+8 */
    last_updated: string
  }
}
export type NewOrder = {
  /** Your own, unique for ever: the same one twice is one order */
  reference: string
  /** Your own name of the customer */
  user_id: string
  /** Address where the customer goes to pay you, with order_id and status in the query */
  return_url: string
  /** Codes that the customer may choose from; left out: all that you sell. Not with items */
  products?: string[]
  /** A fixed basket of at most 50 units */
  items?: OrderItem[]
  /** Default 1800 */
  expires_in_seconds?: number
  /** Language of the pages for the customer */
  language?: "en" | "ms" | "id" | "zh" | "ta"
  /** Whether the customer sees PINs and links on the page */
  show_results?: boolean
}
export type NewWebhookSecret = {
  /** URL of the receiver */
  webhook_url: string
  /** Shown this once; whsec_ and Base64 of 32 bytes */
  webhook_secret: string
}
export type NumberLookUp = {
  /** As sent */
  account: string
  /** International, with its plus */
  e164: string
  /** ISO 3166; null: several countries share its calling code */
  country: string | null
  /** Kind of the object */
  kind: "mobile" | "fixed" | "unknown"
  /** null: not known */
  operator: {
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
  } | null
  /** How the operator is known: by the prefix, a supplier, or your own payments */
  source: ("prefix" | "supplier" | "history") | null
  /** false: a guess by the prefix. Numbers are ported. */
  is_certain: boolean
  /** Codes that you may buy for the number, the operator’s first */
  products: string[]
}
export type NumberLookUpResponse = {
  /** Content of the answer or of the event */
  data: NumberLookUp
}
export type Option = {
  /** Stable; fulfillment sends it */
  code: string
  /** Mobile data plans: without the validity */
  label: string
  /** Options of pricing fields: the amount of the payment */
  denomination?: number
  /** Data plans, eSIM included */
  validity?: string
  /** Data plans, eSIM included */
  features?: string[]
  /** Description for people */
  description?: string
  /** Price for your customer, after your adjustment */
  price?: Money
  /** Your cost */
  cost?: Money
  /** Recommended retail price */
  rrp?: Money
  /** The price is below the cost */
  has_loss_risk?: boolean
  /** Student loans: the account to pay */
  account_number?: string
  /** Billers: the smallest bill payment */
  min_amount?: Money
  /** Billers: the largest bill payment */
  max_amount?: Money
  /** Billers: a payment needs the second reference, extras.ref2 */
  ref2_required?: true
}
export type OptionChange = {
  /** Type of the event */
  type: "option.created" | "option.updated" | "option.deleted"
  /** Part of the catalogue that changed */
  resource: "options"
  /** Options: PRODUCT_CODE:FIELD_ID:OPTION_CODE */
  id: string
  /** ISO 8601, UTC */
  timestamp: string
  /** null: it is no more */
  data: OptionEventData | null
}
export type OptionEvent = {
  /** Your own count of events, without gaps */
  sequence: number
  /** As in `webhook-id`, in every attempt and replay */
  id: string
  /** Type of the event */
  type: "option.created" | "option.updated" | "option.deleted"
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: OptionChange
}
export type OptionEventData = {
  /** Product code */
  product_code: string
  /** Id of the field */
  field_id: string
  /** Stable code */
  code: string
  /** Name that people see */
  label: string
  /** Description */
  description: string | null
  /** Place in the list: the smallest comes first */
  display_order: number
  /** Whether it is shown or sold */
  is_active: boolean
  /** null unless the field prices */
  denomination: number | null
  /** null unless the field prices */
  price: Money | null
  /** null unless the field prices */
  cost: Money | null
  /** null unless the field prices */
  rrp: Money | null
  /** Always null: a biller's limits come from the options operation */
  min_amount: Money | null
  /** Always null: a biller's limits come from the options operation */
  max_amount: Money | null
}
export type OptionPage = {
  /** Product code */
  product_code: string
  /** Id of the field */
  field_id: string
  /** Options of this page */
  items: Option[]
  /** Place of this page among all pages */
  meta: {
    /** Number of this page, from 1 */
    current_page: number
    /** Number of the last page */
    last_page: number
    /** Items of a page */
    per_page: number
    /** Number of all matches */
    total: number
  }
}
export type Order = {
  /** Id of the order */
  order_id: string
  /** The reseller's own, unique for ever */
  reference: string
  /** The reseller's own name of the customer */
  user_id: string
  /** draft: the customer fills the basket. awaiting_payment: it is submitted. confirmed: it is being paid. The others are final */
  status: "draft" | "awaiting_payment" | "confirmed" | "completed" | "partially_completed" | "failed" | "cancelled" | "timeout"
  /** Page for the customer; null: the order is no longer open, or your key may not pay */
  checkout_url: string | null
  /** Opens this order to its customer, and nothing else; null: the order is no longer open, or your key may not pay */
  client_token: string | null
  /** Address where the customer goes to pay the reseller */
  return_url: string
  /** ISO 4217 code, or the name of a virtual unit */
  currency: "MYR"
  /** Sum of the prices, in MYR */
  total_amount: string
  /** Prices of the units that failed: give them back to the customer, in MYR */
  refund_amount: string
  /** null: not confirmed */
  payment_reference: string | null
  /** null: not cancelled, or without a reason */
  cancel_reason: string | null
  /** null: all that you sell, or a fixed basket */
  products: string[] | null
  /** Lines of the basket */
  items: ({
    /** From 1 */
    line: number
    /** Product code */
    product_code: string
    /** Name of the product */
    product_name: string
    /** null: the customer has not typed it, or the order ended more than 30 days ago */
    account: string | null
    /** Denomination, in the currency of the product */
    amount: string
    /** Units; each is a payment of its own */
    quantity: number
    /** Price of one unit, locked for the life of the order, in MYR */
    unit_price: string
    /** unit_price times quantity, in MYR */
    price: string
    /** Present state */
    status: "pending" | "processing" | "succeeded" | "partially_succeeded" | "failed"
    /** One payment for each unit; empty until the order is confirmed */
    transactions: OrderTransaction[]
  })[]
  /** ISO 8601, UTC; so are the other times */
  expires_at: string
  /** ISO 8601, UTC */
  created_at: string
  /** null: not confirmed */
  confirmed_at: string | null
  /** Time of the final state */
  completed_at: string | null
  /** Language of the pages for the customer */
  language: string
  /** Whether the customer sees PINs and links on the page */
  show_results: boolean
}
export type OrderCancellation = {
  /** For your own records */
  reason?: string
}
export type OrderConfirmation = {
  /** Your name of the customer's payment: the same one again confirms nothing twice */
  payment_reference: string
  /** Sum that the customer paid; compared with the total */
  total_amount?: string
}
export type OrderConflict = {
  /** Stable code, such as order_timeout */
  error: string
  /** Explanation for people */
  message: string
  /** Mistakes by field, such as `items.0.account` */
  errors: Record<string, string[]>
  /** reference_conflict: the order that has the reference */
  order_id?: string
  /** insufficient_balance: cost of the order, in MYR */
  needed?: string
  /** insufficient_balance: the wallet, in MYR */
  balance?: string
  /** cost_above_price */
  items?: {
    /** Number of the line, from 1 */
    line: number
    /** Cost of one unit, in MYR */
    cost: string
    /** Locked, in MYR */
    unit_price: string
  }[]
}
export type OrderEnd = {
  /** Type of the event */
  type: "order.completed" | "order.timeout" | "order.cancelled"
  /** Version of the form of the event */
  version: "1"
  /** The same as in `webhook-id` */
  id: string
  /** ISO 8601, UTC */
  created_at: string
  /** Id of the order */
  order_id: string
  /** Your own */
  reference: string
  /** The reseller's own name of the customer */
  user_id: string
  /** Sum of the prices, in MYR */
  total_amount: string
  /** Prices of the units that failed: give them back to the customer, in MYR */
  refund_amount: string
  /** order.completed: completed, partially_completed or failed */
  status: "completed" | "partially_completed" | "failed" | "timeout" | "cancelled"
  /** null: the order was never confirmed */
  payment_reference: string | null
  /** ISO 8601, UTC */
  completed_at: string
  /** Lines of the basket */
  items: {
    /** Product code */
    product_code: string
    /** Denomination, in the currency of the product */
    amount: string
    /** Units; each is a payment of its own */
    quantity: number
    /** One payment for each unit; empty until the order is confirmed */
    transactions: OrderTransaction[]
  }[]
}
export type OrderEvent = {
  /** Your own count of events, without gaps */
  sequence: number
  /** As in `webhook-id`, in every attempt and replay */
  id: string
  /** Type of the event */
  type: "order.completed" | "order.timeout" | "order.cancelled"
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: OrderEventData
}
export type OrderEventData = {
  /** Id of the order */
  order_id: string
  /** Your own */
  reference: string
  /** The reseller's own name of the customer */
  user_id: string
  /** Sum of the prices, in MYR */
  total_amount: string
  /** Prices of the units that failed: give them back to the customer, in MYR */
  refund_amount: string
  /** order.completed: completed, partially_completed or failed */
  status: "completed" | "partially_completed" | "failed" | "timeout" | "cancelled"
  /** null: the order was never confirmed */
  payment_reference: string | null
  /** ISO 8601, UTC */
  completed_at: string
  /** Lines of the basket */
  items: {
    /** Product code */
    product_code: string
    /** Denomination, in the currency of the product */
    amount: string
    /** Units; each is a payment of its own */
    quantity: number
    /** One payment for each unit; empty until the order is confirmed */
    transactions: OrderTransaction[]
  }[]
}
export type OrderItem = {
  /** Product code */
  product_code: string
  /** Denomination or amount to pay */
  amount: string
  /** Left out: the customer types it */
  account?: string
  /** As a payment has them. The customer types those that the product needs and that are left out */
  extras?: {
    /** Plan code */
    subproduct_code?: string
    /** Code of the biller */
    biller_code?: string
    /** Second reference, where the biller requires one */
    ref2?: string
    /** Identity number */
    ic_number?: string
  }
  /** Each unit is a payment of its own */
  quantity?: number
}
export type OrderPage = {
  /** Newest first */
  data: Order[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type OrderProblem = {
  /** Stable code, such as order_timeout */
  error: string
  /** Explanation for people */
  message: string
  /** Mistakes by field, such as `items.0.account` */
  errors: Record<string, string[]>
}
export type OrderResponse = {
  /** Content of the answer or of the event */
  data: Order
}
export type OrderTransaction = {
  /** Reference of the payment */
  refid: string
  /** null: there is no payment */
  transaction_id: string | null
  /** statusCode of the payment */
  status_code: number | null
  /** status of the payment */
  status_name: string | null
  /** The customer's price, in MYR */
  price: string
  /** Serial number of the provider */
  sn: string
  /** PIN of the voucher; empty when there is none */
  pin: string
  /** yyyyMMdd */
  expiry: string
  /** Link that redeems the voucher; empty when there is none */
  voucherlink: string
  /** Reason of a failure, or of a wait */
  error: string | null
}
export type OwnAPIKey = {
  /** Name that people see */
  label: string
  /** Groups of operations that the key may call */
  scopes: ("read" | "pay" | "support" | "configure")[]
  /** Codes of products, categories and groups that it may sell; null: all */
  products: string[] | null
  /** Highest cost of one payment, in ringgit; null: none */
  max_amount: string | null
  /** Highest sum of cost of a day, GMT+8; null: none */
  daily_cap: string | null
  /** Highest sum of cost of a month, GMT+8; null: none */
  monthly_cap: string | null
  /** Addresses and CIDRs that may use it; null: all that the account allows */
  ip_allowlist: string[] | null
  /** Cost of its payments of today, GMT+8; null: it has no cap, or they are being counted */
  used_today: string | null
  /** Cost of its payments of this month; null: not counted */
  used_this_month: string | null
  /** When the day ends, GMT+8, and used_today begins at zero */
  resets_at: string
  /** Its end, or that of its grace, whichever comes first; null: none */
  expires_at: string | null
}
export type OwnAPIKeyResponse = {
  /** Content of the answer or of the event */
  data: OwnAPIKey
}
export type Payment = {
  /** 0 accepted; 1 processing; 20 succesful; 41 account suspended or not authorised; 43 balance too low; 44 format, product, plan code or extras; 45 out of stock; 47 service unavailable; 48 rejected by the provider; 49 temporary, send again; 52 account; 53 voided; 54 duplicate or daily limit; 55 timed out at the provider; 56 blacklisted; 57 not eligible; 58 denomination; 61 denomination; 62 identity check */
  statusCode: number
  /** Account of the customer: a phone number, a bill account */
  account: string
  /** Product code */
  product: string
  /** Name of the product */
  productName: string
  /** Face value or quantity, in the unit of the product */
  amount: number
  /** Serial number of the provider */
  sn: string
  /** PIN of the voucher; empty when there is none */
  pin: string
  /** yyyyMMdd */
  expiry: string
  /** Taken from the wallet; 0 when nothing was */
  cost: number
  /** The wallet after this payment's latest movement of money */
  balance: number
  /** Yours, until a reason of failure takes their place */
  remarks: string
  /** The reseller's reference of the payment */
  refid: string
  /** yyyy-MM-dd HH:mm:ss, GMT+8: the latest change of state */
  timestamp: string
  /** Instructions for the user */
  note: string
  /** Link that redeems the voucher; empty when there is none */
  voucherlink: string
  /** Accepted and Processing change further; Succesful and Failed are final */
  status: "Accepted" | "Processing" | "Succesful" | "Failed"
  /** Id of the payment, digits alone */
  transaction_id: string
}
export type PaymentConflict = {
  /** Content of the answer or of the event */
  data: Payment
  /** Explanation for people */
  message: string
  /** Mistakes by field; empty when no field is at fault */
  errors: Record<string, string[]>
}
export type PaymentEvent = {
  /** Your own count of events, without gaps */
  sequence: number
  /** As in `webhook-id`, in every attempt and replay */
  id: string
  /** Type of the event */
  type: "payment.accepted" | "payment.processing" | "payment.succeeded" | "payment.failed" | "payment.voided"
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: Payment
}
export type PaymentExtras = {
  /** Plan code, exactly as the option has it */
  subproduct_code?: string
  /** Bill payment */
  biller_code?: string
  /** Bill payment and student loan: identity number without dashes */
  ic_number?: string
  /** Second reference, where the biller requires one */
  ref2?: string
}
export type PaymentRejection = {
  /** Content of the answer or of the event */
  data: RejectedPayment
  /** Explanation for people */
  message: string
  /** Mistakes by field; empty when no field is at fault */
  errors: Record<string, string[]>
}
export type PaymentRequest = {
  /** Yours, unique for ever. Sending the same body again is how to ask for the status. */
  refid: string
  /** Product code */
  product: string
  /** Recipient account, bill account or mobile number */
  account: string
  /** Face value or quantity: a plain decimal greater than 0 with at most 4 decimals */
  amount: string | number
  /** A note of yours; longer ones are cut */
  remarks?: string
  /** Further values that the product asks for */
  extras?: PaymentExtras
  /** Quote whose cost is taken; each pays once */
  quote_id?: string
  /** Highest cost at which the payment is made; a higher one is rejected */
  max_cost?: string | number
  /** True: it is meant, although the same was paid within duplicate_window_seconds */
  allow_duplicate?: boolean
}
export type PaymentResponse = {
  /** Content of the answer or of the event */
  data: Payment
}
export type PriceAdjustment = {
  /** How the value changes the price */
  type: "fixed" | "percentage"
  /** fixed: added to the price. percentage: the price is multiplied by it. */
  value: number
  /** Currency of a fixed adjustment */
  currency?: string
}
export type Pricing = {
  /** percentage: cost = face value × this. fixed: negative, cost = face value − |this|. */
  unit_price: string
  /** ISO 4217 code, or the name of a virtual unit */
  currency: string
  /** Discount on the face value */
  discount: Discount
  /** Your adjustment of the price; null: there is none */
  price_adjustment: PriceAdjustment | null
  /** Some denomination can be sold below cost */
  has_loss_risk: boolean
}
export type Problem = {
  /** Explanation for people */
  message: string
  /** Mistakes by field; empty when no field is at fault */
  errors: Record<string, string[]>
}
export type Product = {
  /** Stable code */
  code: string
  /** Name that people see */
  name: string
  /** Description */
  note: string | null
  /** URL of the picture */
  image_url: string
  /** instant: seconds. 24_hours: 1 business day. 3_days: 3 business days. link: a redemption link. pin: a PIN or voucher code. */
  processing_time: "instant" | "24_hours" | "3_days" | "link" | "pin"
  /** After your own customisation */
  is_active: boolean
  /** Raw denominations */
  denomination: string | null
  /** Unit of a denomination: a currency or a virtual unit */
  denomination_currency: string | null
  /** MYR per denomination unit: face value = denomination × this */
  denomination_unit_price: number
  /** Fields of the form, in order */
  fields: Field[]
  /** How the filled form becomes a payment request */
  fulfillment: Fulfillment
  /** Wholesale cost: for your backend, not for end users */
  pricing: Pricing
  /** Replaces the minimum of the pricing field */
  min_amount: Money | null
  /** Replaces the maximum of the pricing field */
  max_amount: Money | null
  /** A void can be asked for once it was paid */
  is_refundable: boolean
}
export type ProductChange = {
  /** Type of the event */
  type: "product.created" | "product.updated" | "product.deleted"
  /** Part of the catalogue that changed */
  resource: "products"
  /** Options: PRODUCT_CODE:FIELD_ID:OPTION_CODE */
  id: string
  /** ISO 8601, UTC */
  timestamp: string
  /** null: it is no more */
  data: ProductEventData | null
}
export type ProductEvent = {
  /** Your own count of events, without gaps */
  sequence: number
  /** As in `webhook-id`, in every attempt and replay */
  id: string
  /** Type of the event */
  type: "product.created" | "product.updated" | "product.deleted"
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: ProductChange
}
export type ProductEventData = {
  /** Product code */
  product_code: string
  /** Code of the category */
  product_category_code: string
  /** The service's name for it */
  name: string
  /** Your name for it, else the same */
  display_name: string
  /** Description */
  note: string | null
  /** URL of the picture */
  image_url: string
  /** instant: seconds. 24_hours: 1 business day. 3_days: 3 business days. link: a redemption link. pin: a PIN or voucher code. */
  processing_time: "instant" | "24_hours" | "3_days" | "link" | "pin"
  /** Place in the list: the smallest comes first */
  display_order: number
  /** Fields of the form, in order */
  fields: Field[]
  /** How the filled form becomes a payment request */
  fulfillment: Fulfillment | null
  /** Whether it is shown or sold */
  is_active: boolean
  /** Not listed; it may still be active */
  is_hidden: boolean
  /** Source of the options of its select fields; null when it has none */
  options_source_type: ("reference" | "dynamic") | null
  /** Unit of a denomination */
  denomination_currency: string | null
  /** MYR per denomination unit: face value = denomination × this */
  denomination_unit_price: number
  /** Belongs to your price adjustment */
  price_adjustment_type: ("fixed" | "percentage") | null
  /** Belongs to your price adjustment */
  price_adjustment_value: number | null
  /** Your account */
  reseller_code: string
  /** The last one of a product you can no longer buy; null when it never had one for you */
  unit_price: string | null
  /** As unit_price */
  currency: string | null
  /** As unit_price */
  discount: Discount | null
  /** Replaces the minimum of the pricing field */
  min_amount: Money | null
  /** Replaces the maximum of the pricing field */
  max_amount: Money | null
  /** A void can be asked for once it was paid */
  is_refundable: boolean
}
export type ProductList = {
  /** Content of the answer or of the event */
  data: ProductListItem[]
}
export type ProductListItem = {
  /** Present state */
  status: "Active" | "Inactive"
  /** A payment needs a plan code */
  has_subproduct: boolean
  /** Product code */
  product_code: string
  /** Name of the product */
  product_name: string
  /** Note about the product */
  product_remarks: string
  /** null when there is nothing to enter */
  account_label: string | null
  /** Keyboard that suits the account */
  keyboard_type: string
  /** Denominations, or the range of amounts */
  denomination: string
  /** Usual denominations, separated by commas */
  common_denominations: string
  /** Whether a denomination may have decimals */
  denomination_data_type: "Integer" | "Decimal"
  /** Unit of a denomination: a currency or a virtual unit */
  denomination_currency: string
  /** MYR per denomination unit: face value = denomination × this */
  denomination_unit_price: number
  /** Name of the group */
  product_group: string
  /** Name of the category */
  category: string
  /** URL of the picture */
  image_url: string
  /** Kind of account that a payment needs */
  account_type: "account_number" | "phone_number" | "both" | "not_required"
  /** A void can be asked for */
  is_refundable: boolean
}
export type PutBalanceWebhookRequest = {
  /** Absolute URL */
  url: string
}
export type PutBalanceWebhookTypesRequest = {
  /** Types of events that are sent */
  types: ("balance.added" | "balance.low" | "balance.deducted" | "balance.refunded")[]
}
export type Quote = {
  /** Member `quote_id` of the payment */
  quote_id: string
  /** A quote pays once. It is paid for ever, whatever becomes of the payment. */
  state: "open" | "paid" | "expired"
  /** Payment that was made with it; null: none */
  transaction_id: string | null
  /** Product code */
  product: string
  /** Name of the product */
  productName: string
  /** As sent */
  account: string
  /** As sent: face value or quantity */
  amount: number
  /** As sent */
  extras: Record<string, string>
  /** In ringgit */
  face_value: number
  /** Taken from the wallet when it is paid */
  cost: number
  /** Currency of cost, face value and balance */
  currency: "MYR"
  /** The wallet now */
  balance: number
  /** The wallet after a payment with it; that of now where it is not open */
  balance_after: number
  /** ISO 8601, UTC */
  expires_at: string
  /** Remarks that hinder no payment */
  warnings: QuoteWarning[]
}
export type QuoteRequest = {
  /** Product code */
  product: string
  /** Recipient account, bill account or mobile number */
  account: string
  /** Face value or quantity: a plain decimal greater than 0 with at most 4 decimals */
  amount: string | number
  /** A note of yours; longer ones are cut */
  remarks?: string
  /** Further values that the product asks for */
  extras?: PaymentExtras
  /** Highest cost at which the payment is made; a higher one is rejected */
  max_cost?: string | number
}
export type QuoteResponse = {
  /** Content of the answer or of the event */
  data: Quote
}
export type QuoteWarning = {
  /** Stable code */
  code: "possible_duplicate" | "operator_differs" | "network_interruption" | "balance_low_after"
  /** For a person */
  message: string
}
export type Readiness = {
  /** ready or unavailable */
  status: string
  /** Why requests cannot be served, in words for an operator */
  problems: string[]
  /** The further groups of resellers, where the service has some: it is ready while one of all is */
  groups?: ({
    /** Name of the group, as its API keys carry it */
    name: string
    /** `ready` or `unavailable` */
    status: string
    /** Why its requests cannot be served */
    problems: string[]
    /** Catalogue, prices and suppliers, which are written in the first group and carried to this one. Null: not known yet */
    carried: CarriedVersion | null
  })[]
}
export type Receipt = {
  /** Short, to be read out on the telephone; such as 7K3M-9QXD */
  number: string
  /** The payment */
  transaction_id: string
  /** As sent */
  refid: string
  /** Name of the seller */
  shop: string
  /** Product code */
  product: string
  /** Its name when it was sold */
  productName: string
  /** First three and last three characters; the others are * */
  account: string
  /** Face value or quantity */
  amount: number
  /** In ringgit */
  face_value: number
  /** ISO 4217 code, or the name of a virtual unit */
  currency: "MYR"
  /** State of the payment now */
  state: "succeeded" | "voided"
  /** Serial number; empty: none */
  sn: string
  /** As the supplier wrote it; empty: none */
  expiry: string
  /** ISO 8601, UTC */
  time: string
  /** Page that says whether the receipt is genuine, and what is true now */
  verify_url: string
}
export type ReceiptResponse = {
  /** Content of the answer or of the event */
  data: Receipt
  /** Compact JWS */
  jws: string
}
export type RejectedPayment = {
  /** 0 accepted; 1 processing; 20 succesful; 41 account suspended or not authorised; 43 balance too low; 44 format, product, plan code or extras; 45 out of stock; 47 service unavailable; 48 rejected by the provider; 49 temporary, send again; 52 account; 53 voided; 54 duplicate or daily limit; 55 timed out at the provider; 56 blacklisted; 57 not eligible; 58 denomination; 61 denomination; 62 identity check */
  statusCode: number
  /** Account of the customer: a phone number, a bill account */
  account: string
  /** Product code */
  product: string
  /** Name of the product */
  productName: string
  /** Face value or quantity, in the unit of the product */
  amount: number
  /** Serial number of the provider */
  sn: string
  /** PIN of the voucher; empty when there is none */
  pin: string
  /** yyyyMMdd */
  expiry: string
  /** Taken from the wallet; 0 when nothing was */
  cost: number
  /** The wallet after this payment's latest movement of money */
  balance: number
  /** Yours, until a reason of failure takes their place */
  remarks: string
  /** The reseller's reference of the payment */
  refid: string
  /** yyyy-MM-dd HH:mm:ss, GMT+8: the latest change of state */
  timestamp: string
  /** Instructions for the user */
  note: string
  /** Link that redeems the voucher; empty when there is none */
  voucherlink: string
  /** Always Failed */
  status: "Failed"
}
export type Replay = {
  /** The new delivery */
  jobId: string
  /** The one that failed */
  originalJobId: string
  /** The same as before */
  eventId: string
}
export type ReplayCallbackDeliveriesRequest = {
  /** Ids of failed deliveries */
  job_ids: string[]
}
export type RotateBalanceWebhookSecretRequest = {
  /** Refused: the old secret ends at once */
  grace_seconds?: number
}
export type RotateCallbackSecretRequest = {
  /** How long the old secret still signs beside the new one; left out, it ends at once */
  grace_seconds?: number
}
export type StatementEntry = {
  /** The entry's number in your wallet, without gaps */
  id: number
  /** yyyy-MM-dd HH:mm:ss.fff, GMT+8 */
  date: string
  /** Signed change, in MYR */
  amount: number
  /** Balance after the entry */
  balance: number
  /** Text of the entry */
  remarks: string
  /** D deposit or adjustment, T transaction, R refund, C commission */
  type: "D" | "T" | "R" | "C"
  /** Types T and R: your reference of the payment */
  refid?: string
  /** Types T and R: the transaction_id of the payment */
  trxid?: string
}
export type SubProduct = {
  /** Value for extras.subproduct_code of a payment */
  subproduct_code: string
  /** Name that customers see */
  display_name: string
  /** The plan price: the amount of a payment */
  denomination: string | null
  /** Its worth in MYR */
  face_value: string | null
  /** Mobile data plans */
  validity: string | null
  /** Description */
  description: string | null
  /** Student loans: the account to pay */
  account_number: string | null
  /** Further lines of the description */
  additional_description: string[] | null
  /** Decimal with 2 to 4 places; -1: no limit */
  min: string | null
  /** Decimal with 2 to 4 places; -1: no limit */
  max: string | null
}
export type SubProducts = {
  /** Explanation for people */
  message: string
  /** Content of the answer or of the event */
  data: SubProduct[]
}
export type SupportResponse = {
  /** Content of the answer or of the event */
  data: {
    /** The payment's */
    refid: string
    /** Whether the request was received */
    status: "Success" | "Failed"
    /** Explanation for people */
    message: string
  }
}
export type TestCallbackRequest = {
  /** An event type of the stream; left out, the stream's usual one */
  type?: "payment.succeeded" | "payment.processing" | "payment.failed" | "payment.voided" | "product.updated" | "product.created" | "product.deleted" | "option.updated" | "option.created" | "option.deleted" | "category.updated" | "category.created" | "category.deleted" | "group.updated" | "group.created" | "group.deleted" | "balance.added" | "balance.low" | "balance.deducted" | "balance.refunded" | "order.completed" | "order.timeout" | "order.cancelled"
}
export type TestClock = {
  /** Content of the answer or of the event */
  data: {
    /** How far this clock was moved in all */
    advanced_seconds: number
  }
}
export type TestEvent = {
  /** The delivery, as the log has it */
  jobId: string
  /** Begins with evt_test_ */
  eventId: string
}
export type TokenRefreshRequest = {
  /** RefreshToken of the sign-in */
  refresh_token: string
}
export type TokenRefusal = {
  /** Stable code, such as invalid_credentials */
  error: string
  /** Explanation for people */
  message: string
  /** Facts about the answer */
  metadata: {
    /** HTTP status of the answer */
    status_code: 401
  }
  /** Always empty */
  errors: Record<string, unknown>
}
export type TokenRequest = {
  /** Name to sign in with */
  username: string
  /** Password */
  password: string
}
export type Tokens = {
  /** The tokens */
  AuthenticationResult: {
    /** Not accepted as a bearer token */
    AccessToken: string
    /** Seconds until the ID token expires */
    ExpiresIn: number
    /** Scheme of the Authorization header */
    TokenType: "Bearer"
    /** null on a refresh: keep using the original */
    RefreshToken: string | null
    /** Send it as Authorization: Bearer <ID_TOKEN> */
    IdToken: string
  }
}
export type TransactionCallback = {
  /** Content of the answer or of the event */
  data: CallbackPayment
}
export type Unauthorized = {
  /** Stable code, such as invalid_signature */
  error: string
  /** Explanation for people */
  message: string
  /** Facts about the answer */
  metadata: {
    /** HTTP status of the answer */
    status_code: 401
  }
  /** Staging only, on invalid_signature */
  debug?: {
    /** As the server built it */
    canonical_string: string
    /** As the server built it */
    body_hash: string
    /** The mistake, where it is a usual one */
    hint?: string
  }
}
export type VoidRequest = {
  /** Reference of the payment */
  refid?: string
  /** The transaction_id of the payment; wins if both are given */
  trxid?: string
  /** Addresses that get a copy of the mails */
  user_email?: string[]
  /** 1 incorrect amount or wrong account, 2 duplicate transaction, 3 other */
  refund_type: number
  /** Required when refund_type is 3, and not read otherwise */
  refund_reason?: string
}
export type WebhookConfiguration = {
  /** Empty when none is configured */
  webhook_url: string
  /** False when none is configured */
  enabled: boolean
  /** Empty when none is configured */
  secret_last_four: string
  /** ISO 8601, UTC; null when none is configured */
  created_at: string | null
  /** ISO 8601, UTC; null when none is configured */
  updated_at: string | null
}
export type WebhookPut = {
  /** URL of the receiver */
  webhook_url: string
  /** Only for a new configuration. Shown this once; whsec_ and Base64 of 32 bytes */
  webhook_secret?: string
}
export type WebhookSwitch = {
  /** Whether it is switched on */
  enabled: boolean
}
