// Generated from docs/openapi-portal.json by scripts/web-api.js. Do not edit.

export type APIKey = { id: string; key: string; label: string; scopes: ("read" | "pay" | "support" | "configure")[]; has_secret: boolean; state: "active" | "in_grace" | "expired" | "revoked"; expires_at: string | null; revoked_at: string | null; created_at: string }

export type APIKeyList = { data: APIKey[] }

export type AcceptInvitationRequest = { token: string; username: string; password: string }

export type Accepted = { message: string }

export type AccountSettings = { account: string; name: string; email: string; price_level: string; status: string; access: number; topup_requires_api_key: boolean; environment: "staging" | "production"; your_address: string; sender_addresses: string[] }

export type AccountSettingsResponse = { data: AccountSettings }

export type Addressee = { member_id: string | null; name: string; address: string; role: string; mails: { "balance.low": boolean; deposit: boolean; delivery: boolean; case: boolean } }

export type AddresseeList = { data: Addressee[] }

export type AllowedNetwork = { network: string; label: string; created_at: string }

export type AllowedNetworkList = { data: AllowedNetwork[] }

export type AttentionTarget = { page: "account" } | { page: "deposits" } | ({ page: "endpoint"; stream: "callback" | "catalog" | "balance" }) | { page: "payments"; filter: { status: "pending"; from: string; to: string } } | ({ page: "cases"; states: ("open" | "in_progress")[] }) | { page: "catalogue"; filter: { at_loss: true } } | { page: "keys"; key: string }

export type Bill = { data: { message: string; BillerName: string | null; CustomerName: string | null; Outstanding: number | null; Balance: string | null; Data: string | null; Address: string | null; "E-Bill": string | null; CustomField: unknown; DueDate: string | null }; metadata: { status_code: 200; product_code: string; last_updated: string }; transaction_validity: true; transaction_message: string; error_message: "" }

export type BillRefusal = { data: { message: string; BillerName: ""; CustomerName: ""; Outstanding: null; Balance: ""; Data: ""; Address: ""; "E-Bill": ""; CustomField: ""; DueDate: "" }; metadata: { status_code: 400; product_code: string; last_updated: string }; transaction_validity: null; transaction_message: null; error_message: string }

export type BulkPreview = { file_digest: string | null; blocked: ("api_key_required" | "ip_not_allowed") | null; lines: ({ line: number; refid: string; occurrence: number; status: "ready" | "problem" | "unchecked" | "exists"; product: string; product_name: string | null; account: string; amount: string | null; amount_currency: string | null; face_value: string | null; cost: string | null; price: string | null; margin: string | null; problems: ({ code: number; token: string; field: string | null; message: string })[]; payment: ({ id: string; status: "successful" | "pending" | "failed" | "refunded"; code: number; is_final: boolean; created_at: string }) | null })[]; totals: { lines: number; by_status: { ready: { count: number; face_value: string; cost: string; price: string }; problem: { count: number; face_value: string; cost: string; price: string }; unchecked: { count: number; face_value: string; cost: string; price: string }; exists: { count: number; face_value: string; cost: string; price: string } }; balance: string; balance_after: string; is_balance_enough: boolean } }

export type BulkPreviewRequest = { file_digest?: string; batch?: string; lines: ({ line: number; product: string; account: string; amount: string; extras?: { subproduct_code?: string | null; biller_code?: string | null; ref2?: string | null; ic_number?: string | null }; remarks?: string; reference?: string })[] }

export type BulkPreviewResponse = { data: BulkPreview }

export type CanonicalComparison = { equal: boolean; difference: ({ part: "version" | "timestamp" | "nonce" | "method" | "query" | "body_hash"; line: number; column: number; ours: string; yours: string | null }) | null; mistake: ({ code: "signed_otherwise" | "nothing_given" | "byte_order_mark" | "trailing_newline" | "surrounding_space" | "quoted" | "newline_separators" | "other_separator" | "parts_in_other_order" | "parts_missing" | "version_missing" | "version_spelling" | "empty_query_left_out" | "timestamp_in_milliseconds" | "timestamp_with_fraction" | "timestamp_as_date" | "timestamp_of_another_moment" | "nonce_case" | "nonce_of_another_call" | "method_in_lower_case" | "other_method" | "query_missing" | "query_with_question_mark" | "path_included" | "host_included" | "query_with_fragment" | "query_not_sorted" | "query_with_loose_ends" | "query_empty_values" | "query_hex_case" | "query_encoded_otherwise" | "query_encoded_twice" | "query_other_values" | "query_other_parameters" | "body_hash_missing" | "body_hash_in_hex" | "body_hash_in_capital_hex" | "body_hash_without_padding" | "body_hash_url_safe" | "body_hash_of_hex" | "body_hash_of_nothing" | "body_hash_of_empty_value" | "body_hash_other_algorithm" | "body_instead_of_hash" | "body_not_received" | "body_hash_of_other_bytes"; text: string }) | null }

export type CanonicalComparisonResponse = { data: CanonicalComparison }

export type Case = { number: string; kind: "dispute" | "void"; state: "open" | "in_progress" | "resolved" | "refused"; refid: string; transaction_id: string; created_at: string; updated_at: string; due_at: string; closed_at: string | null }

export type CaseDetailsResponse = { data: { number: string; kind: "dispute" | "void"; state: "open" | "in_progress" | "resolved" | "refused"; refid: string; transaction_id: string; created_at: string; updated_at: string; due_at: string; closed_at: string | null; cc: string[]; refund_type: number | null; refund_reason: string | null; messages: ({ author: "reseller" | "operator" | "system"; text: string; at: string })[] } }

export type CasePage = { data: Case[]; cursor: string | null; has_more: boolean }

export type Catalog = { last_updated: string; tree: CatalogTree; products: Record<string, Product> }

export type CatalogTree = { groups: { id: string; name: string; icon_url: string; categories: { id: string; name: string; product_codes: string[] }[] }[] }

export type CatalogueEdits = { products?: ({ code: string; enabled?: boolean; name?: string | null; category?: string | null; image_url?: string | null; display_order?: number | null; adjustment?: ({ type: "fixed" | "percentage"; value: string }) | null; min_amount?: string | null; max_amount?: string | null })[]; options?: ({ product: string; field: string; code: string; enabled?: boolean; retail_price?: string | null })[]; groups?: ({ code: string; is_own: boolean; name?: string | null; icon_url?: string | null; display_order?: number | null })[]; categories?: ({ code: string; is_own: boolean; group?: string | null; name?: string | null; icon_url?: string | null; display_order?: number | null })[]; reset?: { products?: string[]; groups?: string[]; categories?: string[]; options?: { product: string; field: string; code: string }[] } }

