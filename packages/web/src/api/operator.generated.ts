// Generated from docs/openapi-operator.json by scripts/web-api.js. Do not edit.

export type AcceptDepositRequest = { reference?: string; remarks?: string; reason: string }

export type Accepted = { message: string }

export type Adjustment = { account: string; amount: string; remarks: string; reference?: string; reason: string }

export type Alert = { id: string; kind: string; subject: string; text: string; severity: "warning" | "critical"; raised_at: string; last_seen_at: string; times: string; cleared_at: string | null }

export type AlertPage = { data: Alert[]; cursor: string | null; has_more: boolean }

export type AlertResponse = { data: Alert }

export type Approval = { id: string; kind: "deposit" | "adjustment" | "deposit_request" | "payment_resolution" | "void" | "price_change" | "catalogue_change" | "route_change" | "route_removal" | "provider_switch"; state: "pending" | "approved" | "refused" | "withdrawn" | "expired"; target: { kind: string; id: string }; command: Record<string, string | null>; reason: string; requested_by: string; requested_at: string; expires_at: string; decision: { by: string; at: string; reason: string; outcome: unknown } | null }

export type ApprovalPage = { data: Approval[]; cursor: string | null; has_more: boolean }

export type ApprovalResponse = { data: Approval }

export type ApproveCaseRequest = { evidence: string; reason: string }

export type Attempt = { attempt: number; our_reference: string; supplier: string; supplier_code: string; sent_at: string | null; sent_again: number; undecided_answers: number | null; next_question_at: string | null; answers: ({ at: string; kind: "undecided" | "succeeded" | "failed" | "not_acted" | "sent_again" | "late" | "contradiction" | "note"; code: number; text: string })[] }

export type AuditEntry = { sequence: string; at: string; actor: { kind: "operator" | "token" | "member" | "command" | "system"; name: string; address: string | null }; action: string; target: { kind: string; id: string }; before: unknown; after: unknown; reason: string }

export type AuditEntryPage = { data: AuditEntry[]; cursor: string | null; has_more: boolean }

export type AuditProof = { is_whole: boolean; records: string; head: { sequence: string; hash: string } | null; broken: ({ kind: string; sequence: string | null; expected: string; found: string }) | null }

export type AuditProofResponse = { data: AuditProof }

export type BlockedAddress = { address: string; blocked_at: string; blocked_until: string; requests: string }

export type BlockedAddressPage = { data: BlockedAddress[]; cursor: string | null; has_more: boolean }

export type BlockedAddressResponse = { data: BlockedAddress }

export type CaseMessageRequest = { message: string; reason?: string }

export type CatalogueChange = { version: number; created: Record<string, number>; updated: Record<string, number>; deactivated: Record<string, number>; unchanged: Record<string, number>; accounts_affected: number; accounts: string[] }

export type CatalogueDifference = { kind: "groups" | "categories" | "products" | "options" | "levels" | "prices"; id: string; action: "create" | "update" | "deactivate"; changes: { name: string; before: unknown; after: unknown }[] }

export type CatalogueFile = { name: string; content: string }

export type CatalogueImportRequest = { document?: Record<string, unknown>; files?: CatalogueFile[]; deactivate_missing?: boolean; expected_version: number; reason: string }

export type CataloguePreviewRequest = { document?: Record<string, unknown>; files?: CatalogueFile[]; deactivate_missing?: boolean }

export type CatalogueProduct = { code: string; name: string; category: string; kind: string; is_active: boolean; is_hidden: boolean; is_restricted: boolean; is_refundable: boolean; levels: number; options: number }

export type CatalogueProductPage = { data: CatalogueProduct[]; cursor: string | null; has_more: boolean }

export type ChangeOperatorRequest = { role?: "admin" | "finance" | "support" | "catalogue" | "read_only"; status?: "active" | "disabled"; reason: string }

export type ChangePasswordRequest = { current_password: string; password: string }

export type ChangePriceLevelRequest = { name: string; reason: string }

export type ChangeResellerRequest = { name?: string; email?: string; price_level?: string; access?: 0 | 50; status?: "active" | "suspended"; topup_requires_api_key?: boolean; reason: string }

export type ChangeThatWaitsForApproval = { data: { approval: Approval; comparison: PricesBesideSupplierCosts } }

export type ChangeUserRequest = { role?: "admin" | "viewer"; status?: "active" | "disabled"; reason: string }

export type Closings = { last_day: string; is_current: boolean; wallets: number; behind_total: number; behind: { account: string; name: string; day: string }[]; last_closed_at: string | null }

export type ClosingsResponse = { data: Closings }

export type Comparison = { account: string; lines: number; payments: number; agreed: number; outside: number; kinds: Record<string, number>; differences_total: number; differences: Difference[] }

export type ComparisonResponse = { data: Comparison }

export type ConfirmPasswordResetRequest = { token: string; password: string }

export type CreateLevelResponse = { data: { code: string; name: string; summary: CatalogueChange } }

export type DeliveryQueue = { reseller: string; stream: "callback" | "catalog" | "balance"; pending: number; oldest_at: string; next_at: string; is_held: boolean }

export type DeliveryQueuePage = { data: DeliveryQueue[]; cursor: string | null; has_more: boolean }

export type DemoAccounts = { data: ({ login: string; password: string; name: string; role: "admin" | "finance" | "support" | "catalogue" | "read_only" | "admin" | "viewer"; reseller: { account: string; name: string } | null })[] }

export type DepositRequest = { account: string; amount: string; remarks: string; reference?: string; reason: string }

export type Difference = { kind: "missing_here" | "missing_there" | "amount" | "status" | "day" | "duplicate" | "unreadable"; cause: string; line: number | null; refid: string; payment_id: string | null; theirs: string; ours: string; detail: string }

export type EndedSessions = { data: { ended: number } }

export type ExportCatalogueResponse = Record<string, unknown>

export type FindingAboutAPrice = { kind: "below_cost" | "price_moved" | "price_drifted" | "cost_moved"; product: string; level: string | null; provider: string | null; sample: string; before: string | null; after: string | null; cost: string | null; loss_last_month: string }

export type Forbidden = { error: string; message: string }

export type GetCatalogueProductResponse = { data: { product: Record<string, unknown>; prices: ({ level: string; discount_type: "percentage" | "fixed"; value: string; currency: string })[]; options: { field: string; total: number }[] } }

export type GetCatalogueResponse = { data: { version: number; groups: Record<string, unknown>[]; categories: Record<string, unknown>[] } }

export type GetLevelResponse = { data: { code: string; name: string; prices: LevelPrice[] } }

