// Generated from docs/openapi-portal.json by npm run web-api. Do not edit.
export type AcceptInvitationRequest = {
  /** As it was mailed */
  token: string
  /** Name to sign in with */
  username: string
  /** 10 to 200 characters */
  password: string
}
export type Accepted = {
  /** Explanation for people */
  message: string
}
export type AccountMapping = {
  /** Id of the field that gives the value; null: none does, so send any, such as the number of the customer */
  from_field: string | null
  /** Dot-path into the selected option */
  path?: string
  /** Leave the key out when the value is empty */
  omit_if_empty?: boolean
}
export type AccountSettings = {
  /** The reseller's account number */
  account: string
  /** Name that people see */
  name: string
  /** Mail address */
  email: string
  /** Code of the price level */
  price_level: string
  /** Present state */
  status: string
  /** 0: may pay. 50: read only */
  access: number
  /** Only signed requests may pay: neither bearer tokens nor this portal */
  topup_requires_api_key: boolean
  /** Seconds in which the same payment again is refused; 0: never */
  duplicate_window_seconds: number
  /** staging moves no real money */
  environment: "staging" | "production"
  /** Your address, as the allowlist would judge it */
  your_address: string
  /** Sender addresses of callbacks and webhooks */
  sender_addresses: string[]
}
export type AccountSettingsResponse = {
  /** Content of the answer or of the event */
  data: AccountSettings
}
export type Addressee = {
  /** null: the account's registered address */
  member_id: string | null
  /** Name that people see */
  name: string
  /** Mail address */
  address: string
  /** Role, which decides what the person may do */
  role: string
  /** Mails that the person gets */
  mails: {
    /** Mails about a low balance */
    "balance.low": boolean
    /** Mails about deposits */
    deposit: boolean
    /** Mails about deliveries that fail */
    delivery: boolean
    /** Mails about cases */
    case: boolean
    /** Mails about scheduled payments that stopped */
    schedule: boolean
  }
}
export type AddresseeList = {
  /** Content of the answer or of the event */
  data: Addressee[]
}
export type AllowedNetwork = {
  /** IP address or range in CIDR notation */
  network: string
  /** Name that people see */
  label: string
  /** ISO 8601, UTC */
  created_at: string
}
export type AllowedNetworkList = {
  /** Content of the answer or of the event */
  data: AllowedNetwork[]
}
export type AttentionTarget = {
  /** Page of the portal */
  page: "account"
} | {
  /** Page of the portal */
  page: "deposits"
} | ({
  /** Page of the portal */
  page: "endpoint"
  /** Stream of events with an endpoint of its own */
  stream: "callback" | "catalog" | "balance" | "order"
}) | {
  /** Page of the portal */
  page: "payments"
  /** Values of the filter on that page */
  filter: {
    /** Present state */
    status: "pending"
    /** yyyy-MM-dd, GMT+8 */
    from: string
    /** yyyy-MM-dd, GMT+8 */
    to: string
  }
} | ({
  /** Page of the portal */
  page: "cases"
  /** States to list */
  states: ("open" | "in_progress")[]
}) | {
  /** Page of the portal */
  page: "catalogue"
  /** Values of the filter on that page */
  filter: {
    /** Products that can be sold below cost */
    at_loss: true
  }
} | {
  /** Page of the portal */
  page: "keys"
  /** API key, as X-Api-Key sends it */
  key: string
}
export type Batch = {
  /** Id, as other operations take it */
  id: string
  /** Empty: none */
  name: string
  /** Member who paid it */
  member_id: string
  /** ISO 8601, UTC */
  created_at: string
  /** Schedule whose run it is; null: a member paid it on the page */
  schedule_id: string | null
  /** Number of the run; null: it is none */
  run: number | null
  /** Cost of the lines that are paid or pending */
  cost: string
  /** Prices by denomination */
  lines: number
  /** How many succeeded */
  successful: number
  /** How many are not final */
  pending: number
  /** How many failed */
  failed: number
  /** How many were given back */
  refunded: number
  /** Lines without a payment: refused, or not sent */
  unpaid: number
}
export type BatchLine = {
  /** Number of the line in the file */
  line: number
  /** Code */
  product: string
  /** Account of the customer */
  account: string
  /** In the product's own unit */
  amount: string
  /** Plan code */
  subproduct_code?: string | null
  /** Code of the biller */
  biller_code?: string | null
  /** Second reference, where the biller requires one */
  ref2?: string | null
  /** The reseller's note, or the reason of a failure */
  remarks?: string | null
  /** The reseller's own, unique for ever */
  reference?: string | null
  /** As the preview named it */
  refid: string
}
export type BatchList = {
  /** Content of the answer or of the event */
  data: Batch[]
}
export type BatchRequest = {
  /** Name of the batch; empty: none */
  name: string
  /** Batch of yours that gets further lines; left out: a new one */
  batch?: string
  /** Prices by denomination */
  lines: BatchLine[]
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
export type Branch = {
  /** Id, as other operations take it */
  id: string
  /** Name that people see */
  name: string
  /** true: not used any more. What was sold there goes on naming it */
  is_retired: boolean
}
export type BranchChange = {
  /** Name of the branch */
  name?: string
  /** true: not used any more. What was sold there goes on naming it */
  is_retired?: boolean
}
export type BranchRequest = {
  /** Name of the branch; no other one of the shop has it */
  name: string
}
export type BranchResponse = {
  /** Content of the answer or of the event */
  data: Branch
}
export type BulkPreview = {
  /** SHA-256 of the file; null: none was given */
  file_digest: string | null
  /** Why the portal may not pay at all; null: it may */
  blocked: ("api_key_required" | "ip_not_allowed") | null
  /** Lines of the file */
  lines: ({
    /** Number of the line, from 1 */
    line: number
    /** To pay this line with */
    refid: string
    /** 2 and more: the same line stands further up */
    occurrence: number
    /** Present state */
    status: "ready" | "problem" | "unchecked" | "exists"
    /** Product code */
    product: string
    /** Name of the product */
    product_name: string | null
    /** Account of the customer: a phone number, a bill account */
    account: string
    /** In the product's own unit; null: not readable */
    amount: string | null
    /** Unit of the amount: a currency or a virtual unit */
    amount_currency: string | null
    /** Worth in MYR */
    face_value: string | null
    /** Sum that the wallet is debited */
    cost: string | null
    /** Price for the end customer; null: not known, or your adjustment leaves nothing */
    price: string | null
    /** Price minus cost, in MYR */
    margin: string | null
    /** Problems of the line */
    problems: ({
      /** The code that paying would be refused with */
      code: number
      /** Stable code of the problem */
      token: string
      /** Id of the field */
      field: string | null
      /** Explanation for people */
      message: string
    })[]
    /** The line repeats a payment within 120 seconds or your window, or a line further up; paying it needs `allow_duplicate` */
    warnings: ({
      /** Stable code */
      code: "possible_duplicate"
      /** Explanation for people */
      message: string
      /** The earlier payment; null: a line further up is the same */
      payment: {
        /** Id, as other operations take it */
        id: string
        /** The reseller's reference of the payment */
        refid: string
        /** Seconds since it was taken */
        seconds: number
      } | null
      /** The line further up */
      line: number | null
    })[]
    /** The payment; null: there is none */
    payment: ({
      /** Id, as other operations take it */
      id: string
      /** Present state */
      status: "successful" | "pending" | "failed" | "refunded"
      /** statusCode of the payment */
      code: number
      /** True: it changes no more */
      is_final: boolean
      /** ISO 8601, UTC */
      created_at: string
    }) | null
  })[]
  /** Sums over the lines */
  totals: {
    /** Lines of the file */
    lines: number
    /** Sums by state of the lines */
    by_status: {
      /** Lines that can be paid */
      ready: {
        /** How many */
        count: number
        /** Decimal with 2 to 4 places, in MYR */
        face_value: string
        /** Decimal with 2 to 4 places, in MYR */
        cost: string
        /** Decimal with 2 to 4 places, in MYR */
        price: string
      }
      /** Lines with a problem */
      problem: {
        /** How many */
        count: number
        /** Decimal with 2 to 4 places, in MYR */
        face_value: string
        /** Decimal with 2 to 4 places, in MYR */
        cost: string
        /** Decimal with 2 to 4 places, in MYR */
        price: string
      }
      /** Lines that are not checked yet */
      unchecked: {
        /** How many */
        count: number
        /** Decimal with 2 to 4 places, in MYR */
        face_value: string
        /** Decimal with 2 to 4 places, in MYR */
        cost: string
        /** Decimal with 2 to 4 places, in MYR */
        price: string
      }
      /** Lines whose reference has a payment already */
      exists: {
        /** How many */
        count: number
        /** Decimal with 2 to 4 places, in MYR */
        face_value: string
        /** Decimal with 2 to 4 places, in MYR */
        cost: string
        /** Decimal with 2 to 4 places, in MYR */
        price: string
      }
    }
    /** Decimal with 2 to 4 places, in MYR */
    balance: string
    /** After paying all that are ready; may be below zero */
    balance_after: string
    /** Whether the wallet covers the lines that are ready */
    is_balance_enough: boolean
  }
}
export type BulkPreviewRequest = {
  /** Digest of the file, made by the page; it comes back in the answer */
  file_digest?: string
  /** Name of the batch. Under another name the same lines are other payments. */
  batch?: string
  /** Lines of the file */
  lines: ({
    /** Number of the line in the file */
    line: number
    /** Code */
    product: string
    /** Account of the customer: a phone number, a bill account */
    account: string
    /** Decimal, in the product's own unit */
    amount: string
    /** Further values that the product asks for */
    extras?: {
      /** Plan code */
      subproduct_code?: string | null
      /** Code of the biller */
      biller_code?: string | null
      /** Second reference, where the biller requires one */
      ref2?: string | null
      /** Identity number; null: none was given */
      ic_number?: string | null
    }
    /** The reseller's note, or the reason of a failure */
    remarks?: string
    /** Your own, such as an invoice; tells equal payments apart */
    reference?: string
  })[]
  /** Totals of the answer before, where a file has more lines than a request takes: the totals of this answer then count those lines too */
  carried?: {
    /** Lines before these */
    lines: number
    /** Sums by state of the lines */
    by_status: {
      /** Lines that can be paid */
      ready: {
        /** How many */
        count: number
        /** As the answer had it */
        face_value: string
        /** As the answer had it */
        cost: string
        /** As the answer had it */
        price: string
      }
      /** Lines with a problem */
      problem: {
        /** How many */
        count: number
        /** As the answer had it */
        face_value: string
        /** As the answer had it */
        cost: string
        /** As the answer had it */
        price: string
      }
      /** Lines that are not checked yet */
      unchecked: {
        /** How many */
        count: number
        /** As the answer had it */
        face_value: string
        /** As the answer had it */
        cost: string
        /** As the answer had it */
        price: string
      }
      /** Lines whose reference has a payment already */
      exists: {
        /** How many */
        count: number
        /** As the answer had it */
        face_value: string
        /** As the answer had it */
        cost: string
        /** As the answer had it */
        price: string
      }
    }
  }
}
export type BulkPreviewResponse = {
  /** Content of the answer or of the event */
  data: BulkPreview
}
export type CanonicalComparison = {
  /** Whether both texts are the same */
  equal: boolean
  /** First place where the texts differ; null: nowhere */
  difference: ({
    /** Part of the text that differs */
    part: "version" | "timestamp" | "nonce" | "method" | "query" | "body_hash"
    /** In your text, from 1 */
    line: number
    /** In its line, from 1 */
    column: number
    /** The part as the service has it */
    ours: string
    /** null: your text does not have the six parts */
    yours: string | null
  }) | null
  /** The usual mistake behind it; null: none of the known ones */
  mistake: ({
    /** Stable code */
    code: "signed_otherwise" | "nothing_given" | "byte_order_mark" | "trailing_newline" | "surrounding_space" | "quoted" | "newline_separators" | "other_separator" | "parts_in_other_order" | "parts_missing" | "version_missing" | "version_spelling" | "empty_query_left_out" | "timestamp_in_milliseconds" | "timestamp_with_fraction" | "timestamp_as_date" | "timestamp_of_another_moment" | "nonce_case" | "nonce_of_another_call" | "method_in_lower_case" | "other_method" | "query_missing" | "query_with_question_mark" | "path_included" | "host_included" | "query_with_fragment" | "query_not_sorted" | "query_with_loose_ends" | "query_empty_values" | "query_hex_case" | "query_encoded_otherwise" | "query_encoded_twice" | "query_other_values" | "query_other_parameters" | "body_hash_missing" | "body_hash_in_hex" | "body_hash_in_capital_hex" | "body_hash_without_padding" | "body_hash_url_safe" | "body_hash_of_hex" | "body_hash_of_nothing" | "body_hash_of_empty_value" | "body_hash_other_algorithm" | "body_instead_of_hash" | "body_not_received" | "body_hash_of_other_bytes"
    /** Text for people */
    text: string
  }) | null
}
export type CanonicalComparisonResponse = {
  /** Content of the answer or of the event */
  data: CanonicalComparison
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
export type CasePage = {
  /** Content of the answer or of the event */
  data: Case[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type CashRequest = {
  /** `pay_in`: cash put in; `pay_out`: cash taken out; `not_cash`: sales that were paid otherwise, such as by card */
  kind: "pay_in" | "pay_out" | "not_cash"
  /** In ringgit */
  amount: string
  /** Purpose of it, as the Z report says it */
  reason: string
}
export type Catalog = {
  /** ISO 8601, UTC. Does not move with options and wholesale prices. */
  last_updated: string
  /** In the order to be shown; nothing in it is empty */
  tree: CatalogTree
  /** By product code */
  products: Record<string, Product>
}
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
export type CatalogueEdits = {
  /** Omitted members stay as they are; null: as in the base */
  products?: ({
    /** Stable code */
    code: string
    /** Whether it is switched on */
    enabled?: boolean
    /** Name that people see */
    name?: string | null
    /** Code of the category */
    category?: string | null
    /** URL of the picture */
    image_url?: string | null
    /** Place in the list: the smallest comes first */
    display_order?: number | null
    /** Your adjustment of the price; null: there is none */
    adjustment?: ({
      /** How the value changes the price */
      type: "fixed" | "percentage"
      /** At most 4 decimals if fixed */
      value: string
    }) | null
    /** Smallest amount; null: as in the base */
    min_amount?: string | null
    /** Largest amount; null: as in the base */
    max_amount?: string | null
  })[]
  /** Options of products */
  options?: ({
    /** Product code */
    product: string
    /** Id of the field */
    field: string
    /** Stable code */
    code: string
    /** Whether it is switched on */
    enabled?: boolean
    /** Recommended retail price, in MYR; null: as in the base */
    retail_price?: string | null
  })[]
  /** Each put in place whole */
  groups?: ({
    /** Stable code */
    code: string
    /** One of your own, not of the base catalogue */
    is_own: boolean
    /** Name that people see */
    name?: string | null
    /** URL of the icon */
    icon_url?: string | null
    /** Place in the list: the smallest comes first */
    display_order?: number | null
  })[]
  /** Each put in place whole */
  categories?: ({
    /** Stable code */
    code: string
    /** One of your own, not of the base catalogue */
    is_own: boolean
    /** Code of the group */
    group?: string | null
    /** Name that people see */
    name?: string | null
    /** URL of the icon */
    icon_url?: string | null
    /** Place in the list: the smallest comes first */
    display_order?: number | null
  })[]
  /** As in the base again */
  reset?: {
    /** Codes of those to reset */
    products?: string[]
    /** Codes of those to reset */
    groups?: string[]
    /** Codes of those to reset */
    categories?: string[]
    /** Options of products */
    options?: {
      /** Product code */
      product: string
      /** Id of the field */
      field: string
      /** Stable code */
      code: string
    }[]
  }
}
export type CataloguePreview = {
  /** Changes with everything that you see */
  fingerprint: string
  /** Products that change */
  products: ({
    /** Stable code */
    code: string
    /** State before the change */
    before: {
      /** Stable code */
      code: string
      /** Name that people see */
      name: string
      /** Name before your changes */
      base_name: string
      /** Code of the category */
      category: string
      /** Category before your changes */
      base_category: string
      /** URL of the picture */
      image_url: string
      /** Place in the list: the smallest comes first */
      display_order: number
      /** Usual time until the payment is final */
      processing_time: string
      /** Whether your customers see it */
      is_active: boolean
      /** false: you switched it off */
      is_enabled: boolean
      /** Not listed; it may still be active */
      is_hidden: boolean
      /** A void can be asked for */
      is_refundable: boolean
      /** Smallest amount; null: as in the base */
      min_amount: string | null
      /** Largest amount; null: as in the base */
      max_amount: string | null
      /** Your adjustment of the price; null: there is none */
      adjustment: ({
        /** How the value changes the price */
        type: "fixed" | "percentage"
        /** fixed: ringgit added to the price, such as 0.50 or -0.50. percentage: a factor, such as 1.02 */
        value: string
      }) | null
      /** Discount of the price level; null: there is none */
      discount: ({
        /** percentage: of the face value. fixed: a sum. */
        type: "percentage" | "fixed"
        /** percentage: factor of the face value. fixed: ringgit added to it */
        unit_price: string
      }) | null
      /** Over its denominations, or the ends of its range; null: not known */
      margin: {
        /** Decimal with 2 to 4 places, in MYR */
        min: string
        /** Decimal with 2 to 4 places, in MYR */
        max: string
      } | null
      /** Some denomination can be sold below cost */
      has_loss_risk: boolean
      /** Prices by denomination */
      lines: PriceLine[]
    }
    /** State after the change */
    after: {
      /** Stable code */
      code: string
      /** Name that people see */
      name: string
      /** Name before your changes */
      base_name: string
      /** Code of the category */
      category: string
      /** Category before your changes */
      base_category: string
      /** URL of the picture */
      image_url: string
      /** Place in the list: the smallest comes first */
      display_order: number
      /** Usual time until the payment is final */
      processing_time: string
      /** Whether your customers see it */
      is_active: boolean
      /** false: you switched it off */
      is_enabled: boolean
      /** Not listed; it may still be active */
      is_hidden: boolean
      /** A void can be asked for */
      is_refundable: boolean
      /** Smallest amount; null: as in the base */
      min_amount: string | null
      /** Largest amount; null: as in the base */
      max_amount: string | null
      /** Your adjustment of the price; null: there is none */
      adjustment: ({
        /** How the value changes the price */
        type: "fixed" | "percentage"
        /** fixed: ringgit added to the price, such as 0.50 or -0.50. percentage: a factor, such as 1.02 */
        value: string
      }) | null
      /** Discount of the price level; null: there is none */
      discount: ({
        /** percentage: of the face value. fixed: a sum. */
        type: "percentage" | "fixed"
        /** percentage: factor of the face value. fixed: ringgit added to it */
        unit_price: string
      }) | null
      /** Over its denominations, or the ends of its range; null: not known */
      margin: {
        /** Decimal with 2 to 4 places, in MYR */
        min: string
        /** Decimal with 2 to 4 places, in MYR */
        max: string
      } | null
      /** Some denomination can be sold below cost */
      has_loss_risk: boolean
      /** Prices by denomination */
      lines: PriceLine[]
    }
  })[]
  /** Could be sold below cost afterwards, and not before */
  newly_losing: string[]
}
export type CataloguePreviewResponse = {
  /** Content of the answer or of the event */
  data: CataloguePreview
}
export type ChangePasswordRequest = {
  /** The one until now */
  current_password: string
  /** The new one, 10 to 200 characters */
  password: string
}
export type Checklist = {
  /** true: every step is */
  done: boolean
  /** In their order */
  steps: ({
    /** Stable code */
    code: "key_made" | "first_signed_call" | "callback_verified" | "first_payment" | "second_factor" | "low_balance_threshold" | "allowlist" | "go_live"
    /** ISO 8601, UTC; null: not yet */
    done_at: string | null
    /** The page of the portal where it is done */
    page: string
  })[]
}
export type ChecklistResponse = {
  /** Content of the answer or of the event */
  data: Checklist
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
export type CheckoutSettingsWithProof = {
  /** Name that customers see */
  display_name: string
  /** Sites that may embed the checkout: scheme, host and port */
  allowed_origins: string[]
  /** Whether an order is confirmed even if it costs more than its locked price */
  accepts_loss: boolean
  /** Design tokens of the page and of the component */
  theme: CheckoutTheme
  /** Your own, once more */
  password?: string
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
export type Comparison = {
  /** The reseller's account number */
  account: string
  /** Lines of the file */
  lines: number
  /** Ours of these days */
  payments: number
  /** Lines that agree with a payment in everything they say */
  agreed: number
  /** Lines of other days, about which nothing was asked */
  outside: number
  /** How many differences of each kind */
  kinds: Record<string, number>
  /** Number of all differences */
  differences_total: number
  /** In the order of the file, then what it lacks; at most 1000 */
  differences: Difference[]
}
export type ComparisonResponse = {
  /** Content of the answer or of the event */
  data: Comparison
}
export type ConfirmPasswordResetRequest = {
  /** As it was mailed */
  token: string
  /** The new one, 10 to 200 characters */
  password: string
}
export type CountRequest = {
  /** Cash that was counted in the drawer, in ringgit */
  counted: string
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
export type DemoAccounts = {
  /** Content of the answer or of the event */
  data: ({
    /** The email of an operator, the username of a member */
    login: string
    /** Password */
    password: string
    /** Name that people see */
    name: string
    /** Role, which decides what the person may do */
    role: "admin" | "finance" | "support" | "catalogue" | "read_only" | "admin" | "manager" | "cashier" | "accountant" | "viewer"
    /** The reseller account; null: none */
    reseller: {
      /** The reseller's account number */
      account: string
      /** Name that people see */
      name: string
    } | null
  })[]
}
export type DepositReport = {
  /** Id, as other operations take it */
  id: string
  /** Present state */
  state: "reported" | "accepted" | "credited" | "refused" | "withdrawn"
  /** Decimal with 2 to 4 places, in MYR */
  amount: string
  /** yyyy-MM-dd, GMT+8 */
  transferred_on: string
  /** The bank's own reference, as the slip shows it */
  bank_reference: string
  /** Note for people */
  note: string
  /** The bank's slip */
  slip: {
    /** Kind of the object */
    kind: "jpeg" | "pdf" | "png" | "webp"
    /** Size in bytes */
    bytes: number
  }
  /** Username */
  reported_by: string
  /** ISO 8601, UTC */
  reported_at: string
  /** ISO 8601, UTC */
  changed_at: string
  /** Why it was refused */
  refusal: string | null
  /** Entry of the statement, once credited */
  entry_number: string | null
  /** Signs of a mistake */
  warnings: {
    /** Stable code */
    code: "same_bank_reference"
    /** Explanation for people */
    message: string
    /** Ids of the other requests */
    requests: string[]
  }[]
}
export type DepositReportPage = {
  /** Content of the answer or of the event */
  data: DepositReport[]
  /** For the next page; null when there is none */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type DepositReportResponse = {
  /** Content of the answer or of the event */
  data: DepositReport
}
export type Difference = {
  /** Kind of the object */
  kind: "missing_here" | "missing_there" | "amount" | "status" | "day" | "duplicate" | "unreadable"
  /** Stable code of the cause */
  cause: string
  /** null: the file has no line for it */
  line: number | null
  /** The reseller's reference of the payment */
  refid: string
  /** transaction_id of the payment; null: there is none */
  payment_id: string | null
  /** As the reseller's file has it */
  theirs: string
  /** As the service has it */
  ours: string
  /** For a human */
  detail: string
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
export type EndOfAShift = {
  /** Number of the Z report at its till, without gaps */
  number: number
  /** User name */
  closed_by: string
  /** ISO 8601, UTC */
  closed_at: string
  /** Decimal with 2 to 4 places, in MYR */
  counted: string
  /** Cash that the drawer should have held; negative: more was taken out */
  expected: string
  /** `counted` less `expected` */
  difference: string
}
export type EndedSessions = {
  /** Content of the answer or of the event */
  data: {
    /** How many */
    ended: number
  }
}
export type Endpoint = {
  /** Stream of events with an endpoint of its own */
  stream: "callback" | "catalog" | "balance" | "order"
  /** Whether a URL is set */
  is_configured: boolean
  /** Empty when none is configured */
  url: string
  /** HTTP method */
  method: ("GET" | "POST") | null
  /** Whether it is switched on */
  enabled: boolean
  /** Balance alone: which events are sent */
  types: string[]
  /** Last four characters of the secret; empty when there is none */
  secret_last_four: string
  /** When the secret was made; null: there is none */
  secret_created_at: string | null
  /** When sending was paused; null: it is not */
  paused_at: string | null
  /** Since when nothing was received; null: the last delivery was */
  failing_since: string | null
  /** When a delivery was last received; null: never */
  last_success_at: string | null
  /** Deliveries on their way, counted up to a bound */
  pending: number
  /** Latest change, ISO 8601, UTC; null: there was none */
  updated_at: string | null
}
export type EndpointList = {
  /** Content of the answer or of the event */
  data: Endpoint[]
}
export type EndpointResponse = {
  /** Content of the answer or of the event */
  data: Endpoint
}
export type EnrolPortalTwoFactorRequest = {
  /** Your own, once more */
  password?: string
}
export type Favourite = {
  /** Id, as other operations take it */
  id: string
  /** Name that people know the number by */
  name: string
  /** true: for everybody of the shop; false: for oneself */
  is_shared: boolean
  /** Product that is sold */
  product: string
  /** Account of the customer */
  number: string
  /** In the product's own unit; null: asked each time */
  amount: string | null
}
export type FavouriteRequest = {
  /** Name that people know the number by */
  name: string
  /** true: for everybody of the shop; false: for oneself */
  is_shared: boolean
  /** Product that is sold */
  product: string
  /** Account of the customer */
  number: string
  /** In the product's own unit; left out: asked each time */
  amount?: string
}
export type FavouriteResponse = {
  /** Content of the answer or of the event */
  data: Favourite
}
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
export type FilterRequest = {
  /** Name of the view */
  name: string
  /** true: for everybody of the shop; false: for oneself */
  is_shared: boolean
  /** Filters of the list of payments, as its address has them */
  query: string
}
export type Forbidden = {
  /** Stable code, such as ip_blocked */
  error: string
  /** Explanation for people */
  message: string
}
export type FormOption = {
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
  /** Billers: what the account number is, such as Bill number */
  ref1_label?: string
  /** Billers: what the second reference is */
  ref2_label?: string
}
export type FormOptionPage = {
  /** Product code */
  product_code: string
  /** Id of the field */
  field_id: string
  /** Options of this page */
  items: FormOption[]
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
export type Fulfillment = {
  /** Always there; its `from_field` is null where the product has no account field, such as PINs */
  account: AccountMapping
  /** Source of the amount */
  amount: Mapping
  /** By key of extras */
  extras?: Record<string, Mapping>
}
export type GetPortalOpenApiResponse = {
  /** Version of OpenAPI */
  openapi: string
  /** Title, version and licence of the API */
  info: Record<string, unknown>
  /** Operations by path and method */
  paths: Record<string, unknown>
}
export type Invitation = {
  /** Content of the answer or of the event */
  data: {
    /** Id, as other operations take it */
    id: string
    /** Mail address */
    email: string
    /** admin: the owner, who may do everything. manager: sells, sees all sales and opens cases. cashier: sells, and sees their own sales. accountant: statement, deposits and files, no PINs. viewer: sees everything but PINs and secrets */
    role: "admin" | "manager" | "cashier" | "accountant" | "viewer"
    /** Present state */
    state: "open" | "accepted" | "revoked" | "expired"
    /** ISO 8601, UTC */
    created_at: string
    /** ISO 8601, UTC */
    expires_at: string
  }
}
export type InvitationRequestWithProof = {
  /** Mail address */
  email: string
  /** Role, which decides what the person may do */
  role: "admin" | "manager" | "cashier" | "accountant" | "viewer"
  /** Your own, once more */
  password?: string
}
export type Invitations = {
  /** Content of the answer or of the event */
  data: ({
    /** Id, as other operations take it */
    id: string
    /** Mail address */
    email: string
    /** admin: the owner, who may do everything. manager: sells, sees all sales and opens cases. cashier: sells, and sees their own sales. accountant: statement, deposits and files, no PINs. viewer: sees everything but PINs and secrets */
    role: "admin" | "manager" | "cashier" | "accountant" | "viewer"
    /** Present state */
    state: "open" | "accepted" | "revoked" | "expired"
    /** ISO 8601, UTC */
    created_at: string
    /** ISO 8601, UTC */
    expires_at: string
  })[]
}
export type KeptBatch = {
  /** Id, as other operations take it */
  id: string
}
export type KeptBatchLine = {
  /** Number of the line in the file */
  line: number
  /** Reference of its payment */
  refid: string
  /** Code */
  product: string
  /** Account of the customer */
  account: string
  /** In the product's own unit */
  amount: string
  /** Plan code */
  subproduct_code: string | null
  /** Code of the biller */
  biller_code: string | null
  /** Second reference, where the biller requires one */
  ref2: string | null
  /** The reseller's note, or the reason of a failure */
  remarks: string | null
  /** The reseller's own, unique for ever */
  reference: string | null
  /** Why a run left the line out, as a payment is refused; null: it did not */
  refusal: string | null
}
export type KeptBatchLineList = {
  /** Content of the answer or of the event */
  data: KeptBatchLine[]
}
export type KeptBatchResponse = {
  /** Content of the answer or of the event */
  data: KeptBatch
}
export type Limit = {
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
export type LimitOfAMember = {
  /** Days and months are of GMT+8 */
  period: "day" | "month"
  /** Number of payments; 0 lets nothing pass, null any number */
  payments: number | null
  /** Sum of face values in ringgit; 0 lets nothing pass, null any sum */
  sum: string | null
  /** Payments that count now; null: they are being counted */
  used_payments: number | null
  /** Sum of their face values; null as used_payments */
  used_sum: string | null
  /** ISO 8601, UTC */
  resets_at: string
}
export type LimitsOfAMember = {
  /** Id of the person */
  member_id: string
  /** Name to sign in with */
  username: string
  /** Limits of the provider */
  limits: LimitOfAMember[]
}
export type LimitsOfAMemberList = {
  /** Content of the answer or of the event */
  data: LimitsOfAMember[]
}
export type LimitsOfAMemberRequestWithProof = {
  /** The whole list: what is not in it ends */
  limits: NewLimitOfAMember[]
  /** Your own, once more */
  password?: string
}
export type LimitsOfAMemberResponse = {
  /** Content of the answer or of the event */
  data: LimitsOfAMember
}
export type LimitsOfAnAccount = {
  /** Limits that can be set here */
  limits: Limit[]
  /** All that hold, whoever set them */
  in_force: LimitInForce[]
}
export type LimitsOfAnAccountResponse = {
  /** Content of the answer or of the event */
  data: LimitsOfAnAccount
}
export type LimitsRequestWithProof = {
  /** The whole list: what is not in it ends */
  limits: NewLimit[]
  /** Your own, once more */
  password?: string
}
export type ListedAPIKey = {
  /** Id, as other operations take it */
  id: string
  /** API key, as X-Api-Key sends it */
  key: string
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
  /** Note for people */
  note: string
  /** Whether it can sign requests */
  has_secret: boolean
  /** Present state */
  state: "active" | "in_grace" | "expired" | "revoked"
  /** Its end, or that of its grace, whichever comes first; null: none */
  expires_at: string | null
  /** When it was revoked; null: it is not */
  revoked_at: string | null
  /** ISO 8601, UTC */
  created_at: string
  /** Last proven request with it, to about a minute; null: there was none */
  last_used_at: string | null
  /** Cost of its payments of today, GMT+8; null: it has no cap, or they are being counted */
  used_today: string | null
  /** Cost of its payments of this month; null: not counted */
  used_this_month: string | null
}
export type ListedAPIKeyList = {
  /** Content of the answer or of the event */
  data: ListedAPIKey[]
}
export type LiveBalanceMessage = {
  /** Name of the message */
  event: "balance"
  /** Content of the answer or of the event */
  data: {
    /** ISO 4217 code, or the name of a virtual unit */
    currency: "MYR"
    /** Decimal with 2 to 4 places, in MYR */
    balance: string
    /** ISO 8601, UTC */
    at: string
    /** The threshold that was just crossed downwards; null: none */
    low: string | null
  }
}
export type LiveByeMessage = {
  /** Name of the message */
  event: "bye"
  /** Content of the answer or of the event */
  data: {
    /** Reason that was given */
    reason: "session_ended" | "stopping" | "renew"
  }
}
export type LiveCaseMessage = {
  /** Name of the message */
  event: "case"
  /** Content of the answer or of the event */
  data: {
    /** Number of the case, such as C-2026-000123 */
    number: string
    /** Kind of the object */
    kind: "dispute" | "void"
    /** Present state */
    state: "open" | "in_progress" | "resolved" | "refused"
    /** The reseller's reference of the payment */
    refid: string
    /** transaction_id of the payment */
    payment_id: string
    /** ISO 8601, UTC */
    at: string
  }
}
export type LiveCatalogMessage = {
  /** Name of the message */
  event: "catalog"
  /** Content of the answer or of the event */
  data: Record<string, unknown>
}
export type LiveDeliveryMessage = {
  /** Name of the message */
  event: "delivery"
  /** Content of the answer or of the event */
  data: {
    /** Kind of the object */
    kind: "delivery.failed" | "endpoint.paused"
    /** Stream of events with an endpoint of its own */
    stream: "callback" | "catalog" | "balance" | "order"
    /** Id of the delivery; null: there is none */
    delivery_id: string | null
    /** Reason of the failure; null: there is none */
    error: string | null
    /** ISO 8601, UTC */
    at: string
  }
}
export type LiveDepositMessage = {
  /** Name of the message */
  event: "deposit"
  /** Content of the answer or of the event */
  data: {
    /** Id, as other operations take it */
    id: string
    /** Present state */
    state: "refused"
    /** ISO 8601, UTC */
    at: string
  }
}
export type LiveHelloMessage = {
  /** Name of the message */
  event: "hello"
  /** Content of the answer or of the event */
  data: {
    /** true: the messages since `Last-Event-ID` follow */
    resumed: boolean
  }
}
export type LiveNetworkMessage = {
  /** Name of the message */
  event: "network"
  /** Content of the answer or of the event */
  data: {
    /** Products that are interrupted now */
    interruptions: {
      /** Product code */
      product: string
      /** Name that people see */
      name: string
      /** ISO 8601, UTC */
      since: string
    }[]
  }
}
export type LiveOrderMessage = {
  /** Name of the message */
  event: "order"
  /** Content of the answer or of the event */
  data: {
    /** Orders that ended */
    ended: number
  }
}
export type LivePaymentMessage = {
  /** Name of the message */
  event: "payment"
  /** Content of the answer or of the event */
  data: PaymentLine
}
export type LivePaymentsMessage = {
  /** Name of the message */
  event: "payments"
  /** Content of the answer or of the event */
  data: {
    /** Changed since the message before */
    changed: number
  }
}
export type LiveResetMessage = {
  /** Name of the message */
  event: "reset"
  /** Content of the answer or of the event */
  data: {
    /** Reason that was given */
    reason: "lost"
  }
}
export type LoggedRequest = {
  /** Id, as other operations take it */
  id: string
  /** ISO 8601, UTC */
  at: string
  /** X-Request-Id of the answer */
  request_id: string
  /** HTTP method */
  method: string
  /** The pattern of the address, without what was sent in it */
  route: string
  /** HTTP status of the answer */
  status: number
  /** Time until the answer, in milliseconds */
  duration_ms: number
  /** Network address */
  address: string
  /** Id of the API key; null: none was proven */
  key_id: string | null
  /** The reseller's own name of the customer */
  user_id: string | null
  /** The error, or the remarks of a payment that was rejected */
  error: string | null
  /** As the caller was told */
  message: string | null
  /** Usual mistake behind an authentication that failed or a payment that was rejected */
  cause: string | null
  /** Next step for the caller; null: there is none */
  remedy: string | null
  /** How many before it were not kept: busy accounts are sampled */
  skipped: number
  /** Reference in a request to pay */
  refid: string | null
  /** The payment that the answer was about */
  payment_id: string | null
  /** statusCode of a payment that was rejected */
  code: number | null
}
export type LoggedRequestDetails = {
  /** Id, as other operations take it */
  id: string
  /** ISO 8601, UTC */
  at: string
  /** X-Request-Id of the answer */
  request_id: string
  /** HTTP method */
  method: string
  /** The pattern of the address, without what was sent in it */
  route: string
  /** HTTP status of the answer */
  status: number
  /** Time until the answer, in milliseconds */
  duration_ms: number
  /** Network address */
  address: string
  /** Id of the API key; null: none was proven */
  key_id: string | null
  /** The reseller's own name of the customer */
  user_id: string | null
  /** The error, or the remarks of a payment that was rejected */
  error: string | null
  /** As the caller was told */
  message: string | null
  /** Usual mistake behind an authentication that failed or a payment that was rejected */
  cause: string | null
  /** Next step for the caller; null: there is none */
  remedy: string | null
  /** How many before it were not kept: busy accounts are sampled */
  skipped: number
  /** Reference in a request to pay */
  refid: string | null
  /** The payment that the answer was about */
  payment_id: string | null
  /** statusCode of a payment that was rejected */
  code: number | null
  /** All checks of a caller, in their order */
  checks: ({
    /** Its place in the order of checks, from 1 */
    number: number
    /** The error that it ends in */
    code: string
    /** Text for people */
    text: string
    /** Present state */
    state: "passed" | "failed" | "not_reached" | "not_needed"
  })[]
  /** As the service built it; null: the signature was not what was wrong */
  canonical_string: {
    /** The text that was signed */
    text: string
    /** true: longer than 8192 characters */
    cut: boolean
  } | null
}
export type LoggedRequestDetailsResponse = {
  /** Content of the answer or of the event */
  data: LoggedRequestDetails
}
export type LoggedRequestPage = {
  /** Content of the answer or of the event */
  data: LoggedRequest[]
  /** For the next page; null when there is none */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type MailLanguage = {
  /** Language in which your mails come */
  language: "en" | "ms" | "id" | "zh" | "ta"
}
export type MailLanguageResponse = {
  /** Content of the answer or of the event */
  data: MailLanguage
}
export type Mapping = {
  /** Id of the field that gives the value */
  from_field: string
  /** Dot-path into the selected option */
  path?: string
  /** Leave the key out when the value is empty */
  omit_if_empty?: boolean
}
export type Member = {
  /** Id, as other operations take it */
  id: string
  /** Name to sign in with */
  username: string
  /** Mail address */
  email: string
  /** admin: the owner, who may do everything. manager: sells, sees all sales and opens cases. cashier: sells, and sees their own sales. accountant: statement, deposits and files, no PINs. viewer: sees everything but PINs and secrets */
  role: "admin" | "manager" | "cashier" | "accountant" | "viewer"
  /** Present state */
  status: "active" | "disabled"
  /** Whether it is the caller */
  is_self: boolean
  /** Whether signing in takes a code */
  two_factor: boolean
  /** ISO 8601, UTC; null: not signed in now */
  last_seen_at: string | null
  /** ISO 8601, UTC */
  created_at: string
}
export type MemberList = {
  /** Content of the answer or of the event */
  data: Member[]
}
export type MemberPasswordResetRequest = {
  /** Name to sign in with */
  username: string
}
export type MemberResponse = {
  /** Content of the answer or of the event */
  data: Member
}
export type MemberSession = {
  /** Content of the answer or of the event */
  data: {
    /** Kind of the object */
    kind: "member"
    /** Id, as other operations take it */
    id: string
    /** Name to sign in with */
    username: string
    /** Mail address */
    email: string
    /** admin: the owner, who may do everything. manager: sells, sees all sales and opens cases. cashier: sells, and sees their own sales. accountant: statement, deposits and files, no PINs. viewer: sees everything but PINs and secrets */
    role: "admin" | "manager" | "cashier" | "accountant" | "viewer"
    /** Permissions of the role */
    permissions: ("self" | "account" | "pin.write" | "products.read" | "balance.read" | "sell.read" | "sell" | "bulk" | "payments.own" | "payments.read" | "pins.read" | "cases.read" | "cases.write" | "orders.read" | "orders.write" | "overview.read" | "reports.read" | "statement.read" | "deposits.read" | "deposits.write" | "catalogue.read" | "catalogue.write" | "limits.read" | "limits.write" | "member_limits.write" | "tills.read" | "tills.write" | "till_settings.write" | "team.read" | "team.write" | "shared_tills.write" | "developers.read" | "developers.write")[]
    /** Whether signing in takes a code */
    two_factor: boolean
    /** The reseller account */
    reseller: {
      /** The reseller's account number */
      account: string
      /** Name that people see */
      name: string
    }
    /** Whether a PIN opened it: the role is then a cashier’s */
    is_by_pin: boolean
    /** Shared till that this browser is; null: none */
    shared_till: {
      /** Name of the till */
      name: string
      /** Seconds without a key or a touch after which it locks itself */
      idle_seconds: number
    } | null
  }
  /** Goes into X-CSRF-Token on every method but GET; null for a token, which needs none */
  csrf_token: string | null
}
export type MemberSignInRequest = {
  /** Name to sign in with */
  username: string
  /** The password */
  password: string
  /** Code of the second factor, or a recovery code; needed after the answer `code_required` */
  code?: string
}
export type Money = {
  /** Decimal with 2 to 4 places */
  amount: string
  /** Currency or virtual unit, such as MYR */
  currency: string
}
export type MovementOfCash = {
  /** Id, as other operations take it */
  id: string
  /** User name */
  member: string
  /** Kind of the object */
  kind: "pay_in" | "pay_out" | "not_cash"
  /** Decimal with 2 to 4 places, in MYR */
  amount: string
  /** Reason that was given */
  reason: string
  /** ISO 8601, UTC */
  at: string
}
export type MovementOfCashResponse = {
  /** Content of the answer or of the event */
  data: MovementOfCash
}
export type Movements = {
  /** Deposits */
  deposit: {
    /** How many */
    count: number
    /** Decimal with 2 to 4 places, in MYR */
    amount: string
  }
  /** Adjustments */
  adjustment: {
    /** How many */
    count: number
    /** Decimal with 2 to 4 places, in MYR */
    amount: string
  }
  /** Payments */
  payment: {
    /** How many */
    count: number
    /** Decimal with 2 to 4 places, in MYR */
    amount: string
  }
  /** Refunds */
  refund: {
    /** How many */
    count: number
    /** Decimal with 2 to 4 places, in MYR */
    amount: string
  }
  /** Commissions */
  commission: {
    /** How many */
    count: number
    /** Decimal with 2 to 4 places, in MYR */
    amount: string
  }
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
export type NewAPIKey = {
  /** Id, as other operations take it */
  id: string
  /** API key, as X-Api-Key sends it */
  key: string
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
  /** Note for people */
  note: string
  /** Whether it can sign requests */
  has_secret: boolean
  /** Present state */
  state: "active" | "in_grace" | "expired" | "revoked"
  /** Its end, or that of its grace, whichever comes first; null: none */
  expires_at: string | null
  /** When it was revoked; null: it is not */
  revoked_at: string | null
  /** ISO 8601, UTC */
  created_at: string
  /** Last proven request with it, to about a minute; null: there was none */
  last_used_at: string | null
  /** Base64 of 32 bytes; shown this once */
  signing_secret: string | null
}
export type NewAPIKeyResponse = {
  /** Content of the answer or of the event */
  data: NewAPIKey
}
export type NewLimit = {
  /** account: for each account that is paid for */
  scope: "account" | "reseller"
  /** Days and months are of GMT+8 */
  period: "day" | "month"
  /** Category of the base catalogue; null: all together */
  category?: string | null
  /** Number of payments; 0 lets nothing pass, null any number */
  payments?: number | null
  /** Sum of face values in ringgit; 0 lets nothing pass, null any sum */
  sum?: string | null
}
export type NewLimitOfAMember = {
  /** Days and months are of GMT+8 */
  period: "day" | "month"
  /** Number of payments; 0 lets nothing pass, null any number */
  payments?: number | null
  /** Sum of face values in ringgit; 0 lets nothing pass, null any sum */
  sum?: string | null
}
export type NewMember = {
  /** Content of the answer or of the event */
  data: {
    /** Name to sign in with */
    username: string
    /** admin: the owner, who may do everything. manager: sells, sees all sales and opens cases. cashier: sells, and sees their own sales. accountant: statement, deposits and files, no PINs. viewer: sees everything but PINs and secrets */
    role: "admin" | "manager" | "cashier" | "accountant" | "viewer"
    /** The reseller account */
    reseller: {
      /** The reseller's account number */
      account: string
      /** Name that people see */
      name: string
    }
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
export type NewPasskeyRequest = {
  /** Sent back with the device’s answer, once */
  ceremony: string
  /** A name of one’s own */
  label: string
  /** Result of `credential.toJSON()`; other members are ignored */
  credential: {
    /** Id, as other operations take it */
    id: string
    /** The browser's answer */
    response: {
      /** Base64url, from the browser */
      clientDataJSON: string
      /** Base64url, from the browser */
      attestationObject: string
      /** Ways to reach the passkey, from the browser */
      transports?: string[]
    }
  }
}
export type NewSharedTill = {
  /** Content of the answer or of the event */
  data: {
    /** Id, as other operations take it */
    id: string
    /** Name of the till */
    name: string
    /** Seconds without a key or a touch after which it locks itself */
    idle_seconds: number
  }
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
export type Overview = {
  /** ISO 4217 code, or the name of a virtual unit */
  currency: "MYR"
  /** Decimal with 2 to 4 places, in MYR */
  balance: string
  /** At the rate of the last 7 whole days; null: nothing was sold */
  days_left: number | null
  /** At the rate of the last 7 whole days */
  runway: {
    /** MYR; null: nothing was sold */
    spent_per_day: string | null
    /** The highest one, in MYR; null: there is none */
    threshold: string | null
    /** Until the balance is at it; null: none, or nothing was sold */
    days_to_threshold: number | null
  }
  /** Since midnight, GMT+8 */
  today: {
    /** Payments, all outcomes */
    payments: number
    /** How many succeeded */
    successful: number
    /** How many are not final */
    pending: number
    /** How many failed */
    failed: number
    /** How many were given back */
    refunded: number
    /** Face value of what succeeded or still may, in MYR */
    sales: string
    /** Decimal with 2 to 4 places, in MYR */
    cost: string
    /** sales minus cost, in MYR */
    margin: string
    /** 0 to 1, of what succeeded or failed; null: nothing did */
    success_rate: number | null
  }
  /** Last 30 days */
  last_30_days: {
    /** Payments, all outcomes */
    payments: number
    /** How many succeeded */
    successful: number
    /** How many are not final */
    pending: number
    /** How many failed */
    failed: number
    /** How many were given back */
    refunded: number
    /** Face value of what succeeded or still may, in MYR */
    sales: string
    /** Decimal with 2 to 4 places, in MYR */
    cost: string
    /** sales minus cost, in MYR */
    margin: string
    /** 0 to 1, of what succeeded or failed; null: nothing did */
    success_rate: number | null
  }
  /** Oldest first */
  by_day: ({
    /** yyyy-MM-dd, GMT+8 */
    day: string
    /** Payments, all outcomes */
    payments: number
    /** How many succeeded */
    successful: number
    /** How many are not final */
    pending: number
    /** How many failed */
    failed: number
    /** How many were given back */
    refunded: number
    /** Face value of what succeeded or still may, in MYR */
    sales: string
    /** Decimal with 2 to 4 places, in MYR */
    cost: string
    /** sales minus cost, in MYR */
    margin: string
    /** 0 to 1, of what succeeded or failed; null: nothing did */
    success_rate: number | null
  })[]
  /** The same days */
  balance_by_day: {
    /** yyyy-MM-dd, GMT+8 */
    day: string
    /** At the end of the day; of today the present one, in MYR */
    balance: string
    /** Decimal with 2 to 4 places, in MYR */
    deposited: string
  }[]
  /** Deliveries to the receivers of all streams by the day on which they were made */
  deliveries_by_day: ({
    /** yyyy-MM-dd, GMT+8 */
    day: string
    /** How many succeeded */
    succeeded: number
    /** Given up */
    failed: number
    /** How many are not final */
    pending: number
    /** 0 to 1, of what succeeded or failed; null: nothing did */
    success_rate: number | null
  })[]
  /** Products that are interrupted now */
  interruptions: {
    /** Product code */
    product: string
    /** Name that people see */
    name: string
    /** ISO 8601, UTC */
    since: string
  }[]
  /** Matters to look at, the most severe first */
  attention: ({
    /** Kind of the object */
    kind: string
    /** How urgent it is */
    severity: "critical" | "warning" | "info"
    /** Text for people */
    text: string
    /** Id or code of the object in question; null: there is none */
    subject: string | null
    /** How many */
    count: number | null
    /** Page where something can be done about it */
    target: AttentionTarget
  })[]
}
export type OverviewResponse = {
  /** Content of the answer or of the event */
  data: Overview
}
export type OwnCodeRequestWithProof = {
  /** Code of the app, or a recovery code */
  code: string
  /** Your own, once more */
  password?: string
}
export type OwnPIN = {
  /** Content of the answer or of the event */
  data: {
    /** Whether one can take over by it */
    is_set: boolean
  }
}
export type OwnShift = {
  /** null: this browser is no till */
  till: TillOfABranch | null
  /** The open shift at that till; null: none */
  here: Shift | null
  /** The open shift that you are in; null: none */
  own: Shift | null
  /** true: you sell only while you are in a shift */
  is_required: boolean
}
export type OwnShiftResponse = {
  /** Content of the answer or of the event */
  data: OwnShift
}
export type PINRequestWithProof = {
  /** PIN of the voucher; empty when there is none */
  pin: string
  /** Your own, once more */
  password?: string
}
export type PINSignInRequest = {
  /** The id of a member */
  member_id: string
  /** Their PIN */
  pin: string
}
export type Passkey = {
  /** Id, as other operations take it */
  id: string
  /** Name that people see */
  label: string
  /** Kept in more than one place, as the device says */
  is_backed_up: boolean
  /** ISO 8601, UTC */
  created_at: string
  /** Latest use; null: there was none */
  last_used_at: string | null
}
export type PasskeyAnswer = {
  /** Content of the answer or of the event */
  data: Passkey
}
export type PasskeyChallenge = {
  /** Content of the answer or of the event */
  data: {
    /** To be sent back with the answer, within 5 minutes */
    ceremony: string
    /** For `PublicKeyCredential.parseRequestOptionsFromJSON` */
    options: PasskeyRequestOptions
  }
}
export type PasskeyCreationOptions = {
  /** The service */
  rp: {
    /** Domain of the service */
    id: string
    /** Name that people see */
    name: string
  }
  /** Owner of the passkey */
  user: {
    /** Id, as other operations take it */
    id: string
    /** Name that people see */
    name: string
    /** Name that the browser shows */
    displayName: string
  }
  /** Base64url, to be signed by the passkey */
  challenge: string
  /** Algorithms that are accepted */
  pubKeyCredParams: {
    /** Always public-key */
    type: "public-key"
    /** COSE number of an algorithm */
    alg: number
  }[]
  /** Milliseconds to answer */
  timeout: number
  /** Passkeys that exist already */
  excludeCredentials: {
    /** Id, as other operations take it */
    id: string
    /** Always public-key */
    type: "public-key"
    /** Ways to reach the passkey, from the browser */
    transports: string[]
  }[]
  /** Kind of passkey that is asked for */
  authenticatorSelection: {
    /** Whether the passkey knows its user */
    residentKey: "required"
    /** The same as residentKey, for old browsers */
    requireResidentKey: true
    /** Whether the passkey must verify its user */
    userVerification: "required"
  }
  /** Attestation that is asked for */
  attestation: "none"
}
export type PasskeyNameRequest = {
  /** A name of one’s own */
  label: string
}
export type PasskeyProofRequestWithProof = {
  /** Code of the second factor, or a recovery code; needed if you have one */
  code?: string
  /** Your own, once more */
  password?: string
}
export type PasskeyRegistration = {
  /** Content of the answer or of the event */
  data: {
    /** To be sent back with the answer, within 5 minutes */
    ceremony: string
    /** For `PublicKeyCredential.parseCreationOptionsFromJSON` */
    options: PasskeyCreationOptions
  }
}
export type PasskeyRequestOptions = {
  /** Base64url, to be signed by the passkey */
  challenge: string
  /** Domain of the service */
  rpId: string
  /** Milliseconds to answer */
  timeout: number
  /** Empty for signing in: the device knows its own */
  allowCredentials: {
    /** Id, as other operations take it */
    id: string
    /** Always public-key */
    type: "public-key"
    /** Ways to reach the passkey, from the browser */
    transports: string[]
  }[]
  /** Whether the passkey must verify its user */
  userVerification: "required"
}
export type PasskeySignInRequest = {
  /** Sent back with the device’s answer, once */
  ceremony: string
  /** Result of `credential.toJSON()`; other members are ignored */
  credential: {
    /** Id, as other operations take it */
    id: string
    /** The browser's answer */
    response: {
      /** Base64url, from the browser */
      clientDataJSON: string
      /** Base64url, from the browser */
      authenticatorData: string
      /** Base64url, from the browser */
      signature: string
      /** Id of the owner, base64url; null: the passkey gave none */
      userHandle?: string | null
    }
  }
}
export type Passkeys = {
  /** Content of the answer or of the event */
  data: Passkey[]
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
export type PaymentLine = {
  /** Id, as other operations take it */
  id: string
  /** The reseller's reference of the payment */
  refid: string
  /** Present state */
  status: "successful" | "pending" | "failed" | "refunded"
  /** statusCode of the payment */
  code: number
  /** Product code */
  product: string
  /** Name of the product */
  product_name: string
  /** Account of the customer: a phone number, a bill account */
  account: string
  /** In the product's own unit */
  amount: string
  /** Decimal with 2 to 4 places, in MYR */
  face_value: string
  /** Decimal with 2 to 4 places, in MYR */
  cost: string
  /** The reseller's note, or the reason of a failure */
  remarks: string
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  changed_at: string
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
export type PaymentStatus = {
  /** The reseller's reference of the payment */
  refid: string
  /** True: it changes no more */
  is_final: boolean
  /** The payment; null: there is none */
  payment: PortalPayment | null
}
export type PaymentStatusList = {
  /** Content of the answer or of the event */
  data: PaymentStatus[]
}
export type PaymentStatusesRequest = {
  /** References of payments */
  refids: string[]
}
export type PaymentTotals = {
  /** yyyy-MM-dd, GMT+8 */
  from: string
  /** yyyy-MM-dd, GMT+8 */
  to: string
  /** Payments, all outcomes */
  payments: number
  /** How many succeeded */
  successful: number
  /** How many are not final */
  pending: number
  /** How many failed */
  failed: number
  /** How many were given back */
  refunded: number
  /** Face value of what succeeded or still may, in MYR */
  sales: string
  /** Decimal with 2 to 4 places, in MYR */
  cost: string
  /** sales minus cost, in MYR */
  margin: string
  /** 0 to 1, of what succeeded or failed; null: nothing did */
  success_rate: number | null
}
export type PaymentTotalsResponse = {
  /** Content of the answer or of the event */
  data: PaymentTotals
}
export type PortalAddThresholdRequest = {
  /** At least 1, in MYR */
  amount: string
}
export type PortalAllowNetworksRequest = {
  /** Addresses or CIDRs */
  networks: string[]
  /** Name that people see */
  label?: string
  /** Your own, once more */
  password?: string
}
export type PortalApplyCatalogueRequest = {
  /** Omitted members stay as they are; null: as in the base */
  products?: ({
    /** Stable code */
    code: string
    /** Whether it is switched on */
    enabled?: boolean
    /** Name that people see */
    name?: string | null
    /** Code of the category */
    category?: string | null
    /** URL of the picture */
    image_url?: string | null
    /** Place in the list: the smallest comes first */
    display_order?: number | null
    /** Your adjustment of the price; null: there is none */
    adjustment?: ({
      /** How the value changes the price */
      type: "fixed" | "percentage"
      /** At most 4 decimals if fixed */
      value: string
    }) | null
    /** Smallest amount; null: as in the base */
    min_amount?: string | null
    /** Largest amount; null: as in the base */
    max_amount?: string | null
  })[]
  /** Options of products */
  options?: ({
    /** Product code */
    product: string
    /** Id of the field */
    field: string
    /** Stable code */
    code: string
    /** Whether it is switched on */
    enabled?: boolean
    /** Recommended retail price, in MYR; null: as in the base */
    retail_price?: string | null
  })[]
  /** Each put in place whole */
  groups?: ({
    /** Stable code */
    code: string
    /** One of your own, not of the base catalogue */
    is_own: boolean
    /** Name that people see */
    name?: string | null
    /** URL of the icon */
    icon_url?: string | null
    /** Place in the list: the smallest comes first */
    display_order?: number | null
  })[]
  /** Each put in place whole */
  categories?: ({
    /** Stable code */
    code: string
    /** One of your own, not of the base catalogue */
    is_own: boolean
    /** Code of the group */
    group?: string | null
    /** Name that people see */
    name?: string | null
    /** URL of the icon */
    icon_url?: string | null
    /** Place in the list: the smallest comes first */
    display_order?: number | null
  })[]
  /** As in the base again */
  reset?: {
    /** Codes of those to reset */
    products?: string[]
    /** Codes of those to reset */
    groups?: string[]
    /** Codes of those to reset */
    categories?: string[]
    /** Options of products */
    options?: {
      /** Product code */
      product: string
      /** Id of the field */
      field: string
      /** Stable code */
      code: string
    }[]
  }
  /** From the preview; refused if something changed since */
  fingerprint?: string
  /** Needed when a product could be sold below cost, and could not before */
  accept_loss?: boolean
}
export type PortalApplyCatalogueResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Changes with everything that you see */
    fingerprint: string
    /** Products that change */
    products: ({
      /** Stable code */
      code: string
      /** State before the change */
      before: {
        /** Stable code */
        code: string
        /** Name that people see */
        name: string
        /** Name before your changes */
        base_name: string
        /** Code of the category */
        category: string
        /** Category before your changes */
        base_category: string
        /** URL of the picture */
        image_url: string
        /** Place in the list: the smallest comes first */
        display_order: number
        /** Usual time until the payment is final */
        processing_time: string
        /** Whether your customers see it */
        is_active: boolean
        /** false: you switched it off */
        is_enabled: boolean
        /** Not listed; it may still be active */
        is_hidden: boolean
        /** A void can be asked for */
        is_refundable: boolean
        /** Smallest amount; null: as in the base */
        min_amount: string | null
        /** Largest amount; null: as in the base */
        max_amount: string | null
        /** Your adjustment of the price; null: there is none */
        adjustment: ({
          /** How the value changes the price */
          type: "fixed" | "percentage"
          /** fixed: ringgit added to the price, such as 0.50 or -0.50. percentage: a factor, such as 1.02 */
          value: string
        }) | null
        /** Discount of the price level; null: there is none */
        discount: ({
          /** percentage: of the face value. fixed: a sum. */
          type: "percentage" | "fixed"
          /** percentage: factor of the face value. fixed: ringgit added to it */
          unit_price: string
        }) | null
        /** Over its denominations, or the ends of its range; null: not known */
        margin: {
          /** Decimal with 2 to 4 places, in MYR */
          min: string
          /** Decimal with 2 to 4 places, in MYR */
          max: string
        } | null
        /** Some denomination can be sold below cost */
        has_loss_risk: boolean
        /** Prices by denomination */
        lines: PriceLine[]
      }
      /** State after the change */
      after: {
        /** Stable code */
        code: string
        /** Name that people see */
        name: string
        /** Name before your changes */
        base_name: string
        /** Code of the category */
        category: string
        /** Category before your changes */
        base_category: string
        /** URL of the picture */
        image_url: string
        /** Place in the list: the smallest comes first */
        display_order: number
        /** Usual time until the payment is final */
        processing_time: string
        /** Whether your customers see it */
        is_active: boolean
        /** false: you switched it off */
        is_enabled: boolean
        /** Not listed; it may still be active */
        is_hidden: boolean
        /** A void can be asked for */
        is_refundable: boolean
        /** Smallest amount; null: as in the base */
        min_amount: string | null
        /** Largest amount; null: as in the base */
        max_amount: string | null
        /** Your adjustment of the price; null: there is none */
        adjustment: ({
          /** How the value changes the price */
          type: "fixed" | "percentage"
          /** fixed: ringgit added to the price, such as 0.50 or -0.50. percentage: a factor, such as 1.02 */
          value: string
        }) | null
        /** Discount of the price level; null: there is none */
        discount: ({
          /** percentage: of the face value. fixed: a sum. */
          type: "percentage" | "fixed"
          /** percentage: factor of the face value. fixed: ringgit added to it */
          unit_price: string
        }) | null
        /** Over its denominations, or the ends of its range; null: not known */
        margin: {
          /** Decimal with 2 to 4 places, in MYR */
          min: string
          /** Decimal with 2 to 4 places, in MYR */
          max: string
        } | null
        /** Some denomination can be sold below cost */
        has_loss_risk: boolean
        /** Prices by denomination */
        lines: PriceLine[]
      }
    })[]
    /** Could be sold below cost afterwards, and not before */
    newly_losing: string[]
    /** Whether anything changed */
    is_changed: boolean
    /** Version of the catalogue */
    version: string
  }
}
export type PortalBalance = {
  /** ISO 4217 code, or the name of a virtual unit */
  currency: "MYR"
  /** Decimal with 2 to 4 places, in MYR */
  balance: string
}
export type PortalBalanceResponse = {
  /** Content of the answer or of the event */
  data: PortalBalance
}
export type PortalCatalogue = {
  /** Changes with everything that you see */
  fingerprint: string
  /** ISO 8601, UTC */
  updated_at: string
  /** Groups of categories, in order */
  groups: {
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
    /** URL of the icon */
    icon_url: string
    /** Place in the list: the smallest comes first */
    display_order: number
    /** Whether it is shown or sold */
    is_active: boolean
    /** One of your own */
    is_own: boolean
  }[]
  /** Categories of products, in order */
  categories: {
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
    /** URL of the icon */
    icon_url: string
    /** Place in the list: the smallest comes first */
    display_order: number
    /** Whether it is shown or sold */
    is_active: boolean
    /** One of your own */
    is_own: boolean
    /** Code of the group */
    group: string
  }[]
  /** Products */
  products: PortalProduct[]
}
export type PortalCatalogueResponse = {
  /** Content of the answer or of the event */
  data: PortalCatalogue
}
export type PortalChangeEndpointRequest = {
  /** Webhooks alone */
  enabled?: boolean
  /** Balance alone */
  types?: ("balance.added" | "balance.low" | "balance.deducted" | "balance.refunded")[]
  /** Your own, once more */
  password?: string
}
export type PortalChangeKeyRequest = {
  /** Groups of operations that the key may call */
  scopes?: ("read" | "pay" | "support" | "configure")[]
  /** Name that people see */
  label?: string
  /** Codes of products, categories and groups that it may sell; null: all */
  products?: string[] | null
  /** Highest cost of one payment, in ringgit, as text or a number; null: none */
  max_amount?: string | number | null
  /** Highest sum of cost of a day, GMT+8, as text or a number; null: none */
  daily_cap?: string | number | null
  /** Highest sum of cost of a month, GMT+8, as text or a number; null: none */
  monthly_cap?: string | number | null
  /** Its end, with a zone; null: none */
  expires_at?: string | null
  /** Addresses and CIDRs that may use it, inside the account's own; null: all of those */
  ip_allowlist?: string[] | null
  /** Note for people */
  note?: string
  /** Your own, once more */
  password?: string
}
export type PortalChangeKeyResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Id, as other operations take it */
    id: string
    /** API key, as X-Api-Key sends it */
    key: string
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
    /** Note for people */
    note: string
    /** Whether it can sign requests */
    has_secret: boolean
    /** Present state */
    state: "active" | "in_grace" | "expired" | "revoked"
    /** Its end, or that of its grace, whichever comes first; null: none */
    expires_at: string | null
    /** When it was revoked; null: it is not */
    revoked_at: string | null
    /** ISO 8601, UTC */
    created_at: string
    /** Last proven request with it, to about a minute; null: there was none */
    last_used_at: string | null
  }
}
export type PortalChangeMemberRequest = {
  /** admin: the owner, who may do everything. manager: sells, sees all sales and opens cases. cashier: sells, and sees their own sales. accountant: statement, deposits and files, no PINs. viewer: sees everything but PINs and secrets */
  role?: "admin" | "manager" | "cashier" | "accountant" | "viewer"
  /** Present state */
  status?: "active" | "disabled"
  /** Your own, once more */
  password?: string
}
export type PortalChangeSettingsRequest = {
  /** Only signed requests may pay */
  topup_requires_api_key?: boolean
  /** Seconds in which the same product, account and amount is refused, 0 to 86,400; 0: never */
  duplicate_window_seconds?: number
  /** Your own, once more */
  password?: string
}
export type PortalCompareCanonicalRequest = {
  /** The text as your program signed it, printed right before it is signed */
  yours: string
}
export type PortalCreateKeyRequest = {
  /** Left out: all of them */
  scopes?: ("read" | "pay" | "support" | "configure")[]
  /** Name that people see */
  label?: string
  /** Codes of products, categories and groups that it may sell; null: all */
  products?: string[] | null
  /** Highest cost of one payment, in ringgit, as text or a number; null: none */
  max_amount?: string | number | null
  /** Highest sum of cost of a day, GMT+8, as text or a number; null: none */
  daily_cap?: string | number | null
  /** Highest sum of cost of a month, GMT+8, as text or a number; null: none */
  monthly_cap?: string | number | null
  /** Its end, with a zone; null: none */
  expires_at?: string | null
  /** Addresses and CIDRs that may use it, inside the account's own; null: all of those */
  ip_allowlist?: string[] | null
  /** Note for people */
  note?: string
  /** Your own, once more */
  password?: string
}
export type PortalDelivery = {
  /** Id, as other operations take it */
  id: string
  /** Stream of events with an endpoint of its own */
  stream: "callback" | "catalog" | "balance" | "order"
  /** Id of the event */
  event_id: string
  /** Type of the event; null: it is no longer known */
  event_type: string | null
  /** Present state */
  status: "success" | "failed" | "pending"
  /** Reason of the failure */
  error: string
  /** Attempts so far */
  attempts: number
  /** 0 when nothing answered */
  response_status: number
  /** Absolute URL */
  url: string
  /** HTTP method */
  method: "GET" | "POST"
  /** Id of the delivery that this one repeats; null: it is no replay */
  replay_of: string | null
  /** All replays of the event so far */
  replays: number
  /** Whether it is a test event */
  is_test: boolean
  /** ISO 8601, UTC */
  created_at: string
  /** When it became final; null: it is under way */
  completed_at: string | null
}
export type PortalDeliveryList = {
  /** Content of the answer or of the event */
  data: PortalDelivery[]
}
export type PortalDeliveryPage = {
  /** Content of the answer or of the event */
  data: PortalDelivery[]
  /** For the next page; null when there is none */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type PortalEntry = {
  /** The entry's number in the wallet, without gaps */
  number: string
  /** Kind of the object */
  kind: "deposit" | "adjustment" | "payment" | "refund" | "commission"
  /** Decimal with 2 to 4 places, in MYR */
  amount: string
  /** Decimal with 2 to 4 places, in MYR */
  balance: string
  /** transaction_id of the payment; null: there is none */
  payment_id: string | null
  /** Your reference of the payment; null: the entry has none */
  refid: string | null
  /** The same as `payment_id`, under the name of the signed API */
  trxid: string | null
  /** Text of the entry */
  remarks: string
  /** ISO 8601, UTC */
  created_at: string
}
export type PortalEntryPage = {
  /** Content of the answer or of the event */
  data: PortalEntry[]
  /** For the next page; null when there is none */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
  /** Over the days, for all types */
  summary: {
    /** yyyy-MM-dd, GMT+8 */
    from: string
    /** yyyy-MM-dd, GMT+8 */
    to: string
    /** Decimal with 2 to 4 places, in MYR */
    opening: string
    /** Decimal with 2 to 4 places, in MYR */
    closing: string
    /** Deposits */
    deposits: {
      /** Decimal with 2 to 4 places, in MYR */
      amount: string
      /** How many */
      count: number
    }
    /** Payments, all outcomes */
    payments: {
      /** Decimal with 2 to 4 places, in MYR */
      amount: string
      /** How many */
      count: number
    }
    /** Refunds */
    refunds: {
      /** Decimal with 2 to 4 places, in MYR */
      amount: string
      /** How many */
      count: number
    }
    /** Commissions */
    commissions: {
      /** Decimal with 2 to 4 places, in MYR */
      amount: string
      /** How many */
      count: number
    }
  }
}
export type PortalEvent = {
  /** Number of the entry, without gaps */
  sequence: number
  /** Id, as other operations take it */
  id: string
  /** Type of the event */
  type: string
  /** ISO 8601, UTC */
  created_at: string
  /** Content of the answer or of the event */
  data: Record<string, unknown>
}
export type PortalEventPage = {
  /** Oldest first */
  data: PortalEvent[]
  /** Value of `after` for the next page */
  next: number
  /** Value of `before` for the page before this one; null: this is the first */
  previous: number | null
  /** The newest sequence that there is */
  latest: number
  /** Whether a next page exists */
  has_more: boolean
}
export type PortalGetDeliveryResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Id, as other operations take it */
    id: string
    /** Stream of events with an endpoint of its own */
    stream: "callback" | "catalog" | "balance" | "order"
    /** Id of the event */
    event_id: string
    /** Type of the event; null: it is no longer known */
    event_type: string | null
    /** Present state */
    status: "success" | "failed" | "pending"
    /** Reason of the failure */
    error: string
    /** Attempts so far */
    attempts: number
    /** 0 when nothing answered */
    response_status: number
    /** Absolute URL */
    url: string
    /** HTTP method */
    method: "GET" | "POST"
    /** Id of the delivery that this one repeats; null: it is no replay */
    replay_of: string | null
    /** All replays of the event so far */
    replays: number
    /** Whether it is a test event */
    is_test: boolean
    /** ISO 8601, UTC */
    created_at: string
    /** When it became final; null: it is under way */
    completed_at: string | null
    /** The event; null: it is no longer kept */
    payload: Record<string, unknown> | null
    /** At most 2 kB; empty for viewers */
    response_body: string
    /** Oldest first */
    tries: {
      /** ISO 8601, UTC */
      at: string
      /** Time until the answer, in milliseconds */
      duration_ms: number
      /** HTTP status of the answer; 0 when nothing answered */
      response_status: number
      /** Reason of the failure */
      error: string
    }[]
  }
}
export type PortalGetProductResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
    /** Name before your changes */
    base_name: string
    /** Code of the category */
    category: string
    /** Category before your changes */
    base_category: string
    /** URL of the picture */
    image_url: string
    /** Place in the list: the smallest comes first */
    display_order: number
    /** Usual time until the payment is final */
    processing_time: string
    /** Whether your customers see it */
    is_active: boolean
    /** false: you switched it off */
    is_enabled: boolean
    /** Not listed; it may still be active */
    is_hidden: boolean
    /** A void can be asked for */
    is_refundable: boolean
    /** Smallest amount; null: as in the base */
    min_amount: string | null
    /** Largest amount; null: as in the base */
    max_amount: string | null
    /** Your adjustment of the price; null: there is none */
    adjustment: ({
      /** How the value changes the price */
      type: "fixed" | "percentage"
      /** fixed: ringgit added to the price, such as 0.50 or -0.50. percentage: a factor, such as 1.02 */
      value: string
    }) | null
    /** Discount of the price level; null: there is none */
    discount: ({
      /** percentage: of the face value. fixed: a sum. */
      type: "percentage" | "fixed"
      /** percentage: factor of the face value. fixed: ringgit added to it */
      unit_price: string
    }) | null
    /** Over its denominations, or the ends of its range; null: not known */
    margin: {
      /** Decimal with 2 to 4 places, in MYR */
      min: string
      /** Decimal with 2 to 4 places, in MYR */
      max: string
    } | null
    /** Some denomination can be sold below cost */
    has_loss_risk: boolean
    /** You changed something of it */
    is_customised: boolean
    /** At most 500 */
    lines: PriceLine[]
    /** Your changes of its options */
    options: ({
      /** Id of the field */
      field: string
      /** Stable code */
      code: string
      /** false: switched off */
      is_enabled: boolean
      /** Recommended retail price, in MYR; null: as in the base */
      retail_price: string | null
    })[]
  }
}
export type PortalListMonthsResponse = {
  /** Content of the answer or of the event */
  data: {
    /** yyyy-MM, GMT+8 */
    month: string
    /** yyyy-MM-dd, GMT+8 */
    from: string
    /** yyyy-MM-dd, GMT+8 */
    to: string
    /** Decimal with 2 to 4 places, in MYR */
    opening: string
    /** Decimal with 2 to 4 places, in MYR */
    closing: string
    /** Deposits */
    deposits: {
      /** Decimal with 2 to 4 places, in MYR */
      amount: string
      /** How many */
      count: number
    }
    /** Payments, all outcomes */
    payments: {
      /** Decimal with 2 to 4 places, in MYR */
      amount: string
      /** How many */
      count: number
    }
    /** Refunds */
    refunds: {
      /** Decimal with 2 to 4 places, in MYR */
      amount: string
      /** How many */
      count: number
    }
    /** Commissions */
    commissions: {
      /** Decimal with 2 to 4 places, in MYR */
      amount: string
      /** How many */
      count: number
    }
  }[]
}
export type PortalListNumbersResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Your own first, then those of the shop */
    favourites: Favourite[]
    /** Each number of a product once; your own sales first */
    recents: RecentNumber[]
  }
}
export type PortalListThresholdsResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Decimal with 2 to 4 places, in MYR */
    amount: string
    /** ISO 8601, UTC */
    updated_at: string
  }[]
}
export type PortalPayment = {
  /** Id, as other operations take it */
  id: string
  /** The reseller's reference of the payment */
  refid: string
  /** Present state */
  status: "successful" | "pending" | "failed" | "refunded"
  /** statusCode of the payment */
  code: number
  /** Product code */
  product: string
  /** Name of the product */
  product_name: string
  /** Biller; null: it is no bill payment */
  biller: string | null
  /** Account of the customer: a phone number, a bill account */
  account: string
  /** In the product's own unit */
  amount: string
  /** The product's own unit, such as MYR; null: the product is no longer known */
  amount_currency: string | null
  /** Decimal with 2 to 4 places, in MYR */
  face_value: string
  /** Decimal with 2 to 4 places, in MYR */
  cost: string
  /** The reseller's note, or the reason of a failure */
  remarks: string
  /** Serial number of the provider; empty when there is none */
  serial_number: string
  /** Masked for viewers and accountants */
  pin: string
  /** Masked for viewers and accountants */
  voucher_link: string
  /** Last day of the PIN or voucher, yyyyMMdd; empty when there is none */
  expiry: string
  /** Address of the caller */
  sender: string
  /** The API key's or member's id; of a payment of an order, the order's id */
  member_id: string
  /** The member's name, the key's label or the order's id; null: not known any more */
  sold_by: ({
    /** Kind of the object */
    kind: "member" | "key" | "order"
    /** Name that people see */
    name: string
  }) | null
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  changed_at: string
}
export type PortalPaymentDetails = {
  /** Id, as other operations take it */
  id: string
  /** The reseller's reference of the payment */
  refid: string
  /** Present state */
  status: "successful" | "pending" | "failed" | "refunded"
  /** statusCode of the payment */
  code: number
  /** Product code */
  product: string
  /** Name of the product */
  product_name: string
  /** Biller; null: it is no bill payment */
  biller: string | null
  /** Account of the customer: a phone number, a bill account */
  account: string
  /** In the product's own unit */
  amount: string
  /** The product's own unit, such as MYR; null: the product is no longer known */
  amount_currency: string | null
  /** Decimal with 2 to 4 places, in MYR */
  face_value: string
  /** Decimal with 2 to 4 places, in MYR */
  cost: string
  /** The reseller's note, or the reason of a failure */
  remarks: string
  /** Serial number of the provider; empty when there is none */
  serial_number: string
  /** Masked for viewers and accountants */
  pin: string
  /** Masked for viewers and accountants */
  voucher_link: string
  /** Last day of the PIN or voucher, yyyyMMdd; empty when there is none */
  expiry: string
  /** Address of the caller */
  sender: string
  /** The API key's or member's id; of a payment of an order, the order's id */
  member_id: string
  /** The member's name, the key's label or the order's id; null: not known any more */
  sold_by: ({
    /** Kind of the object */
    kind: "member" | "key" | "order"
    /** Name that people see */
    name: string
  }) | null
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  changed_at: string
  /** Decimal with 2 to 4 places, in MYR */
  balance_after: string
  /** Note for people */
  note: string
  /** How the customer uses what was bought, in the language of `Accept-Language` where the catalogue has it */
  redemption: string | null
  /** Plan code; null: it is no plan */
  plan: string | null
  /** Second reference, where the biller requires one */
  ref2: string | null
  /** Always masked */
  ic_number: string | null
  /** A void can be asked for */
  is_refundable: boolean
  /** About this payment, newest first */
  cases: ({
    /** Number of the case, such as C-2026-000123 */
    number: string
    /** Kind of the object */
    kind: "dispute" | "void"
    /** Present state */
    state: "open" | "in_progress" | "resolved" | "refused"
    /** ISO 8601, UTC */
    opened_at: string
  })[]
  /** Oldest first */
  timeline: ({
    /** Kind of the object */
    kind: "request" | "state" | "attempt"
    /** statusCode of the payment */
    code: number
    /** Present state */
    status: string
    /** ISO 8601, UTC */
    at: string
  })[]
  /** Movements of the wallet, oldest first */
  movements: ({
    /** Kind of the object */
    kind: "payment" | "refund"
    /** Decimal with 2 to 4 places, in MYR */
    amount: string
    /** The wallet's, right after it */
    balance: string
    /** ISO 8601, UTC */
    at: string
  })[]
  /** Oldest first, replays included */
  callbacks: ({
    /** Id, as other operations take it */
    id: string
    /** Id of the event */
    event_id: string
    /** Present state */
    status: string
    /** Reason of the failure */
    error: string
    /** Attempts so far */
    attempts: number
    /** 0 when nothing answered */
    response_status: number
    /** For admins; else empty */
    response_body: string
    /** Id of the delivery that this one repeats; null: it is no replay */
    replay_of: string | null
    /** ISO 8601, UTC */
    created_at: string
    /** When it became final; null: it is under way */
    completed_at: string | null
  })[]
}
export type PortalPaymentDetailsResponse = {
  /** Content of the answer or of the event */
  data: PortalPaymentDetails
}
export type PortalPaymentPage = {
  /** Content of the answer or of the event */
  data: PortalPayment[]
  /** For the next page; null when there is none */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type PortalProduct = {
  /** Stable code */
  code: string
  /** Name that people see */
  name: string
  /** Name before your changes */
  base_name: string
  /** Code of the category */
  category: string
  /** Category before your changes */
  base_category: string
  /** URL of the picture */
  image_url: string
  /** Place in the list: the smallest comes first */
  display_order: number
  /** Usual time until the payment is final */
  processing_time: string
  /** Whether your customers see it */
  is_active: boolean
  /** false: you switched it off */
  is_enabled: boolean
  /** Not listed; it may still be active */
  is_hidden: boolean
  /** A void can be asked for */
  is_refundable: boolean
  /** Smallest amount; null: as in the base */
  min_amount: string | null
  /** Largest amount; null: as in the base */
  max_amount: string | null
  /** Your adjustment of the price; null: there is none */
  adjustment: ({
    /** How the value changes the price */
    type: "fixed" | "percentage"
    /** fixed: ringgit added to the price, such as 0.50 or -0.50. percentage: a factor, such as 1.02 */
    value: string
  }) | null
  /** Discount of the price level; null: there is none */
  discount: ({
    /** percentage: of the face value. fixed: a sum. */
    type: "percentage" | "fixed"
    /** percentage: factor of the face value. fixed: ringgit added to it */
    unit_price: string
  }) | null
  /** Over its denominations, or the ends of its range; null: not known */
  margin: {
    /** Decimal with 2 to 4 places, in MYR */
    min: string
    /** Decimal with 2 to 4 places, in MYR */
    max: string
  } | null
  /** Some denomination can be sold below cost */
  has_loss_risk: boolean
  /** You changed something of it */
  is_customised: boolean
}
export type PortalPutEndpointRequest = {
  /** Absolute URL */
  url: string
  /** Callbacks alone; POST when left out */
  method?: "GET" | "POST"
  /** Your own, once more */
  password?: string
}
export type PortalPutEndpointResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Stream of events with an endpoint of its own */
    stream: "callback" | "catalog" | "balance" | "order"
    /** Whether a URL is set */
    is_configured: boolean
    /** Empty when none is configured */
    url: string
    /** HTTP method */
    method: ("GET" | "POST") | null
    /** Whether it is switched on */
    enabled: boolean
    /** Balance alone: which events are sent */
    types: string[]
    /** Last four characters of the secret; empty when there is none */
    secret_last_four: string
    /** When the secret was made; null: there is none */
    secret_created_at: string | null
    /** When sending was paused; null: it is not */
    paused_at: string | null
    /** Since when nothing was received; null: the last delivery was */
    failing_since: string | null
    /** When a delivery was last received; null: never */
    last_success_at: string | null
    /** Deliveries on their way, counted up to a bound */
    pending: number
    /** Latest change, ISO 8601, UTC; null: there was none */
    updated_at: string | null
    /** Only for a new one; shown this once */
    secret: string | null
  }
}
export type PortalReplayDeliveriesRequest = {
  /** Ids of deliveries */
  delivery_ids: string[]
}
export type PortalReplayDeliveriesResponse = {
  /** Content of the answer or of the event */
  data: ({
    /** Id of the delivery */
    delivery_id: string
    /** Whether it was sent again */
    replayed: boolean
    /** Id of the new delivery; null: there is none */
    new_delivery_id: string | null
    /** not_found, not_failed or limit */
    error: string | null
  })[]
}
export type PortalReplayDeliveryResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Id of the delivery */
    delivery_id: string
    /** Id of the new delivery */
    new_delivery_id: string
    /** Id of the event */
    event_id: string
  }
}
export type PortalRotateEndpointSecretRequest = {
  /** Not for the balance webhook, whose old secret ends at once */
  grace_seconds?: number
  /** Your own, once more */
  password?: string
}
export type PortalRotateEndpointSecretResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Stream of events with an endpoint of its own */
    stream: "callback" | "catalog" | "balance" | "order"
    /** Whether a URL is set */
    is_configured: boolean
    /** Empty when none is configured */
    url: string
    /** HTTP method */
    method: ("GET" | "POST") | null
    /** Whether it is switched on */
    enabled: boolean
    /** Balance alone: which events are sent */
    types: string[]
    /** Last four characters of the secret; empty when there is none */
    secret_last_four: string
    /** When the secret was made; null: there is none */
    secret_created_at: string | null
    /** When sending was paused; null: it is not */
    paused_at: string | null
    /** Since when nothing was received; null: the last delivery was */
    failing_since: string | null
    /** When a delivery was last received; null: never */
    last_success_at: string | null
    /** Deliveries on their way, counted up to a bound */
    pending: number
    /** Latest change, ISO 8601, UTC; null: there was none */
    updated_at: string | null
    /** Shown this once; whsec_ and Base64 of 32 bytes */
    secret: string
  }
}
export type PortalRotateKeyRequest = {
  /** How long the old key works beside the new one; 0 or left out: it ends at once */
  grace_seconds?: number
  /** Your own, once more */
  password?: string
}
export type PortalSearch = {
  /** Payments whose refid begins with it, or id (6 digits or more); to the number, in any spelling; to a favourite of that name; and of the newest 20,000 of 90 days: whose number or serial ends with it (4 characters or more), whose PIN does (exactly 4; admins), with this amount */
  payments: PaymentLine[]
  /** That you sell, with it in code or name */
  products: {
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
  }[]
  /** With this number, or about a payment with exactly this refid or id */
  cases: ({
    /** Number of the case, such as C-2026-000123 */
    number: string
    /** Kind of the object */
    kind: "dispute" | "void"
    /** Present state */
    state: "open" | "in_progress" | "resolved" | "refused"
    /** The reseller's reference of the payment */
    refid: string
  })[]
}
export type PortalSearchResponse = {
  /** At most 8 of each */
  data: PortalSearch
}
export type PortalSetMailLanguageRequest = {
  /** Language of your mails */
  language: "en" | "ms" | "id" | "zh" | "ta"
}
export type PortalSwitchMailRequest = {
  /** Id of the person; null: the account's registered address */
  member_id: string | null
  /** Kind of the object */
  kind: "balance.low" | "deposit" | "delivery" | "case" | "schedule"
  /** Whether the mail is sent */
  on: boolean
}
export type PortalTestEndpointRequest = {
  /** An event type of the stream; left out, its usual one */
  type?: "payment.succeeded" | "payment.processing" | "payment.failed" | "payment.voided" | "product.updated" | "product.created" | "product.deleted" | "option.updated" | "option.created" | "option.deleted" | "category.updated" | "category.created" | "category.deleted" | "group.updated" | "group.created" | "group.deleted" | "balance.added" | "balance.low" | "balance.deducted" | "balance.refunded" | "order.completed" | "order.timeout" | "order.cancelled"
}
export type PortalTestEndpointResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Id of the delivery */
    delivery_id: string
    /** Id of the event */
    event_id: string
  }
}
export type PriceAdjustment = {
  /** How the value changes the price */
  type: "fixed" | "percentage"
  /** fixed: added to the price. percentage: the price is multiplied by it. */
  value: number
  /** Currency of a fixed adjustment */
  currency?: string
}
export type PriceLine = {
  /** Code of the option; null: the line is for the product itself */
  option: string | null
  /** Name that people see */
  label: string
  /** In the product's own unit */
  denomination: string
  /** Decimal with 2 to 4 places, in MYR */
  cost: string
  /** Decimal with 2 to 4 places, in MYR */
  price: string
  /** Decimal with 2 to 4 places, in MYR */
  retail_price: string
  /** Decimal with 2 to 4 places, in MYR */
  margin: string
  /** Some denomination can be sold below cost */
  has_loss_risk: boolean
  /** Whether it is shown or sold */
  is_active: boolean
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
export type ReceiptHeader = {
  /** Empty: that of the account */
  name: string
  /** Network address */
  address: string
  /** Number under which the shop is registered; empty: none is printed */
  registration_number: string
  /** Text at the foot of each receipt; empty: none is printed */
  footer: string
  /** Base64 of a PNG; null: none */
  logo: string | null
}
export type ReceiptHeaderRequest = {
  /** Name of the shop; empty: that of the account */
  name?: string
  /** Address of the shop, in one line */
  address?: string
  /** Number by which the business is registered */
  registration_number?: string
  /** Last line, such as opening hours */
  footer?: string
  /** Base64 of a PNG of at most 24576 bytes and 576 by 576 pixels; empty: none */
  logo?: string
}
export type ReceiptHeaderResponse = {
  /** Content of the answer or of the event */
  data: ReceiptHeader
}
export type ReceiptResponse = {
  /** Content of the answer or of the event */
  data: Receipt
  /** Compact JWS */
  jws: string
}
export type RecentNumber = {
  /** Product code */
  product: string
  /** Name of the product */
  product_name: string
  /** Account of the customer */
  number: string
  /** In the product's own unit */
  amount: string
  /** ISO 8601, UTC */
  at: string
  /** true: you sold it */
  is_own: boolean
}
export type RecoveryCodes = {
  /** Content of the answer or of the event */
  data: {
    /** Codes that each replace one code of the app, shown this once */
    recovery_codes: string[]
  }
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
export type ReportDepositRequest = {
  /** Ringgit, as transferred */
  amount: string
  /** Day of the transfer, yyyy-MM-dd */
  transferred_on: string
  /** The bank’s own, as the slip shows it */
  bank_reference: string
  /** Note for people */
  note?: string
  /** The file in base64, at most 2 MB: PNG, JPEG, WebP or PDF. Its kind is read from its content. */
  slip: string
}
export type RequestForAccess = {
  /** Id, as other operations take it */
  id: string
  /** Kind of the object */
  kind: "user_create" | "user_change" | "reseller_email"
  /** Present state */
  state: "pending" | "approved" | "refused" | "withdrawn" | "expired"
  /** The change. user_create: a login `username` with the mail address `email` and the role `role`. user_change: the login gets `role` or `status`. reseller_email: the registered address becomes `email`; `from` is the present one. */
  command: {
    /** Name to sign in with */
    username: string | null
    /** Mail address */
    email: string | null
    /** Role, which decides what the person may do */
    role: string | null
    /** Present state */
    status: string | null
    /** Value before the change; null: there was none */
    from: string | null
  }
  /** Reason that was given */
  reason: string
  /** Address of the operator who asks */
  requested_by: string
  /** ISO 8601, UTC */
  requested_at: string
  /** ISO 8601, UTC */
  expires_at: string
  /** Decision; null: there is none yet */
  decision: ({
    /** An e-mail address, or the user name of a member */
    by: string
    /** Kind of person who decided */
    by_kind: "operator" | "member" | "link"
    /** ISO 8601, UTC */
    at: string
    /** Reason that was given */
    reason: string
  }) | null
}
export type RequestForAccessList = {
  /** Content of the answer or of the event */
  data: RequestForAccess[]
}
export type RequestForAccessResponse = {
  /** Content of the answer or of the event */
  data: RequestForAccess
}
export type ResumeRequestWithProof = {
  /** here: with the line at which it was stopped, now; next: at its next time, without the rest of this run */
  from: "here" | "next"
  /** Your own, once more */
  password?: string
}
export type SalesReport = {
  /** Dimension of the lines */
  by: "day" | "product" | "category" | "hour" | "seller" | "branch" | "till"
  /** yyyy-MM-dd, GMT+8 */
  from: string
  /** yyyy-MM-dd, GMT+8 */
  to: string
  /** Days that it is compared with: as many, whole weeks earlier */
  before: {
    /** yyyy-MM-dd, GMT+8 */
    from: string
    /** yyyy-MM-dd, GMT+8 */
    to: string
  }
  /** Number of all matches */
  total: {
    /** Payments, all outcomes */
    payments: number
    /** How many succeeded */
    successful: number
    /** How many are not final */
    pending: number
    /** How many failed */
    failed: number
    /** How many were given back */
    refunded: number
    /** Face value of what succeeded or still may, in MYR */
    sales: string
    /** Decimal with 2 to 4 places, in MYR */
    cost: string
    /** sales minus cost, in MYR */
    margin: string
    /** 0 to 1, of what succeeded or failed; null: nothing did */
    success_rate: number | null
    /** The same, in the days before */
    before: {
      /** Payments, all outcomes */
      payments: number
      /** How many succeeded */
      successful: number
      /** How many are not final */
      pending: number
      /** How many failed */
      failed: number
      /** How many were given back */
      refunded: number
      /** Face value of what succeeded or still may, in MYR */
      sales: string
      /** Decimal with 2 to 4 places, in MYR */
      cost: string
      /** sales minus cost, in MYR */
      margin: string
      /** 0 to 1, of what succeeded or failed; null: nothing did */
      success_rate: number | null
    }
  }
  /** Every day and hour in its order; others by sales, the largest first */
  lines: ({
    /** Day; code of the product or category, empty for products that are no longer known; hour from 0 to 23, GMT+8; who sold: `member:` or `key:` with its id, or `orders` for the checkout; or id of the branch or till, empty for what was sold in no shift */
    key: string
    /** null: there is none, or it is not known any more */
    name: string | null
    /** Payments, all outcomes */
    payments: number
    /** How many succeeded */
    successful: number
    /** How many are not final */
    pending: number
    /** How many failed */
    failed: number
    /** How many were given back */
    refunded: number
    /** Face value of what succeeded or still may, in MYR */
    sales: string
    /** Decimal with 2 to 4 places, in MYR */
    cost: string
    /** sales minus cost, in MYR */
    margin: string
    /** 0 to 1, of what succeeded or failed; null: nothing did */
    success_rate: number | null
    /** The same, in the days before */
    before: {
      /** Payments, all outcomes */
      payments: number
      /** How many succeeded */
      successful: number
      /** How many are not final */
      pending: number
      /** How many failed */
      failed: number
      /** How many were given back */
      refunded: number
      /** Face value of what succeeded or still may, in MYR */
      sales: string
      /** Decimal with 2 to 4 places, in MYR */
      cost: string
      /** sales minus cost, in MYR */
      margin: string
      /** 0 to 1, of what succeeded or failed; null: nothing did */
      success_rate: number | null
    }
  })[]
}
export type SalesReportResponse = {
  /** Content of the answer or of the event */
  data: SalesReport
}
export type SavedFilter = {
  /** Id, as other operations take it */
  id: string
  /** Name that people see */
  name: string
  /** true: for everybody of the shop; false: for oneself */
  is_shared: boolean
  /** Filters of the list of payments */
  query: string
}
export type SavedFilterList = {
  /** Your own first, then those of the shop */
  data: SavedFilter[]
}
export type SavedFilterResponse = {
  /** Content of the answer or of the event */
  data: SavedFilter
}
export type Schedule = {
  /** Id, as other operations take it */
  id: string
  /** Empty: none */
  name: string
  /** Member in whose name, and within whose right and limits, it pays */
  member_id: string
  /** How often it is paid */
  every: "once" | "week" | "month"
  /** ISO 8601, UTC */
  first_at: string
  /** Whether lines that repeat a payment of a moment before are paid */
  repeats: "skip" | "pay"
  /** Most that a run may cost */
  max_cost: string
  /** Lines of each run */
  lines: number
  /** stopped: it pays nothing until somebody goes on with it; ended: it was paid */
  state: "active" | "stopped" | "ended"
  /** Why it was stopped; null: it was not */
  reason: ("person" | "member" | "account" | "not_allowed" | "balance" | "limit" | "product" | "price" | "unavailable" | "late") | null
  /** Time of the next run, or of the one under way; null: it has ended */
  run_at: string | null
  /** Runs that have ended */
  runs: number
  /** Batch of the run under way; null: none is */
  batch_id: string | null
}
export type ScheduleList = {
  /** Content of the answer or of the event */
  data: Schedule[]
}
export type ScheduleRequestWithProof = {
  /** Name of the batches; empty: none */
  name: string
  /** week and month: again at the same hour of that day; a month without the day is paid on its last one */
  every: "once" | "week" | "month"
  /** Time of the first run, within a year from now */
  first_at: string
  /** Whether lines are paid that repeat a payment of a moment before: your duplicate window, or 120 s */
  repeats: "skip" | "pay"
  /** Most that a run may cost, as the person has confirmed it: no less than its lines cost together */
  max_cost: string
  /** Prices by denomination */
  lines: ScheduledLine[]
  /** Your own, once more */
  password?: string
}
export type ScheduleResponse = {
  /** Content of the answer or of the event */
  data: Schedule
}
export type ScheduledLine = {
  /** Number of the line in the file */
  line: number
  /** Code */
  product: string
  /** Account of the customer */
  account: string
  /** In the product's own unit */
  amount: string
  /** Plan code */
  subproduct_code?: string | null
  /** Code of the biller */
  biller_code?: string | null
  /** Second reference, where the biller requires one */
  ref2?: string | null
  /** The reseller's note, or the reason of a failure */
  remarks?: string | null
  /** The reseller's own, unique for ever */
  reference?: string | null
  /** Identity number; null: none was given */
  ic_number?: string | null
  /** As the preview named it: a higher cost stops the run before the line is paid */
  cost: string
}
export type SecondFactor = {
  /** Content of the answer or of the event */
  data: {
    /** Whether it is switched on */
    enabled: boolean
    /** When it was confirmed; null: not yet */
    confirmed_at: string | null
    /** Recovery codes that are not used */
    recovery_codes_left: number
  }
}
export type SecondFactorCodeRequest = {
  /** Code of the app */
  code: string
}
export type SecondFactorSecret = {
  /** Content of the answer or of the event */
  data: {
    /** Base32, to be typed into an app */
    secret: string
    /** The same for a picture */
    otpauth_uri: string
  }
}
export type SellQuote = {
  /** Why the portal may not pay at all; null: it may */
  blocked: ("api_key_required" | "ip_not_allowed") | null
  /** To pay it with; null: the payment would be refused */
  quote_id: string | null
  /** Until then the cost holds */
  expires_at: string | null
  /** Worth in MYR */
  face_value: string | null
  /** Sum that the wallet is debited */
  cost: string | null
  /** Price for the end customer; null: not known, or your adjustment leaves nothing */
  price: string | null
  /** Price minus cost, in MYR */
  margin: string | null
  /** Decimal with 2 to 4 places, in MYR */
  balance: string
  /** After paying it */
  balance_after: string | null
  /** Problems of the line */
  problems: ({
    /** The code that paying would be refused with */
    code: number
    /** Stable code of the problem */
    token: string
    /** Id of the field */
    field: string | null
    /** Explanation for people */
    message: string
  })[]
  /** Remarks that hinder no payment */
  warnings: ({
    /** Stable code */
    code: "possible_duplicate" | "operator_differs" | "network_interruption" | "balance_low_after"
    /** Explanation for people */
    message: string
    /** The earlier payment of a possible duplicate, which needs `allow_duplicate` */
    payment: {
      /** Id, as other operations take it */
      id: string
      /** The reseller's reference of the payment */
      refid: string
      /** Seconds since it was taken */
      seconds: number
    } | null
  })[]
}
export type SellQuoteResponse = {
  /** Content of the answer or of the event */
  data: SellQuote
}
export type SessionProofRequest = {
  /** One’s own */
  password?: string
  /** Sent back with the device’s answer, once */
  ceremony?: string
  /** Result of `credential.toJSON()`; other members are ignored */
  credential?: {
    /** Id, as other operations take it */
    id: string
    /** The browser's answer */
    response: {
      /** Base64url, from the browser */
      clientDataJSON: string
      /** Base64url, from the browser */
      authenticatorData: string
      /** Base64url, from the browser */
      signature: string
      /** Id of the owner, base64url; null: the passkey gave none */
      userHandle?: string | null
    }
  }
}
export type Sessions = {
  /** Content of the answer or of the event */
  data: ({
    /** Id, as other operations take it */
    id: string
    /** Whether it is the session of this request */
    is_current: boolean
    /** Network address */
    address: string
    /** User-Agent header of the browser */
    user_agent: string
    /** As the browser names itself; null: not known */
    device: {
      /** Name of the browser; null: not recognised */
      browser: string | null
      /** Operating system; null: not recognised */
      os: string | null
    }
    /** Proof of the sign-in */
    signed_in_with: "password" | "passkey" | "pin"
    /** ISO 8601, UTC */
    created_at: string
    /** To the minute */
    last_seen_at: string
    /** However busy it is */
    expires_at: string
  })[]
}
export type SharedTillOfThisBrowser = {
  /** Content of the answer or of the event */
  data: {
    /** Name of the till */
    name: string
    /** Seconds without a key or a touch after which it locks itself */
    idle_seconds: number
    /** Whether it takes no PIN after too many wrong ones */
    is_locked: boolean
    /** Members who have a PIN, by name */
    people: {
      /** Id, as other operations take it */
      id: string
      /** Name that people see */
      name: string
      /** Whether their PIN is locked at this till */
      is_locked: boolean
    }[]
  }
}
export type SharedTillRequestWithProof = {
  /** Name that people see */
  name: string
  /** Seconds without a key or a touch after which it locks itself */
  idle_seconds: number
  /** Your own, once more */
  password?: string
}
export type SharedTills = {
  /** Content of the answer or of the event */
  data: {
    /** Id, as other operations take it */
    id: string
    /** Name of the till */
    name: string
    /** Seconds without a key or a touch after which it locks itself */
    idle_seconds: number
    /** Whether it is this browser */
    is_this: boolean
    /** Whether it takes no PIN after too many wrong ones */
    is_locked: boolean
    /** Names of those whose PIN is locked there */
    locked: string[]
    /** Name of the member who opened it */
    opened_by: string
    /** ISO 8601, UTC */
    created_at: string
    /** ISO 8601, UTC */
    last_used_at: string
  }[]
}
export type Shift = {
  /** Id, as other operations take it */
  id: string
  /** Till at which it was opened */
  till: TillOfABranch
  /** User name */
  opened_by: string
  /** ISO 8601, UTC */
  opened_at: string
  /** Decimal with 2 to 4 places, in MYR */
  float: string
  /** null: the shift is open */
  end: EndOfAShift | null
}
export type ShiftPage = {
  /** Content of the answer or of the event */
  data: Shift[]
  /** For the next page; null when there is none */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ShiftReport = {
  /** Shift that it is about */
  shift: Shift
  /** User names of those who sold in it */
  people: string[]
  /** Cash put in and taken out, and sales that were paid otherwise, oldest first */
  movements: MovementOfCash[]
  /** Face values that were sold when it was closed; null: the shift is open */
  total: {
    /** Number of payments */
    payments: number
    /** Decimal with 2 to 4 places, in MYR */
    sales: string
  } | null
  /** The same by category of the product */
  categories: ({
    /** Code of the category */
    code: string
    /** null: it is not known any more */
    name: string | null
    /** Number of payments */
    payments: number
    /** Decimal with 2 to 4 places, in MYR */
    sales: string
  })[]
  /** The same by who sold */
  sellers: {
    /** User name */
    member: string
    /** Number of payments */
    payments: number
    /** Decimal with 2 to 4 places, in MYR */
    sales: string
  }[]
  /** Payments of `total` that failed or were voided after the shift was closed, at most 200; the report itself stays */
  taken_back: {
    /** Payment */
    id: string
    /** User name of who sold it */
    member: string
    /** Name of the product */
    product_name: string
    /** Decimal with 2 to 4 places, in MYR */
    face_value: string
    /** true: it was voided; false: it failed */
    is_void: boolean
    /** ISO 8601, UTC */
    at: string
  }[]
}
export type ShiftReportResponse = {
  /** Content of the answer or of the event */
  data: ShiftReport
}
export type ShiftRequest = {
  /** Cash in the drawer at the beginning, in ringgit */
  float: string
}
export type ShiftResponse = {
  /** Content of the answer or of the event */
  data: Shift
}
export type StopApprovalRequest = {
  /** That of the mail, `wst_…` */
  token: string
}
export type StoppedRequestForAccess = {
  /** refused: the request is stopped and can no longer be approved. undone: it had been carried out, and was undone. nothing: it was never carried out and never will be; somebody had refused or withdrawn it, or its time was over. */
  outcome: "refused" | "undone" | "nothing"
}
export type StoppedRequestForAccessResponse = {
  /** Content of the answer or of the event */
  data: StoppedRequestForAccess
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
export type Till = {
  /** Id, as other operations take it */
  id: string
  /** Branch in which it stands */
  branch_id: string
  /** Name that people see */
  name: string
  /** true: not used any more. What was sold there goes on naming it */
  is_retired: boolean
  /** true: a browser is this till, and opens its shifts */
  has_browser: boolean
}
export type TillChange = {
  /** Name of the till */
  name?: string
  /** true: not used any more. What was sold there goes on naming it */
  is_retired?: boolean
}
export type TillOfABranch = {
  /** Id, as other operations take it */
  id: string
  /** Name that people see */
  name: string
  /** true: not used any more. What was sold there goes on naming it */
  is_retired: boolean
  /** Branch in which it stands */
  branch: Branch
}
export type TillRequest = {
  /** Branch in which it stands */
  branch_id: string
  /** Name of the till; no other one of the branch has it */
  name: string
}
export type TillResponse = {
  /** Content of the answer or of the event */
  data: Till
}
export type TillSettings = {
  /** true: members sell only while they are in a shift */
  requires_shift: boolean
}
export type TillSettingsRequest = {
  /** true: members sell only while they are in a shift */
  requires_shift: boolean
}
export type TillSettingsResponse = {
  /** Content of the answer or of the event */
  data: TillSettings
}
export type Tills = {
  /** Branches, with those that are not used any more */
  branches: Branch[]
  /** Tills of all branches, with those that are not used any more */
  tills: Till[]
  /** Settings that the pack asks for */
  settings: TillSettings
}
export type TillsResponse = {
  /** Content of the answer or of the event */
  data: Tills
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
export type WalletDay = {
  /** yyyy-MM-dd, GMT+8 */
  day: string
  /** Decimal with 2 to 4 places, in MYR */
  opening: string
  /** By type. Payments are below zero */
  movements: Movements
  /** Decimal with 2 to 4 places, in MYR */
  closing: string
  /** Number of the first entry */
  first_entry: string
  /** Number of the last entry */
  last_entry: string
  /** null: not closed yet, and this is what the ledger says now */
  closed_at: string | null
}
export type WalletMonth = {
  /** The reseller's account number */
  account: string
  /** yyyy-MM, GMT+8 */
  month: string
  /** Decimal with 2 to 4 places, in MYR */
  opening: string
  /** By type. Payments are below zero */
  totals: Movements
  /** Decimal with 2 to 4 places, in MYR */
  closing: string
  /** The month is over, and so is every day of it that moved */
  is_closed: boolean
  /** Days with movements, oldest first */
  days: WalletDay[]
}
export type WalletMonthResponse = {
  /** Content of the answer or of the event */
  data: WalletMonth
}