export type CataloguePreview = { fingerprint: string; products: ({ code: string; before: { code: string; name: string; base_name: string; category: string; base_category: string; image_url: string; display_order: number; processing_time: string; is_active: boolean; is_enabled: boolean; is_hidden: boolean; is_refundable: boolean; min_amount: string | null; max_amount: string | null; adjustment: ({ type: "fixed" | "percentage"; value: string }) | null; discount: ({ type: "percentage" | "fixed"; unit_price: string }) | null; margin: { min: string; max: string } | null; has_loss_risk: boolean; lines: PriceLine[] }; after: { code: string; name: string; base_name: string; category: string; base_category: string; image_url: string; display_order: number; processing_time: string; is_active: boolean; is_enabled: boolean; is_hidden: boolean; is_refundable: boolean; min_amount: string | null; max_amount: string | null; adjustment: ({ type: "fixed" | "percentage"; value: string }) | null; discount: ({ type: "percentage" | "fixed"; unit_price: string }) | null; margin: { min: string; max: string } | null; has_loss_risk: boolean; lines: PriceLine[] } })[]; newly_losing: string[] }

export type CataloguePreviewResponse = { data: CataloguePreview }

export type ChangePasswordRequest = { current_password: string; password: string }

export type Checklist = { done: boolean; steps: ({ code: "key_made" | "first_signed_call" | "callback_verified" | "first_payment" | "second_factor" | "low_balance_threshold" | "allowlist" | "go_live"; done_at: string | null; page: string })[] }

export type ChecklistResponse = { data: Checklist }

export type Comparison = { account: string; lines: number; payments: number; agreed: number; outside: number; kinds: Record<string, number>; differences_total: number; differences: Difference[] }

export type ComparisonResponse = { data: Comparison }

export type ConfirmPasswordResetRequest = { token: string; password: string }

export type DataSource = { type: "reference" | "dynamic"; depends_on?: string[]; endpoint: "/options"; params: Record<string, { static: string } | { from_field: string }> }

export type DemoAccounts = { data: ({ login: string; password: string; name: string; role: "admin" | "finance" | "support" | "catalogue" | "read_only" | "admin" | "viewer"; reseller: { account: string; name: string } | null })[] }

export type DepositReport = { id: string; state: "reported" | "accepted" | "credited" | "refused" | "withdrawn"; amount: string; transferred_on: string; bank_reference: string; note: string; slip: { kind: "jpeg" | "pdf" | "png" | "webp"; bytes: number }; reported_by: string; reported_at: string; changed_at: string; refusal: string | null; entry_number: string | null; warnings: { code: "same_bank_reference"; message: string; requests: string[] }[] }

export type DepositReportPage = { data: DepositReport[]; cursor: string | null; has_more: boolean }

export type DepositReportResponse = { data: DepositReport }

export type Difference = { kind: "missing_here" | "missing_there" | "amount" | "status" | "day" | "duplicate" | "unreadable"; cause: string; line: number | null; refid: string; payment_id: string | null; theirs: string; ours: string; detail: string }

export type Discount = { type: "percentage" | "fixed"; value: string }

export type DisputeRequest = { refid?: string; trxid?: string; user_email?: string[] }

export type EndedSessions = { data: { ended: number } }

export type Endpoint = { stream: "callback" | "catalog" | "balance"; is_configured: boolean; url: string; method: ("GET" | "POST") | null; enabled: boolean; types: string[]; secret_last_four: string; secret_created_at: string | null; paused_at: string | null; failing_since: string | null; last_success_at: string | null; pending: number; updated_at: string | null }

export type EndpointList = { data: Endpoint[] }

export type EndpointResponse = { data: Endpoint }

export type Field = { id: string; type: "text" | "number" | "select" | "money"; input_mode: "text" | "tel" | "numeric" | "email" | "decimal"; label: string; placeholder: string; required: boolean; order: number; role: "account" | "pricing" | "none"; validation: FieldValidation; data_source?: DataSource; currency?: string }

export type FieldValidation = { pattern?: string; message?: string; min?: number; max?: number }

export type Forbidden = { error: string; message: string }

export type FormOption = { code: string; label: string; denomination?: number; validity?: string; features?: string[]; description?: string; price?: Money; cost?: Money; rrp?: Money; has_loss_risk?: boolean; account_number?: string; min_amount?: Money; max_amount?: Money; ref2_required?: true; ref1_label?: string; ref2_label?: string }

export type FormOptionPage = { product_code: string; field_id: string; items: FormOption[]; meta: { current_page: number; last_page: number; per_page: number; total: number } }

export type Fulfillment = { account?: Mapping; amount: Mapping; extras?: Record<string, Mapping> }

export type GetPortalOpenApiResponse = { openapi: string; info: Record<string, unknown>; paths: Record<string, unknown> }

export type Invitation = { data: { id: string; email: string; role: "admin" | "viewer"; state: "open" | "accepted" | "revoked" | "expired"; created_at: string; expires_at: string } }

export type InvitationRequest = { email: string; role: "admin" | "viewer" }

export type Invitations = { data: ({ id: string; email: string; role: "admin" | "viewer"; state: "open" | "accepted" | "revoked" | "expired"; created_at: string; expires_at: string })[] }

export type LiveBalanceMessage = { event: "balance"; data: { currency: "MYR"; balance: string; at: string; low: string | null } }

export type LiveByeMessage = { event: "bye"; data: { reason: "session_ended" | "stopping" | "renew" } }

export type LiveCaseMessage = { event: "case"; data: { number: string; kind: "dispute" | "void"; state: "open" | "in_progress" | "resolved" | "refused"; refid: string; payment_id: string; at: string } }

export type LiveCatalogMessage = { event: "catalog"; data: Record<string, unknown> }

export type LiveDeliveryMessage = { event: "delivery"; data: { kind: "delivery.failed" | "endpoint.paused"; stream: "callback" | "catalog" | "balance"; delivery_id: string | null; error: string | null; at: string } }

export type LiveHelloMessage = { event: "hello"; data: { resumed: boolean } }

export type LiveNetworkMessage = { event: "network"; data: { interruptions: { product: string; name: string; since: string }[] } }

export type LivePaymentMessage = { event: "payment"; data: PaymentLine }