export type GetOperatorOpenApiResponse = { openapi: string; info: Record<string, unknown>; paths: Record<string, unknown> }

export type GetProviderResponse = { data: { code: string; kind: string; name: string; enabled: boolean; limits: Record<string, unknown>; float_alert: number | null; float: ProviderFloat | null; health: ProviderMeasurement[]; created_at: string; updated_at: string; config: Record<string, unknown> | null; secrets: { name: string; set_at: string }[] } }

export type LedgerProof = { id: string; requested_by: string; started_at: string; finished_at: string | null; report: ({ is_whole: boolean; wallets: number; entries: string; unchained: string; sums: { wallets: string; houses: { house_account: string; entries: string; balance: string }[]; total: string } | null; breaks: ({ kind: string; account: string | null; sequence: string | null; expected: string; found: string })[] }) | null; trouble: string | null }

export type LedgerProofPage = { data: LedgerProof[]; cursor: string | null; has_more: boolean }

export type LedgerProofResponse = { data: LedgerProof }

export type LevelPrice = { product: string; discount_type: "percentage" | "fixed"; value: string; currency: string }

export type LevelPriceRequest = { discount_type: "percentage" | "fixed" | "none"; value?: string | null; currency?: string; dry_run?: boolean; reason: string }

export type LiftBlockRequest = { address: string; reason: string }

export type ListCatalogueOptionsResponse = { data: Record<string, unknown>[]; cursor: string | null; has_more: boolean }

export type LiveAlertMessage = { event: "alert"; data: { change: "opened" | "cleared"; id: string; kind: string; subject: string; severity: "warning" | "critical"; at: string } }

export type LiveApprovalMessage = { event: "approval"; data: { change: "requested" | "decided"; id: string; kind: string; state: "pending" | "approved" | "refused" | "withdrawn" | "expired"; at: string } }

export type LiveByeMessage = { event: "bye"; data: { reason: "session_ended" | "stopping" | "renew" } }

export type LiveCaseMessage = { event: "case"; data: { number: string; kind: "dispute" | "void"; state: "open" | "in_progress" | "resolved" | "refused"; at: string } }

export type LiveHelloMessage = { event: "hello"; data: { resumed: boolean } }

export type LivePaymentsMessage = { event: "payments"; data: { changed: ({ id: string; code: number; state: "accepted" | "processing" | "succeeded" | "failed" | "voided" })[]; more: boolean } }

export type LiveProvidersMessage = { event: "providers"; data: { providers: ({ code: string; state: "closed" | "open" | "half_open"; takes_orders: boolean })[] } }

export type LiveResetMessage = { event: "reset"; data: { reason: "lost" } }

export type LiveStuckMessage = { event: "stuck"; data: { count: number } }

export type MarginLine = { sample: string; face_value: string; price: string; cost: string; margin: string; margin_rate: number | null }

export type Movements = { deposit: { count: number; amount: string }; adjustment: { count: number; amount: string }; payment: { count: number; amount: string }; refund: { count: number; amount: string }; commission: { count: number; amount: string } }

export type NetworkNotice = { id: string; state: "scheduled" | "in_force" | "over"; target: "product" | "category" | "provider"; code: string; message: string; stops_payments: boolean; starts_at: string; ends_at: string | null; ended_at: string | null; created_by: string; created_at: string }

export type NetworkNoticePage = { data: NetworkNotice[]; cursor: string | null; has_more: boolean }

export type NetworkNoticeResponse = { data: NetworkNotice }

export type NewNoticeRequest = { target: "product" | "category" | "provider"; code: string; message: string; starts_at?: string; ends_at?: string; stops_payments?: boolean; reason: string }

export type NewOperatorRequest = { email: string; name: string; role: "admin" | "finance" | "support" | "catalogue" | "read_only"; reason: string }

export type NewOperatorToken = { data: { id: string; label: string; role: "admin" | "finance" | "support" | "catalogue" | "read_only"; created_at: string; expires_at: string; last_used_at: string | null; revoked_at: string | null; token: string } }

export type NewPasskeyRequest = { ceremony: string; label: string; credential: { id: string; response: { clientDataJSON: string; attestationObject: string; transports?: string[] } } }

export type NewPriceLevelRequest = { code: string; name: string; reason: string }

export type NewResellerRequest = { account?: string; name: string; email: string; price_level: string; access?: 0 | 50; reason: string }

export type NewUserRequest = { username: string; email?: string; role: "admin" | "viewer"; reason: string }

export type Operator = { id: string; email: string; name: string; role: "admin" | "finance" | "support" | "catalogue" | "read_only"; status: "active" | "disabled"; demo: boolean; let_in_by: string | null; created_at: string }

export type OperatorOverview = { as_of: string; late: ("receivers" | "payments")[]; alerts: { critical: number; warning: number; first: Alert[] } | null; stuck: ({ payments: number; cost: string; oldest_due_at: string | null; oldest_age_seconds: number | null; first: ({ reseller: string; id: string; refid: string; product: string; cost: string; state: "accepted" | "processing" | "succeeded" | "failed" | "voided"; provider: string; our_reference: string; attempt: number; questions: number; created_at: string; due_at: string; next_at: string; age_seconds: number })[] }) | null; approvals: ({ pending: number; own: number; may_decide: number; first: ({ id: string; kind: "deposit" | "adjustment" | "deposit_request" | "payment_resolution" | "void" | "price_change" | "catalogue_change" | "route_change" | "route_removal" | "provider_switch"; target: { kind: string; id: string }; reason: string; requested_by: string; requested_at: string; expires_at: string; is_own: boolean; may_decide: boolean })[] }) | null; cases: ({ open: number; overdue: number; first: ({ reseller: string; number: string; kind: "dispute" | "void"; state: "open" | "in_progress" | "resolved" | "refused"; refid: string; payment_id: string; created_at: string; updated_at: string; due_at: string; closed_at: string | null; is_overdue: boolean })[] }) | null; providers: (({ code: string; name: string; enabled: boolean; is_connected: boolean; health: ({ state: "closed" | "open" | "half_open"; orders: number; answered: number; timeouts: number; not_acted: number; p50_ms: number | null; p95_ms: number | null }) | null; float: ProviderFloat | null })[]) | null; receivers: ({ as_of: string; lagging: number; pending: number; first: ({ reseller: string; stream: "callback" | "catalog" | "balance"; pending: number; oldest_at: string; next_at: string; is_held: boolean; age_seconds: number })[] }) | null; ledger: ({ running_since: string | null; last: ({ id: string; finished_at: string | null; is_whole: boolean | null; wallets: number | null; entries: string | null; total: string | null; trouble: string | null }) | null }) | null; payments: ({ currency: "MYR"; as_of: string; today: { payments: number; successful: number; pending: number; failed: number; refunded: number; value: string; charged: string; margin: string | null; margin_covers: number | null; success_rate: number | null }; last_30_days: { payments: number; successful: number; pending: number; failed: number; refunded: number; value: string; charged: string; margin: string | null; margin_covers: number | null; success_rate: number | null }; by_day: ({ day: string; payments: number; successful: number; pending: number; failed: number; refunded: number; value: string; charged: string; margin: string | null; margin_covers: number | null; success_rate: number | null })[] }) | null }

