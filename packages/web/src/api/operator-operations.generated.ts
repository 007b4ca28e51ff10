// Generated from docs/openapi-operator.json by npm run web-api. Do not edit.
import type * as S from './operator.generated.ts'

export type OperatorOperations = {
  getOperatorSession: { params: undefined; query: { quiet?: boolean }; body: undefined; answer: S.OperatorSession | null }
  createOperatorSession: { params: undefined; query: undefined; body: S.OperatorSignInRequest; answer: S.OperatorSession }
  deleteOperatorSession: { params: undefined; query: undefined; body: undefined; answer: null }
  listOperatorSessions: { params: undefined; query: undefined; body: undefined; answer: S.Sessions }
  deleteOperatorOtherSessions: { params: undefined; query: undefined; body: undefined; answer: S.EndedSessions }
  deleteOperatorSessionById: { params: { id: string }; query: undefined; body: undefined; answer: null }
  beginOperatorProof: { params: undefined; query: undefined; body: undefined; answer: S.PasskeyChallenge }
  giveOperatorProof: { params: undefined; query: undefined; body: S.SessionProofRequest; answer: null }
  changeOperatorPassword: { params: undefined; query: undefined; body: S.ChangePasswordRequest; answer: S.OperatorSession }
  requestOperatorPasswordReset: { params: undefined; query: undefined; body: S.OperatorPasswordResetRequest; answer: S.Accepted }
  confirmOperatorPasswordReset: { params: undefined; query: undefined; body: S.ConfirmPasswordResetRequest; answer: null }
  getOperatorTwoFactor: { params: undefined; query: undefined; body: undefined; answer: S.SecondFactor }
  enrolOperatorTwoFactor: { params: undefined; query: undefined; body: S.EnrolOperatorTwoFactorRequest; answer: S.SecondFactorSecret }
  confirmOperatorTwoFactor: { params: undefined; query: undefined; body: S.SecondFactorCodeRequest; answer: S.RecoveryCodes }
  renewOperatorRecoveryCodes: { params: undefined; query: undefined; body: S.OwnCodeRequestWithProof; answer: S.RecoveryCodes }
  disableOperatorTwoFactor: { params: undefined; query: undefined; body: S.OwnCodeRequestWithProof; answer: null }
  beginOperatorPasskeySession: { params: undefined; query: undefined; body: undefined; answer: S.PasskeyChallenge }
  createOperatorPasskeySession: { params: undefined; query: undefined; body: S.PasskeySignInRequest; answer: S.OperatorSession }
  listOperatorPasskeys: { params: undefined; query: undefined; body: undefined; answer: S.Passkeys }
  createOperatorPasskey: { params: undefined; query: undefined; body: S.NewPasskeyRequest; answer: S.PasskeyAnswer }
  beginOperatorPasskey: { params: undefined; query: undefined; body: S.PasskeyProofRequestWithProof; answer: S.PasskeyRegistration }
  renameOperatorPasskey: { params: { id: string }; query: undefined; body: S.PasskeyNameRequest; answer: S.PasskeyAnswer }
  deleteOperatorPasskey: { params: { id: string }; query: undefined; body: S.PasskeyProofRequestWithProof; answer: null }
  listOperatorDemoAccounts: { params: undefined; query: undefined; body: undefined; answer: S.DemoAccounts }
  listOperatorTokens: { params: undefined; query: undefined; body: undefined; answer: S.OperatorTokens }
  createOperatorToken: { params: undefined; query: undefined; body: S.OperatorTokenRequestWithProof; answer: S.NewOperatorToken }
  deleteOperatorToken: { params: { id: string }; query: undefined; body: undefined; answer: null }
  getOperatorOverview: { params: undefined; query: undefined; body: undefined; answer: S.OperatorOverviewResponse }
  getWallet: { params: { account: string }; query: undefined; body: undefined; answer: S.WalletResponse }
  listWalletEntries: { params: { account: string }; query: { type?: "deposit" | "payment" | "refund" | "commission"; days?: string; limit?: number; cursor?: string }; body: undefined; answer: S.WalletEntryPage }
  requestDeposit: { params: undefined; query: undefined; body: S.DepositRequest; answer: S.ApprovalResponse }
  requestAdjustment: { params: undefined; query: undefined; body: S.Adjustment; answer: S.ApprovalResponse }
  listRates: { params: undefined; query: { currency?: string; state?: "in_force" | "planned" | "past"; limit?: number; cursor?: string }; body: undefined; answer: S.CurrencyRatePage }
  requestRate: { params: undefined; query: undefined; body: S.NewRateRequest; answer: S.ApprovalResponse }
  listDepositRequests: { params: undefined; query: { state?: "reported" | "accepted" | "credited" | "refused" | "withdrawn"; account?: string; limit?: number; cursor?: string }; body: undefined; answer: S.ReportedDepositPage }
  getDepositRequest: { params: { id: string }; query: undefined; body: undefined; answer: S.ReportedDepositResponse }
  getDepositRequestSlip: { params: { id: string }; query: undefined; body: undefined; answer: string }
  acceptDepositRequest: { params: { id: string }; query: undefined; body: S.AcceptDepositRequest; answer: S.ApprovalResponse }
  refuseDepositRequest: { params: { id: string }; query: undefined; body: S.ReasonRequest; answer: S.ReportedDepositResponse }
  listApprovals: { params: undefined; query: { state?: "pending" | "approved" | "refused" | "withdrawn" | "expired"; kind?: "deposit" | "adjustment" | "deposit_request" | "payment_resolution" | "void" | "rate_change" | "price_change" | "catalogue_change" | "offers_accept" | "route_change" | "route_removal" | "provider_switch" | "provider_upgrade" | "provider_products" | "answer_meaning" | "user_create" | "user_change" | "reseller_email" | "operator_create" | "operator_change"; limit?: number; cursor?: string }; body: undefined; answer: S.ApprovalPage }
  getApproval: { params: { id: string }; query: undefined; body: undefined; answer: S.ApprovalResponse }
  approveApproval: { params: { id: string }; query: undefined; body: S.ReasonRequestWithProof; answer: S.ApprovalResponse }
  refuseApproval: { params: { id: string }; query: undefined; body: S.ReasonRequest; answer: S.ApprovalResponse }
  withdrawApproval: { params: { id: string }; query: undefined; body: S.ReasonRequest; answer: S.ApprovalResponse }
  searchPayments: { params: undefined; query: { id?: string; refid?: string; customer?: string; account?: string; product?: string; provider?: string; reference?: string; state?: "pending" | "stuck" | "succeeded" | "failed" | "voided"; days?: string; limit?: number; cursor?: string }; body: undefined; answer: S.ResellerPaymentPage }
  listStuckPayments: { params: undefined; query: { limit?: number }; body: undefined; answer: S.StuckPaymentPage }
  getPayment: { params: { id: string }; query: undefined; body: undefined; answer: S.ResellerPaymentDetailsResponse }
  resolvePayment: { params: { id: string }; query: undefined; body: S.ResolvePaymentRequest; answer: S.ResellerPaymentTimelineResponse | S.ApprovalResponse }
  getResellerOrder: { params: { order_id: string }; query: undefined; body: undefined; answer: S.ResellerOrderResponse }
  listAllCases: { params: undefined; query: { account?: string; state?: "open" | "in_progress" | "resolved" | "refused"; kind?: "dispute" | "void"; order?: "newest" | "due"; limit?: number; cursor?: string }; body: undefined; answer: S.ResellerCasePage }
  getAnyCase: { params: { number: string }; query: undefined; body: undefined; answer: S.ResellerCaseDetailsResponse }
  takeCase: { params: { number: string }; query: undefined; body: S.ReasonRequest; answer: S.ResellerCaseDetailsResponse }
  writeCaseMessage: { params: { number: string }; query: undefined; body: S.CaseMessageRequest; answer: S.ResellerCaseDetailsResponse }
  refuseCase: { params: { number: string }; query: undefined; body: S.CaseMessageRequest; answer: S.ResellerCaseDetailsResponse }
  resolveCase: { params: { number: string }; query: undefined; body: S.CaseMessageRequest; answer: S.ResellerCaseDetailsResponse }
  approveCase: { params: { number: string }; query: undefined; body: S.ApproveCaseRequest; answer: S.ResellerCaseDetailsResponse | S.ApprovalResponse }
  listDeliveryQueues: { params: undefined; query: { limit?: number }; body: undefined; answer: S.DeliveryQueuePage }
  listEndpoints: { params: undefined; query: { account?: string; stream?: "callback" | "catalog" | "balance" | "order"; state?: "failing" | "paused" | "disabled"; limit?: number }; body: undefined; answer: S.ReceiverPage }
  getEndpoint: { params: { account: string; stream: "callback" | "catalog" | "balance" | "order" }; query: undefined; body: undefined; answer: S.ReceiverDetailsResponse }
  pauseEndpoint: { params: { account: string; stream: "callback" | "catalog" | "balance" | "order" }; query: undefined; body: S.ReasonRequest; answer: S.ReceiverDetailsResponse }
  resumeEndpoint: { params: { account: string; stream: "callback" | "catalog" | "balance" | "order" }; query: undefined; body: S.ReasonRequest; answer: S.ReceiverDetailsResponse }
  listBlocks: { params: undefined; query: undefined; body: undefined; answer: S.BlockedAddressPage }
  liftBlock: { params: undefined; query: undefined; body: S.LiftBlockRequest; answer: S.BlockedAddressResponse }
  listAlerts: { params: undefined; query: { limit?: number; with_cleared?: boolean }; body: undefined; answer: S.AlertPage }
  clearAlert: { params: { id: string }; query: undefined; body: S.ReasonRequest; answer: S.AlertResponse }
  listLedgerProofs: { params: undefined; query: undefined; body: undefined; answer: S.LedgerProofPage }
  beginLedgerProof: { params: undefined; query: undefined; body: S.ReasonRequest; answer: S.LedgerProofResponse }
  getClosings: { params: undefined; query: undefined; body: undefined; answer: S.ClosingsResponse }
  listAudit: { params: undefined; query: { actor?: string; action?: string; target_kind?: string; target?: string; days?: string; limit?: number; cursor?: string }; body: undefined; answer: S.AuditEntryPage }
  proveAudit: { params: undefined; query: undefined; body: undefined; answer: S.AuditProofResponse }
  operatorLive: { params: undefined; query: undefined; body: undefined; answer: string }
  listResellerDays: { params: { account: string }; query: { month?: string }; body: undefined; answer: S.WalletMonthResponse }
  exportResellerMonth: { params: { account: string }; query: { month?: string }; body: undefined; answer: string }
  printResellerMonth: { params: { account: string }; query: { month?: string }; body: undefined; answer: string }
  compareResellerBooks: { params: { account: string }; query: { from: string; to: string }; body: string; answer: S.ComparisonResponse }
  listResellers: { params: undefined; query: { search?: string; status?: "active" | "suspended"; price_level?: string; limit?: number; cursor?: string }; body: undefined; answer: S.ResellerPage }
  createReseller: { params: undefined; query: undefined; body: S.NewResellerRequest; answer: S.ResellerResponse }
  getReseller: { params: { account: string }; query: undefined; body: undefined; answer: S.ResellerResponse }
  updateReseller: { params: { account: string }; query: undefined; body: S.ChangeResellerRequestWithProof; answer: S.ResellerResponse | S.ApprovalResponse }
  listResellerUsers: { params: { account: string }; query: undefined; body: undefined; answer: S.ResellerUserPage }
  createResellerUser: { params: { account: string }; query: undefined; body: S.NewUserRequestWithProof; answer: S.ResellerUserResponse | S.ApprovalResponse }
  updateResellerUser: { params: { account: string; username: string }; query: undefined; body: S.ChangeUserRequestWithProof; answer: S.ResellerUserResponse | S.ApprovalResponse }
  listResellerKeys: { params: { account: string }; query: undefined; body: undefined; answer: S.ListedResellerAPIKeyPage }
  narrowResellerKey: { params: { account: string; id: string }; query: undefined; body: S.KeyChangeRequest; answer: S.ResellerAPIKeyResponse }
  revokeResellerKey: { params: { account: string; id: string }; query: undefined; body: S.ReasonRequest; answer: S.ResellerAPIKeyResponse }
  listResellerPermissions: { params: { account: string }; query: undefined; body: undefined; answer: S.ProductPermissionPage }
  setResellerPermission: { params: { account: string; product: string }; query: undefined; body: S.PermissionRequest; answer: S.SetResellerPermissionResponse }
  getResellerLimits: { params: { account: string }; query: undefined; body: undefined; answer: S.LimitsOfAnAccountResponse }
  putResellerLimits: { params: { account: string }; query: undefined; body: S.OperatorLimitsRequestWithProof; answer: S.LimitsOfAnAccountResponse }
  getLevelLimits: { params: { code: string }; query: undefined; body: undefined; answer: S.LimitsOfALevelResponse }
  putLevelLimits: { params: { code: string }; query: undefined; body: S.OperatorLimitsRequestWithProof; answer: S.LimitsOfALevelResponse }
  listLevels: { params: undefined; query: undefined; body: undefined; answer: S.PriceLevelPage }
  createLevel: { params: undefined; query: undefined; body: S.NewPriceLevelRequest; answer: S.CreateLevelResponse }
  getLevel: { params: { code: string }; query: undefined; body: undefined; answer: S.GetLevelResponse }
  updateLevel: { params: { code: string }; query: undefined; body: S.ChangePriceLevelRequest; answer: S.CreateLevelResponse }
  setLevelPrice: { params: { code: string; product: string }; query: undefined; body: S.LevelPriceRequest; answer: S.SetLevelPriceResponse | S.ChangeThatWaitsForApproval }
  listMargins: { params: undefined; query: { search?: string; negative?: boolean; is_active?: boolean; limit?: number; cursor?: string }; body: undefined; answer: S.ProductMarginPage }
  listRealisedMargins: { params: undefined; query: { days?: string; limit?: number; cursor?: string }; body: undefined; answer: S.RealisedMarginPage }
  getCatalogue: { params: undefined; query: undefined; body: undefined; answer: S.GetCatalogueResponse }
  exportCatalogue: { params: undefined; query: undefined; body: undefined; answer: S.ExportCatalogueResponse }
  exportCatalogueCsv: { params: undefined; query: { kind: "groups" | "categories" | "options" | "texts" | "prices" }; body: undefined; answer: string }
  listCatalogueProducts: { params: undefined; query: { category?: string; search?: string; is_active?: boolean; limit?: number; cursor?: string }; body: undefined; answer: S.CatalogueProductPage }
  getCatalogueProduct: { params: { code: string }; query: undefined; body: undefined; answer: S.GetCatalogueProductResponse }
  listCatalogueOptions: { params: { code: string }; query: { field?: string; search?: string; limit?: number; cursor?: string }; body: undefined; answer: S.ListCatalogueOptionsResponse }
  previewCatalogue: { params: undefined; query: undefined; body: S.CataloguePreviewRequest; answer: S.PreviewCatalogueResponse }
  importCatalogue: { params: undefined; query: undefined; body: S.CatalogueImportRequest; answer: S.PreviewCatalogueResponse | S.ChangeThatWaitsForApproval }
  listProviders: { params: undefined; query: undefined; body: undefined; answer: S.ProviderPage }
  addProvider: { params: undefined; query: undefined; body: S.NewProviderRequestWithProof; answer: S.GetProviderResponse }
  getProvider: { params: { code: string }; query: undefined; body: undefined; answer: S.GetProviderResponse }
  switchProvider: { params: { code: string }; query: undefined; body: S.SwitchProviderRequest; answer: S.GetProviderResponse | S.ChangeThatWaitsForApproval }
  getProviderHealth: { params: { code: string }; query: { hours?: number }; body: undefined; answer: S.ProviderHealthResponse }
  listRoutes: { params: undefined; query: { product?: string; provider?: string }; body: undefined; answer: S.RoutePage }
  setRoute: { params: { product: string; provider: string }; query: undefined; body: S.RouteRequest; answer: S.SetRouteResponse | S.ChangeThatWaitsForApproval }
  removeRoute: { params: { product: string; provider: string }; query: undefined; body: S.RemoveRouteRequest; answer: S.RouteResponse | S.ChangeThatWaitsForApproval }
  listOfferSyncs: { params: undefined; query: { provider?: string; limit?: number }; body: undefined; answer: S.ReadingOfAListOfOffersPage }
  startOfferSync: { params: undefined; query: undefined; body: S.StartReadingRequest; answer: S.ReadingOfAListOfOffersResponse }
  listOfferSchedules: { params: undefined; query: undefined; body: undefined; answer: S.ScheduleOfReadingsPage }
  setOfferSchedule: { params: { provider: string }; query: undefined; body: S.ScheduleRequest; answer: S.ScheduleOfReadingsResponse }
  listOfferProposals: { params: undefined; query: { provider?: string; kind?: "new" | "cost_changed" | "gone" | "closed" | "reopened" | "hours_changed" | "changed"; state?: "open" | "accepted" | "rejected" | "superseded"; limit?: number; cursor?: string }; body: undefined; answer: S.ProposalPage }
  acceptOfferProposals: { params: undefined; query: undefined; body: S.AcceptProposalsRequest; answer: S.AcceptedProposalsResponse | S.ChangeThatWaitsForApproval }
  rejectOfferProposals: { params: undefined; query: undefined; body: S.RejectProposalsRequest; answer: S.RejectedProposalsResponse }
  listSupplierPacks: { params: undefined; query: undefined; body: undefined; answer: S.SupplierPackPage }
  getSupplierPack: { params: { name: string }; query: undefined; body: undefined; answer: S.SupplierPackWithItsPageResponse }
  getProviderPack: { params: { code: string }; query: undefined; body: undefined; answer: S.PackOfAProviderResponse }
  upgradeProvider: { params: { code: string }; query: undefined; body: S.UpgradeRequestWithProof; answer: S.UpgradeOfAPackResponse | S.ApprovalResponse }
  setProviderProducts: { params: { code: string }; query: undefined; body: S.ProviderProductsRequest; answer: S.GetProviderResponse | S.ApprovalResponse }
  beginProviderProof: { params: { code: string }; query: undefined; body: S.TrialRequest; answer: S.TrialResponse }
  listUnknownAnswers: { params: { code: string }; query: undefined; body: undefined; answer: S.UnknownAnswerOfAProviderPage }
  listProviderFailures: { params: { code: string }; query: undefined; body: undefined; answer: S.ProviderFailurePage }
  mapUnknownAnswer: { params: { code: string; id: string }; query: undefined; body: S.MeaningRequest; answer: S.UnknownAnswerOfAProviderResponse | S.ApprovalResponse }
  dismissUnknownAnswer: { params: { code: string; id: string }; query: undefined; body: S.ReasonRequest; answer: S.UnknownAnswerOfAProviderResponse }
  listNotices: { params: undefined; query: { all?: boolean }; body: undefined; answer: S.NetworkNoticePage }
  createNotice: { params: undefined; query: undefined; body: S.NewNoticeRequest; answer: S.NetworkNoticeResponse }
  endNotice: { params: { id: string }; query: undefined; body: S.ReasonRequest; answer: S.NetworkNoticeResponse }
  getNumberPlan: { params: undefined; query: undefined; body: undefined; answer: S.NumberPlansResponse }
  putNumberPlan: { params: undefined; query: undefined; body: S.NumberPlanRequest; answer: S.NumberPlansResponse }
  searchEverything: { params: undefined; query: { q: string }; body: undefined; answer: S.OperatorSearchResponse }
  getSettings: { params: undefined; query: undefined; body: undefined; answer: S.SettingsResponse }
  listOperators: { params: undefined; query: undefined; body: undefined; answer: S.OperatorPage }
  createOperator: { params: undefined; query: undefined; body: S.NewOperatorRequestWithProof; answer: S.OperatorResponse | S.ApprovalResponse }
  updateOperator: { params: { id: string }; query: undefined; body: S.ChangeOperatorRequestWithProof; answer: S.OperatorResponse | S.ApprovalResponse }
  vouchForOperator: { params: { id: string }; query: undefined; body: S.ReasonRequestWithProof; answer: S.OperatorResponse }
  getOperatorOpenApi: { params: undefined; query: undefined; body: undefined; answer: S.GetOperatorOpenApiResponse }
}