export type LivePaymentsMessage = { event: "payments"; data: { changed: number } }

export type LiveResetMessage = { event: "reset"; data: { reason: "lost" } }

export type LoggedRequest = { id: string; at: string; request_id: string; method: string; route: string; status: number; duration_ms: number; address: string; key_id: string | null; user_id: string | null; error: string | null; message: string | null; cause: string | null; remedy: string | null; skipped: number }

export type LoggedRequestDetails = { id: string; at: string; request_id: string; method: string; route: string; status: number; duration_ms: number; address: string; key_id: string | null; user_id: string | null; error: string | null; message: string | null; cause: string | null; remedy: string | null; skipped: number; checks: ({ number: number; code: string; text: string; state: "passed" | "failed" | "not_reached" | "not_needed" })[]; canonical_string: { text: string; cut: boolean } | null }

export type LoggedRequestDetailsResponse = { data: LoggedRequestDetails }

export type LoggedRequestPage = { data: LoggedRequest[]; cursor: string | null; has_more: boolean }

export type Mapping = { from_field: string; path?: string; omit_if_empty?: boolean }

export type Member = { id: string; username: string; email: string; role: "admin" | "viewer"; status: "active" | "disabled"; is_self: boolean; two_factor: boolean; last_seen_at: string | null; created_at: string }

export type MemberList = { data: Member[] }

export type MemberPasswordResetRequest = { username: string }

export type MemberResponse = { data: Member }

export type MemberSession = { data: { kind: "member"; id: string; username: string; email: string; role: "admin" | "viewer"; two_factor: boolean; reseller: { account: string; name: string } }; csrf_token: string | null }

export type MemberSignInRequest = { username: string; password: string; code?: string }

export type Money = { amount: string; currency: string }

export type Movements = { deposit: { count: number; amount: string }; adjustment: { count: number; amount: string }; payment: { count: number; amount: string }; refund: { count: number; amount: string }; commission: { count: number; amount: string } }

export type NetworkStatus = { data: { product_code: string; product_name: string; product_img: string; network_status: "Healthy" | "Interruption" }; metadata: { status_code: 200; last_updated: string } }

export type NewAPIKey = { id: string; key: string; label: string; scopes: ("read" | "pay" | "support" | "configure")[]; has_secret: boolean; state: "active" | "in_grace" | "expired" | "revoked"; expires_at: string | null; revoked_at: string | null; created_at: string; signing_secret: string | null }

export type NewAPIKeyResponse = { data: NewAPIKey }

export type NewMember = { data: { username: string; role: "admin" | "viewer"; reseller: { account: string; name: string } } }

export type NewPasskeyRequest = { ceremony: string; label: string; credential: { id: string; response: { clientDataJSON: string; attestationObject: string; transports?: string[] } } }

export type Overview = { currency: "MYR"; balance: string; days_left: number | null; runway: { spent_per_day: string | null; threshold: string | null; days_to_threshold: number | null }; today: { payments: number; successful: number; pending: number; failed: number; refunded: number; sales: string; cost: string; margin: string; success_rate: number | null }; last_30_days: { payments: number; successful: number; pending: number; failed: number; refunded: number; sales: string; cost: string; margin: string; success_rate: number | null }; by_day: ({ day: string; payments: number; successful: number; pending: number; failed: number; refunded: number; sales: string; cost: string; margin: string; success_rate: number | null })[]; balance_by_day: { day: string; balance: string; deposited: string }[]; deliveries_by_day: ({ day: string; succeeded: number; failed: number; pending: number; success_rate: number | null })[]; interruptions: { product: string; name: string; since: string }[]; attention: ({ kind: string; severity: "critical" | "warning" | "info"; text: string; subject: string | null; count: number | null; target: AttentionTarget })[] }

export type OverviewResponse = { data: Overview }

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

export type Payment = { statusCode: number; account: string; product: string; productName: string; amount: number; sn: string; pin: string; expiry: string; cost: number; balance: number; remarks: string; refid: string; timestamp: string; note: string; voucherlink: string; status: "Accepted" | "Processing" | "Succesful" | "Failed"; transaction_id: string }

export type PaymentConflict = { data: Payment; message: string; errors: Record<string, string[]> }

export type PaymentExtras = { subproduct_code?: string; biller_code?: string; ic_number?: string; ref2?: string }

export type PaymentLine = { id: string; refid: string; status: "successful" | "pending" | "failed" | "refunded"; code: number; product: string; product_name: string; account: string; amount: string; face_value: string; cost: string; remarks: string; created_at: string; changed_at: string }

export type PaymentRejection = { data: RejectedPayment; message: string; errors: Record<string, string[]> }

export type PaymentRequest = { refid: string; product: string; account: string; amount: string | number; remarks?: string; extras?: PaymentExtras }

export type PaymentResponse = { data: Payment }

export type PaymentStatus = { refid: string; is_final: boolean; payment: PortalPayment | null }

export type PaymentStatusList = { data: PaymentStatus[] }

export type PaymentStatusesRequest = { refids: string[] }

export type PaymentTotals = { from: string; to: string; payments: number; successful: number; pending: number; failed: number; refunded: number; sales: string; cost: string; margin: string; success_rate: number | null }

export type PaymentTotalsResponse = { data: PaymentTotals }

export type PortalAddThresholdRequest = { amount: string }

export type PortalAllowNetworksRequest = { password: string; networks: string[]; label?: string }

export type PortalApplyCatalogueRequest = { products?: ({ code: string; enabled?: boolean; name?: string | null; category?: string | null; image_url?: string | null; display_order?: number | null; adjustment?: ({ type: "fixed" | "percentage"; value: string }) | null; min_amount?: string | null; max_amount?: string | null })[]; options?: ({ product: string; field: string; code: string; enabled?: boolean; retail_price?: string | null })[]; groups?: ({ code: string; is_own: boolean; name?: string | null; icon_url?: string | null; display_order?: number | null })[]; categories?: ({ code: string; is_own: boolean; group?: string | null; name?: string | null; icon_url?: string | null; display_order?: number | null })[]; reset?: { products?: string[]; groups?: string[]; categories?: string[]; options?: { product: string; field: string; code: string }[] }; fingerprint?: string; accept_loss?: boolean }