export type OperatorOverviewResponse = { data: OperatorOverview }

export type OperatorPage = { data: Operator[]; cursor: string | null; has_more: boolean }

export type OperatorPasswordResetRequest = { email: string }

export type OperatorResponse = { data: Operator }

export type OperatorSearch = { payments: ResellerPayment[]; resellers: { account: string; name: string; status: string }[]; products: { code: string; name: string }[]; providers: { code: string; name: string }[]; cases: ({ number: string; kind: "dispute" | "void"; state: "open" | "in_progress" | "resolved" | "refused"; refid: string; reseller: string })[] }

export type OperatorSearchResponse = { data: OperatorSearch }

export type OperatorSession = { data: { kind: "operator"; id: string; email: string; name: string; role: "admin" | "finance" | "support" | "catalogue" | "read_only"; two_factor: boolean }; csrf_token: string | null }

export type OperatorSignInRequest = { email: string; password: string; code?: string }

export type OperatorTokenRequest = { label: string; role: "admin" | "finance" | "support" | "catalogue" | "read_only"; expires_in_days: number; password: string; code?: string }

export type OperatorTokens = { data: ({ id: string; label: string; role: "admin" | "finance" | "support" | "catalogue" | "read_only"; created_at: string; expires_at: string; last_used_at: string | null; revoked_at: string | null })[] }

export type Passkey = { id: string; label: string; is_backed_up: boolean; created_at: string; last_used_at: string | null }

export type PasskeyAnswer = { data: Passkey }

export type PasskeyCreationOptions = { rp: { id: string; name: string }; user: { id: string; name: string; displayName: string }; challenge: string; pubKeyCredParams: { type: "public-key"; alg: number }[]; timeout: number; excludeCredentials: { id: string; type: "public-key"; transports: string[] }[]; authenticatorSelection: { residentKey: "required"; requireResidentKey: true; userVerification: "required" }; attestation: "none" }

export type PasskeyNameRequest = { label: string }

export type PasskeyProofRequest = { password: string; code?: string }

export type PasskeyRegistration = { data: { ceremony: string; options: PasskeyCreationOptions } }

export type PasskeyRequestOptions = { challenge: string; rpId: string; timeout: number; allowCredentials: { id: string; type: "public-key"; transports: string[] }[]; userVerification: "required" }

export type PasskeySignIn = { data: { ceremony: string; options: PasskeyRequestOptions } }

export type PasskeySignInRequest = { ceremony: string; credential: { id: string; response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | null } } }

export type Passkeys = { data: Passkey[] }

export type PasswordAndCodeRequest = { password: string; code: string }

export type PermissionRequest = { is_allowed: boolean | null; reason: string }

export type PreviewCatalogueResponse = { data: { summary: CatalogueChange; comparison: PricesBesideSupplierCosts; differences: CatalogueDifference[]; differences_total: number } }

export type PriceLevel = { code: string; name: string; prices: number }

export type PriceLevelPage = { data: PriceLevel[]; cursor: string | null; has_more: boolean }

export type PricesBesideSupplierCosts = { needs_second_person: boolean; loss_last_month: string; findings_total: number; findings: FindingAboutAPrice[] }

export type Problem = { message: string; errors: Record<string, string[]> }

export type ProductMargin = { product: string; name: string; is_active: boolean; negative: boolean; sold_below_cost: boolean; routes: ({ provider: string; is_for_any_product: boolean; priority: number; takes_orders: boolean; cost: string | null })[]; levels: ({ level: string; price: { discount_type: "percentage" | "fixed"; value: string; currency: string }; routes: ({ provider: string; takes_orders: boolean; negative: boolean; lowest: MarginLine | null; highest: MarginLine | null })[] })[] }

export type ProductMarginPage = { data: ProductMargin[]; cursor: string | null; has_more: boolean }

export type ProductPermission = { product: string; is_allowed: boolean }

export type ProductPermissionPage = { data: ProductPermission[]; cursor: string | null; has_more: boolean }

export type Provider = { code: string; kind: string; name: string; enabled: boolean; limits: Record<string, unknown>; float_alert: number | null; float: ProviderFloat | null; health: ProviderMeasurement[]; created_at: string; updated_at: string }

export type ProviderFloat = { amount: string | null; read_at: string | null; alert_below: string | null; is_low: boolean; spent_per_hour: string | null; hours_left: number | null; failing_since: string | null; trouble: string | null }

export type ProviderHealth = { provider: string; interval_minutes: number; intervals: ({ at: string; attempts: number; succeeded: number; failed: number; pending: number; not_acted: number; unknown: number; p50_ms: number | null; p95_ms: number | null })[]; total: { attempts: number; succeeded: number; failed: number; pending: number; not_acted: number; unknown: number; p50_ms: number | null; p95_ms: number | null } }

export type ProviderHealthResponse = { data: ProviderHealth }

export type ProviderMeasurement = { node: string; state: "closed" | "open" | "half_open"; orders: number; answered: number; timeouts: number; not_acted: number; p50_ms: number | null; p95_ms: number | null; age_ms: number }

export type ProviderPage = { data: Provider[]; cursor: string | null; has_more: boolean }

export type QuoteForTheSupplier = { supplier: string; supplier_code: string; our_reference: string; their_serial_number: string; sent_at: string | null; product: string; account: string; amount: string; face_value: string }

export type ReasonRequest = { reason: string }

export type Receiver = { reseller: string; stream: "callback" | "catalog" | "balance"; url: string; method: string; is_enabled: boolean; types: string[]; failing_since: string | null; paused_at: string | null; last_success_at: string | null; created_at: string; updated_at: string }

export type ReceiverDetails = { reseller: string; stream: "callback" | "catalog" | "balance"; url: string; method: string; is_enabled: boolean; types: string[]; failing_since: string | null; paused_at: string | null; last_success_at: string | null; created_at: string; updated_at: string; pending: number }