export const OPERATOR_ROUTES = {
  getOperatorSession: 'GET /operator/v1/session',
  createOperatorSession: 'POST /operator/v1/session',
  deleteOperatorSession: 'DELETE /operator/v1/session',
  listOperatorSessions: 'GET /operator/v1/sessions',
  deleteOperatorOtherSessions: 'DELETE /operator/v1/sessions',
  deleteOperatorSessionById: 'DELETE /operator/v1/sessions/{id}',
  beginOperatorProof: 'POST /operator/v1/session/proof/options',
  giveOperatorProof: 'POST /operator/v1/session/proof',
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
  listRates: 'GET /operator/v1/rates',
  requestRate: 'POST /operator/v1/rates',
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
  getResellerOrder: 'GET /operator/v1/orders/{order_id}',
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
  narrowResellerKey: 'PATCH /operator/v1/resellers/{account}/keys/{id}',
  revokeResellerKey: 'POST /operator/v1/resellers/{account}/keys/{id}/revoke',
  listResellerPermissions: 'GET /operator/v1/resellers/{account}/permissions',
  setResellerPermission: 'PUT /operator/v1/resellers/{account}/permissions/{product}',
  getResellerLimits: 'GET /operator/v1/resellers/{account}/limits',
  putResellerLimits: 'PUT /operator/v1/resellers/{account}/limits',
  getLevelLimits: 'GET /operator/v1/levels/{code}/limits',
  putLevelLimits: 'PUT /operator/v1/levels/{code}/limits',
  listLevels: 'GET /operator/v1/levels',
  createLevel: 'POST /operator/v1/levels',
  getLevel: 'GET /operator/v1/levels/{code}',
  updateLevel: 'PATCH /operator/v1/levels/{code}',
  setLevelPrice: 'PUT /operator/v1/levels/{code}/prices/{product}',
  listMargins: 'GET /operator/v1/margins',
  listRealisedMargins: 'GET /operator/v1/margins/realised',
  getCatalogue: 'GET /operator/v1/catalogue',
  exportCatalogue: 'GET /operator/v1/catalogue/export',
  exportCatalogueCsv: 'GET /operator/v1/catalogue/export.csv',
  listCatalogueProducts: 'GET /operator/v1/catalogue/products',
  getCatalogueProduct: 'GET /operator/v1/catalogue/products/{code}',
  listCatalogueOptions: 'GET /operator/v1/catalogue/products/{code}/options',
  previewCatalogue: 'POST /operator/v1/catalogue/preview',
  importCatalogue: 'POST /operator/v1/catalogue/import',
  listProviders: 'GET /operator/v1/providers',
  addProvider: 'POST /operator/v1/providers',
  getProvider: 'GET /operator/v1/providers/{code}',
  switchProvider: 'PATCH /operator/v1/providers/{code}',
  getProviderHealth: 'GET /operator/v1/providers/{code}/health',
  listRoutes: 'GET /operator/v1/routes',
  setRoute: 'PUT /operator/v1/routes/{product}/{provider}',
  removeRoute: 'POST /operator/v1/routes/{product}/{provider}/remove',
  listOfferSyncs: 'GET /operator/v1/offers/syncs',
  startOfferSync: 'POST /operator/v1/offers/syncs',
  listOfferSchedules: 'GET /operator/v1/offers/schedules',
  setOfferSchedule: 'PUT /operator/v1/offers/schedules/{provider}',
  listOfferProposals: 'GET /operator/v1/offers/proposals',
  acceptOfferProposals: 'POST /operator/v1/offers/proposals/accept',
  rejectOfferProposals: 'POST /operator/v1/offers/proposals/reject',
  listSupplierPacks: 'GET /operator/v1/supplier-packs',
  getSupplierPack: 'GET /operator/v1/supplier-packs/{name}',
  getProviderPack: 'GET /operator/v1/providers/{code}/pack',
  upgradeProvider: 'POST /operator/v1/providers/{code}/upgrade',
  setProviderProducts: 'POST /operator/v1/providers/{code}/products',
  beginProviderProof: 'POST /operator/v1/providers/{code}/proofs',
  listUnknownAnswers: 'GET /operator/v1/providers/{code}/unknown-answers',
  listProviderFailures: 'GET /operator/v1/providers/{code}/failures',
  mapUnknownAnswer: 'POST /operator/v1/providers/{code}/unknown-answers/{id}/map',
  dismissUnknownAnswer: 'POST /operator/v1/providers/{code}/unknown-answers/{id}/dismiss',
  listNotices: 'GET /operator/v1/notices',
  createNotice: 'POST /operator/v1/notices',
  endNotice: 'POST /operator/v1/notices/{id}/end',
  getNumberPlan: 'GET /operator/v1/number-plan',
  putNumberPlan: 'PUT /operator/v1/number-plan',
  searchEverything: 'GET /operator/v1/search',
  getSettings: 'GET /operator/v1/settings',
  listOperators: 'GET /operator/v1/operators',
  createOperator: 'POST /operator/v1/operators',
  updateOperator: 'PATCH /operator/v1/operators/{id}',
  vouchForOperator: 'POST /operator/v1/operators/{id}/vouch',
  getOperatorOpenApi: 'GET /operator/v1/openapi.json',
} as const satisfies Record<keyof OperatorOperations, string>