export type PortalApplyCatalogueResponse = { data: { fingerprint: string; products: ({ code: string; before: { code: string; name: string; base_name: string; category: string; base_category: string; image_url: string; display_order: number; processing_time: string; is_active: boolean; is_enabled: boolean; is_hidden: boolean; is_refundable: boolean; min_amount: string | null; max_amount: string | null; adjustment: ({ type: "fixed" | "percentage"; value: string }) | null; discount: ({ type: "percentage" | "fixed"; unit_price: string }) | null; margin: { min: string; max: string } | null; has_loss_risk: boolean; lines: PriceLine[] }; after: { code: string; name: string; base_name: string; category: string; base_category: string; image_url: string; display_order: number; processing_time: string; is_active: boolean; is_enabled: boolean; is_hidden: boolean; is_refundable: boolean; min_amount: string | null; max_amount: string | null; adjustment: ({ type: "fixed" | "percentage"; value: string }) | null; discount: ({ type: "percentage" | "fixed"; unit_price: string }) | null; margin: { min: string; max: string } | null; has_loss_risk: boolean; lines: PriceLine[] } })[]; newly_losing: string[]; is_changed: boolean; version: string } }

export type PortalBalance = { currency: "MYR"; balance: string }

export type PortalBalanceResponse = { data: PortalBalance }

export type PortalCatalogue = { fingerprint: string; updated_at: string; groups: { code: string; name: string; icon_url: string; display_order: number; is_active: boolean; is_own: boolean }[]; categories: { code: string; name: string; icon_url: string; display_order: number; is_active: boolean; is_own: boolean; group: string }[]; products: PortalProduct[] }

export type PortalCatalogueResponse = { data: PortalCatalogue }

export type PortalChangeEndpointRequest = { enabled?: boolean; types?: ("balance.added" | "balance.low" | "balance.deducted" | "balance.refunded")[] }

export type PortalChangeMemberRequest = { role?: "admin" | "viewer"; status?: "active" | "disabled" }

export type PortalChangeSettingsRequest = { topup_requires_api_key: boolean }

export type PortalCompareCanonicalRequest = { yours: string }

export type PortalCreateKeyRequest = { password: string; label?: string; scopes?: ("read" | "pay" | "support" | "configure")[] }

export type PortalDelivery = { id: string; stream: "callback" | "catalog" | "balance"; event_id: string; event_type: string | null; status: "success" | "failed" | "pending"; error: string; attempts: number; response_status: number; url: string; method: "GET" | "POST"; replay_of: string | null; replays: number; is_test: boolean; created_at: string; completed_at: string | null }

export type PortalDeliveryPage = { data: PortalDelivery[]; cursor: string | null; has_more: boolean }

export type PortalEntry = { number: string; kind: "deposit" | "adjustment" | "payment" | "refund" | "commission"; amount: string; balance: string; payment_id: string | null; remarks: string; created_at: string }

export type PortalEntryPage = { data: PortalEntry[]; cursor: string | null; has_more: boolean; summary: { from: string; to: string; opening: string; closing: string; deposits: { amount: string; count: number }; payments: { amount: string; count: number }; refunds: { amount: string; count: number }; commissions: { amount: string; count: number } } }

export type PortalEvent = { sequence: number; id: string; type: string; created_at: string; data: Record<string, unknown> }

export type PortalEventPage = { data: PortalEvent[]; next: number; latest: number; has_more: boolean }

export type PortalGetDeliveryResponse = { data: { id: string; stream: "callback" | "catalog" | "balance"; event_id: string; event_type: string | null; status: "success" | "failed" | "pending"; error: string; attempts: number; response_status: number; url: string; method: "GET" | "POST"; replay_of: string | null; replays: number; is_test: boolean; created_at: string; completed_at: string | null; payload: Record<string, unknown> | null; response_body: string; tries: { at: string; duration_ms: number; response_status: number; error: string }[] } }

export type PortalGetProductResponse = { data: { code: string; name: string; base_name: string; category: string; base_category: string; image_url: string; display_order: number; processing_time: string; is_active: boolean; is_enabled: boolean; is_hidden: boolean; is_refundable: boolean; min_amount: string | null; max_amount: string | null; adjustment: ({ type: "fixed" | "percentage"; value: string }) | null; discount: ({ type: "percentage" | "fixed"; unit_price: string }) | null; margin: { min: string; max: string } | null; has_loss_risk: boolean; is_customised: boolean; lines: PriceLine[]; options: ({ field: string; code: string; is_enabled: boolean; retail_price: string | null })[] } }

export type PortalListMonthsResponse = { data: { month: string; from: string; to: string; opening: string; closing: string; deposits: { amount: string; count: number }; payments: { amount: string; count: number }; refunds: { amount: string; count: number }; commissions: { amount: string; count: number } }[] }

export type PortalListThresholdsResponse = { data: { amount: string; updated_at: string }[] }

export type PortalPayment = { id: string; refid: string; status: "successful" | "pending" | "failed" | "refunded"; code: number; product: string; product_name: string; biller: string | null; account: string; amount: string; amount_currency: string | null; face_value: string; cost: string; remarks: string; serial_number: string; pin: string; voucher_link: string; expiry: string; sender: string; member_id: string; created_at: string; changed_at: string }

export type PortalPaymentDetails = { id: string; refid: string; status: "successful" | "pending" | "failed" | "refunded"; code: number; product: string; product_name: string; biller: string | null; account: string; amount: string; amount_currency: string | null; face_value: string; cost: string; remarks: string; serial_number: string; pin: string; voucher_link: string; expiry: string; sender: string; member_id: string; created_at: string; changed_at: string; balance_after: string; note: string; plan: string | null; ref2: string | null; ic_number: string | null; is_refundable: boolean; cases: ({ number: string; kind: "dispute" | "void"; state: "open" | "in_progress" | "resolved" | "refused"; opened_at: string })[]; timeline: ({ kind: "request" | "state" | "attempt"; code: number; status: string; at: string })[]; movements: ({ kind: "payment" | "refund"; amount: string; balance: string | null; at: string })[]; callbacks: ({ id: string; event_id: string; status: string; error: string; attempts: number; response_status: number; response_body: string; replay_of: string | null; created_at: string; completed_at: string | null })[] }

export type PortalPaymentDetailsResponse = { data: PortalPaymentDetails }

export type PortalPaymentPage = { data: PortalPayment[]; cursor: string | null; has_more: boolean }

export type PortalProduct = { code: string; name: string; base_name: string; category: string; base_category: string; image_url: string; display_order: number; processing_time: string; is_active: boolean; is_enabled: boolean; is_hidden: boolean; is_refundable: boolean; min_amount: string | null; max_amount: string | null; adjustment: ({ type: "fixed" | "percentage"; value: string }) | null; discount: ({ type: "percentage" | "fixed"; unit_price: string }) | null; margin: { min: string; max: string } | null; has_loss_risk: boolean; is_customised: boolean }

