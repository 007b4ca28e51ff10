// Generated from docs/openapi-portal.json by npm run web-api. Do not edit.
import type * as S from './portal.generated.ts'

export type PortalOperations = {
  getPortalSession: { params: undefined; query: { quiet?: boolean }; body: undefined; answer: S.MemberSession | null }
  createPortalSession: { params: undefined; query: undefined; body: S.MemberSignInRequest; answer: S.MemberSession }
  deletePortalSession: { params: undefined; query: undefined; body: undefined; answer: null }
  listPortalSessions: { params: undefined; query: undefined; body: undefined; answer: S.Sessions }
  deletePortalOtherSessions: { params: undefined; query: undefined; body: undefined; answer: S.EndedSessions }
  deletePortalSessionById: { params: { id: string }; query: undefined; body: undefined; answer: null }
  beginPortalProof: { params: undefined; query: undefined; body: undefined; answer: S.PasskeyChallenge }
  givePortalProof: { params: undefined; query: undefined; body: S.SessionProofRequest; answer: null }
  changePortalPassword: { params: undefined; query: undefined; body: S.ChangePasswordRequest; answer: S.MemberSession }
  requestPortalPasswordReset: { params: undefined; query: undefined; body: S.MemberPasswordResetRequest; answer: S.Accepted }
  confirmPortalPasswordReset: { params: undefined; query: undefined; body: S.ConfirmPasswordResetRequest; answer: null }
  getPortalTwoFactor: { params: undefined; query: undefined; body: undefined; answer: S.SecondFactor }
  enrolPortalTwoFactor: { params: undefined; query: undefined; body: S.EnrolPortalTwoFactorRequest; answer: S.SecondFactorSecret }
  confirmPortalTwoFactor: { params: undefined; query: undefined; body: S.SecondFactorCodeRequest; answer: S.RecoveryCodes }
  renewPortalRecoveryCodes: { params: undefined; query: undefined; body: S.OwnCodeRequestWithProof; answer: S.RecoveryCodes }
  disablePortalTwoFactor: { params: undefined; query: undefined; body: S.OwnCodeRequestWithProof; answer: null }
  beginPortalPasskeySession: { params: undefined; query: undefined; body: undefined; answer: S.PasskeyChallenge }
  createPortalPasskeySession: { params: undefined; query: undefined; body: S.PasskeySignInRequest; answer: S.MemberSession }
  listPortalPasskeys: { params: undefined; query: undefined; body: undefined; answer: S.Passkeys }
  createPortalPasskey: { params: undefined; query: undefined; body: S.NewPasskeyRequest; answer: S.PasskeyAnswer }
  beginPortalPasskey: { params: undefined; query: undefined; body: S.PasskeyProofRequestWithProof; answer: S.PasskeyRegistration }
  renamePortalPasskey: { params: { id: string }; query: undefined; body: S.PasskeyNameRequest; answer: S.PasskeyAnswer }
  deletePortalPasskey: { params: { id: string }; query: undefined; body: S.PasskeyProofRequestWithProof; answer: null }
  listPortalDemoAccounts: { params: undefined; query: undefined; body: undefined; answer: S.DemoAccounts }
  listInvitations: { params: undefined; query: undefined; body: undefined; answer: S.Invitations }
  createInvitation: { params: undefined; query: undefined; body: S.InvitationRequestWithProof; answer: S.Invitation }
  deleteInvitation: { params: { id: string }; query: undefined; body: undefined; answer: null }
  acceptInvitation: { params: undefined; query: undefined; body: S.AcceptInvitationRequest; answer: S.NewMember }
  listSharedTills: { params: undefined; query: undefined; body: undefined; answer: S.SharedTills }
  openSharedTill: { params: undefined; query: undefined; body: S.SharedTillRequestWithProof; answer: S.NewSharedTill }
  closeSharedTill: { params: { id: string }; query: undefined; body: undefined; answer: null }
  endPinLocks: { params: { id: string }; query: undefined; body: S.EnrolPortalTwoFactorRequest; answer: null }
  getSharedTill: { params: undefined; query: undefined; body: undefined; answer: S.SharedTillOfThisBrowser | null }
  createPinSession: { params: undefined; query: undefined; body: S.PINSignInRequest; answer: S.MemberSession }
  getPin: { params: undefined; query: undefined; body: undefined; answer: S.OwnPIN }
  setPin: { params: undefined; query: undefined; body: S.PINRequestWithProof; answer: null }
  removePin: { params: undefined; query: undefined; body: undefined; answer: null }
  portalGetOverview: { params: undefined; query: undefined; body: undefined; answer: S.OverviewResponse }
  portalGetBalance: { params: undefined; query: undefined; body: undefined; answer: S.PortalBalanceResponse }
  portalSearch: { params: undefined; query: { q: string }; body: undefined; answer: S.PortalSearchResponse }
  portalGetChecklist: { params: undefined; query: undefined; body: undefined; answer: S.ChecklistResponse }
  portalListPayments: { params: undefined; query: { from?: string; to?: string; status?: ("successful" | "pending" | "failed" | "refunded")[]; account?: string; product?: string; member?: string; refid?: string; q?: string; limit?: number; cursor?: string }; body: undefined; answer: S.PortalPaymentPage }
  portalSumPayments: { params: undefined; query: { from?: string; to?: string; status?: ("successful" | "pending" | "failed" | "refunded")[]; account?: string; product?: string; member?: string }; body: undefined; answer: S.PaymentTotalsResponse }
  portalExportPayments: { params: undefined; query: { from?: string; to?: string; status?: ("successful" | "pending" | "failed" | "refunded")[]; account?: string; product?: string; member?: string }; body: undefined; answer: string }
  portalGetPayment: { params: { id: string }; query: undefined; body: undefined; answer: S.PortalPaymentDetailsResponse }
  portalListFilters: { params: undefined; query: undefined; body: undefined; answer: S.SavedFilterList }
  portalSaveFilter: { params: undefined; query: undefined; body: S.FilterRequest; answer: S.SavedFilterResponse }
  portalDropFilter: { params: { id: string }; query: undefined; body: undefined; answer: S.SavedFilterResponse }
  portalQuote: { params: undefined; query: undefined; body: S.QuoteRequest; answer: S.SellQuoteResponse }
  portalListNumbers: { params: undefined; query: undefined; body: undefined; answer: S.PortalListNumbersResponse }
  portalKeepFavourite: { params: undefined; query: undefined; body: S.FavouriteRequest; answer: S.FavouriteResponse }
  portalDropFavourite: { params: { id: string }; query: undefined; body: undefined; answer: S.FavouriteResponse }
  portalGetReceiptHeader: { params: undefined; query: undefined; body: undefined; answer: S.ReceiptHeaderResponse }
  portalPutReceiptHeader: { params: undefined; query: undefined; body: S.ReceiptHeaderRequest; answer: S.ReceiptHeaderResponse }
  portalPreviewBulk: { params: undefined; query: undefined; body: S.BulkPreviewRequest; answer: S.BulkPreviewResponse }
  portalListPaymentStatuses: { params: undefined; query: undefined; body: S.PaymentStatusesRequest; answer: S.PaymentStatusList }
  portalListBatches: { params: undefined; query: undefined; body: undefined; answer: S.BatchList }
  portalKeepBatch: { params: undefined; query: undefined; body: S.BatchRequest; answer: S.KeptBatchResponse }
  portalListBatchLines: { params: { id: string }; query: { after?: number }; body: undefined; answer: S.KeptBatchLineList }
  portalListTills: { params: undefined; query: undefined; body: undefined; answer: S.TillsResponse }
  portalAddTill: { params: undefined; query: undefined; body: S.TillRequest; answer: S.TillResponse }
  portalAddBranch: { params: undefined; query: undefined; body: S.BranchRequest; answer: S.BranchResponse }
  portalChangeBranch: { params: { id: string }; query: undefined; body: S.BranchChange; answer: S.BranchResponse }
  portalChangeTill: { params: { id: string }; query: undefined; body: S.TillChange; answer: S.TillResponse }
  portalBindTill: { params: { id: string }; query: undefined; body: undefined; answer: S.TillResponse }
  portalPutTillSettings: { params: undefined; query: undefined; body: S.TillSettingsRequest; answer: S.TillSettingsResponse }
  portalGetOwnShift: { params: undefined; query: undefined; body: undefined; answer: S.OwnShiftResponse }
  portalListShifts: { params: undefined; query: { limit?: number; cursor?: string }; body: undefined; answer: S.ShiftPage }
  portalOpenShift: { params: undefined; query: undefined; body: S.ShiftRequest; answer: S.ShiftResponse }
  portalGetShift: { params: { id: string }; query: undefined; body: undefined; answer: S.ShiftReportResponse }
  portalJoinShift: { params: undefined; query: undefined; body: undefined; answer: S.ShiftResponse }
  portalMoveCash: { params: { id: string }; query: undefined; body: S.CashRequest; answer: S.MovementOfCashResponse }
  portalCloseShift: { params: { id: string }; query: undefined; body: S.CountRequest; answer: S.ShiftResponse }
  portalListSchedules: { params: undefined; query: undefined; body: undefined; answer: S.ScheduleList }
  portalScheduleBatch: { params: undefined; query: undefined; body: S.ScheduleRequestWithProof; answer: S.ScheduleResponse }
  portalStopSchedule: { params: { id: string }; query: undefined; body: undefined; answer: S.ScheduleResponse }
  portalResumeSchedule: { params: { id: string }; query: undefined; body: S.ResumeRequestWithProof; answer: S.ScheduleResponse }
  portalGetStatement: { params: undefined; query: { from?: string; to?: string; type?: "deposit" | "payment" | "refund" | "commission"; limit?: number; cursor?: string }; body: undefined; answer: S.PortalEntryPage }
  portalExportStatement: { params: undefined; query: { from?: string; to?: string; type?: "deposit" | "payment" | "refund" | "commission" }; body: undefined; answer: string }
  portalListMonths: { params: undefined; query: { months?: number }; body: undefined; answer: S.PortalListMonthsResponse }
  portalGetReport: { params: undefined; query: { by?: "day" | "product" | "category" | "hour" | "seller" | "branch" | "till"; from?: string; to?: string }; body: undefined; answer: S.SalesReportResponse }
  portalExportReport: { params: undefined; query: { by?: "day" | "product" | "category" | "hour" | "seller" | "branch" | "till"; from?: string; to?: string }; body: undefined; answer: string }
  portalExportReportSheet: { params: undefined; query: { by?: "day" | "product" | "category" | "hour" | "seller" | "branch" | "till"; from?: string; to?: string }; body: undefined; answer: string }
  portalPrintReport: { params: undefined; query: { by?: "day" | "product" | "category" | "hour" | "seller" | "branch" | "till"; from?: string; to?: string }; body: undefined; answer: string }
  portalPackMonth: { params: undefined; query: { month?: string }; body: undefined; answer: string }
  portalListDepositRequests: { params: undefined; query: { state?: "reported" | "accepted" | "credited" | "refused" | "withdrawn"; limit?: number; cursor?: string }; body: undefined; answer: S.DepositReportPage }
  portalReportDeposit: { params: undefined; query: undefined; body: S.ReportDepositRequest; answer: S.DepositReportResponse }
  portalGetDepositRequest: { params: { id: string }; query: undefined; body: undefined; answer: S.DepositReportResponse }
  portalGetDepositSlip: { params: { id: string }; query: undefined; body: undefined; answer: string }
  portalWithdrawDeposit: { params: { id: string }; query: undefined; body: undefined; answer: S.DepositReportResponse }
  portalGetCatalogue: { params: undefined; query: undefined; body: undefined; answer: S.PortalCatalogueResponse }
  portalGetProduct: { params: { code: string }; query: undefined; body: undefined; answer: S.PortalGetProductResponse }
  portalPreviewCatalogue: { params: undefined; query: undefined; body: S.CatalogueEdits; answer: S.CataloguePreviewResponse }
  portalApplyCatalogue: { params: undefined; query: undefined; body: S.PortalApplyCatalogueRequest; answer: S.PortalApplyCatalogueResponse }
  portalListKeys: { params: undefined; query: undefined; body: undefined; answer: S.ListedAPIKeyList }
  portalCreateKey: { params: undefined; query: undefined; body: S.PortalCreateKeyRequest; answer: S.NewAPIKeyResponse }
  portalChangeKey: { params: { id: string }; query: undefined; body: S.PortalChangeKeyRequest; answer: S.PortalChangeKeyResponse }
  portalRevokeKey: { params: { id: string }; query: undefined; body: S.EnrolPortalTwoFactorRequest; answer: S.PortalChangeKeyResponse }
  portalRotateKey: { params: { id: string }; query: undefined; body: S.PortalRotateKeyRequest; answer: S.NewAPIKeyResponse }
  portalListNetworks: { params: undefined; query: undefined; body: undefined; answer: S.AllowedNetworkList }
  portalAllowNetworks: { params: undefined; query: undefined; body: S.PortalAllowNetworksRequest; answer: S.AllowedNetworkList }
  portalDisallowNetwork: { params: undefined; query: { network: string }; body: S.EnrolPortalTwoFactorRequest; answer: S.AllowedNetworkList }
  portalGetSettings: { params: undefined; query: undefined; body: undefined; answer: S.AccountSettingsResponse }
  portalChangeSettings: { params: undefined; query: undefined; body: S.PortalChangeSettingsRequest; answer: S.AccountSettingsResponse }
  portalGetLimits: { params: undefined; query: undefined; body: undefined; answer: S.LimitsOfAnAccountResponse }
  portalPutLimits: { params: undefined; query: undefined; body: S.LimitsRequestWithProof; answer: S.LimitsOfAnAccountResponse }
  portalListEndpoints: { params: undefined; query: undefined; body: undefined; answer: S.EndpointList }
  portalPutEndpoint: { params: { stream: "callback" | "catalog" | "balance" | "order" }; query: undefined; body: S.PortalPutEndpointRequest; answer: S.PortalPutEndpointResponse }
  portalChangeEndpoint: { params: { stream: "callback" | "catalog" | "balance" | "order" }; query: undefined; body: S.PortalChangeEndpointRequest; answer: S.EndpointResponse }
  portalDeleteEndpoint: { params: { stream: "callback" | "catalog" | "balance" | "order" }; query: undefined; body: S.EnrolPortalTwoFactorRequest; answer: null }
  portalRotateEndpointSecret: { params: { stream: "callback" | "catalog" | "balance" | "order" }; query: undefined; body: S.PortalRotateEndpointSecretRequest; answer: S.PortalRotateEndpointSecretResponse }
  portalTestEndpoint: { params: { stream: "callback" | "catalog" | "balance" | "order" }; query: undefined; body: S.PortalTestEndpointRequest; answer: S.PortalTestEndpointResponse }
  portalListDeliveries: { params: { stream: "callback" | "catalog" | "balance" | "order" }; query: { status?: ("success" | "failed" | "pending")[]; from?: string; to?: string; event?: string; limit?: number; cursor?: string }; body: undefined; answer: S.PortalDeliveryPage }
  portalGetDelivery: { params: { stream: "callback" | "catalog" | "balance" | "order"; id: string }; query: undefined; body: undefined; answer: S.PortalGetDeliveryResponse }
  portalReplayDelivery: { params: { stream: "callback" | "catalog" | "balance" | "order"; id: string }; query: undefined; body: undefined; answer: S.PortalReplayDeliveryResponse }
  portalReplayDeliveries: { params: { stream: "callback" | "catalog" | "balance" | "order" }; query: undefined; body: S.PortalReplayDeliveriesRequest; answer: S.PortalReplayDeliveriesResponse }
  portalListEvents: { params: undefined; query: { after?: number; before?: number; limit?: number }; body: undefined; answer: S.PortalEventPage }
  portalListRequests: { params: undefined; query: { from?: string; to?: string; failed?: boolean; error?: string; limit?: number; cursor?: string }; body: undefined; answer: S.LoggedRequestPage }
  portalGetRequest: { params: { id: string }; query: undefined; body: undefined; answer: S.LoggedRequestDetailsResponse }
  portalCompareCanonical: { params: { id: string }; query: undefined; body: S.PortalCompareCanonicalRequest; answer: S.CanonicalComparisonResponse }
  portalListMembers: { params: undefined; query: undefined; body: undefined; answer: S.MemberList }
  portalListMemberLimits: { params: undefined; query: undefined; body: undefined; answer: S.LimitsOfAMemberList }
  portalPutMemberLimits: { params: { id: string }; query: undefined; body: S.LimitsOfAMemberRequestWithProof; answer: S.LimitsOfAMemberResponse }
  portalChangeMember: { params: { id: string }; query: undefined; body: S.PortalChangeMemberRequest; answer: S.MemberResponse }
  portalListThresholds: { params: undefined; query: undefined; body: undefined; answer: S.PortalListThresholdsResponse }
  portalAddThreshold: { params: undefined; query: undefined; body: S.PortalAddThresholdRequest; answer: S.PortalListThresholdsResponse }
  portalRemoveThreshold: { params: undefined; query: { amount: string }; body: undefined; answer: S.PortalListThresholdsResponse }
  portalGetMailLanguage: { params: undefined; query: undefined; body: undefined; answer: S.MailLanguageResponse }
  portalSetMailLanguage: { params: undefined; query: undefined; body: S.PortalSetMailLanguageRequest; answer: S.MailLanguageResponse }
  portalListMailPreferences: { params: undefined; query: undefined; body: undefined; answer: S.AddresseeList }
  portalSwitchMail: { params: undefined; query: undefined; body: S.PortalSwitchMailRequest; answer: S.AddresseeList }
  portalListApprovals: { params: undefined; query: undefined; body: undefined; answer: S.RequestForAccessList }
  portalApproveApproval: { params: { id: string }; query: undefined; body: S.EnrolPortalTwoFactorRequest; answer: S.RequestForAccessResponse }
  portalRefuseApproval: { params: { id: string }; query: undefined; body: undefined; answer: S.RequestForAccessResponse }
  stopApproval: { params: undefined; query: undefined; body: S.StopApprovalRequest; answer: S.StoppedRequestForAccessResponse }
  portalLive: { params: undefined; query: undefined; body: undefined; answer: string }
  portalListDays: { params: undefined; query: { month?: string }; body: undefined; answer: S.WalletMonthResponse }
  portalExportMonth: { params: undefined; query: { month?: string }; body: undefined; answer: string }
  portalPrintMonth: { params: undefined; query: { month?: string }; body: undefined; answer: string }
  portalCompareBooks: { params: undefined; query: { from: string; to: string }; body: string; answer: S.ComparisonResponse }
  portalGetSellCatalog: { params: undefined; query: { product_code?: string; is_active?: boolean; include_inactive?: boolean }; body: undefined; answer: S.Catalog }
  portalGetSellOptions: { params: undefined; query: { product_code: string; field_id: string; account_number?: string; biller_code?: string; limit?: number; per_page?: number; page?: number; is_active?: boolean; include_hidden?: boolean; include_inactive?: boolean; search?: string }; body: undefined; answer: S.FormOptionPage }
  portalGetNetwork: { params: undefined; query: { product: string }; body: undefined; answer: S.NetworkStatus }
  portalLookupNumber: { params: undefined; query: { account: string }; body: undefined; answer: S.NumberLookUpResponse }
  portalGetBill: { params: undefined; query: { account: string; product: string; biller_code?: string; ref2?: string; amount?: string }; body: undefined; answer: S.Bill }
  portalPay: { params: undefined; query: undefined; body: S.PaymentRequest; answer: S.PaymentResponse }
  portalGetReceipt: { params: { transaction_id: string }; query: undefined; body: undefined; answer: S.ReceiptResponse }
  portalOpenDispute: { params: undefined; query: undefined; body: S.DisputeRequest; answer: S.SupportResponse }
  portalOpenVoid: { params: undefined; query: undefined; body: S.VoidRequest; answer: S.SupportResponse }
  portalListCases: { params: undefined; query: { state?: "open" | "in_progress" | "resolved" | "refused"; kind?: "dispute" | "void"; from?: string; to?: string; limit?: number; cursor?: string }; body: undefined; answer: S.CasePage }
  portalGetCase: { params: { number: string }; query: undefined; body: undefined; answer: S.CaseDetailsResponse }
  portalListOrders: { params: undefined; query: { status?: "draft" | "awaiting_payment" | "confirmed" | "completed" | "partially_completed" | "failed" | "cancelled" | "timeout"; reference?: string; user_id?: string; from?: string; to?: string; limit?: number; cursor?: string }; body: undefined; answer: S.OrderPage }
  portalCreateOrder: { params: undefined; query: undefined; body: S.NewOrder; answer: S.OrderResponse }
  portalGetOrder: { params: { order_id: string }; query: undefined; body: undefined; answer: S.OrderResponse }
  portalConfirmOrder: { params: { order_id: string }; query: undefined; body: S.OrderConfirmation; answer: S.OrderResponse }
  portalCancelOrder: { params: { order_id: string }; query: undefined; body: S.OrderCancellation; answer: S.OrderResponse }
  portalGetCheckoutSettings: { params: undefined; query: undefined; body: undefined; answer: S.CheckoutSettingsResponse }
  portalPutCheckoutSettings: { params: undefined; query: undefined; body: S.CheckoutSettingsWithProof; answer: S.CheckoutSettingsResponse }
  portalListOrderDeliveries: { params: { order_id: string }; query: undefined; body: undefined; answer: S.PortalDeliveryList }
  getPortalOpenApi: { params: undefined; query: undefined; body: undefined; answer: S.GetPortalOpenApiResponse }
}