export type ReceiverDetailsResponse = { data: ReceiverDetails }

export type ReceiverPage = { data: Receiver[]; cursor: string | null; has_more: boolean }

export type RecoveryCodes = { data: { recovery_codes: string[] } }

export type RemoveRouteRequest = { to_any?: boolean; reason: string }

export type ReportedDeposit = { id: string; state: "reported" | "accepted" | "credited" | "refused" | "withdrawn"; reseller: { account: string; name: string }; amount: string; transferred_on: string; bank_reference: string; note: string; slip: { kind: "jpeg" | "pdf" | "png" | "webp"; bytes: number }; reported_by: string; reported_at: string; changed_at: string; decided_by: string | null; approval_id: string | null; refusal: string | null; entry_number: string | null; same_reference: { id: string; account: string }[] }

export type ReportedDepositPage = { data: ReportedDeposit[]; cursor: string | null; has_more: boolean }

export type ReportedDepositResponse = { data: ReportedDeposit }

export type Reseller = { account: string; name: string; email: string; price_level: string; access: 0 | 50; status: "active" | "suspended"; topup_requires_api_key: boolean; demo: boolean; created_at: string; updated_at: string }

export type ResellerAPIKey = { id: string; hint: string; label: string; scopes: ("read" | "pay" | "support" | "configure")[]; has_secret: boolean; state: "active" | "in_grace" | "expired" | "revoked"; expires_at: string | null; revoked_at: string | null; created_at: string }

export type ResellerAPIKeyPage = { data: ResellerAPIKey[]; cursor: string | null; has_more: boolean }

export type ResellerAPIKeyResponse = { data: ResellerAPIKey }

export type ResellerCase = { reseller: string; number: string; kind: "dispute" | "void"; state: "open" | "in_progress" | "resolved" | "refused"; refid: string; payment_id: string; created_at: string; updated_at: string; due_at: string; closed_at: string | null }

export type ResellerCaseDetails = { reseller: string; number: string; kind: "dispute" | "void"; state: "open" | "in_progress" | "resolved" | "refused"; refid: string; payment_id: string; created_at: string; updated_at: string; due_at: string; closed_at: string | null; cc: string[]; refund_type: number | null; refund_reason: string | null; messages: ({ author: "reseller" | "operator" | "system"; text: string; at: string })[] }

export type ResellerCaseDetailsResponse = { data: ResellerCaseDetails }

export type ResellerCasePage = { data: ResellerCase[]; cursor: string | null; has_more: boolean }

export type ResellerPage = { data: Reseller[]; cursor: string | null; has_more: boolean }

export type ResellerPayment = { reseller: string; id: string; refid: string; product: string; product_name: string; customer: string; amount: string; face_value: string; cost: string; state: "accepted" | "processing" | "succeeded" | "failed" | "voided"; code: number; remarks: string; provider: string; created_at: string; changed_at: string; stuck: boolean; stuck_since: string | null }

export type ResellerPaymentDetails = { reseller: string; id: string; refid: string; product: string; product_name: string; customer: string; amount: string; face_value: string; cost: string; state: "accepted" | "processing" | "succeeded" | "failed" | "voided"; code: number; remarks: string; provider: string; created_at: string; changed_at: string; stuck: boolean; stuck_since: string | null; balance_after: string; subproduct_code: string | null; biller_code: string | null; ref2: string | null; ic_number: string | null; serial_number: string; pin: string; expiry: string; voucher_link: string; note: string; sender: string; member_id: string; timeline: ({ at: string; kind: string; state: "accepted" | "processing" | "succeeded" | "failed" | "voided"; code: number; detail: string })[]; supplier: { code: string; name: string }; attempts: Attempt[]; quote_to_supplier: QuoteForTheSupplier; callbacks: ({ id: string; event_id: string; status: string; error: string; attempts: number; response_status: number; replay_of: string | null; created_at: string; completed_at: string | null })[]; cases: { number: string; kind: string; state: string }[] }

export type ResellerPaymentDetailsResponse = { data: ResellerPaymentDetails }

export type ResellerPaymentPage = { data: ResellerPayment[]; cursor: string | null; has_more: boolean }

export type ResellerPaymentTimeline = { reseller: string; id: string; refid: string; product: string; product_name: string; customer: string; amount: string; face_value: string; cost: string; state: "accepted" | "processing" | "succeeded" | "failed" | "voided"; code: number; remarks: string; provider: string; created_at: string; changed_at: string; stuck: boolean; stuck_since: string | null; balance_after: string; subproduct_code: string | null; biller_code: string | null; ref2: string | null; ic_number: string | null; serial_number: string; pin: string; expiry: string; voucher_link: string; note: string; sender: string; member_id: string; timeline: ({ at: string; kind: string; state: "accepted" | "processing" | "succeeded" | "failed" | "voided"; code: number; detail: string })[] }

export type ResellerPaymentTimelineResponse = { data: ResellerPaymentTimeline }

export type ResellerResponse = { data: Reseller }

export type ResellerUser = { username: string; email: string; role: "admin" | "viewer"; status: "active" | "disabled"; created_at: string }

export type ResellerUserPage = { data: ResellerUser[]; cursor: string | null; has_more: boolean }

export type ResellerUserResponse = { data: ResellerUser }

export type ResolvePaymentRequest = { as: "succeeded" | "failed"; evidence: string; serial_number?: string; pin?: string; reason: string }

export type Route = { product: string; provider: string; priority: number; weight: number | null; cost: string | null; windows: string[]; enabled: boolean }

export type RoutePage = { data: Route[]; cursor: string | null; has_more: boolean }

export type RouteRequest = { priority?: number; weight?: number | null; cost?: string | null; windows?: string[]; enabled?: boolean; accept_loss?: boolean; dry_run?: boolean; reason: string }

export type RouteResponse = { data: Route }

export type SecondFactor = { data: { enabled: boolean; confirmed_at: string | null; recovery_codes_left: number } }

export type SecondFactorCodeRequest = { code: string }

export type SecondFactorRequest = { password: string }

export type SecondFactorSecret = { data: { secret: string; otpauth_uri: string } }

export type Sessions = { data: ({ id: string; is_current: boolean; address: string; user_agent: string; device: { browser: string | null; os: string | null }; signed_in_with: "password" | "passkey"; created_at: string; last_seen_at: string; expires_at: string })[] }

export type SetLevelPriceResponse = { data: { level: string; product: string; price: LevelPrice | null; summary: CatalogueChange; comparison: PricesBesideSupplierCosts } }