export type PortalPutEndpointRequest = { url: string; method?: "GET" | "POST" }

export type PortalPutEndpointResponse = { data: { stream: "callback" | "catalog" | "balance"; is_configured: boolean; url: string; method: ("GET" | "POST") | null; enabled: boolean; types: string[]; secret_last_four: string; secret_created_at: string | null; paused_at: string | null; failing_since: string | null; last_success_at: string | null; pending: number; updated_at: string | null; secret: string | null } }

export type PortalReplayDeliveriesRequest = { delivery_ids: string[] }

export type PortalReplayDeliveriesResponse = { data: ({ delivery_id: string; replayed: boolean; new_delivery_id: string | null; error: string | null })[] }

export type PortalReplayDeliveryResponse = { data: { delivery_id: string; new_delivery_id: string; event_id: string } }

export type PortalRevokeKeyRequest = { password: string }

export type PortalRevokeKeyResponse = { data: { id: string; key: string; label: string; scopes: ("read" | "pay" | "support" | "configure")[]; has_secret: boolean; state: "active" | "in_grace" | "expired" | "revoked"; expires_at: string | null; revoked_at: string | null; created_at: string } }

export type PortalRotateEndpointSecretRequest = { grace_seconds?: number }

export type PortalRotateEndpointSecretResponse = { data: { stream: "callback" | "catalog" | "balance"; is_configured: boolean; url: string; method: ("GET" | "POST") | null; enabled: boolean; types: string[]; secret_last_four: string; secret_created_at: string | null; paused_at: string | null; failing_since: string | null; last_success_at: string | null; pending: number; updated_at: string | null; secret: string } }

export type PortalRotateKeyRequest = { password: string; grace_seconds?: number }

export type PortalSearch = { payments: PaymentLine[]; products: { code: string; name: string }[]; cases: ({ number: string; kind: "dispute" | "void"; state: "open" | "in_progress" | "resolved" | "refused"; refid: string })[] }

export type PortalSearchResponse = { data: PortalSearch }

export type PortalSwitchMailRequest = { member_id: string | null; kind: "balance.low" | "deposit" | "delivery" | "case"; on: boolean }

export type PortalTestEndpointRequest = { type?: "payment.succeeded" | "payment.processing" | "payment.failed" | "payment.voided" | "product.updated" | "product.created" | "product.deleted" | "option.updated" | "option.created" | "option.deleted" | "category.updated" | "category.created" | "category.deleted" | "group.updated" | "group.created" | "group.deleted" | "balance.added" | "balance.low" | "balance.deducted" | "balance.refunded" }

export type PortalTestEndpointResponse = { data: { delivery_id: string; event_id: string } }

export type PriceAdjustment = { type: "fixed" | "percentage"; value: number; currency?: string }

export type PriceLine = { option: string | null; label: string; denomination: string; cost: string; price: string; retail_price: string; margin: string; has_loss_risk: boolean; is_active: boolean }

export type Pricing = { unit_price: string; currency: string; discount: Discount; price_adjustment: PriceAdjustment | null; has_loss_risk: boolean }

export type Problem = { message: string; errors: Record<string, string[]> }

export type Product = { code: string; name: string; note: string | null; image_url: string; processing_time: "instant" | "24_hours" | "3_days" | "link" | "pin"; is_active: boolean; denomination: string | null; denomination_currency: string | null; denomination_unit_price: number; fields: Field[]; fulfillment: Fulfillment; pricing: Pricing; min_amount: Money | null; max_amount: Money | null; is_refundable: boolean }

export type RecoveryCodes = { data: { recovery_codes: string[] } }

export type RejectedPayment = { statusCode: number; account: string; product: string; productName: string; amount: number; sn: string; pin: string; expiry: string; cost: number; balance: number; remarks: string; refid: string; timestamp: string; note: string; voucherlink: string; status: "Failed" }

export type ReportDepositRequest = { amount: string; transferred_on: string; bank_reference: string; note?: string; slip: string }

export type SecondFactor = { data: { enabled: boolean; confirmed_at: string | null; recovery_codes_left: number } }

export type SecondFactorCodeRequest = { code: string }

export type SecondFactorRequest = { password: string }

export type SecondFactorSecret = { data: { secret: string; otpauth_uri: string } }

export type Sessions = { data: ({ id: string; is_current: boolean; address: string; user_agent: string; device: { browser: string | null; os: string | null }; signed_in_with: "password" | "passkey"; created_at: string; last_seen_at: string; expires_at: string })[] }

export type SupportResponse = { data: { refid: string; status: "Success" | "Failed"; message: string } }

export type Unauthorized = { error: string; message: string; metadata: { status_code: 401 }; debug?: { canonical_string: string; body_hash: string; hint?: string } }

export type VoidRequest = { refid?: string; trxid?: string; user_email?: string[]; refund_type: number; refund_reason?: string }

export type WalletDay = { day: string; opening: string; movements: Movements; closing: string; first_entry: string; last_entry: string; closed_at: string | null }

export type WalletMonth = { account: string; month: string; opening: string; totals: Movements; closing: string; is_closed: boolean; days: WalletDay[] }

export type WalletMonthResponse = { data: WalletMonth }

