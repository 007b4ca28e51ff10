// Generated from docs/openapi-operator.json by npm run web-api. Do not edit.
export type AcceptDepositRequest = {
  /** Reference of the entry; the bank’s reference when left out. Never posted twice */
  reference?: string
  /** Shown in the reseller's statement; the bank's reference when left out */
  remarks?: string
  /** Why, for the audit log */
  reason: string
}
export type AcceptProposalsRequest = {
  /** Code of the provider */
  provider: string
  /** Proposals, as they were shown; left out: those of the rule */
  ids?: string[]
  /** Rule: open proposals of these kinds, at most 500 at once */
  kinds?: ("new" | "cost_changed" | "gone" | "closed" | "reopened" | "hours_changed" | "changed")[]
  /** Rule: only those after this proposal, the `next` of the act before */
  after?: string
  /** Rule: of changed costs, only those that rise by at most so many percent; lower ones always */
  cost_up_to?: number
  /** Product that takes the new offers; left out: one of their brand and kind */
  product?: string
  /** Category of new products; left out: the one in which their kind is sold already */
  category?: string
  /** Check and measure it, and change nothing */
  dry_run?: boolean
  /** Why, for the audit log */
  reason: string
}
export type Accepted = {
  /** Explanation for people */
  message: string
}
export type AcceptedProposals = {
  /** Code of the provider */
  provider: string
  /** Proposals that were accepted */
  accepted: number
  /** Proposals of the rule that cannot be accepted as they are, and stay */
  refused: {
    /** Id, as other operations take it */
    id: string
    /** Stable code */
    code: string
    /** Reason that was given */
    reason: string
  }[]
  /** Last proposal of the rule, where there are more: `after` of the next act */
  next: string | null
  /** Products whose routes are new or changed */
  routes: string[]
}
export type AcceptedProposalsResponse = {
  /** Content of the answer or of the event */
  data: AcceptedProposals
}
export type Adjustment = {
  /** The reseller's account number */
  account: string
  /** Ringgit, with a minus to take away, up to 4 decimals */
  amount: string
  /** Shown in the reseller's statement */
  remarks: string
  /** Such as the bank’s; the same one is never posted twice for a reseller */
  reference?: string
  /** Why, for the audit log */
  reason: string
}
export type Alert = {
  /** Id, as other operations take it */
  id: string
  /** Kind of the object */
  kind: string
  /** Subject: a payment’s id, a provider’s code */
  subject: string
  /** Text for people */
  text: string
  /** How urgent it is */
  severity: "warning" | "critical"
  /** ISO 8601, UTC */
  raised_at: string
  /** ISO 8601, UTC */
  last_seen_at: string
  /** How often it was seen */
  times: string
  /** When it was over; null: it goes on */
  cleared_at: string | null
  /** Path of its runbook on this service; null: the kind is not known any more */
  runbook: string | null
}
export type AlertPage = {
  /** Content of the answer or of the event */
  data: Alert[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type AlertResponse = {
  /** Content of the answer or of the event */
  data: Alert
}
export type Approval = {
  /** Id, as other operations take it */
  id: string
  /** Kind of the object */
  kind: "deposit" | "adjustment" | "deposit_request" | "payment_resolution" | "void" | "rate_change" | "price_change" | "catalogue_change" | "offers_accept" | "route_change" | "route_removal" | "provider_switch" | "provider_upgrade" | "provider_products" | "answer_meaning" | "user_create" | "user_change" | "reseller_email" | "operator_create" | "operator_change"
  /** expired: there was no decision in time */
  state: "pending" | "approved" | "refused" | "withdrawn" | "expired"
  /** Object in question */
  target: {
    /** Kind of the object */
    kind: string
    /** Id, as other operations take it */
    id: string
  }
  /** The requested change; secrets hidden */
  command: Record<string, string | null>
  /** Reason that was given */
  reason: string
  /** The operator's address */
  requested_by: string
  /** ISO 8601, UTC */
  requested_at: string
  /** ISO 8601, UTC */
  expires_at: string
  /** null: there is no decision yet */
  decision: ({
    /** An e-mail address, or the user name of a member */
    by: string
    /** operator: an operator. member: an admin of the reseller, in the portal. link: whoever used the link in the mail that warned this address; a link can only stop a request */
    by_kind: "operator" | "member" | "link"
    /** ISO 8601, UTC */
    at: string
    /** Reason that was given */
    reason: string
    /** The result, after an approval */
    outcome: unknown
  }) | null
}
export type ApprovalPage = {
  /** Content of the answer or of the event */
  data: Approval[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ApprovalResponse = {
  /** Content of the answer or of the event */
  data: Approval
}
export type ApproveCaseRequest = {
  /** How you know that the biller approved; for the payment's timeline, 1 to 500 characters */
  evidence: string
  /** Why, for the audit log */
  reason: string
}
export type Attempt = {
  /** Number of the attempt, from 1 */
  attempt: number
  /** By which the supplier knows it */
  our_reference: string
  /** The supplier's own id of the order; null when it gave none */
  their_id: string | null
  /** The supplier */
  supplier: string
  /** The supplier's code of the product */
  supplier_code: string
  /** null when it was certainly never sent */
  sent_at: string | null
  /** How often it was sent again under the same reference */
  sent_again: number
  /** Answers that decided nothing so far; null when nobody asks about it any more */
  undecided_answers: number | null
  /** When the supplier is asked next; null: it is not asked */
  next_question_at: string | null
  /** Answers and actions, oldest first */
  answers: ({
    /** ISO 8601, UTC */
    at: string
    /** Kind of the object */
    kind: "undecided" | "succeeded" | "failed" | "not_acted" | "sent_again" | "late" | "contradiction" | "taken_back" | "note"
    /** statusCode that the answer leads to */
    code: number
    /** Text for people */
    text: string
  })[]
}
export type AuditEntry = {
  /** Number of the entry, without gaps */
  sequence: string
  /** ISO 8601, UTC */
  at: string
  /** Person, token or command that acted */
  actor: {
    /** Kind of the object */
    kind: "operator" | "token" | "member" | "command" | "system"
    /** Name that people see */
    name: string
    /** Network address */
    address: string | null
  }
  /** Name of the act */
  action: string
  /** Object in question */
  target: {
    /** Kind of the object */
    kind: string
    /** Id, as other operations take it */
    id: string
  }
  /** Secrets hidden; null: there was nothing */
  before: unknown
  /** Secrets hidden; null: there is nothing any more */
  after: unknown
  /** Reason that was given */
  reason: string
}
export type AuditEntryPage = {
  /** Content of the answer or of the event */
  data: AuditEntry[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type AuditProof = {
  /** Whether nothing was changed or removed */
  is_whole: boolean
  /** Number of records checked */
  records: string
  /** To be kept elsewhere: `warungd audit verify` compares the log with it */
  head: {
    /** Number of the entry, without gaps */
    sequence: string
    /** Hash of the record, which covers all records before it, in hex */
    hash: string
  } | null
  /** The first wrong row of the log */
  broken: ({
    /** Kind of the object */
    kind: string
    /** Number of the entry, without gaps */
    sequence: string | null
    /** Value that should be there */
    expected: string
    /** Value that is there */
    found: string
  }) | null
}
export type AuditProofResponse = {
  /** Content of the answer or of the event */
  data: AuditProof
}
export type BlockedAddress = {
  /** An IPv4 address, or an IPv6 /64, which counts as one */
  address: string
  /** ISO 8601, UTC */
  blocked_at: string
  /** ISO 8601, UTC */
  blocked_until: string
  /** How many it had sent */
  requests: string
}
export type BlockedAddressPage = {
  /** Content of the answer or of the event */
  data: BlockedAddress[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type BlockedAddressResponse = {
  /** Content of the answer or of the event */
  data: BlockedAddress
}
export type CaseMessageRequest = {
  /** Message for the reseller */
  message: string
  /** Why, for the audit log; left out: the message */
  reason?: string
}
export type CatalogueChange = {
  /** The catalogue's after the change; of a preview, as it would be */
  version: number
  /** By kind: groups, categories, products, options, levels, texts, prices, permissions */
  created: Record<string, number>
  /** By kind: groups, categories, products, options, levels, texts, prices, permissions */
  updated: Record<string, number>
  /** By kind: groups, categories, products, options, levels, texts, prices, permissions */
  deactivated: Record<string, number>
  /** By kind: groups, categories, products, options, levels, texts, prices, permissions */
  unchanged: Record<string, number>
  /** Resellers who see something else than before */
  accounts_affected: number
  /** The numbers of the first 100 of them */
  accounts: string[]
}
export type CatalogueDifference = {
  /** Kind of the object */
  kind: "groups" | "categories" | "products" | "options" | "levels" | "texts" | "prices"
  /** Id, as other operations take it */
  id: string
  /** Name of the act */
  action: "create" | "update" | "deactivate"
  /** Members that differ */
  changes: {
    /** Name of the member */
    name: string
    /** State before the change */
    before: unknown
    /** State after the change */
    after: unknown
  }[]
}
export type CatalogueFile = {
  /** Ends in .json or .csv; a CSV file is known by its name or its columns */
  name: string
  /** Text of the file */
  content: string
}
export type CatalogueImportRequest = {
  /** One JSON document in the form of catalogue files */
  document?: Record<string, unknown>
  /** Together they are one change */
  files?: CatalogueFile[]
  /** Options of the lists named that are not given are switched off */
  deactivate_missing?: boolean
  /** The `version` of the preview: 409 when the catalogue has changed since */
  expected_version: number
  /** Why, for the audit log */
  reason: string
}
export type CataloguePreviewRequest = {
  /** One JSON document in the form of catalogue files */
  document?: Record<string, unknown>
  /** Together they are one change */
  files?: CatalogueFile[]
  /** Options of the lists named that are not given are switched off */
  deactivate_missing?: boolean
}
export type CatalogueProduct = {
  /** Stable code */
  code: string
  /** Name that people see */
  name: string
  /** Code of the category */
  category: string
  /** Kind of the object */
  kind: string
  /** Whether it is shown or sold */
  is_active: boolean
  /** Not listed; it may still be active */
  is_hidden: boolean
  /** Sold only to resellers with a permission */
  is_restricted: boolean
  /** A void can be asked for */
  is_refundable: boolean
  /** How many price levels sell it */
  levels: number
  /** Number of options */
  options: number
}
export type CatalogueProductPage = {
  /** Content of the answer or of the event */
  data: CatalogueProduct[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type CatalogueText = {
  /** Language of the pages for the customer */
  language: "ms" | "id" | "zh" | "ta"
  /** As the catalogue has it */
  text: string
  /** Your own words, as `texts` of catalogue files have them; null: none */
  translation: string | null
  /** Words that the service knows, where you have none; null: none */
  shared: string | null
}
export type ChangeOperatorRequestWithProof = {
  /** Role, which decides what the person may do */
  role?: "admin" | "finance" | "support" | "catalogue" | "read_only"
  /** disabled: kept out; sessions and tokens stop working */
  status?: "active" | "disabled"
  /** Why, for the audit log */
  reason: string
  /** Your own, once more */
  password?: string
}
export type ChangePasswordRequest = {
  /** The one until now */
  current_password: string
  /** The new one, 10 to 200 characters */
  password: string
}
export type ChangePriceLevelRequest = {
  /** Name that people see */
  name: string
  /** Why, for the audit log */
  reason: string
}
export type ChangeResellerRequestWithProof = {
  /** Name that people see */
  name?: string
  /** Mail address */
  email?: string
  /** Code of the price level */
  price_level?: string
  /** 0: may pay; 50: read only */
  access?: 0 | 50
  /** suspended: new payments are refused */
  status?: "active" | "suspended"
  /** Only signed requests may pay */
  topup_requires_api_key?: boolean
  /** Seconds in which the same product, account and amount is refused, 0 to 86,400; 0: never */
  duplicate_window_seconds?: number
  /** Why, for the audit log */
  reason: string
  /** Your own, once more */
  password?: string
}
export type ChangeThatWaitsForApproval = {
  /** Content of the answer or of the event */
  data: {
    /** Request that waits for another operator */
    approval: Approval
    /** Prices beside the suppliers' costs */
    comparison: PricesBesideSupplierCosts
  }
}
export type ChangeUserRequestWithProof = {
  /** admin: the owner, who may do everything. manager: sells, sees all sales and opens cases. cashier: sells, and sees their own sales. accountant: statement, deposits and files, no PINs. viewer: sees everything but PINs and secrets */
  role?: "admin" | "manager" | "cashier" | "accountant" | "viewer"
  /** disabled: kept out; sessions and tokens stop working */
  status?: "active" | "disabled"
  /** Why, for the audit log */
  reason: string
  /** Your own, once more */
  password?: string
}
export type ClaimAboutASupplier = {
  /** Claim about the supplier */
  claim: "repeated_reference_acts_once" | "not_found_proves" | "remembers_for_days" | "reversed_late" | "empty_wallet"
  /** proven, disproven: by the last trial that could tell; else by its documents */
  standing: "documented" | "unknown" | "proven" | "disproven"
  /** null: not known */
  value: (boolean | number | string) | null
  /** Meaning for orders */
  says: string
  /** Page of the supplier that it is taken from */
  source: string
  /** Time of the trial; null: it was not tried */
  at: string | null
}
export type Closings = {
  /** yyyy-MM-dd, GMT+8: the last day that should be closed by now */
  last_day: string
  /** No wallet is behind */
  is_current: boolean
  /** Number of wallets */
  wallets: number
  /** Number of wallets that are behind */
  behind_total: number
  /** At most 100 */
  behind: {
    /** The reseller's account number */
    account: string
    /** Name that people see */
    name: string
    /** The first day that is over and not closed */
    day: string
  }[]
  /** null: nothing was ever closed */
  last_closed_at: string | null
}
export type ClosingsResponse = {
  /** Content of the answer or of the event */
  data: Closings
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
export type CreateLevelResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
    /** Numbers of what changes */
    summary: CatalogueChange
  }
}
export type CurrencyRate = {
  /** Id, as other operations take it */
  id: string
  /** By ISO 4217 */
  currency: string
  /** Ringgit for one unit of the currency */
  rate: string
  /** ISO 8601, UTC */
  from: string
  /** Present state */
  state: "in_force" | "planned" | "past"
  /** Reason that was given */
  reason: string
  /** E-mail address, or the user of the machine */
  set_by: string
  /** null: set at the machine */
  approved_by: string | null
  /** ISO 8601, UTC */
  set_at: string
}
export type CurrencyRatePage = {
  /** Content of the answer or of the event */
  data: CurrencyRate[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type DeliveryQueue = {
  /** The reseller's account number */
  reseller: string
  /** Stream of events with an endpoint of its own */
  stream: "callback" | "catalog" | "balance" | "order"
  /** How many are not final */
  pending: number
  /** ISO 8601, UTC */
  oldest_at: string
  /** ISO 8601, UTC */
  next_at: string
  /** A node is delivering just now */
  is_held: boolean
}
export type DeliveryQueuePage = {
  /** Content of the answer or of the event */
  data: DeliveryQueue[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
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
export type DepositRequest = {
  /** The reseller's account number */
  account: string
  /** Ringgit, greater than 0, up to 4 decimals */
  amount: string
  /** Shown in the reseller's statement */
  remarks: string
  /** Such as the bank’s; the same one is never posted twice for a reseller */
  reference?: string
  /** Why, for the audit log */
  reason: string
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
export type EndedSessions = {
  /** Content of the answer or of the event */
  data: {
    /** How many */
    ended: number
  }
}
export type EnrolOperatorTwoFactorRequest = {
  /** Your own, once more */
  password?: string
}
export type ExportCatalogueResponse = Record<string, unknown>
export type FindingAboutAPrice = {
  /** below_cost: sold for less than the cheapest route charges. price_moved: further than one person may move it. price_drifted: the same of the steps of the last 7 days together. cost_moved: the same of a route's cost, or nobody's cost is known any more */
  kind: "below_cost" | "price_moved" | "price_drifted" | "cost_moved"
  /** Product code */
  product: string
  /** null: about a route, whatever the level */
  level: string | null
  /** Code of the provider */
  provider: string | null
  /** The option or the amount at which the difference is largest */
  sample: string
  /** State before the change; null: there was none */
  before: string | null
  /** State after the change; null: there is none */
  after: string | null
  /** Charge of the cheapest route; null: no route has a cost */
  cost: string | null
  /** Loss on the sales of the last 30 days, in MYR */
  loss_last_month: string
}
export type Forbidden = {
  /** Stable code, such as ip_blocked */
  error: string
  /** Explanation for people */
  message: string
}
export type GetCatalogueProductResponse = {
  /** Content of the answer or of the event */
  data: {
    /** As catalogue files spell it */
    product: Record<string, unknown>
    /** Prices by level or product */
    prices: ({
      /** Code of the price level */
      level: string
      /** Whether the discount is a percentage or a sum */
      discount_type: "percentage" | "fixed"
      /** Value of the discount */
      value: string
      /** ISO 4217 code, or the name of a virtual unit */
      currency: string
    })[]
    /** Number of options by field */
    options: {
      /** Id of the field */
      field: string
      /** Number of options */
      total: number
    }[]
    /** Texts of the product in each language; the first 100 */
    texts: CatalogueText[]
  }
}
export type GetCatalogueResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Version of the catalogue */
    version: number
    /** Groups of categories, in order */
    groups: Record<string, unknown>[]
    /** Categories of products, in order */
    categories: Record<string, unknown>[]
  }
}
export type GetLevelResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
    /** Prices by level or product */
    prices: LevelPrice[]
  }
}
export type GetOperatorOpenApiResponse = {
  /** Version of OpenAPI */
  openapi: string
  /** Title, version and licence of the API */
  info: Record<string, unknown>
  /** Operations by path and method */
  paths: Record<string, unknown>
}
export type GetProviderResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Stable code */
    code: string
    /** Kind of the object */
    kind: string
    /** Name that people see */
    name: string
    /** false: no new orders; it is still asked about earlier ones */
    enabled: boolean
    /** Limits of the provider */
    limits: Record<string, unknown>
    /** An alert is raised when our money there falls below this, in its currency */
    float_alert: number | null
    /** null: it cannot say */
    float: ProviderFloat | null
    /** By node; empty: no order went there lately */
    health: ProviderMeasurement[]
    /** ISO 8601, UTC */
    created_at: string
    /** ISO 8601, UTC */
    updated_at: string
    /** Pack of which it was made; null: it was connected without one */
    pack: string | null
    /** One operator alone prepared it: another one approves that it is enabled */
    needs_second_person: boolean
    /** How it is spoken to, for admins alone; secrets are not in it */
    config: Record<string, unknown> | null
    /** Names alone; for admins alone */
    secrets: {
      /** Name of the secret */
      name: string
      /** ISO 8601, UTC */
      set_at: string
    }[]
  }
}
export type KeyChangeRequest = {
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
  /** Why, for the audit log */
  reason: string
}
export type LedgerProof = {
  /** Id, as other operations take it */
  id: string
  /** Mail address of the operator who asked */
  requested_by: string
  /** ISO 8601, UTC */
  started_at: string
  /** null: it is under way */
  finished_at: string | null
  /** Result of the check; null: there is none */
  report: ({
    /** Whether nothing was changed or removed */
    is_whole: boolean
    /** Number of wallets */
    wallets: number
    /** Number of entries */
    entries: string
    /** Entries so new that the chain has not reached them */
    unchained: string
    /** Sums of the books; null: they were not read */
    sums: {
      /** Sum of all wallets, in ringgit */
      wallets: string
      /** House accounts */
      houses: {
        /** Code of the house account */
        house_account: string
        /** Number of entries */
        entries: string
        /** Balance in MYR */
        balance: string
      }[]
      /** Wallets and house accounts together: 0.00 */
      total: string
    } | null
    /** The first one of each wallet, then those of the whole; at most 100 */
    breaks: ({
      /** Kind of the object */
      kind: string
      /** The reseller's account number */
      account: string | null
      /** Number of the entry, without gaps */
      sequence: string | null
      /** Value that should be there */
      expected: string
      /** Value that is there */
      found: string
    })[]
  }) | null
  /** Why there is no report */
  trouble: string | null
}
export type LedgerProofPage = {
  /** Content of the answer or of the event */
  data: LedgerProof[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type LedgerProofResponse = {
  /** Content of the answer or of the event */
  data: LedgerProof
}
export type LevelPrice = {
  /** Product code */
  product: string
  /** Whether the discount is a percentage or a sum */
  discount_type: "percentage" | "fixed"
  /** The factor on the face value, or the ringgit taken off it */
  value: string
  /** ISO 4217 code, or the name of a virtual unit */
  currency: string
}
export type LevelPriceRequest = {
  /** none: the product cannot be bought at this level */
  discount_type: "percentage" | "fixed" | "none"
  /** Such as "0.985"; nothing with none */
  value?: string | null
  /** MYR when left out */
  currency?: string
  /** Check and measure it, and change nothing */
  dry_run?: boolean
  /** Why, for the audit log */
  reason: string
}
export type LiftBlockRequest = {
  /** As the list shows it, or any address inside an IPv6 /64 */
  address: string
  /** Why, for the audit log */
  reason: string
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
export type LimitsOfALevel = {
  /** Limits of the provider */
  limits: Limit[]
}
export type LimitsOfALevelResponse = {
  /** Content of the answer or of the event */
  data: LimitsOfALevel
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
export type ListCatalogueOptionsResponse = {
  /** Content of the answer or of the event */
  data: Record<string, unknown>[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ListedResellerAPIKey = {
  /** Id, as other operations take it */
  id: string
  /** Its beginning and its end; the key itself is its owner’s */
  hint: string
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
export type ListedResellerAPIKeyPage = {
  /** Content of the answer or of the event */
  data: ListedResellerAPIKey[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type LiveAlertMessage = {
  /** Name of the message */
  event: "alert"
  /** Content of the answer or of the event */
  data: {
    /** Step that happened */
    change: "opened" | "cleared"
    /** Id, as other operations take it */
    id: string
    /** Kind of the object */
    kind: string
    /** Id or code of the object in question */
    subject: string
    /** How urgent it is */
    severity: "warning" | "critical"
    /** ISO 8601, UTC */
    at: string
  }
}
export type LiveApprovalMessage = {
  /** Name of the message */
  event: "approval"
  /** Content of the answer or of the event */
  data: {
    /** Step that happened */
    change: "requested" | "decided"
    /** Id, as other operations take it */
    id: string
    /** Kind of the object */
    kind: string
    /** Present state */
    state: "pending" | "approved" | "refused" | "withdrawn" | "expired"
    /** ISO 8601, UTC */
    at: string
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
export type LiveLedgerMessage = {
  /** Name of the message */
  event: "ledger"
  /** Content of the answer or of the event */
  data: {
    /** Step that happened */
    change: "started" | "finished"
    /** Id of the check */
    id: string
    /** ISO 8601, UTC */
    at: string
  }
}
export type LivePaymentsMessage = {
  /** Name of the message */
  event: "payments"
  /** Content of the answer or of the event */
  data: {
    /** At most 100 */
    changed: ({
      /** Id, as other operations take it */
      id: string
      /** statusCode of the payment */
      code: number
      /** Present state */
      state: "accepted" | "processing" | "succeeded" | "failed" | "voided"
    })[]
    /** true: others changed too, read the list again */
    more: boolean
  }
}
export type LiveProvidersMessage = {
  /** Name of the message */
  event: "providers"
  /** Content of the answer or of the event */
  data: {
    /** Providers */
    providers: ({
      /** Stable code */
      code: string
      /** Present state */
      state: "closed" | "open" | "half_open"
      /** false: it was switched off */
      takes_orders: boolean
    })[]
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
export type LiveStuckMessage = {
  /** Name of the message */
  event: "stuck"
  /** Content of the answer or of the event */
  data: {
    /** How many */
    count: number
  }
}
export type MarginLine = {
  /** The option’s code, or the amount where any amount is sold */
  sample: string
  /** Face value, in ringgit */
  face_value: string
  /** Price for a reseller of this level, in ringgit */
  price: string
  /** Price of this provider, in ringgit */
  cost: string
  /** price minus cost, in ringgit */
  margin: string
  /** Part of the face value: 0.015 is 1.5 % */
  margin_rate: number | null
}
export type MeaningRequest = {
  /** Meaning of the word: an outcome of its table, such as pending */
  outcome: string
  /** Code of a failure, such as 52 */
  failure?: number
  /** Why, for the audit log */
  reason: string
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
export type NetworkNotice = {
  /** Id, as other operations take it */
  id: string
  /** Present state */
  state: "scheduled" | "in_force" | "over"
  /** Object in question */
  target: "product" | "category" | "provider"
  /** Stable code */
  code: string
  /** Explanation for people */
  message: string
  /** New payments are refused meanwhile */
  stops_payments: boolean
  /** ISO 8601, UTC */
  starts_at: string
  /** When it is to end; null: until somebody ends it */
  ends_at: string | null
  /** When it ended; null: not yet */
  ended_at: string | null
  /** Mail address of the operator who wrote it */
  created_by: string
  /** ISO 8601, UTC */
  created_at: string
}
export type NetworkNoticePage = {
  /** Content of the answer or of the event */
  data: NetworkNotice[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type NetworkNoticeResponse = {
  /** Content of the answer or of the event */
  data: NetworkNotice
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
export type NewNoticeRequest = {
  /** Object in question */
  target: "product" | "category" | "provider"
  /** Code of the product, the category or the provider */
  code: string
  /** The message */
  message: string
  /** With its zone; left out: now */
  starts_at?: string
  /** With its zone; left out: until somebody ends it */
  ends_at?: string
  /** New payments are refused meanwhile */
  stops_payments?: boolean
  /** Why, for the audit log */
  reason: string
}
export type NewOperatorRequestWithProof = {
  /** Mail address */
  email: string
  /** Name that people see */
  name: string
  /** Role, which decides what the person may do */
  role: "admin" | "finance" | "support" | "catalogue" | "read_only"
  /** Why, for the audit log */
  reason: string
  /** Your own, once more */
  password?: string
}
export type NewOperatorToken = {
  /** Content of the answer or of the event */
  data: {
    /** Id, as other operations take it */
    id: string
    /** Name that people see */
    label: string
    /** Role, which decides what the person may do */
    role: "admin" | "finance" | "support" | "catalogue" | "read_only"
    /** ISO 8601, UTC */
    created_at: string
    /** ISO 8601, UTC */
    expires_at: string
    /** Latest use; null: there was none */
    last_used_at: string | null
    /** When it was revoked; null: it is not */
    revoked_at: string | null
    /** Shown this once */
    token: string
  }
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
export type NewPriceLevelRequest = {
  /** Stable code */
  code: string
  /** Name that people see */
  name: string
  /** Why, for the audit log */
  reason: string
}
export type NewProviderRequestWithProof = {
  /** Name of a pack, as the list of packs has it */
  pack: string
  /** Small letters, digits, _ and -; never changed */
  code: string
  /** For people; the name of the pack when left out */
  name?: string
  /** By the names that the pack has */
  settings?: Record<string, string>
  /** By the names that the pack has; sealed, and never shown again */
  secrets?: Record<string, string>
  /** As `products` of a configuration */
  products?: Record<string, unknown>
  /** Why, for the audit log */
  reason: string
  /** Your own, once more */
  password?: string
}
export type NewRateRequest = {
  /** By ISO 4217 */
  currency: string
  /** Ringgit for one unit of the currency, with up to 8 decimals */
  rate: string
  /** A day (GMT+8) or a time from which it is in force; left out: from when it is approved */
  from?: string
  /** Why, for the audit log */
  reason: string
}
export type NewResellerRequest = {
  /** Left out: a free one of 7 digits */
  account?: string
  /** Name that people see */
  name: string
  /** Mail address */
  email: string
  /** Code of the price level */
  price_level: string
  /** 0: may pay; 50: read only */
  access?: 0 | 50
  /** Why, for the audit log */
  reason: string
}
export type NewUserRequestWithProof = {
  /** Name to sign in with */
  username: string
  /** Left out: the reseller's */
  email?: string
  /** admin: the owner, who may do everything. manager: sells, sees all sales and opens cases. cashier: sells, and sees their own sales. accountant: statement, deposits and files, no PINs. viewer: sees everything but PINs and secrets */
  role: "admin" | "manager" | "cashier" | "accountant" | "viewer"
  /** Why, for the audit log */
  reason: string
  /** Your own, once more */
  password?: string
}
export type NumberPlan = {
  /** ISO 3166 */
  country: string
  /** Digit that is dialled first within the country; empty: none */
  trunk: string
  /** Source of the plan */
  source: string
  /** Day on which it was true */
  as_of: string
  /** Operators that the ranges name */
  operators: {
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
    /** Further names by which suppliers know it */
    aliases: string[]
    /** Codes of the products for its numbers */
    products: string[]
  }[]
  /** Empty: the country has the plan again that the service knows by itself */
  ranges: ({
    /** First digits within the country, without the trunk digit; the longest prefix decides */
    prefix: string
    /** Kind of the object */
    kind: "mobile" | "fixed"
    /** Digits of the whole number within the country */
    digits_min: number
    /** At most so many */
    digits_max: number
    /** Code of the operator that got the numbers; null: not known */
    operator: string | null
  })[]
}
export type NumberPlanInForce = {
  /** ISO 3166 */
  country: string
  /** Digit that is dialled first within the country; empty: none */
  trunk: string
  /** Source of the plan */
  source: string
  /** Day on which it was true */
  as_of: string
  /** Operators that the ranges name */
  operators: {
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
    /** Further names by which suppliers know it */
    aliases: string[]
    /** Codes of the products for its numbers */
    products: string[]
  }[]
  /** Empty: the country has the plan again that the service knows by itself */
  ranges: ({
    /** First digits within the country, without the trunk digit; the longest prefix decides */
    prefix: string
    /** Kind of the object */
    kind: "mobile" | "fixed"
    /** Digits of the whole number within the country */
    digits_min: number
    /** At most so many */
    digits_max: number
    /** Code of the operator that got the numbers; null: not known */
    operator: string | null
  })[]
  /** false: it is the plan that the service knows by itself */
  is_own: boolean
}
export type NumberPlanRequest = {
  /** One for each country that gets another */
  plans: NumberPlan[]
  /** Why, for the audit log */
  reason: string
}
export type NumberPlans = {
  /** By country */
  plans: NumberPlanInForce[]
}
export type NumberPlansResponse = {
  /** Content of the answer or of the event */
  data: NumberPlans
}
export type Operator = {
  /** Id, as other operations take it */
  id: string
  /** Mail address */
  email: string
  /** Name that people see */
  name: string
  /** Role, which decides what the person may do */
  role: "admin" | "finance" | "support" | "catalogue" | "read_only"
  /** Present state */
  status: "active" | "disabled"
  /** Whether it belongs to the demo */
  demo: boolean
  /** The id of the admin who let them in or gave them their role, while nobody has vouched for them; null: they count as a person of their own */
  let_in_by: string | null
  /** ISO 8601, UTC */
  created_at: string
}
export type OperatorLimitsRequestWithProof = {
  /** The whole list: what is not in it ends */
  limits: NewLimit[]
  /** Why, for the audit log */
  reason: string
  /** Your own, once more */
  password?: string
}
export type OperatorOverview = {
  /** ISO 8601, UTC */
  as_of: string
  /** Parts that are null because they could not be read in time */
  late: ("receivers" | "payments")[]
  /** Alerts that go on; null: not for your role */
  alerts: {
    /** Open ones */
    critical: number
    /** Open ones */
    warning: number
    /** Critical ones first, then the newest; at most 10 */
    first: Alert[]
  } | null
  /** Payments past their due time; null: not for your role */
  stuck: ({
    /** Past their due time */
    payments: number
    /** Sum that their resellers paid, in ringgit */
    cost: string
    /** Due time of the oldest; null: there is none */
    oldest_due_at: string | null
    /** Age of the oldest in seconds; null: there is none */
    oldest_age_seconds: number | null
    /** Longest overdue first; at most 10 */
    first: ({
      /** The reseller's account number */
      reseller: string
      /** Name of the reseller */
      reseller_name: string
      /** Id, as other operations take it */
      id: string
      /** The reseller's reference of the payment */
      refid: string
      /** Product code */
      product: string
      /** Cost in MYR */
      cost: string
      /** Present state */
      state: "accepted" | "processing" | "succeeded" | "failed" | "voided"
      /** Code of the provider */
      provider: string
      /** By which the provider knows the present attempt */
      our_reference: string
      /** Number of the attempt, from 1 */
      attempt: number
      /** How often the provider was asked about it */
      questions: number
      /** ISO 8601, UTC */
      created_at: string
      /** ISO 8601, UTC */
      due_at: string
      /** ISO 8601, UTC */
      next_at: string
      /** Seconds since then */
      age_seconds: number
    })[]
  }) | null
  /** Requests that wait; null: not for your role */
  approvals: ({
    /** Requests that wait and that your role may read; counted up to 200 */
    pending: number
    /** Your own requests among them */
    own: number
    /** Requests among them that you may decide */
    may_decide: number
    /** Requests that you may decide first, then by expiry; at most 10 */
    first: ({
      /** Id, as other operations take it */
      id: string
      /** Kind of the object */
      kind: "deposit" | "adjustment" | "deposit_request" | "payment_resolution" | "void" | "rate_change" | "price_change" | "catalogue_change" | "offers_accept" | "route_change" | "route_removal" | "provider_switch" | "provider_upgrade" | "provider_products" | "answer_meaning" | "user_create" | "user_change" | "reseller_email" | "operator_create" | "operator_change"
      /** Object in question */
      target: {
        /** Kind of the object */
        kind: string
        /** Id, as other operations take it */
        id: string
      }
      /** Reason that was given */
      reason: string
      /** The operator's address */
      requested_by: string
      /** ISO 8601, UTC */
      requested_at: string
      /** ISO 8601, UTC */
      expires_at: string
      /** Whether you asked for it */
      is_own: boolean
      /** Whether you may decide it */
      may_decide: boolean
    })[]
  }) | null
  /** Cases; null: not for your role */
  cases: ({
    /** Open or in progress */
    open: number
    /** Requests past their due time */
    overdue: number
    /** By due time; at most 10 */
    first: ({
      /** The reseller's account number */
      reseller: string
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
      created_at: string
      /** ISO 8601, UTC */
      updated_at: string
      /** ISO 8601, UTC */
      due_at: string
      /** When it was closed; null: it is open */
      closed_at: string | null
      /** Whether it is past its due time */
      is_overdue: boolean
    })[]
  }) | null
  /** Providers; null: not for your role */
  providers: (({
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
    /** Whether it is switched on */
    enabled: boolean
    /** false: staging’s own simulator, which nobody connected */
    is_connected: boolean
    /** All nodes together, over the last half minute; null: no order went there */
    health: ({
      /** open: it is sent no orders for a while */
      state: "closed" | "open" | "half_open"
      /** Orders sent */
      orders: number
      /** Orders that were answered */
      answered: number
      /** Orders without an answer in time */
      timeouts: number
      /** Orders that the provider certainly did not carry out */
      not_acted: number
      /** Median time until the answer, in milliseconds; null: no order */
      p50_ms: number | null
      /** 95th percentile of that time, in milliseconds; null: no order */
      p95_ms: number | null
    }) | null
    /** null: it cannot say */
    float: ProviderFloat | null
  })[]) | null
  /** Receivers that fail; null: not for your role, or named in late */
  receivers: ({
    /** ISO 8601, UTC */
    as_of: string
    /** Receivers whose oldest delivery waits for more than a minute */
    lagging: number
    /** Deliveries that wait, at the first 1000 receivers */
    pending: number
    /** Lagging ones, longest wait first; at most 10 */
    first: ({
      /** The reseller's account number */
      reseller: string
      /** Stream of events with an endpoint of its own */
      stream: "callback" | "catalog" | "balance" | "order"
      /** How many are not final */
      pending: number
      /** ISO 8601, UTC */
      oldest_at: string
      /** ISO 8601, UTC */
      next_at: string
      /** A node is delivering just now */
      is_held: boolean
      /** Seconds since then */
      age_seconds: number
    })[]
  }) | null
  /** Latest check of the ledger; null: not for your role */
  ledger: ({
    /** A proof is under way since then */
    running_since: string | null
    /** The last one that ended; null: the ledger was never gone through */
    last: ({
      /** Id, as other operations take it */
      id: string
      /** When it ended; null: it is under way */
      finished_at: string | null
      /** null: it has no report */
      is_whole: boolean | null
      /** Number of wallets */
      wallets: number | null
      /** Number of entries; null: not known */
      entries: string | null
      /** Wallets and house accounts together, in ringgit: 0.00 */
      total: string | null
      /** Why there is no report */
      trouble: string | null
    }) | null
  }) | null
  /** Payments of the last days; null: not for your role, or named in late */
  payments: ({
    /** ISO 4217 code, or the name of a virtual unit */
    currency: "MYR"
    /** ISO 8601, UTC */
    as_of: string
    /** Since midnight, GMT+8 */
    today: {
      /** Payments of the last days */
      payments: number
      /** How many succeeded */
      successful: number
      /** How many are not final */
      pending: number
      /** How many failed */
      failed: number
      /** How many were given back */
      refunded: number
      /** Face value of what succeeded or still may, in ringgit */
      value: string
      /** Sum that the resellers paid for it, in ringgit */
      charged: string
      /** charged minus what suppliers said that they took, in ringgit; where they did not, an estimate by the present cost of the cheapest route; null: no cost is known */
      margin: string | null
      /** The same by the costs of routes alone */
      margin_by_price_list: string | null
      /** Share of the value whose cost is known, 0 to 1; null: no value */
      margin_covers: number | null
      /** Share of the value whose suppliers said what they took; null: no value */
      margin_told: number | null
      /** 0 to 1, of what succeeded or failed; null: nothing did */
      success_rate: number | null
    }
    /** Last 30 days */
    last_30_days: {
      /** Payments of the last days */
      payments: number
      /** How many succeeded */
      successful: number
      /** How many are not final */
      pending: number
      /** How many failed */
      failed: number
      /** How many were given back */
      refunded: number
      /** Face value of what succeeded or still may, in ringgit */
      value: string
      /** Sum that the resellers paid for it, in ringgit */
      charged: string
      /** charged minus what suppliers said that they took, in ringgit; where they did not, an estimate by the present cost of the cheapest route; null: no cost is known */
      margin: string | null
      /** The same by the costs of routes alone */
      margin_by_price_list: string | null
      /** Share of the value whose cost is known, 0 to 1; null: no value */
      margin_covers: number | null
      /** Share of the value whose suppliers said what they took; null: no value */
      margin_told: number | null
      /** 0 to 1, of what succeeded or failed; null: nothing did */
      success_rate: number | null
    }
    /** Oldest first; the last one is today */
    by_day: ({
      /** yyyy-MM-dd, GMT+8 */
      day: string
      /** Payments of the last days */
      payments: number
      /** How many succeeded */
      successful: number
      /** How many are not final */
      pending: number
      /** How many failed */
      failed: number
      /** How many were given back */
      refunded: number
      /** Face value of what succeeded or still may, in ringgit */
      value: string
      /** Sum that the resellers paid for it, in ringgit */
      charged: string
      /** charged minus what suppliers said that they took, in ringgit; where they did not, an estimate by the present cost of the cheapest route; null: no cost is known */
      margin: string | null
      /** The same by the costs of routes alone */
      margin_by_price_list: string | null
      /** Share of the value whose cost is known, 0 to 1; null: no value */
      margin_covers: number | null
      /** Share of the value whose suppliers said what they took; null: no value */
      margin_told: number | null
      /** 0 to 1, of what succeeded or failed; null: nothing did */
      success_rate: number | null
    })[]
  }) | null
}
export type OperatorOverviewResponse = {
  /** A part is null if your role may not read it */
  data: OperatorOverview
}
export type OperatorPage = {
  /** Content of the answer or of the event */
  data: Operator[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type OperatorPasswordResetRequest = {
  /** Mail address */
  email: string
}
export type OperatorResponse = {
  /** Content of the answer or of the event */
  data: Operator
}
export type OperatorSearch = {
  /** With this id, this reference at a provider (W…-1), or this refid at any reseller */
  payments: ResellerPayment[]
  /** Resellers whose account begins with it, or with it in name or e-mail address */
  resellers: {
    /** The reseller's account number */
    account: string
    /** Name that people see */
    name: string
    /** Present state */
    status: string
  }[]
  /** With it in code or name */
  products: {
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
  }[]
  /** With it in code or name */
  providers: {
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
  }[]
  /** With this number */
  cases: ({
    /** Number of the case, such as C-2026-000123 */
    number: string
    /** Kind of the object */
    kind: "dispute" | "void"
    /** Present state */
    state: "open" | "in_progress" | "resolved" | "refused"
    /** The reseller's reference of the payment */
    refid: string
    /** The reseller's account number */
    reseller: string
  })[]
}
export type OperatorSearchResponse = {
  /** At most 8 of each; what your role may not read is empty */
  data: OperatorSearch
}
export type OperatorSession = {
  /** Content of the answer or of the event */
  data: {
    /** Kind of the object */
    kind: "operator"
    /** Id, as other operations take it */
    id: string
    /** Mail address */
    email: string
    /** Name that people see */
    name: string
    /** Role, which decides what the person may do */
    role: "admin" | "finance" | "support" | "catalogue" | "read_only"
    /** Whether signing in takes a code */
    two_factor: boolean
  }
  /** Goes into X-CSRF-Token on every method but GET; null for a token, which needs none */
  csrf_token: string | null
}
export type OperatorSignInRequest = {
  /** Mail address */
  email: string
  /** The password */
  password: string
  /** Code of the second factor, or a recovery code; needed after the answer `code_required` */
  code?: string
}
export type OperatorTokenRequestWithProof = {
  /** Name that people see */
  label: string
  /** At most one’s own */
  role: "admin" | "finance" | "support" | "catalogue" | "read_only"
  /** Days until the token expires */
  expires_in_days: number
  /** Code of the second factor, or a recovery code; needed if you have one */
  code?: string
  /** Your own, once more */
  password?: string
}
export type OperatorTokens = {
  /** Content of the answer or of the event */
  data: ({
    /** Id, as other operations take it */
    id: string
    /** Name that people see */
    label: string
    /** Role, which decides what the person may do */
    role: "admin" | "finance" | "support" | "catalogue" | "read_only"
    /** ISO 8601, UTC */
    created_at: string
    /** ISO 8601, UTC */
    expires_at: string
    /** Latest use; null: there was none */
    last_used_at: string | null
    /** When it was revoked; null: it is not */
    revoked_at: string | null
  })[]
}
export type OwnCodeRequestWithProof = {
  /** Code of the app, or a recovery code */
  code: string
  /** Your own, once more */
  password?: string
}
export type PackOfAProvider = {
  /** Code of the provider */
  provider: string
  /** Name of the pack */
  pack: string
  /** Name that people see */
  name: string
  /** By which it was made or last upgraded */
  version: number
  /** Version that came with this service */
  newest: number
  /** null: for admins alone */
  settings: Record<string, string> | null
  /** That the pack needs */
  secrets: {
    /** Name of the secret */
    name: string
    /** Name that people see */
    label: string
    /** Place at the supplier where it is found */
    help: string
  }[]
  /** The supplier's test mode */
  test_mode: {
    /** Thing that makes an order a test */
    by: "address" | "key" | "orders" | "none"
    /** Use of the supplier's test mode */
    says: string
    /** Settings of the test mode, where they differ */
    settings: Record<string, string>
  }
  /** It leads to the test address of its pack */
  is_test_address: boolean
  /** Claims about the supplier */
  claims: ClaimAboutASupplier[]
  /** The last 50, newest first */
  proofs: ProviderProof[]
  /** Since when a trial is under way at this node; null: none is */
  trial_since: string | null
  /** Results of that trial, as far as it is */
  trial_results: ({
    /** Claim about the supplier */
    claim: string
    /** not_tried: no trial can show it, or none was possible */
    result: "held" | "did_not_hold" | "not_tried"
    /** Explanation in words */
    says: string
  })[]
  /** Changes of the newest version; for admins alone; null: none */
  upgrade: UpgradeOfAPack | null
}
export type PackOfAProviderResponse = {
  /** Content of the answer or of the event */
  data: PackOfAProvider
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
export type PermissionRequest = {
  /** null: as for everybody, an open product may be bought and a restricted one may not */
  is_allowed: boolean | null
  /** Why, for the audit log */
  reason: string
}
export type PreviewCatalogueResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Numbers of what changes */
    summary: CatalogueChange
    /** Prices beside the suppliers' costs */
    comparison: PricesBesideSupplierCosts
    /** At most 500 */
    differences: CatalogueDifference[]
    /** Number of all differences */
    differences_total: number
  }
}
export type PriceLevel = {
  /** Stable code */
  code: string
  /** Name that people see */
  name: string
  /** Number of prices */
  prices: number
}
export type PriceLevelPage = {
  /** Content of the answer or of the event */
  data: PriceLevel[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type PricesBesideSupplierCosts = {
  /** Saving it makes an approval, which another operator decides */
  needs_second_person: boolean
  /** Loss that it would have caused on the sales of the last 30 days, in ringgit */
  loss_last_month: string
  /** Number of all findings */
  findings_total: number
  /** The first 100 */
  findings: FindingAboutAPrice[]
}
export type Problem = {
  /** Explanation for people */
  message: string
  /** Mistakes by field; empty when no field is at fault */
  errors: Record<string, string[]>
}
export type ProductMargin = {
  /** Product code */
  product: string
  /** Name that people see */
  name: string
  /** On sale */
  is_active: boolean
  /** Some level pays less than some route that takes orders charges */
  negative: boolean
  /** Some level pays less than the cheapest of them charges */
  sold_below_cost: boolean
  /** In the order in which they are chosen */
  routes: ({
    /** Code of the provider */
    provider: string
    /** The route of *: the product has none of its own */
    is_for_any_product: boolean
    /** The smallest comes first */
    priority: number
    /** Route and provider are enabled */
    takes_orders: boolean
    /** As it was set: 97.00% of the face value, or ringgit; null: not known */
    cost: string | null
  })[]
  /** Levels that sell it; empty: none does */
  levels: ({
    /** Code of the price level */
    level: string
    /** Price for the reseller */
    price: {
      /** Whether the discount is a percentage or a sum */
      discount_type: "percentage" | "fixed"
      /** The factor on the face value, or the ringgit taken off it */
      value: string
      /** ISO 4217 code, or the name of a virtual unit */
      currency: string
    }
    /** In the same order as the product’s routes */
    routes: ({
      /** Code of the provider */
      provider: string
      /** Whether route and provider are enabled */
      takes_orders: boolean
      /** The lowest margin is below zero */
      negative: boolean
      /** null: the cost is not known, or nothing is on sale */
      lowest: MarginLine | null
      /** Line with the highest margin; null: there is none */
      highest: MarginLine | null
    })[]
  })[]
}
export type ProductMarginPage = {
  /** Content of the answer or of the event */
  data: ProductMargin[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ProductPermission = {
  /** Product code */
  product: string
  /** Whether the reseller may buy it */
  is_allowed: boolean
}
export type ProductPermissionPage = {
  /** Content of the answer or of the event */
  data: ProductPermission[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type Proposal = {
  /** Id, as other operations take it */
  id: string
  /** Code of the provider */
  provider: string
  /** The supplier's code */
  code: string
  /** Name that people see */
  name: string
  /** Kind of the object */
  kind: "new" | "cost_changed" | "gone" | "closed" | "reopened" | "hours_changed" | "changed"
  /** Present state */
  state: "open" | "accepted" | "rejected" | "superseded"
  /** Members of the offer, in the supplier’s words and currency */
  before: Record<string, unknown> | null
  /** Members of the offer, in the supplier’s words and currency */
  after: Record<string, unknown> | null
  /** Products that are, or would be, bought by it */
  products: string[]
  /** Margin by the cost before; null: none is known */
  margin_before: {
    /** Product code */
    product: string
    /** Level that pays least for it */
    level: string
    /** Worth in MYR */
    face_value: string
    /** Amount that a reseller of that level pays */
    price: string
    /** In ringgit, by the present rate */
    cost: string
    /** Price minus cost, in MYR */
    margin: string
  } | null
  /** The smallest margin that it would have */
  margin: {
    /** Product code */
    product: string
    /** Level that pays least for it */
    level: string
    /** Worth in MYR */
    face_value: string
    /** Amount that a reseller of that level pays */
    price: string
    /** In ringgit, by the present rate */
    cost: string
    /** Price minus cost, in MYR */
    margin: string
  } | null
  /** Why there is no margin */
  margin_gap: ("no_cost" | "no_rate" | "no_price" | "no_value") | null
  /** Why it cannot be accepted as it is */
  trouble: string | null
  /** ISO 8601, UTC */
  created_at: string
  /** null: it is open */
  decided_at: string | null
  /** Person, or `sync` where the list superseded it */
  decided_by: string | null
}
export type ProposalPage = {
  /** Content of the answer or of the event */
  data: Proposal[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type Provider = {
  /** Stable code */
  code: string
  /** Kind of the object */
  kind: string
  /** Name that people see */
  name: string
  /** false: no new orders; it is still asked about earlier ones */
  enabled: boolean
  /** Limits of the provider */
  limits: Record<string, unknown>
  /** An alert is raised when our money there falls below this, in its currency */
  float_alert: number | null
  /** null: it cannot say */
  float: ProviderFloat | null
  /** By node; empty: no order went there lately */
  health: ProviderMeasurement[]
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  updated_at: string
}
export type ProviderFailure = {
  /** The supplier's own code or word; null: it gave none, or was not reached */
  word: string | null
  /** failed: the order ended; not_acted: it went to the next route */
  outcome: "failed" | "not_acted"
  /** Our code */
  code: number
  /** Number of answers */
  count: number
  /** ISO 8601, UTC */
  last_at: string
}
export type ProviderFailurePage = {
  /** Content of the answer or of the event */
  data: ProviderFailure[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ProviderFloat = {
  /** At the last answer; null: it never answered */
  amount: string | null
  /** Currency of the amounts here, by ISO 4217 */
  currency: string
  /** The amount by the rate of now; null: it never answered, or the currency has no rate */
  ringgit: string | null
  /** When it gave that answer */
  read_at: string | null
  /** null: nobody is alerted */
  alert_below: string | null
  /** The amount is below it */
  is_low: boolean
  /** null: not known yet */
  spent_per_hour: string | null
  /** At that rate, to a tenth; null: nothing is spent, or it is not known */
  hours_left: number | null
  /** Since when it gives no answer; null: the last question was answered */
  failing_since: string | null
  /** Why there is no answer */
  trouble: string | null
}
export type ProviderHealth = {
  /** Code of the provider */
  provider: string
  /** Length of an interval in minutes */
  interval_minutes: number
  /** Oldest first, without gaps; the last one is not over */
  intervals: ({
    /** Its beginning, ISO 8601, UTC */
    at: string
    /** Orders sent, which is all of the following together */
    attempts: number
    /** How many succeeded */
    succeeded: number
    /** It refused them */
    failed: number
    /** It took them, and decided later */
    pending: number
    /** It certainly did nothing; another provider may have taken over */
    not_acted: number
    /** No answer in time, or none that can be understood */
    unknown: number
    /** null: no order */
    p50_ms: number | null
    /** null: no order */
    p95_ms: number | null
  })[]
  /** All intervals together */
  total: {
    /** Orders sent, which is all of the following together */
    attempts: number
    /** How many succeeded */
    succeeded: number
    /** It refused them */
    failed: number
    /** It took them, and decided later */
    pending: number
    /** It certainly did nothing; another provider may have taken over */
    not_acted: number
    /** No answer in time, or none that can be understood */
    unknown: number
    /** null: no order */
    p50_ms: number | null
    /** null: no order */
    p95_ms: number | null
  }
}
export type ProviderHealthResponse = {
  /** Content of the answer or of the event */
  data: ProviderHealth
}
export type ProviderMeasurement = {
  /** Name of the process that measured */
  node: string
  /** open: it is sent no orders for a while */
  state: "closed" | "open" | "half_open"
  /** Orders sent */
  orders: number
  /** Orders that were answered */
  answered: number
  /** Orders without an answer in time */
  timeouts: number
  /** Orders that the provider certainly did not carry out */
  not_acted: number
  /** Median time until the answer, in milliseconds; null: no order */
  p50_ms: number | null
  /** 95th percentile of that time, in milliseconds; null: no order */
  p95_ms: number | null
  /** Age of the measurement in milliseconds */
  age_ms: number
}
export type ProviderPage = {
  /** Content of the answer or of the event */
  data: Provider[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ProviderProductsRequest = {
  /** By our codes, as `products` of a configuration; null takes one away. Others stay */
  products: Record<string, unknown>
  /** Why, for the audit log */
  reason: string
}
export type ProviderProof = {
  /** Claim about the supplier */
  claim: string
  /** not_tried: no trial can show it, or none was possible */
  result: "held" | "did_not_hold" | "not_tried"
  /** Trial and its result, in words */
  says: string
  /** ISO 8601, UTC */
  at: string
  /** Person or command that made the trial */
  by: string
}
export type QuoteForTheSupplier = {
  /** The supplier */
  supplier: string
  /** The supplier's code of the product */
  supplier_code: string
  /** Reference by which the supplier knows the attempt */
  our_reference: string
  /** Empty when the supplier gave none */
  their_serial_number: string
  /** yyyy-MM-dd HH:mm:ss GMT+8 */
  sent_at: string | null
  /** Product code */
  product: string
  /** Account of the customer: a phone number, a bill account */
  account: string
  /** Face value or quantity, in the unit of the product */
  amount: string
  /** Ringgit */
  face_value: string
}
export type ReadingOfAListOfOffers = {
  /** Id, as other operations take it */
  id: string
  /** Code of the provider */
  provider: string
  /** Present state */
  state: "running" | "complete" | "failed"
  /** Pages read so far */
  pages: number
  /** Offers read so far */
  offers: number
  /** Entries that could not be read */
  unread: number
  /** Proposals that it made */
  proposals: number
  /** Last failure; of a complete list, why nothing of it was marked as gone */
  trouble: string | null
  /** Person, or schedule */
  started_by: string
  /** ISO 8601, UTC */
  started_at: string
  /** When it ended; null: it is under way */
  finished_at: string | null
}
export type ReadingOfAListOfOffersPage = {
  /** Content of the answer or of the event */
  data: ReadingOfAListOfOffers[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ReadingOfAListOfOffersResponse = {
  /** Content of the answer or of the event */
  data: ReadingOfAListOfOffers
}
export type RealisedMargin = {
  /** Product code */
  product: string
  /** Code of the provider */
  provider: string
  /** Payments, all outcomes */
  payments: number
  /** Face value, in ringgit */
  face_value: string
  /** Sum that the resellers paid, in ringgit */
  charged: string
  /** Currency of `cost`, by ISO 4217 */
  currency: string
  /** Money that the supplier took, in its currency */
  cost: string
  /** The same in ringgit; null: the currency had no rate */
  cost_ringgit: string | null
  /** charged minus it, in ringgit */
  margin: string | null
  /** By the present cost of its route, in ringgit; null: not known */
  listed_cost: string | null
  /** charged minus that */
  listed_margin: string | null
  /** How much more it took than listed, in percent; below zero: less */
  drift_percent: number | null
}
export type RealisedMarginPage = {
  /** Content of the answer or of the event */
  data: RealisedMargin[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ReasonRequest = {
  /** Why, for the audit log */
  reason: string
}
export type ReasonRequestWithProof = {
  /** Why, for the audit log */
  reason: string
  /** Your own, once more */
  password?: string
}
export type Receiver = {
  /** The reseller's account number */
  reseller: string
  /** Stream of events with an endpoint of its own */
  stream: "callback" | "catalog" | "balance" | "order"
  /** Without its query */
  url: string
  /** HTTP method */
  method: string
  /** The owner's word */
  is_enabled: boolean
  /** Types of events that are sent */
  types: string[]
  /** Since when nothing was received; null: the last delivery was */
  failing_since: string | null
  /** Nothing is sent, whatever the owner’s word */
  paused_at: string | null
  /** When a delivery was last received; null: never */
  last_success_at: string | null
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  updated_at: string
}
export type ReceiverDetails = {
  /** The reseller's account number */
  reseller: string
  /** Stream of events with an endpoint of its own */
  stream: "callback" | "catalog" | "balance" | "order"
  /** Without its query */
  url: string
  /** HTTP method */
  method: string
  /** The owner's word */
  is_enabled: boolean
  /** Types of events that are sent */
  types: string[]
  /** Since when nothing was received; null: the last delivery was */
  failing_since: string | null
  /** Nothing is sent, whatever the owner’s word */
  paused_at: string | null
  /** When a delivery was last received; null: never */
  last_success_at: string | null
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  updated_at: string
  /** On their way or waiting; counted up to a bound */
  pending: number
}
export type ReceiverDetailsResponse = {
  /** Content of the answer or of the event */
  data: ReceiverDetails
}
export type ReceiverPage = {
  /** Content of the answer or of the event */
  data: Receiver[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type RecoveryCodes = {
  /** Content of the answer or of the event */
  data: {
    /** Codes that each replace one code of the app, shown this once */
    recovery_codes: string[]
  }
}
export type RejectProposalsRequest = {
  /** Code of the provider */
  provider: string
  /** Proposals, as they were shown; left out: those of the rule */
  ids?: string[]
  /** Rule: open proposals of these kinds, at most 500 at once */
  kinds?: ("new" | "cost_changed" | "gone" | "closed" | "reopened" | "hours_changed" | "changed")[]
  /** Rule: only those after this proposal, the `next` of the act before */
  after?: string
  /** Why, for the audit log */
  reason: string
}
export type RejectedProposals = {
  /** Code of the provider */
  provider: string
  /** Proposals that were rejected */
  rejected: number
  /** Last proposal of the rule, where there are more: `after` of the next act */
  next: string | null
}
export type RejectedProposalsResponse = {
  /** Content of the answer or of the event */
  data: RejectedProposals
}
export type RemoveRouteRequest = {
  /** When it is the product's last, the product may be sold through * */
  to_any?: boolean
  /** Why, for the audit log */
  reason: string
}
export type ReportedDeposit = {
  /** Id, as other operations take it */
  id: string
  /** accepted: a second operator has not decided yet; credited: in the wallet */
  state: "reported" | "accepted" | "credited" | "refused" | "withdrawn"
  /** The reseller's account number */
  reseller: {
    /** The reseller's account number */
    account: string
    /** Name that people see */
    name: string
  }
  /** Ringgit */
  amount: string
  /** yyyy-MM-dd */
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
  /** The member's username */
  reported_by: string
  /** ISO 8601, UTC */
  reported_at: string
  /** ISO 8601, UTC */
  changed_at: string
  /** Operator who accepted or refused it */
  decided_by: string | null
  /** Change that a second operator has to approve */
  approval_id: string | null
  /** Why it was refused; the reseller sees it */
  refusal: string | null
  /** The wallet's entry, once credited */
  entry_number: string | null
  /** Other requests with the same reference of the bank that are open or credited: look twice */
  same_reference: {
    /** Id, as other operations take it */
    id: string
    /** The reseller's account number */
    account: string
  }[]
}
export type ReportedDepositPage = {
  /** Content of the answer or of the event */
  data: ReportedDeposit[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ReportedDepositResponse = {
  /** Content of the answer or of the event */
  data: ReportedDeposit
}
export type Reseller = {
  /** The reseller's account number */
  account: string
  /** Name that people see */
  name: string
  /** Mail address */
  email: string
  /** Code of the price level */
  price_level: string
  /** 0: may pay; 50: read only */
  access: 0 | 50
  /** Present state */
  status: "active" | "suspended"
  /** Payments with a bearer token are refused */
  topup_requires_api_key: boolean
  /** Seconds in which the same payment again is refused; 0: never */
  duplicate_window_seconds: number
  /** Whether it belongs to the demo */
  demo: boolean
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  updated_at: string
}
export type ResellerAPIKey = {
  /** Id, as other operations take it */
  id: string
  /** Its beginning and its end; the key itself is its owner’s */
  hint: string
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
export type ResellerAPIKeyResponse = {
  /** Content of the answer or of the event */
  data: ResellerAPIKey
}
export type ResellerCase = {
  /** The reseller's account number */
  reseller: string
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
  created_at: string
  /** ISO 8601, UTC */
  updated_at: string
  /** ISO 8601, UTC */
  due_at: string
  /** When it was closed; null: it is open */
  closed_at: string | null
}
export type ResellerCaseDetails = {
  /** The reseller's account number */
  reseller: string
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
  created_at: string
  /** ISO 8601, UTC */
  updated_at: string
  /** ISO 8601, UTC */
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
export type ResellerCaseDetailsResponse = {
  /** Content of the answer or of the event */
  data: ResellerCaseDetails
}
export type ResellerCasePage = {
  /** Content of the answer or of the event */
  data: ResellerCase[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ResellerOrder = {
  /** Id of the order */
  order_id: string
  /** The reseller's account number */
  reseller: string
  /** Name of the reseller */
  reseller_name: string
  /** The reseller's own name of it */
  reference: string
  /** Present state */
  state: "draft" | "awaiting_payment" | "confirmed" | "completed" | "partially_completed" | "failed" | "cancelled" | "timeout"
  /** Sum of the prices, in ringgit */
  total: string
  /** Prices of the units that failed, in ringgit */
  refund: string
  /** null: not confirmed */
  payment_reference: string | null
  /** Reason of the cancellation; null: there is none */
  cancel_reason: string | null
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  expires_at: string
  /** When it was confirmed; null: not yet */
  confirmed_at: string | null
  /** Time of the final state */
  completed_at: string | null
  /** Time of the next look: its expiry, or its payments. null: it is final */
  next_at: string | null
  /** Looks at its payments since it was confirmed. null: it is final */
  looks: number | null
  /** Lines of the basket */
  items: {
    /** Number of the line, from 1 */
    line: number
    /** Product code */
    product: string
    /** Name of the product */
    product_name: string
    /** Face value or quantity, in the unit of the product */
    amount: string
    /** Units; each is a payment of its own */
    quantity: number
    /** Locked price of one unit, in ringgit */
    unit_price: string
  }[]
  /** Its payments; empty until it is confirmed */
  units: ({
    /** Number of the line, from 1 */
    line: number
    /** Place among the units of its line */
    number: number
    /** Product code */
    product: string
    /** Refid of its payment */
    refid: string
    /** waiting: not known to be paid. sent: the payment exists and is not final */
    state: "waiting" | "sent" | "succeeded" | "failed"
    /** The customer's price, in ringgit */
    price: string
    /** null: there is no payment, or none is known yet */
    payment_id: string | null
    /** Reason of a failure */
    error: string | null
  })[]
}
export type ResellerOrderResponse = {
  /** Content of the answer or of the event */
  data: ResellerOrder
}
export type ResellerPage = {
  /** Content of the answer or of the event */
  data: Reseller[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ResellerPayment = {
  /** The reseller's account number */
  reseller: string
  /** Name of the reseller */
  reseller_name: string
  /** Id, as other operations take it */
  id: string
  /** The reseller's reference of the payment */
  refid: string
  /** Product code */
  product: string
  /** Name of the product */
  product_name: string
  /** Customer account: a phone number, a bill’s account */
  customer: string
  /** Face value or quantity, in the unit of the product */
  amount: string
  /** Ringgit */
  face_value: string
  /** Ringgit */
  cost: string
  /** Present state */
  state: "accepted" | "processing" | "succeeded" | "failed" | "voided"
  /** statusCode of the payment */
  code: number
  /** The reseller's note, or the reason of a failure */
  remarks: string
  /** Code of the provider */
  provider: string
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  changed_at: string
  /** It is past its due time, and an operator may end it */
  stuck: boolean
  /** Its due time, when that is past */
  stuck_since: string | null
}
export type ResellerPaymentDetails = {
  /** The reseller's account number */
  reseller: string
  /** Name of the reseller */
  reseller_name: string
  /** Id, as other operations take it */
  id: string
  /** The reseller's reference of the payment */
  refid: string
  /** Product code */
  product: string
  /** Name of the product */
  product_name: string
  /** Customer account: a phone number, a bill’s account */
  customer: string
  /** Face value or quantity, in the unit of the product */
  amount: string
  /** Ringgit */
  face_value: string
  /** Ringgit */
  cost: string
  /** Present state */
  state: "accepted" | "processing" | "succeeded" | "failed" | "voided"
  /** statusCode of the payment */
  code: number
  /** The reseller's note, or the reason of a failure */
  remarks: string
  /** Code of the provider */
  provider: string
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  changed_at: string
  /** It is past its due time, and an operator may end it */
  stuck: boolean
  /** Its due time, when that is past */
  stuck_since: string | null
  /** Ringgit: the wallet's, right after the latest movement */
  balance_after: string
  /** Plan code */
  subproduct_code: string | null
  /** Code of the biller */
  biller_code: string | null
  /** Second reference, where the biller requires one */
  ref2: string | null
  /** Masked */
  ic_number: string | null
  /** Serial number of the provider; empty when there is none */
  serial_number: string
  /** Masked */
  pin: string
  /** Last day of the PIN or voucher, yyyyMMdd; empty when there is none */
  expiry: string
  /** Masked */
  voucher_link: string
  /** Note for people */
  note: string
  /** Network address of the caller */
  sender: string
  /** The API key's or user's id; of a payment of an order, the order's id */
  member_id: string
  /** Oldest first */
  timeline: ({
    /** ISO 8601, UTC */
    at: string
    /** Kind of the object */
    kind: string
    /** Present state */
    state: "accepted" | "processing" | "succeeded" | "failed" | "voided"
    /** statusCode of the payment */
    code: number
    /** Details of the step */
    detail: string
    /** The wallet's, right after the money that this step moved; null: it moved none */
    balance: string | null
  })[]
  /** Ending it by hand needs an approval: it costs more than you may decide about alone, or with it a sum of such decisions would be above its limit */
  needs_second_person: boolean
  /** Ringgit: the largest cost that one operator may decide about */
  resolve_alone_max: string
  /** Ringgit: limit of what one operator, and what is for one reseller, is decided alone in 24 hours */
  resolve_alone_day_max: string
  /** Ringgit: the same limit for 7 days */
  resolve_alone_week_max: string
  /** The supplier */
  supplier: {
    /** Stable code */
    code: string
    /** Name that people see */
    name: string
  }
  /** Oldest first */
  attempts: Attempt[]
  /** Facts to quote when you ask the supplier */
  quote_to_supplier: QuoteForTheSupplier
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
    /** Id of the delivery that this one repeats; null: it is no replay */
    replay_of: string | null
    /** ISO 8601, UTC */
    created_at: string
    /** When it became final; null: it is under way */
    completed_at: string | null
  })[]
  /** About this payment */
  cases: {
    /** Number of the case, such as C-2026-000123 */
    number: string
    /** Kind of the object */
    kind: string
    /** Present state */
    state: string
  }[]
}
export type ResellerPaymentDetailsResponse = {
  /** Content of the answer or of the event */
  data: ResellerPaymentDetails
}
export type ResellerPaymentPage = {
  /** Content of the answer or of the event */
  data: ResellerPayment[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ResellerPaymentTimeline = {
  /** The reseller's account number */
  reseller: string
  /** Name of the reseller */
  reseller_name: string
  /** Id, as other operations take it */
  id: string
  /** The reseller's reference of the payment */
  refid: string
  /** Product code */
  product: string
  /** Name of the product */
  product_name: string
  /** Customer account: a phone number, a bill’s account */
  customer: string
  /** Face value or quantity, in the unit of the product */
  amount: string
  /** Ringgit */
  face_value: string
  /** Ringgit */
  cost: string
  /** Present state */
  state: "accepted" | "processing" | "succeeded" | "failed" | "voided"
  /** statusCode of the payment */
  code: number
  /** The reseller's note, or the reason of a failure */
  remarks: string
  /** Code of the provider */
  provider: string
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  changed_at: string
  /** It is past its due time, and an operator may end it */
  stuck: boolean
  /** Its due time, when that is past */
  stuck_since: string | null
  /** Ringgit: the wallet's, right after the latest movement */
  balance_after: string
  /** Plan code */
  subproduct_code: string | null
  /** Code of the biller */
  biller_code: string | null
  /** Second reference, where the biller requires one */
  ref2: string | null
  /** Masked */
  ic_number: string | null
  /** Serial number of the provider; empty when there is none */
  serial_number: string
  /** Masked */
  pin: string
  /** Last day of the PIN or voucher, yyyyMMdd; empty when there is none */
  expiry: string
  /** Masked */
  voucher_link: string
  /** Note for people */
  note: string
  /** Network address of the caller */
  sender: string
  /** The API key's or user's id; of a payment of an order, the order's id */
  member_id: string
  /** Oldest first */
  timeline: ({
    /** ISO 8601, UTC */
    at: string
    /** Kind of the object */
    kind: string
    /** Present state */
    state: "accepted" | "processing" | "succeeded" | "failed" | "voided"
    /** statusCode of the payment */
    code: number
    /** Details of the step */
    detail: string
    /** The wallet's, right after the money that this step moved; null: it moved none */
    balance: string | null
  })[]
}
export type ResellerPaymentTimelineResponse = {
  /** Content of the answer or of the event */
  data: ResellerPaymentTimeline
}
export type ResellerResponse = {
  /** Content of the answer or of the event */
  data: Reseller
}
export type ResellerUser = {
  /** Name to sign in with */
  username: string
  /** Mail address */
  email: string
  /** admin: the owner, who may do everything. manager: sells, sees all sales and opens cases. cashier: sells, and sees their own sales. accountant: statement, deposits and files, no PINs. viewer: sees everything but PINs and secrets */
  role: "admin" | "manager" | "cashier" | "accountant" | "viewer"
  /** Present state */
  status: "active" | "disabled"
  /** ISO 8601, UTC */
  created_at: string
}
export type ResellerUserPage = {
  /** Content of the answer or of the event */
  data: ResellerUser[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ResellerUserResponse = {
  /** Content of the answer or of the event */
  data: ResellerUser
}
export type ResolvePaymentRequest = {
  /** failed gives the money back */
  as: "succeeded" | "failed"
  /** How you know; for the payment's timeline */
  evidence: string
  /** succeeded: the value that the provider gave */
  serial_number?: string
  /** succeeded: the value that the provider gave */
  pin?: string
  /** Why, for the audit log */
  reason: string
}
export type Route = {
  /** Or * for every product without routes of its own */
  product: string
  /** Code of the provider */
  provider: string
  /** The smallest comes first */
  priority: number
  /** Its share within its priority; null: the cheapest takes the order */
  weight: number | null
  /** Charge of the provider: "97.5%" of the face value, or an amount per order */
  cost: string | null
  /** When it is open, by GMT+8, such as "mon-fri 08:00-22:30"; empty: always */
  windows: string[]
  /** Whether it is switched on */
  enabled: boolean
}
export type RoutePage = {
  /** Content of the answer or of the event */
  data: Route[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type RouteRequest = {
  /** 1 when left out */
  priority?: number
  /** 100 when left out; null: by cost */
  weight?: number | null
  /** Cost in MYR; null: not known */
  cost?: string | null
  /** When the route is open, by GMT+8, such as "mon-fri 08:00-22:30"; empty: always */
  windows?: string[]
  /** true when left out */
  enabled?: boolean
  /** Stop its orders although the routes that are left charge more than a price */
  accept_loss?: boolean
  /** Check and measure it, and change nothing */
  dry_run?: boolean
  /** Why, for the audit log */
  reason: string
}
export type RouteResponse = {
  /** Content of the answer or of the event */
  data: Route
}
export type ScheduleOfReadings = {
  /** Code of the provider */
  provider: string
  /** null: it is never read by itself */
  every_hours: number | null
  /** null: never */
  next_at: string | null
}
export type ScheduleOfReadingsPage = {
  /** Content of the answer or of the event */
  data: ScheduleOfReadings[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type ScheduleOfReadingsResponse = {
  /** Content of the answer or of the event */
  data: ScheduleOfReadings
}
export type ScheduleRequest = {
  /** null: never */
  every_hours: number | null
  /** Why, for the audit log */
  reason: string
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
export type SetLevelPriceResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Code of the price level */
    level: string
    /** Product code */
    product: string
    /** Price for the reseller */
    price: LevelPrice | null
    /** Numbers of what changes */
    summary: CatalogueChange
    /** Prices beside the suppliers' costs */
    comparison: PricesBesideSupplierCosts
  }
}
export type SetResellerPermissionResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Product code */
    product: string
    /** null: as for everybody, an open product may be bought and a restricted one may not */
    is_allowed: boolean | null
    /** Numbers of what changes */
    summary: CatalogueChange
  }
}
export type SetRouteResponse = {
  /** Content of the answer or of the event */
  data: {
    /** Or * for every product without routes of its own */
    product: string
    /** Code of the provider */
    provider: string
    /** The smallest comes first */
    priority: number
    /** Its share within its priority; null: the cheapest takes the order */
    weight: number | null
    /** Charge of the provider: "97.5%" of the face value, or an amount per order */
    cost: string | null
    /** When it is open, by GMT+8, such as "mon-fri 08:00-22:30"; empty: always */
    windows: string[]
    /** Whether it is switched on */
    enabled: boolean
    /** Prices beside the suppliers' costs */
    comparison: PricesBesideSupplierCosts
  }
}
export type Settings = Record<string, string | number>
export type SettingsResponse = {
  /** Every setting of this node with its value; passwords and keys are masked */
  data: Settings
}
export type StartReadingRequest = {
  /** Code of the provider */
  provider: string
  /** Why, for the audit log */
  reason: string
}
export type StuckPayment = {
  /** The reseller's account number */
  reseller: string
  /** Name of the reseller */
  reseller_name: string
  /** Id, as other operations take it */
  id: string
  /** The reseller's reference of the payment */
  refid: string
  /** Product code */
  product: string
  /** Cost in MYR */
  cost: string
  /** Present state */
  state: "accepted" | "processing" | "succeeded" | "failed" | "voided"
  /** Code of the provider */
  provider: string
  /** By which the provider knows the present attempt */
  our_reference: string
  /** Number of the attempt, from 1 */
  attempt: number
  /** How often the provider was asked about it */
  questions: number
  /** ISO 8601, UTC */
  created_at: string
  /** ISO 8601, UTC */
  due_at: string
  /** ISO 8601, UTC */
  next_at: string
}
export type StuckPaymentPage = {
  /** Content of the answer or of the event */
  data: StuckPayment[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type SupplierPack = {
  /** By which it is chosen */
  pack: string
  /** Name that people see */
  name: string
  /** Version of the catalogue */
  version: number
  /** Numbers of what changes */
  summary: string
  /** ISO 3166; * for many */
  countries: string[]
  /** Kinds of products that the supplier sells */
  sells: string[]
  /** ISO 4217 */
  currency: string
}
export type SupplierPackPage = {
  /** Content of the answer or of the event */
  data: SupplierPack[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type SupplierPackWithItsPage = {
  /** By which it is chosen */
  pack: string
  /** Name that people see */
  name: string
  /** Version of the catalogue */
  version: number
  /** Numbers of what changes */
  summary: string
  /** ISO 3166; * for many */
  countries: string[]
  /** Kinds of products that the supplier sells */
  sells: string[]
  /** ISO 4217 */
  currency: string
  /** Settings that the pack asks for */
  settings: ({
    /** Name that people see */
    name: string
    /** Name that people see */
    label: string
    /** Place at the supplier where it is found */
    help: string
    /** Value where it is left out; null: it must be given */
    usual: string | null
    /** Type of the event */
    type: "text" | "boolean" | "number"
  })[]
  /** Secrets that the pack asks for */
  secrets: {
    /** Name of the secret */
    name: string
    /** Name that people see */
    label: string
    /** Place at the supplier where it is found */
    help: string
  }[]
  /** Claims about the supplier */
  claims: ({
    /** Claim about the supplier */
    claim: "repeated_reference_acts_once" | "not_found_proves" | "remembers_for_days" | "reversed_late" | "empty_wallet"
    /** Present state */
    state: "documented" | "unknown"
    /** null: not known */
    value: unknown | null
    /** Explanation in words */
    says: string
    /** Page of the supplier that it is taken from */
    source: string
  })[]
  /** The supplier's test mode */
  test_mode: {
    /** Thing that makes an order a test */
    by: "address" | "key" | "orders" | "none"
    /** Use of the supplier's test mode */
    says: string
    /** Settings of the test mode, where they differ */
    settings: Record<string, string>
  }
  /** Changes of this version */
  upgrade: string
  /** Page for operators, in Markdown */
  guide: string
}
export type SupplierPackWithItsPageResponse = {
  /** Content of the answer or of the event */
  data: SupplierPackWithItsPage
}
export type SwitchProviderRequest = {
  /** Whether it is switched on */
  enabled: boolean
  /** Stop its orders although the routes that are left charge more than a price */
  accept_loss?: boolean
  /** Why, for the audit log */
  reason: string
}
export type Trial = {
  /** Code of the provider */
  provider: string
  /** ISO 8601, UTC */
  started_at: string
}
export type TrialRequest = {
  /** The credentials are for tests, although the address is that of real orders too */
  live_address?: boolean
  /** The supplier's code of a product, for test orders that name none */
  supplier_code?: string
  /** Why, for the audit log */
  reason: string
}
export type TrialResponse = {
  /** Content of the answer or of the event */
  data: Trial
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
export type UnknownAnswerOfAProvider = {
  /** Id, as other operations take it */
  id: string
  /** Question to the supplier that was answered with it */
  operation: "submit" | "query" | "void" | "fetch" | "callback"
  /** Path of the word in the answer */
  path: string
  /** The word that no table knows */
  value: string
  /** How often it came */
  count: number
  /** ISO 8601, UTC */
  first_at: string
  /** ISO 8601, UTC */
  last_at: string
  /** An answer with it; everything that may be secret is masked */
  sample: string
}
export type UnknownAnswerOfAProviderPage = {
  /** Content of the answer or of the event */
  data: UnknownAnswerOfAProvider[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
}
export type UnknownAnswerOfAProviderResponse = {
  /** Content of the answer or of the event */
  data: UnknownAnswerOfAProvider
}
export type UpgradeOfAPack = {
  /** Code of the provider */
  provider: string
  /** Name of the pack */
  pack: string
  /** Number of the first item */
  from: number
  /** Number of the last item */
  to: number
  /** Changes of the newest version, in words */
  says: string
  /** Changes of the connection */
  differences: ({
    /** Address of the list, without its query */
    path: string
    /** Present value; null: none */
    now: unknown | null
    /** Value of the pack */
    next: unknown | null
    /** A person changed it too: it stays as it is */
    kept: boolean
  })[]
}
export type UpgradeOfAPackResponse = {
  /** Content of the answer or of the event */
  data: UpgradeOfAPack
}
export type UpgradeRequestWithProof = {
  /** By the names that the pack has */
  settings?: Record<string, string>
  /** By the names that the pack has; sealed, and never shown again */
  secrets?: Record<string, string>
  /** Check and measure it, and change nothing */
  dry_run?: boolean
  /** Why, for the audit log */
  reason: string
  /** Your own, once more */
  password?: string
}
export type Wallet = {
  /** The reseller's account number */
  account: string
  /** Name that people see */
  name: string
  /** Ringgit */
  balance: string
  /** Number of entries */
  entry_count: string
  /** When the latest entry was booked; null: there is none */
  last_entry_at: string | null
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
export type WalletEntry = {
  /** The entry's number in the wallet, without gaps */
  number: string
  /** Kind of the object */
  kind: "deposit" | "adjustment" | "payment" | "refund" | "commission"
  /** Ringgit */
  amount: string
  /** Ringgit, after it */
  balance: string
  /** transaction_id of the payment; null: there is none */
  payment_id: string | null
  /** The reseller’s reference of the payment; null: the entry has none */
  refid: string | null
  /** The same as `payment_id`, under the name of the signed API */
  trxid: string | null
  /** Text of the entry */
  remarks: string
  /** ISO 8601, UTC */
  created_at: string
}
export type WalletEntryPage = {
  /** Content of the answer or of the event */
  data: WalletEntry[]
  /** For the next page; null: this is the last */
  cursor: string | null
  /** Whether a next page exists */
  has_more: boolean
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
export type WalletResponse = {
  /** Content of the answer or of the event */
  data: Wallet
}