export type SetResellerPermissionResponse = { data: { product: string; is_allowed: boolean | null; summary: CatalogueChange } }

export type SetRouteResponse = { data: { product: string; provider: string; priority: number; weight: number | null; cost: string | null; windows: string[]; enabled: boolean; comparison: PricesBesideSupplierCosts } }

export type Settings = Record<string, string | number>

export type SettingsResponse = { data: Settings }

export type StuckPayment = { reseller: string; id: string; refid: string; product: string; cost: string; state: "accepted" | "processing" | "succeeded" | "failed" | "voided"; provider: string; our_reference: string; attempt: number; questions: number; created_at: string; due_at: string; next_at: string }

export type StuckPaymentPage = { data: StuckPayment[]; cursor: string | null; has_more: boolean }

export type SwitchProviderRequest = { enabled: boolean; accept_loss?: boolean; reason: string }

export type Unauthorized = { error: string; message: string; metadata: { status_code: 401 }; debug?: { canonical_string: string; body_hash: string; hint?: string } }

export type Wallet = { account: string; name: string; balance: string; entry_count: string; last_entry_at: string | null }

export type WalletDay = { day: string; opening: string; movements: Movements; closing: string; first_entry: string; last_entry: string; closed_at: string | null }

export type WalletEntry = { number: string; kind: "deposit" | "adjustment" | "payment" | "refund" | "commission"; amount: string; balance: string; payment_id: string | null; remarks: string; created_at: string }

export type WalletEntryPage = { data: WalletEntry[]; cursor: string | null; has_more: boolean }

export type WalletMonth = { account: string; month: string; opening: string; totals: Movements; closing: string; is_closed: boolean; days: WalletDay[] }

export type WalletMonthResponse = { data: WalletMonth }

export type WalletResponse = { data: Wallet }