export type PortalOperations = {
  getPortalSession: {
    params: undefined
    query: undefined
    body: undefined
    answer: MemberSession
  }
  createPortalSession: {
    params: undefined
    query: undefined
    body: MemberSignInRequest
    answer: MemberSession
  }
  deletePortalSession: {
    params: undefined
    query: undefined
    body: undefined
    answer: null
  }
  listPortalSessions: {
    params: undefined
    query: undefined
    body: undefined
    answer: Sessions
  }
  deletePortalOtherSessions: {
    params: undefined
    query: undefined
    body: undefined
    answer: EndedSessions
  }
  deletePortalSessionById: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: null
  }
  changePortalPassword: {
    params: undefined
    query: undefined
    body: ChangePasswordRequest
    answer: MemberSession
  }
  requestPortalPasswordReset: {
    params: undefined
    query: undefined
    body: MemberPasswordResetRequest
    answer: Accepted
  }
  confirmPortalPasswordReset: {
    params: undefined
    query: undefined
    body: ConfirmPasswordResetRequest
    answer: null
  }
  getPortalTwoFactor: {
    params: undefined
    query: undefined
    body: undefined
    answer: SecondFactor
  }
  enrolPortalTwoFactor: {
    params: undefined
    query: undefined
    body: SecondFactorRequest
    answer: SecondFactorSecret
  }
  confirmPortalTwoFactor: {
    params: undefined
    query: undefined
    body: SecondFactorCodeRequest
    answer: RecoveryCodes
  }
  renewPortalRecoveryCodes: {
    params: undefined
    query: undefined
    body: PasswordAndCodeRequest
    answer: RecoveryCodes
  }
  disablePortalTwoFactor: {
    params: undefined
    query: undefined
    body: PasswordAndCodeRequest
    answer: null
  }
  beginPortalPasskeySession: {
    params: undefined
    query: undefined
    body: undefined
    answer: PasskeySignIn
  }
  createPortalPasskeySession: {
    params: undefined
    query: undefined
    body: PasskeySignInRequest
    answer: MemberSession
  }
  listPortalPasskeys: {
    params: undefined
    query: undefined
    body: undefined
    answer: Passkeys
  }
  createPortalPasskey: {
    params: undefined
    query: undefined
    body: NewPasskeyRequest
    answer: PasskeyAnswer
  }
  beginPortalPasskey: {
    params: undefined
    query: undefined
    body: PasskeyProofRequest
    answer: PasskeyRegistration
  }
  renamePortalPasskey: {
    params: { id: string }
    query: undefined
    body: PasskeyNameRequest
    answer: PasskeyAnswer
  }
  deletePortalPasskey: {
    params: { id: string }
    query: undefined
    body: PasskeyProofRequest
    answer: null
  }
  listPortalDemoAccounts: {
    params: undefined
    query: undefined
    body: undefined
    answer: DemoAccounts
  }
  listInvitations: {
    params: undefined
    query: undefined
    body: undefined
    answer: Invitations
  }
  createInvitation: {
    params: undefined
    query: undefined
    body: InvitationRequest
    answer: Invitation
  }
  deleteInvitation: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: null
  }
  acceptInvitation: {
    params: undefined
    query: undefined
    body: AcceptInvitationRequest
    answer: NewMember
  }
  portalGetOverview: {
    params: undefined
    query: undefined
    body: undefined
    answer: OverviewResponse
  }
  portalGetBalance: {
    params: undefined
    query: undefined
    body: undefined
    answer: PortalBalanceResponse
  }
  portalSearch: {
    params: undefined
    query: { q: string }
    body: undefined
    answer: PortalSearchResponse
  }
  portalGetChecklist: {
    params: undefined
    query: undefined
    body: undefined
    answer: ChecklistResponse
  }
  portalListPayments: {
    params: undefined
    query: { from?: string; to?: string; status?: ("successful" | "pending" | "failed" | "refunded")[]; account?: string; product?: string; refid?: string; limit?: number; cursor?: string }
    body: undefined
    answer: PortalPaymentPage
  }
  portalSumPayments: {
    params: undefined
    query: { from?: string; to?: string; status?: ("successful" | "pending" | "failed" | "refunded")[]; account?: string; product?: string }
    body: undefined
    answer: PaymentTotalsResponse
  }
  portalExportPayments: {
    params: undefined
    query: { from?: string; to?: string; status?: ("successful" | "pending" | "failed" | "refunded")[]; account?: string; product?: string }
    body: undefined
    answer: string
  }
  portalGetPayment: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: PortalPaymentDetailsResponse
  }
  portalPreviewBulk: {
    params: undefined
    query: undefined
    body: BulkPreviewRequest
    answer: BulkPreviewResponse
  }
  portalListPaymentStatuses: {
    params: undefined
    query: undefined
    body: PaymentStatusesRequest
    answer: PaymentStatusList
  }
  portalGetStatement: {
    params: undefined
    query: { from?: string; to?: string; type?: "deposit" | "payment" | "refund" | "commission"; limit?: number; cursor?: string }
    body: undefined
    answer: PortalEntryPage
  }
  portalExportStatement: {
    params: undefined
    query: { from?: string; to?: string; type?: "deposit" | "payment" | "refund" | "commission" }
    body: undefined
    answer: string
  }
  portalListMonths: {
    params: undefined
    query: { months?: number }
    body: undefined
    answer: PortalListMonthsResponse
  }
  portalListDepositRequests: {
    params: undefined
    query: { state?: "reported" | "accepted" | "credited" | "refused" | "withdrawn"; limit?: number; cursor?: string }
    body: undefined
    answer: DepositReportPage
  }
  portalReportDeposit: {
    params: undefined
    query: undefined
    body: ReportDepositRequest
    answer: DepositReportResponse
  }
  portalGetDepositRequest: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: DepositReportResponse
  }
  portalGetDepositSlip: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: string
  }
  portalWithdrawDeposit: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: DepositReportResponse
  }
  portalGetCatalogue: {
    params: undefined
    query: undefined
    body: undefined
    answer: PortalCatalogueResponse
  }
  portalGetProduct: {
    params: { code: string }
    query: undefined
    body: undefined
    answer: PortalGetProductResponse
  }
  portalPreviewCatalogue: {
    params: undefined
    query: undefined
    body: CatalogueEdits
    answer: CataloguePreviewResponse
  }
  portalApplyCatalogue: {
    params: undefined
    query: undefined
    body: PortalApplyCatalogueRequest
    answer: PortalApplyCatalogueResponse
  }
  portalListKeys: {
    params: undefined
    query: undefined
    body: undefined
    answer: APIKeyList
  }
  portalCreateKey: {
    params: undefined
    query: undefined
    body: PortalCreateKeyRequest
    answer: NewAPIKeyResponse
  }
  portalRotateKey: {
    params: { id: string }
    query: undefined
    body: PortalRotateKeyRequest
    answer: NewAPIKeyResponse
  }
  portalRevokeKey: {
    params: { id: string }
    query: undefined
    body: PortalRevokeKeyRequest
    answer: PortalRevokeKeyResponse
  }
  portalListNetworks: {
    params: undefined
    query: undefined
    body: undefined
    answer: AllowedNetworkList
  }
  portalAllowNetworks: {
    params: undefined
    query: undefined
    body: PortalAllowNetworksRequest
    answer: AllowedNetworkList
  }
  portalDisallowNetwork: {
    params: undefined
    query: { network: string }
    body: PortalRevokeKeyRequest
    answer: AllowedNetworkList
  }
  portalGetSettings: {
    params: undefined
    query: undefined
    body: undefined
    answer: AccountSettingsResponse
  }
  portalChangeSettings: {
    params: undefined
    query: undefined
    body: PortalChangeSettingsRequest
    answer: AccountSettingsResponse
  }
  portalListEndpoints: {
    params: undefined
    query: undefined
    body: undefined
    answer: EndpointList
  }
  portalPutEndpoint: {
    params: { stream: "callback" | "catalog" | "balance" }
    query: undefined
    body: PortalPutEndpointRequest
    answer: PortalPutEndpointResponse
  }
  portalChangeEndpoint: {
    params: { stream: "callback" | "catalog" | "balance" }
    query: undefined
    body: PortalChangeEndpointRequest
    answer: EndpointResponse
  }
  portalDeleteEndpoint: {
    params: { stream: "callback" | "catalog" | "balance" }
    query: undefined
    body: undefined
    answer: null
  }
  portalRotateEndpointSecret: {
    params: { stream: "callback" | "catalog" | "balance" }
    query: undefined
    body: PortalRotateEndpointSecretRequest
    answer: PortalRotateEndpointSecretResponse
  }
  portalTestEndpoint: {
    params: { stream: "callback" | "catalog" | "balance" }
    query: undefined
    body: PortalTestEndpointRequest
    answer: PortalTestEndpointResponse
  }
  portalListDeliveries: {
    params: { stream: "callback" | "catalog" | "balance" }
    query: { status?: ("success" | "failed" | "pending")[]; from?: string; to?: string; event?: string; limit?: number; cursor?: string }
    body: undefined
    answer: PortalDeliveryPage
  }
  portalGetDelivery: {
    params: { stream: "callback" | "catalog" | "balance"; id: string }
    query: undefined
    body: undefined
    answer: PortalGetDeliveryResponse
  }
  portalReplayDelivery: {
    params: { stream: "callback" | "catalog" | "balance"; id: string }
    query: undefined
    body: undefined
    answer: PortalReplayDeliveryResponse
  }
  portalReplayDeliveries: {
    params: { stream: "callback" | "catalog" | "balance" }
    query: undefined
    body: PortalReplayDeliveriesRequest
    answer: PortalReplayDeliveriesResponse
  }
  portalListEvents: {
    params: undefined
    query: { after?: number; limit?: number }
    body: undefined
    answer: PortalEventPage
  }
  portalListRequests: {
    params: undefined
    query: { from?: string; to?: string; failed?: boolean; error?: string; limit?: number; cursor?: string }
    body: undefined
    answer: LoggedRequestPage
  }
  portalGetRequest: {
    params: { id: string }
    query: undefined
    body: undefined
    answer: LoggedRequestDetailsResponse
  }
  portalCompareCanonical: {
    params: { id: string }
    query: undefined
    body: PortalCompareCanonicalRequest
    answer: CanonicalComparisonResponse
  }
  portalListMembers: {
    params: undefined
    query: undefined
    body: undefined
    answer: MemberList
  }
  portalChangeMember: {
    params: { id: string }
    query: undefined
    body: PortalChangeMemberRequest
    answer: MemberResponse
  }
  portalListThresholds: {
    params: undefined
    query: undefined
    body: undefined
    answer: PortalListThresholdsResponse
  }
  portalAddThreshold: {
    params: undefined
    query: undefined
    body: PortalAddThresholdRequest
    answer: PortalListThresholdsResponse
  }
  portalRemoveThreshold: {
    params: undefined
    query: { amount: string }
    body: undefined
    answer: PortalListThresholdsResponse
  }
  portalListMailPreferences: {
    params: undefined
    query: undefined
    body: undefined
    answer: AddresseeList
  }
  portalSwitchMail: {
    params: undefined
    query: undefined
    body: PortalSwitchMailRequest
    answer: AddresseeList
  }
  portalLive: {
    params: undefined
    query: undefined
    body: undefined
    answer: string
  }
  portalListDays: {
    params: undefined
    query: { month?: string }
    body: undefined
    answer: WalletMonthResponse
  }
  portalExportMonth: {
    params: undefined
    query: { month?: string }
    body: undefined
    answer: string
  }
  portalPrintMonth: {
    params: undefined
    query: { month?: string }
    body: undefined
    answer: string
  }
  portalCompareBooks: {
    params: undefined
    query: { from: string; to: string }
    body: string
    answer: ComparisonResponse
  }
  portalGetSellCatalog: {
    params: undefined
    query: { product_code?: string; is_active?: boolean; include_inactive?: boolean }
    body: undefined
    answer: Catalog
  }
  portalGetSellOptions: {
    params: undefined
    query: { product_code: string; field_id: string; account_number?: string; biller_code?: string; limit?: number; per_page?: number; page?: number; is_active?: boolean; include_hidden?: boolean; include_inactive?: boolean; search?: string }
    body: undefined
    answer: FormOptionPage
  }
  portalGetNetwork: {
    params: undefined
    query: { product: string }
    body: undefined
    answer: NetworkStatus
  }
  portalGetBill: {
    params: undefined
    query: { account: string; product: string; biller_code?: string; ref2?: string; amount?: string }
    body: undefined
    answer: Bill
  }
  portalPay: {
    params: undefined
    query: undefined
    body: PaymentRequest
    answer: PaymentResponse
  }
  portalOpenDispute: {
    params: undefined
    query: undefined
    body: DisputeRequest
    answer: SupportResponse
  }
  portalOpenVoid: {
    params: undefined
    query: undefined
    body: VoidRequest
    answer: SupportResponse
  }
  portalListCases: {
    params: undefined
    query: { state?: "open" | "in_progress" | "resolved" | "refused"; kind?: "dispute" | "void"; from?: string; to?: string; limit?: number; cursor?: string }
    body: undefined
    answer: CasePage
  }
  portalGetCase: {
    params: { number: string }
    query: undefined
    body: undefined
    answer: CaseDetailsResponse
  }
  getPortalOpenApi: {
    params: undefined
    query: undefined
    body: undefined
    answer: GetPortalOpenApiResponse
  }
}