export const PORTAL_ROUTES = {
  getPortalSession: 'GET /portal/v1/session',
  createPortalSession: 'POST /portal/v1/session',
  deletePortalSession: 'DELETE /portal/v1/session',
  listPortalSessions: 'GET /portal/v1/sessions',
  deletePortalOtherSessions: 'DELETE /portal/v1/sessions',
  deletePortalSessionById: 'DELETE /portal/v1/sessions/{id}',
  beginPortalProof: 'POST /portal/v1/session/proof/options',
  givePortalProof: 'POST /portal/v1/session/proof',
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
  listSharedTills: 'GET /portal/v1/shared-tills',
  openSharedTill: 'POST /portal/v1/shared-tills',
  closeSharedTill: 'DELETE /portal/v1/shared-tills/{id}',
  endPinLocks: 'DELETE /portal/v1/shared-tills/{id}/locks',
  getSharedTill: 'GET /portal/v1/shared-till',
  createPinSession: 'POST /portal/v1/shared-till/session',
  getPin: 'GET /portal/v1/pin',
  setPin: 'PUT /portal/v1/pin',
  removePin: 'DELETE /portal/v1/pin',
  portalGetOverview: 'GET /portal/v1/overview',
  portalGetBalance: 'GET /portal/v1/balance',
  portalSearch: 'GET /portal/v1/search',
  portalGetChecklist: 'GET /portal/v1/checklist',
  portalListPayments: 'GET /portal/v1/payments',
  portalSumPayments: 'GET /portal/v1/payments/totals',
  portalExportPayments: 'GET /portal/v1/payments.csv',
  portalGetPayment: 'GET /portal/v1/payments/{id}',
  portalListFilters: 'GET /portal/v1/payment-filters',
  portalSaveFilter: 'POST /portal/v1/payment-filters',
  portalDropFilter: 'DELETE /portal/v1/payment-filters/{id}',
  portalQuote: 'POST /portal/v1/sell/quotes',
  portalListNumbers: 'GET /portal/v1/sell/numbers',
  portalKeepFavourite: 'POST /portal/v1/sell/favourites',
  portalDropFavourite: 'DELETE /portal/v1/sell/favourites/{id}',
  portalGetReceiptHeader: 'GET /portal/v1/receipt-header',
  portalPutReceiptHeader: 'PUT /portal/v1/receipt-header',
  portalPreviewBulk: 'POST /portal/v1/sell/bulk/preview',
  portalListPaymentStatuses: 'POST /portal/v1/payments/statuses',
  portalListBatches: 'GET /portal/v1/sell/bulk/batches',
  portalKeepBatch: 'POST /portal/v1/sell/bulk/batches',
  portalListBatchLines: 'GET /portal/v1/sell/bulk/batches/{id}/lines',
  portalListTills: 'GET /portal/v1/tills',
  portalAddTill: 'POST /portal/v1/tills',
  portalAddBranch: 'POST /portal/v1/branches',
  portalChangeBranch: 'PATCH /portal/v1/branches/{id}',
  portalChangeTill: 'PATCH /portal/v1/tills/{id}',
  portalBindTill: 'POST /portal/v1/tills/{id}/browser',
  portalPutTillSettings: 'PUT /portal/v1/till-settings',
  portalGetOwnShift: 'GET /portal/v1/shift',
  portalListShifts: 'GET /portal/v1/shifts',
  portalOpenShift: 'POST /portal/v1/shifts',
  portalGetShift: 'GET /portal/v1/shifts/{id}',
  portalJoinShift: 'POST /portal/v1/shifts/join',
  portalMoveCash: 'POST /portal/v1/shifts/{id}/movements',
  portalCloseShift: 'POST /portal/v1/shifts/{id}/close',
  portalListSchedules: 'GET /portal/v1/sell/bulk/schedules',
  portalScheduleBatch: 'POST /portal/v1/sell/bulk/schedules',
  portalStopSchedule: 'DELETE /portal/v1/sell/bulk/schedules/{id}',
  portalResumeSchedule: 'POST /portal/v1/sell/bulk/schedules/{id}/resume',
  portalGetStatement: 'GET /portal/v1/statement',
  portalExportStatement: 'GET /portal/v1/statement.csv',
  portalListMonths: 'GET /portal/v1/statement/months',
  portalGetReport: 'GET /portal/v1/reports/sales',
  portalExportReport: 'GET /portal/v1/reports/sales.csv',
  portalExportReportSheet: 'GET /portal/v1/reports/sales.xlsx',
  portalPrintReport: 'GET /portal/v1/reports/sales.pdf',
  portalPackMonth: 'GET /portal/v1/reports/month.zip',
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
  portalChangeKey: 'PATCH /portal/v1/api-keys/{id}',
  portalRevokeKey: 'DELETE /portal/v1/api-keys/{id}',
  portalRotateKey: 'POST /portal/v1/api-keys/{id}/rotate',
  portalListNetworks: 'GET /portal/v1/ip-allowlist',
  portalAllowNetworks: 'POST /portal/v1/ip-allowlist',
  portalDisallowNetwork: 'DELETE /portal/v1/ip-allowlist',
  portalGetSettings: 'GET /portal/v1/settings',
  portalChangeSettings: 'PATCH /portal/v1/settings',
  portalGetLimits: 'GET /portal/v1/limits',
  portalPutLimits: 'PUT /portal/v1/limits',
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
  portalListMemberLimits: 'GET /portal/v1/member-limits',
  portalPutMemberLimits: 'PUT /portal/v1/members/{id}/limits',
  portalChangeMember: 'PATCH /portal/v1/members/{id}',
  portalListThresholds: 'GET /portal/v1/thresholds',
  portalAddThreshold: 'POST /portal/v1/thresholds',
  portalRemoveThreshold: 'DELETE /portal/v1/thresholds',
  portalGetMailLanguage: 'GET /portal/v1/mail-language',
  portalSetMailLanguage: 'PUT /portal/v1/mail-language',
  portalListMailPreferences: 'GET /portal/v1/mail-preferences',
  portalSwitchMail: 'PATCH /portal/v1/mail-preferences',
  portalListApprovals: 'GET /portal/v1/approvals',
  portalApproveApproval: 'POST /portal/v1/approvals/{id}/approve',
  portalRefuseApproval: 'POST /portal/v1/approvals/{id}/refuse',
  stopApproval: 'POST /portal/v1/approvals/stop',
  portalLive: 'GET /portal/v1/live',
  portalListDays: 'GET /portal/v1/statement/days',
  portalExportMonth: 'GET /portal/v1/statement/month.csv',
  portalPrintMonth: 'GET /portal/v1/statement/month.pdf',
  portalCompareBooks: 'POST /portal/v1/reconciliations',
  portalGetSellCatalog: 'GET /portal/v1/sell/catalog',
  portalGetSellOptions: 'GET /portal/v1/sell/options',
  portalGetNetwork: 'GET /portal/v1/sell/network-status',
  portalLookupNumber: 'GET /portal/v1/number-lookup',
  portalGetBill: 'GET /portal/v1/sell/bill',
  portalPay: 'POST /portal/v1/sell/payments',
  portalGetReceipt: 'GET /portal/v1/receipts/{transaction_id}',
  portalOpenDispute: 'POST /portal/v1/cases/disputes',
  portalOpenVoid: 'POST /portal/v1/cases/voids',
  portalListCases: 'GET /portal/v1/cases',
  portalGetCase: 'GET /portal/v1/cases/{number}',
  portalListOrders: 'GET /portal/v1/orders',
  portalCreateOrder: 'POST /portal/v1/orders',
  portalGetOrder: 'GET /portal/v1/orders/{order_id}',
  portalConfirmOrder: 'POST /portal/v1/orders/{order_id}/confirm',
  portalCancelOrder: 'POST /portal/v1/orders/{order_id}/cancel',
  portalGetCheckoutSettings: 'GET /portal/v1/checkout-settings',
  portalPutCheckoutSettings: 'PUT /portal/v1/checkout-settings',
  portalListOrderDeliveries: 'GET /portal/v1/orders/{order_id}/deliveries',
  getPortalOpenApi: 'GET /portal/v1/openapi.json',
} as const satisfies Record<keyof PortalOperations, string>