export type OperatorOperations = {
  getOperatorSession: {
    params: undefined
    query: undefined
    body: undefined
    answer: OperatorSession
  }
  createOperatorSession: {
    params: undefined
    query: undefined
    body: OperatorSignInRequest
    answer: OperatorSession
  }
  deleteOperatorSession: {
    params: undefined
    query: undefined
    body: undefined
    answer: null
  }
  listOperatorSessions: {
    params: undefined
    query: undefined
    body: undefined
    answer: Sessions
  }
  deleteOperatorOtherSessions: {
    params: undefined
    query: undefined
    body: undefined
    answer: EndedSessions
  }
  deleteOperatorSessionById: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: null
  }
  changeOperatorPassword: {
    params: undefined
    query: undefined
    body: ChangePasswordRequest
    answer: OperatorSession
  }
  requestOperatorPasswordReset: {
    params: undefined
    query: undefined
    body: OperatorPasswordResetRequest
    answer: Accepted
  }
  confirmOperatorPasswordReset: {
    params: undefined
    query: undefined
    body: ConfirmPasswordResetRequest
    answer: null
  }
  getOperatorTwoFactor: {
    params: undefined
    query: undefined
    body: undefined
    answer: SecondFactor
  }
  enrolOperatorTwoFactor: {
    params: undefined
    query: undefined
    body: SecondFactorRequest
    answer: SecondFactorSecret
  }
  confirmOperatorTwoFactor: {
    params: undefined
    query: undefined
    body: SecondFactorCodeRequest
    answer: RecoveryCodes
  }
  renewOperatorRecoveryCodes: {
    params: undefined
    query: undefined
    body: PasswordAndCodeRequest
    answer: RecoveryCodes
  }
  disableOperatorTwoFactor: {
    params: undefined
    query: undefined
    body: PasswordAndCodeRequest
    answer: null
  }
  beginOperatorPasskeySession: {
    params: undefined
    query: undefined
    body: undefined
    answer: PasskeySignIn
  }
  createOperatorPasskeySession: {
    params: undefined
    query: undefined
    body: PasskeySignInRequest
    answer: OperatorSession
  }
  listOperatorPasskeys: {
    params: undefined
    query: undefined
    body: undefined
    answer: Passkeys
  }
  createOperatorPasskey: {
    params: undefined
    query: undefined
    body: NewPasskeyRequest
    answer: PasskeyAnswer
  }
  beginOperatorPasskey: {
    params: undefined
    query: undefined
    body: PasskeyProofRequest
    answer: PasskeyRegistration
  }
  renameOperatorPasskey: {
    params: { id: string }
    query: undefined
    body: PasskeyNameRequest
    answer: PasskeyAnswer
  }
  deleteOperatorPasskey: {
    params: { id: string }
    query: undefined
    body: PasskeyProofRequest
    answer: null
  }
  listOperatorDemoAccounts: {
    params: undefined
    query: undefined
    body: undefined
    answer: DemoAccounts
  }
  listOperatorTokens: {
    params: undefined
    query: undefined
    body: undefined
    answer: OperatorTokens
  }
  createOperatorToken: {
    params: undefined
    query: undefined
    body: OperatorTokenRequest
    answer: NewOperatorToken
  }
  deleteOperatorToken: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: null
  }
  getOperatorOverview: {
    params: undefined
    query: undefined
    body: undefined
    answer: OperatorOverviewResponse
  }
  getWallet: {
    params: { account: string }
    query: undefined
    body: undefined
    answer: WalletResponse
  }
  listWalletEntries: {
    params: { account: string }
    query: { type?: "deposit" | "payment" | "refund" | "commission"; days?: string; limit?: number; cursor?: string }
    body: undefined
    answer: WalletEntryPage
  }
  requestDeposit: {
    params: undefined
    query: undefined
    body: DepositRequest
    answer: ApprovalResponse
  }
  requestAdjustment: {
    params: undefined
    query: undefined
    body: Adjustment
    answer: ApprovalResponse
  }
  listDepositRequests: {
    params: undefined
    query: { state?: "reported" | "accepted" | "credited" | "refused" | "withdrawn"; account?: string; limit?: number; cursor?: string }
    body: undefined
    answer: ReportedDepositPage
  }
  getDepositRequest: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: ReportedDepositResponse
  }
  getDepositRequestSlip: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: string
  }
  acceptDepositRequest: {
    params: { id: string }
    query: undefined
    body: AcceptDepositRequest
    answer: ApprovalResponse
  }
  refuseDepositRequest: {
    params: { id: string }
    query: undefined
    body: ReasonRequest
    answer: ReportedDepositResponse
  }
  listApprovals: {
    params: undefined
    query: { state?: "pending" | "approved" | "refused" | "withdrawn" | "expired"; kind?: "deposit" | "adjustment" | "deposit_request" | "payment_resolution" | "void" | "price_change" | "catalogue_change" | "route_change" | "route_removal" | "provider_switch"; limit?: number; cursor?: string }
    body: undefined
    answer: ApprovalPage
  }
  getApproval: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: ApprovalResponse
  }
  approveApproval: {
    params: { id: string }
    query: undefined
    body: ReasonRequest
    answer: ApprovalResponse
  }
  refuseApproval: {
    params: { id: string }
    query: undefined
    body: ReasonRequest
    answer: ApprovalResponse
  }
  withdrawApproval: {
    params: { id: string }
    query: undefined
    body: ReasonRequest
    answer: ApprovalResponse
  }
  searchPayments: {
    params: undefined
    query: { id?: string; refid?: string; customer?: string; account?: string; product?: string; state?: "pending" | "succeeded" | "failed" | "voided"; days?: string; limit?: number; cursor?: string }
    body: undefined
    answer: ResellerPaymentPage
  }
  listStuckPayments: {
    params: undefined
    query: { limit?: number }
    body: undefined
    answer: StuckPaymentPage
  }
  getPayment: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: ResellerPaymentDetailsResponse
  }
  resolvePayment: {
    params: { id: string }
    query: undefined
    body: ResolvePaymentRequest
    answer: ResellerPaymentTimelineResponse | ApprovalResponse
  }
  listAllCases: {
    params: undefined
    query: { account?: string; state?: "open" | "in_progress" | "resolved" | "refused"; kind?: "dispute" | "void"; limit?: number; cursor?: string }
    body: undefined
    answer: ResellerCasePage
  }
  getAnyCase: {
    params: { number: string }
    query: undefined
    body: undefined
    answer: ResellerCaseDetailsResponse
  }
  takeCase: {
    params: { number: string }
    query: undefined
    body: ReasonRequest
    answer: ResellerCaseDetailsResponse
  }
  writeCaseMessage: {
    params: { number: string }
    query: undefined
    body: CaseMessageRequest
    answer: ResellerCaseDetailsResponse
  }
  refuseCase: {
    params: { number: string }
    query: undefined
    body: CaseMessageRequest
    answer: ResellerCaseDetailsResponse
  }
  resolveCase: {
    params: { number: string }
    query: undefined
    body: CaseMessageRequest
    answer: ResellerCaseDetailsResponse
  }
  approveCase: {
    params: { number: string }
    query: undefined
    body: ApproveCaseRequest
    answer: ResellerCaseDetailsResponse | ApprovalResponse
  }
  listDeliveryQueues: {
    params: undefined
    query: { limit?: number }
    body: undefined
    answer: DeliveryQueuePage
  }
  listEndpoints: {
    params: undefined
    query: { account?: string; stream?: "callback" | "catalog" | "balance"; state?: "failing" | "paused" | "disabled"; limit?: number }
    body: undefined
    answer: ReceiverPage
  }
  getEndpoint: {
    params: { account: string; stream: "callback" | "catalog" | "balance" }
    query: undefined
    body: undefined
    answer: ReceiverDetailsResponse
  }
  pauseEndpoint: {
    params: { account: string; stream: "callback" | "catalog" | "balance" }
    query: undefined
    body: ReasonRequest
    answer: ReceiverDetailsResponse
  }
  resumeEndpoint: {
    params: { account: string; stream: "callback" | "catalog" | "balance" }
    query: undefined
    body: ReasonRequest
    answer: ReceiverDetailsResponse
  }
  listBlocks: {
    params: undefined
    query: undefined
    body: undefined
    answer: BlockedAddressPage
  }
  liftBlock: {
    params: undefined
    query: undefined
    body: LiftBlockRequest
    answer: BlockedAddressResponse
  }
  listAlerts: {
    params: undefined
    query: { limit?: number; with_cleared?: boolean }
    body: undefined
    answer: AlertPage
  }
  clearAlert: {
    params: { id: string }
    query: undefined
    body: ReasonRequest
    answer: AlertResponse
  }
  listLedgerProofs: {
    params: undefined
    query: undefined
    body: undefined
    answer: LedgerProofPage
  }
  beginLedgerProof: {
    params: undefined
    query: undefined
    body: ReasonRequest
    answer: LedgerProofResponse
  }
  getClosings: {
    params: undefined
    query: undefined
    body: undefined
    answer: ClosingsResponse
  }
  listAudit: {
    params: undefined
    query: { actor?: string; action?: string; target_kind?: string; target?: string; days?: string; limit?: number; cursor?: string }
    body: undefined
    answer: AuditEntryPage
  }
  proveAudit: {
    params: undefined
    query: undefined
    body: undefined
    answer: AuditProofResponse
  }
  operatorLive: {
    params: undefined
    query: undefined
    body: undefined
    answer: string
  }
  listResellerDays: {
    params: { account: string }
    query: { month?: string }
    body: undefined
    answer: WalletMonthResponse
  }
  exportResellerMonth: {
    params: { account: string }
    query: { month?: string }
    body: undefined
    answer: string
  }
  printResellerMonth: {
    params: { account: string }
    query: { month?: string }
    body: undefined
    answer: string
  }
  compareResellerBooks: {
    params: { account: string }
    query: { from: string; to: string }
    body: string
    answer: ComparisonResponse
  }
  listResellers: {
    params: undefined
    query: { search?: string; status?: "active" | "suspended"; price_level?: string; limit?: number; cursor?: string }
    body: undefined
    answer: ResellerPage
  }
  createReseller: {
    params: undefined
    query: undefined
    body: NewResellerRequest
    answer: ResellerResponse
  }
  getReseller: {
    params: { account: string }
    query: undefined
    body: undefined
    answer: ResellerResponse
  }
  updateReseller: {
    params: { account: string }
    query: undefined
    body: ChangeResellerRequest
    answer: ResellerResponse
  }
  listResellerUsers: {
    params: { account: string }
    query: undefined
    body: undefined
    answer: ResellerUserPage
  }
  createResellerUser: {
    params: { account: string }
    query: undefined
    body: NewUserRequest
    answer: ResellerUserResponse
  }
  updateResellerUser: {
    params: { account: string; username: string }
    query: undefined
    body: ChangeUserRequest
    answer: ResellerUserResponse
  }
  listResellerKeys: {
    params: { account: string }
    query: undefined
    body: undefined
    answer: ResellerAPIKeyPage
  }
  revokeResellerKey: {
    params: { account: string; id: string }
    query: undefined
    body: ReasonRequest
    answer: ResellerAPIKeyResponse
  }
  listResellerPermissions: {
    params: { account: string }
    query: undefined
    body: undefined
    answer: ProductPermissionPage
  }
  setResellerPermission: {
    params: { account: string; product: string }
    query: undefined
    body: PermissionRequest
    answer: SetResellerPermissionResponse
  }
  listLevels: {
    params: undefined
    query: undefined
    body: undefined
    answer: PriceLevelPage
  }
  createLevel: {
    params: undefined
    query: undefined
    body: NewPriceLevelRequest
    answer: CreateLevelResponse
  }
  getLevel: {
    params: { code: string }
    query: undefined
    body: undefined
    answer: GetLevelResponse
  }
  updateLevel: {
    params: { code: string }
    query: undefined
    body: ChangePriceLevelRequest
    answer: CreateLevelResponse
  }
  setLevelPrice: {
    params: { code: string; product: string }
    query: undefined
    body: LevelPriceRequest
    answer: SetLevelPriceResponse | ChangeThatWaitsForApproval
  }
  listMargins: {
    params: undefined
    query: { search?: string; negative?: boolean; is_active?: boolean; limit?: number; cursor?: string }
    body: undefined
    answer: ProductMarginPage
  }
  getCatalogue: {
    params: undefined
    query: undefined
    body: undefined
    answer: GetCatalogueResponse
  }
  exportCatalogue: {
    params: undefined
    query: undefined
    body: undefined
    answer: ExportCatalogueResponse
  }
  exportCatalogueCsv: {
    params: undefined
    query: { kind: "groups" | "categories" | "options" | "prices" }
    body: undefined
    answer: string
  }
  listCatalogueProducts: {
    params: undefined
    query: { category?: string; search?: string; is_active?: boolean; limit?: number; cursor?: string }
    body: undefined
    answer: CatalogueProductPage
  }
  getCatalogueProduct: {
    params: { code: string }
    query: undefined
    body: undefined
    answer: GetCatalogueProductResponse
  }
  listCatalogueOptions: {
    params: { code: string }
    query: { field?: string; search?: string; limit?: number; cursor?: string }
    body: undefined
    answer: ListCatalogueOptionsResponse
  }
  previewCatalogue: {
    params: undefined
    query: undefined
    body: CataloguePreviewRequest
    answer: PreviewCatalogueResponse
  }
  importCatalogue: {
    params: undefined
    query: undefined
    body: CatalogueImportRequest
    answer: PreviewCatalogueResponse | ChangeThatWaitsForApproval
  }
  listProviders: {
    params: undefined
    query: undefined
    body: undefined
    answer: ProviderPage
  }
  getProvider: {
    params: { code: string }
    query: undefined
    body: undefined
    answer: GetProviderResponse
  }
  switchProvider: {
    params: { code: string }
    query: undefined
    body: SwitchProviderRequest
    answer: GetProviderResponse | ChangeThatWaitsForApproval
  }
  getProviderHealth: {
    params: { code: string }
    query: { hours?: number }
    body: undefined
    answer: ProviderHealthResponse
  }
  listRoutes: {
    params: undefined
    query: { product?: string; provider?: string }
    body: undefined
    answer: RoutePage
  }
  setRoute: {
    params: { product: string; provider: string }
    query: undefined
    body: RouteRequest
    answer: SetRouteResponse | ChangeThatWaitsForApproval
  }
  removeRoute: {
    params: { product: string; provider: string }
    query: undefined
    body: RemoveRouteRequest
    answer: RouteResponse | ChangeThatWaitsForApproval
  }
  listNotices: {
    params: undefined
    query: { all?: boolean }
    body: undefined
    answer: NetworkNoticePage
  }
  createNotice: {
    params: undefined
    query: undefined
    body: NewNoticeRequest
    answer: NetworkNoticeResponse
  }
  endNotice: {
    params: { id: string }
    query: undefined
    body: ReasonRequest
    answer: NetworkNoticeResponse
  }
  searchEverything: {
    params: undefined
    query: { q: string }
    body: undefined
    answer: OperatorSearchResponse
  }
  getSettings: {
    params: undefined
    query: undefined
    body: undefined
    answer: SettingsResponse
  }
  listOperators: {
    params: undefined
    query: undefined
    body: undefined
    answer: OperatorPage
  }
  createOperator: {
    params: undefined
    query: undefined
    body: NewOperatorRequest
    answer: OperatorResponse
  }
  updateOperator: {
    params: { id: string }
    query: undefined
    body: ChangeOperatorRequest
    answer: OperatorResponse
  }
  vouchForOperator: {
    params: { id: string }
    query: undefined
    body: ReasonRequest
    answer: OperatorResponse
  }
  getOperatorOpenApi: {
    params: undefined
    query: undefined
    body: undefined
    answer: GetOperatorOpenApiResponse
  }
}