export const PORTAL_ROUTES = {
  getPortalSession: 'GET /portal/v1/session',
  createPortalSession: 'POST /portal/v1/session',
  deletePortalSession: 'DELETE /portal/v1/session',
  listPortalSessions: 'GET /portal/v1/sessions',
  deletePortalOtherSessions: 'DELETE /portal/v1/sessions',
  deletePortalSessionById: 'DELETE /portal/v1/sessions/{id}',
  changePortalPassword: 'POST /portal/v1/password',
  requestPortalPasswordReset: 'POST /portal/v1/password-reset',
  confirmPortalPasswordReset: 'POST /portal/v1/password-reset/confirm',
  getPortalTwoFactor: 'GET /portal/v1/two-factor',
  enrolPortalTwoFactor: 'POST /portal/v1/two-factor',
  confirmPortalTwoFactor: 'POST /portal/v1/two-factor/confirm',
  renewPortalRecoveryCodes: 'POST /portal/v1/two-factor/recovery-codes',
  disablePortalTwoFactor: 'POST /portal/v1/two-factor/disable',
  beginPortalPasskeySession: 'POST /portal/v1/session/passkey/options',
  createPortalPasskeySession: 'POST /portal/v1/session/passkey',
  listPortalPasskeys: 'GET /portal/v1/passkeys',
  createPortalPasskey: 'POST /portal/v1/passkeys',
  beginPortalPasskey: 'POST /portal/v1/passkeys/options',
  renamePortalPasskey: 'PATCH /portal/v1/passkeys/{id}',
  deletePortalPasskey: 'DELETE /portal/v1/passkeys/{id}',
  listPortalDemoAccounts: 'GET /portal/v1/demo-accounts',
  listInvitations: 'GET /portal/v1/invitations',
  createInvitation: 'POST /portal/v1/invitations',
  deleteInvitation: 'DELETE /portal/v1/invitations/{id}',
  acceptInvitation: 'POST /portal/v1/invitations/accept',
  portalGetOverview: 'GET /portal/v1/overview',
  portalGetBalance: 'GET /portal/v1/balance',
  portalSearch: 'GET /portal/v1/search',
  portalGetChecklist: 'GET /portal/v1/checklist',
  portalListPayments: 'GET /portal/v1/payments',
  portalSumPayments: 'GET /portal/v1/payments/totals',
  portalExportPayments: 'GET /portal/v1/payments.csv',
  portalGetPayment: 'GET /portal/v1/payments/{id}',
  portalPreviewBulk: 'POST /portal/v1/sell/bulk/preview',
  portalListPaymentStatuses: 'POST /portal/v1/payments/statuses',
  portalGetStatement: 'GET /portal/v1/statement',
  portalExportStatement: 'GET /portal/v1/statement.csv',
  portalListMonths: 'GET /portal/v1/statement/months',
  portalListDepositRequests: 'GET /portal/v1/deposit-requests',
  portalReportDeposit: 'POST /portal/v1/deposit-requests',
  portalGetDepositRequest: 'GET /portal/v1/deposit-requests/{id}',
  portalGetDepositSlip: 'GET /portal/v1/deposit-requests/{id}/slip',
  portalWithdrawDeposit: 'POST /portal/v1/deposit-requests/{id}/withdraw',
  portalGetCatalogue: 'GET /portal/v1/catalogue',
  portalGetProduct: 'GET /portal/v1/catalogue/products/{code}',
  portalPreviewCatalogue: 'POST /portal/v1/catalogue/preview',
  portalApplyCatalogue: 'POST /portal/v1/catalogue/apply',
  portalListKeys: 'GET /portal/v1/api-keys',
  portalCreateKey: 'POST /portal/v1/api-keys',
  portalRotateKey: 'POST /portal/v1/api-keys/{id}/rotate',
  portalRevokeKey: 'DELETE /portal/v1/api-keys/{id}',
  portalListNetworks: 'GET /portal/v1/ip-allowlist',
  portalAllowNetworks: 'POST /portal/v1/ip-allowlist',
  portalDisallowNetwork: 'DELETE /portal/v1/ip-allowlist',
  portalGetSettings: 'GET /portal/v1/settings',
  portalChangeSettings: 'PATCH /portal/v1/settings',
  portalListEndpoints: 'GET /portal/v1/endpoints',
  portalPutEndpoint: 'PUT /portal/v1/endpoints/{stream}',
  portalChangeEndpoint: 'PATCH /portal/v1/endpoints/{stream}',
  portalDeleteEndpoint: 'DELETE /portal/v1/endpoints/{stream}',
  portalRotateEndpointSecret: 'POST /portal/v1/endpoints/{stream}/secret',
  portalTestEndpoint: 'POST /portal/v1/endpoints/{stream}/test',
  portalListDeliveries: 'GET /portal/v1/endpoints/{stream}/deliveries',
  portalGetDelivery: 'GET /portal/v1/endpoints/{stream}/deliveries/{id}',
  portalReplayDelivery: 'POST /portal/v1/endpoints/{stream}/deliveries/{id}/replay',
  portalReplayDeliveries: 'POST /portal/v1/endpoints/{stream}/replays',
  portalListEvents: 'GET /portal/v1/events',
  portalListRequests: 'GET /portal/v1/request-log',
  portalGetRequest: 'GET /portal/v1/request-log/{id}',
  portalCompareCanonical: 'POST /portal/v1/request-log/{id}/compare',
  portalListMembers: 'GET /portal/v1/members',
  portalChangeMember: 'PATCH /portal/v1/members/{id}',
  portalListThresholds: 'GET /portal/v1/thresholds',
  portalAddThreshold: 'POST /portal/v1/thresholds',
  portalRemoveThreshold: 'DELETE /portal/v1/thresholds',
  portalListMailPreferences: 'GET /portal/v1/mail-preferences',
  portalSwitchMail: 'PATCH /portal/v1/mail-preferences',
  portalLive: 'GET /portal/v1/live',
  portalListDays: 'GET /portal/v1/statement/days',
  portalExportMonth: 'GET /portal/v1/statement/month.csv',
  portalPrintMonth: 'GET /portal/v1/statement/month.pdf',
  portalCompareBooks: 'POST /portal/v1/reconciliations',
  portalGetSellCatalog: 'GET /portal/v1/sell/catalog',
  portalGetSellOptions: 'GET /portal/v1/sell/options',
  portalGetNetwork: 'GET /portal/v1/sell/network-status',
  portalGetBill: 'GET /portal/v1/sell/bill',
  portalPay: 'POST /portal/v1/sell/payments',
  portalOpenDispute: 'POST /portal/v1/cases/disputes',
  portalOpenVoid: 'POST /portal/v1/cases/voids',
  portalListCases: 'GET /portal/v1/cases',
  portalGetCase: 'GET /portal/v1/cases/{number}',
  getPortalOpenApi: 'GET /portal/v1/openapi.json',
} as const satisfies Record<keyof PortalOperations, string>