export const OPERATOR_ROUTES = {
  getOperatorSession: 'GET /operator/v1/session',
  createOperatorSession: 'POST /operator/v1/session',
  deleteOperatorSession: 'DELETE /operator/v1/session',
  listOperatorSessions: 'GET /operator/v1/sessions',
  deleteOperatorOtherSessions: 'DELETE /operator/v1/sessions',
  deleteOperatorSessionById: 'DELETE /operator/v1/sessions/{id}',
  changeOperatorPassword: 'POST /operator/v1/password',
  requestOperatorPasswordReset: 'POST /operator/v1/password-reset',
  confirmOperatorPasswordReset: 'POST /operator/v1/password-reset/confirm',
  getOperatorTwoFactor: 'GET /operator/v1/two-factor',
  enrolOperatorTwoFactor: 'POST /operator/v1/two-factor',
  confirmOperatorTwoFactor: 'POST /operator/v1/two-factor/confirm',
  renewOperatorRecoveryCodes: 'POST /operator/v1/two-factor/recovery-codes',
  disableOperatorTwoFactor: 'POST /operator/v1/two-factor/disable',
  beginOperatorPasskeySession: 'POST /operator/v1/session/passkey/options',
  createOperatorPasskeySession: 'POST /operator/v1/session/passkey',
  listOperatorPasskeys: 'GET /operator/v1/passkeys',
  createOperatorPasskey: 'POST /operator/v1/passkeys',
  beginOperatorPasskey: 'POST /operator/v1/passkeys/options',
  renameOperatorPasskey: 'PATCH /operator/v1/passkeys/{id}',
  deleteOperatorPasskey: 'DELETE /operator/v1/passkeys/{id}',
  listOperatorDemoAccounts: 'GET /operator/v1/demo-accounts',
  listOperatorTokens: 'GET /operator/v1/tokens',
  createOperatorToken: 'POST /operator/v1/tokens',
  deleteOperatorToken: 'DELETE /operator/v1/tokens/{id}',
  getOperatorOverview: 'GET /operator/v1/overview',
  getWallet: 'GET /operator/v1/wallets/{account}',
  listWalletEntries: 'GET /operator/v1/wallets/{account}/entries',
  requestDeposit: 'POST /operator/v1/deposits',
  requestAdjustment: 'POST /operator/v1/adjustments',
  listDepositRequests: 'GET /operator/v1/deposit-requests',
  getDepositRequest: 'GET /operator/v1/deposit-requests/{id}',
  getDepositRequestSlip: 'GET /operator/v1/deposit-requests/{id}/slip',
  acceptDepositRequest: 'POST /operator/v1/deposit-requests/{id}/accept',
  refuseDepositRequest: 'POST /operator/v1/deposit-requests/{id}/refuse',
  listApprovals: 'GET /operator/v1/approvals',
  getApproval: 'GET /operator/v1/approvals/{id}',
  approveApproval: 'POST /operator/v1/approvals/{id}/approve',
  refuseApproval: 'POST /operator/v1/approvals/{id}/refuse',
  withdrawApproval: 'POST /operator/v1/approvals/{id}/withdraw',
  searchPayments: 'GET /operator/v1/payments',
  listStuckPayments: 'GET /operator/v1/stuck-payments',
  getPayment: 'GET /operator/v1/payments/{id}',
  resolvePayment: 'POST /operator/v1/payments/{id}/resolve',
  listAllCases: 'GET /operator/v1/cases',
  getAnyCase: 'GET /operator/v1/cases/{number}',
  takeCase: 'POST /operator/v1/cases/{number}/take',
  writeCaseMessage: 'POST /operator/v1/cases/{number}/message',
  refuseCase: 'POST /operator/v1/cases/{number}/refuse',
  resolveCase: 'POST /operator/v1/cases/{number}/resolve',
  approveCase: 'POST /operator/v1/cases/{number}/approve',
  listDeliveryQueues: 'GET /operator/v1/delivery-queues',
  listEndpoints: 'GET /operator/v1/endpoints',
  getEndpoint: 'GET /operator/v1/endpoints/{account}/{stream}',
  pauseEndpoint: 'POST /operator/v1/endpoints/{account}/{stream}/pause',
  resumeEndpoint: 'POST /operator/v1/endpoints/{account}/{stream}/resume',
  listBlocks: 'GET /operator/v1/blocks',
  liftBlock: 'POST /operator/v1/blocks/lift',
  listAlerts: 'GET /operator/v1/alerts',
  clearAlert: 'POST /operator/v1/alerts/{id}/clear',
  listLedgerProofs: 'GET /operator/v1/ledger/proofs',
  beginLedgerProof: 'POST /operator/v1/ledger/proofs',
  getClosings: 'GET /operator/v1/closings',
  listAudit: 'GET /operator/v1/audit',
  proveAudit: 'GET /operator/v1/audit/proof',
  operatorLive: 'GET /operator/v1/live',
  listResellerDays: 'GET /operator/v1/resellers/{account}/statement/days',
  exportResellerMonth: 'GET /operator/v1/resellers/{account}/statement/month.csv',
  printResellerMonth: 'GET /operator/v1/resellers/{account}/statement/month.pdf',
  compareResellerBooks: 'POST /operator/v1/resellers/{account}/reconciliations',
  listResellers: 'GET /operator/v1/resellers',
  createReseller: 'POST /operator/v1/resellers',
  getReseller: 'GET /operator/v1/resellers/{account}',
  updateReseller: 'PATCH /operator/v1/resellers/{account}',
  listResellerUsers: 'GET /operator/v1/resellers/{account}/users',
  createResellerUser: 'POST /operator/v1/resellers/{account}/users',
  updateResellerUser: 'PATCH /operator/v1/resellers/{account}/users/{username}',
  listResellerKeys: 'GET /operator/v1/resellers/{account}/keys',
  revokeResellerKey: 'POST /operator/v1/resellers/{account}/keys/{id}/revoke',
  listResellerPermissions: 'GET /operator/v1/resellers/{account}/permissions',
  setResellerPermission: 'PUT /operator/v1/resellers/{account}/permissions/{product}',
  listLevels: 'GET /operator/v1/levels',
  createLevel: 'POST /operator/v1/levels',
  getLevel: 'GET /operator/v1/levels/{code}',
  updateLevel: 'PATCH /operator/v1/levels/{code}',
  setLevelPrice: 'PUT /operator/v1/levels/{code}/prices/{product}',
  listMargins: 'GET /operator/v1/margins',
  getCatalogue: 'GET /operator/v1/catalogue',
  exportCatalogue: 'GET /operator/v1/catalogue/export',
  exportCatalogueCsv: 'GET /operator/v1/catalogue/export.csv',
  listCatalogueProducts: 'GET /operator/v1/catalogue/products',
  getCatalogueProduct: 'GET /operator/v1/catalogue/products/{code}',
  listCatalogueOptions: 'GET /operator/v1/catalogue/products/{code}/options',
  previewCatalogue: 'POST /operator/v1/catalogue/preview',
  importCatalogue: 'POST /operator/v1/catalogue/import',
  listProviders: 'GET /operator/v1/providers',
  getProvider: 'GET /operator/v1/providers/{code}',
  switchProvider: 'PATCH /operator/v1/providers/{code}',
  getProviderHealth: 'GET /operator/v1/providers/{code}/health',
  listRoutes: 'GET /operator/v1/routes',
  setRoute: 'PUT /operator/v1/routes/{product}/{provider}',
  removeRoute: 'POST /operator/v1/routes/{product}/{provider}/remove',
  listNotices: 'GET /operator/v1/notices',
  createNotice: 'POST /operator/v1/notices',
  endNotice: 'POST /operator/v1/notices/{id}/end',
  searchEverything: 'GET /operator/v1/search',
  getSettings: 'GET /operator/v1/settings',
  listOperators: 'GET /operator/v1/operators',
  createOperator: 'POST /operator/v1/operators',
  updateOperator: 'PATCH /operator/v1/operators/{id}',
  vouchForOperator: 'POST /operator/v1/operators/{id}/vouch',
  getOperatorOpenApi: 'GET /operator/v1/openapi.json',
} as const satisfies Record<keyof OperatorOperations, string>
