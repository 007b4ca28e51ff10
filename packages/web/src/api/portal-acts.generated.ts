// Generated from docs/openapi-portal.json by npm run web-api. Do not edit.

export const createPortalSession = {
  id: 'createPortalSession',
  fields: {
    username: { type: 'string', isRequired: true, maxLength: 254 },
    password: { type: 'string', isRequired: true, maxLength: 1000 },
    code: { type: 'string', maxLength: 1000 },
  },
} as const

export const deletePortalSession = {
  id: 'deletePortalSession',
  fields: {},
} as const

export const deletePortalOtherSessions = {
  id: 'deletePortalOtherSessions',
  fields: {},
} as const

export const deletePortalSessionById = {
  id: 'deletePortalSessionById',
  fields: {},
} as const

export const beginPortalProof = {
  id: 'beginPortalProof',
  fields: {},
} as const

export const givePortalProof = {
  id: 'givePortalProof',
  fields: {
    password: { type: 'string', maxLength: 1000 },
    ceremony: { type: 'string', maxLength: 100 },
    credential: { type: 'object' },
  },
} as const

export const changePortalPassword = {
  id: 'changePortalPassword',
  fields: {
    current_password: { type: 'string', isRequired: true, maxLength: 1000 },
    password: { type: 'string', isRequired: true, maxLength: 1000 },
  },
} as const

export const requestPortalPasswordReset = {
  id: 'requestPortalPasswordReset',
  fields: {
    username: { type: 'string', isRequired: true, maxLength: 254 },
  },
} as const

export const confirmPortalPasswordReset = {
  id: 'confirmPortalPasswordReset',
  fields: {
    token: { type: 'string', isRequired: true, maxLength: 1000 },
    password: { type: 'string', isRequired: true, maxLength: 1000 },
  },
} as const

export const enrolPortalTwoFactor = {
  id: 'enrolPortalTwoFactor',
  fields: {
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const confirmPortalTwoFactor = {
  id: 'confirmPortalTwoFactor',
  fields: {
    code: { type: 'string', isRequired: true, maxLength: 1000 },
  },
} as const

export const renewPortalRecoveryCodes = {
  id: 'renewPortalRecoveryCodes',
  fields: {
    code: { type: 'string', isRequired: true, maxLength: 1000 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const disablePortalTwoFactor = {
  id: 'disablePortalTwoFactor',
  fields: {
    code: { type: 'string', isRequired: true, maxLength: 1000 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const beginPortalPasskeySession = {
  id: 'beginPortalPasskeySession',
  fields: {},
} as const

export const createPortalPasskeySession = {
  id: 'createPortalPasskeySession',
  fields: {
    ceremony: { type: 'string', isRequired: true, maxLength: 100 },
    credential: { type: 'object', isRequired: true },
  },
} as const

export const createPortalPasskey = {
  id: 'createPortalPasskey',
  fields: {
    ceremony: { type: 'string', isRequired: true, maxLength: 100 },
    label: { type: 'string', isRequired: true, maxLength: 100 },
    credential: { type: 'object', isRequired: true },
  },
} as const

export const beginPortalPasskey = {
  id: 'beginPortalPasskey',
  fields: {
    code: { type: 'string', maxLength: 1000 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const renamePortalPasskey = {
  id: 'renamePortalPasskey',
  fields: {
    label: { type: 'string', isRequired: true, maxLength: 100 },
  },
} as const

export const deletePortalPasskey = {
  id: 'deletePortalPasskey',
  fields: {
    code: { type: 'string', maxLength: 1000 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const createInvitation = {
  id: 'createInvitation',
  fields: {
    email: { type: 'string', isRequired: true, maxLength: 254 },
    role: { type: 'string', isRequired: true, choices: ['admin', 'manager', 'cashier', 'accountant', 'viewer'] },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const deleteInvitation = {
  id: 'deleteInvitation',
  fields: {},
} as const

export const acceptInvitation = {
  id: 'acceptInvitation',
  fields: {
    token: { type: 'string', isRequired: true, maxLength: 1000 },
    username: { type: 'string', isRequired: true },
    password: { type: 'string', isRequired: true, maxLength: 1000 },
  },
} as const

export const openSharedTill = {
  id: 'openSharedTill',
  fields: {
    name: { type: 'string', isRequired: true, maxLength: 60 },
    idle_seconds: { type: 'integer', isRequired: true, minimum: 30, maximum: 3600 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const closeSharedTill = {
  id: 'closeSharedTill',
  fields: {},
} as const

export const endPinLocks = {
  id: 'endPinLocks',
  fields: {
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const createPinSession = {
  id: 'createPinSession',
  fields: {
    member_id: { type: 'string', isRequired: true },
    pin: { type: 'string', isRequired: true, maxLength: 20 },
  },
} as const

export const setPin = {
  id: 'setPin',
  fields: {
    pin: { type: 'string', isRequired: true },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const removePin = {
  id: 'removePin',
  fields: {},
} as const

export const portalSaveFilter = {
  id: 'portalSaveFilter',
  fields: {
    name: { type: 'string', isRequired: true, maxLength: 40 },
    is_shared: { type: 'boolean', isRequired: true },
    query: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const portalDropFilter = {
  id: 'portalDropFilter',
  fields: {},
} as const

export const portalQuote = {
  id: 'portalQuote',
  fields: {
    product: { type: 'string', isRequired: true, maxLength: 50 },
    account: { type: 'string', isRequired: true, maxLength: 100 },
    amount: { type: 'string', isRequired: true },
    remarks: { type: 'string', maxLength: 2000 },
    extras: {  },
    max_cost: { type: 'string' },
  },
} as const

export const portalKeepFavourite = {
  id: 'portalKeepFavourite',
  fields: {
    name: { type: 'string', isRequired: true, maxLength: 40 },
    is_shared: { type: 'boolean', isRequired: true },
    product: { type: 'string', isRequired: true },
    number: { type: 'string', isRequired: true, maxLength: 100 },
    amount: { type: 'string' },
  },
} as const

export const portalDropFavourite = {
  id: 'portalDropFavourite',
  fields: {},
} as const

export const portalPutReceiptHeader = {
  id: 'portalPutReceiptHeader',
  fields: {
    name: { type: 'string', maxLength: 80 },
    address: { type: 'string', maxLength: 200 },
    registration_number: { type: 'string', maxLength: 40 },
    footer: { type: 'string', maxLength: 200 },
    logo: { type: 'string', maxLength: 32768 },
  },
} as const

export const portalPreviewBulk = {
  id: 'portalPreviewBulk',
  fields: {
    file_digest: { type: 'string', maxLength: 128 },
    batch: { type: 'string', maxLength: 100 },
    lines: { type: 'array', isRequired: true },
    carried: { type: 'object' },
  },
} as const

export const portalListPaymentStatuses = {
  id: 'portalListPaymentStatuses',
  fields: {
    refids: { type: 'array', isRequired: true },
  },
} as const

export const portalKeepBatch = {
  id: 'portalKeepBatch',
  fields: {
    name: { type: 'string', isRequired: true, maxLength: 100 },
    batch: { type: 'string' },
    lines: { type: 'array', isRequired: true },
  },
} as const

export const portalAddTill = {
  id: 'portalAddTill',
  fields: {
    branch_id: { type: 'string', isRequired: true },
    name: { type: 'string', isRequired: true, maxLength: 40 },
  },
} as const

export const portalAddBranch = {
  id: 'portalAddBranch',
  fields: {
    name: { type: 'string', isRequired: true, maxLength: 40 },
  },
} as const

export const portalChangeBranch = {
  id: 'portalChangeBranch',
  fields: {
    name: { type: 'string', maxLength: 40 },
    is_retired: { type: 'boolean' },
  },
} as const

export const portalChangeTill = {
  id: 'portalChangeTill',
  fields: {
    name: { type: 'string', maxLength: 40 },
    is_retired: { type: 'boolean' },
  },
} as const

export const portalBindTill = {
  id: 'portalBindTill',
  fields: {},
} as const

export const portalPutTillSettings = {
  id: 'portalPutTillSettings',
  fields: {
    requires_shift: { type: 'boolean', isRequired: true },
  },
} as const

export const portalOpenShift = {
  id: 'portalOpenShift',
  fields: {
    float: { type: 'string', isRequired: true },
  },
} as const

export const portalJoinShift = {
  id: 'portalJoinShift',
  fields: {},
} as const

export const portalMoveCash = {
  id: 'portalMoveCash',
  fields: {
    kind: { type: 'string', isRequired: true, choices: ['pay_in', 'pay_out', 'not_cash'] },
    amount: { type: 'string', isRequired: true },
    reason: { type: 'string', isRequired: true, maxLength: 100 },
  },
} as const

export const portalCloseShift = {
  id: 'portalCloseShift',
  fields: {
    counted: { type: 'string', isRequired: true },
  },
} as const

export const portalScheduleBatch = {
  id: 'portalScheduleBatch',
  fields: {
    name: { type: 'string', isRequired: true, maxLength: 100 },
    every: { type: 'string', isRequired: true, choices: ['once', 'week', 'month'] },
    first_at: { type: 'string', isRequired: true },
    repeats: { type: 'string', isRequired: true, choices: ['skip', 'pay'] },
    max_cost: { type: 'string', isRequired: true },
    lines: { type: 'array', isRequired: true },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalStopSchedule = {
  id: 'portalStopSchedule',
  fields: {},
} as const

export const portalResumeSchedule = {
  id: 'portalResumeSchedule',
  fields: {
    from: { type: 'string', isRequired: true, choices: ['here', 'next'] },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalReportDeposit = {
  id: 'portalReportDeposit',
  fields: {
    amount: { type: 'string', isRequired: true },
    transferred_on: { type: 'string', isRequired: true },
    bank_reference: { type: 'string', isRequired: true, maxLength: 100 },
    note: { type: 'string', maxLength: 500 },
    slip: { type: 'string', isRequired: true, maxLength: 2796204 },
  },
} as const

export const portalWithdrawDeposit = {
  id: 'portalWithdrawDeposit',
  fields: {},
} as const

export const portalPreviewCatalogue = {
  id: 'portalPreviewCatalogue',
  fields: {
    products: { type: 'array' },
    options: { type: 'array' },
    groups: { type: 'array' },
    categories: { type: 'array' },
    reset: { type: 'object' },
  },
} as const

export const portalApplyCatalogue = {
  id: 'portalApplyCatalogue',
  fields: {
    products: { type: 'array' },
    options: { type: 'array' },
    groups: { type: 'array' },
    categories: { type: 'array' },
    reset: { type: 'object' },
    fingerprint: { type: 'string', maxLength: 200 },
    accept_loss: { type: 'boolean' },
  },
} as const

export const portalCreateKey = {
  id: 'portalCreateKey',
  fields: {
    scopes: { type: 'array' },
    label: { type: 'string', maxLength: 100 },
    products: { type: 'array' },
    max_amount: { type: 'string', maxLength: 20 },
    daily_cap: { type: 'string', maxLength: 20 },
    monthly_cap: { type: 'string', maxLength: 20 },
    expires_at: { type: 'string' },
    ip_allowlist: { type: 'array' },
    note: { type: 'string', maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalChangeKey = {
  id: 'portalChangeKey',
  fields: {
    scopes: { type: 'array' },
    label: { type: 'string', maxLength: 100 },
    products: { type: 'array' },
    max_amount: { type: 'string', maxLength: 20 },
    daily_cap: { type: 'string', maxLength: 20 },
    monthly_cap: { type: 'string', maxLength: 20 },
    expires_at: { type: 'string' },
    ip_allowlist: { type: 'array' },
    note: { type: 'string', maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalRevokeKey = {
  id: 'portalRevokeKey',
  fields: {
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalRotateKey = {
  id: 'portalRotateKey',
  fields: {
    grace_seconds: { type: 'integer', minimum: 0, maximum: 2592000 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalAllowNetworks = {
  id: 'portalAllowNetworks',
  fields: {
    networks: { type: 'array', isRequired: true },
    label: { type: 'string', maxLength: 100 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalDisallowNetwork = {
  id: 'portalDisallowNetwork',
  fields: {
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalChangeSettings = {
  id: 'portalChangeSettings',
  fields: {
    topup_requires_api_key: { type: 'boolean' },
    duplicate_window_seconds: { type: 'integer', minimum: 0, maximum: 86400 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalPutLimits = {
  id: 'portalPutLimits',
  fields: {
    limits: { type: 'array', isRequired: true },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalPutEndpoint = {
  id: 'portalPutEndpoint',
  fields: {
    url: { type: 'string', isRequired: true, maxLength: 2000 },
    method: { type: 'string', choices: ['GET', 'POST'] },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalChangeEndpoint = {
  id: 'portalChangeEndpoint',
  fields: {
    enabled: { type: 'boolean' },
    types: { type: 'array' },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalDeleteEndpoint = {
  id: 'portalDeleteEndpoint',
  fields: {
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalRotateEndpointSecret = {
  id: 'portalRotateEndpointSecret',
  fields: {
    grace_seconds: { type: 'integer', minimum: 1, maximum: 604800 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalTestEndpoint = {
  id: 'portalTestEndpoint',
  fields: {
    type: { type: 'string', choices: ['payment.succeeded', 'payment.processing', 'payment.failed', 'payment.voided', 'product.updated', 'product.created', 'product.deleted', 'option.updated', 'option.created', 'option.deleted', 'category.updated', 'category.created', 'category.deleted', 'group.updated', 'group.created', 'group.deleted', 'balance.added', 'balance.low', 'balance.deducted', 'balance.refunded', 'order.completed', 'order.timeout', 'order.cancelled'] },
  },
} as const

export const portalReplayDelivery = {
  id: 'portalReplayDelivery',
  fields: {},
} as const

export const portalReplayDeliveries = {
  id: 'portalReplayDeliveries',
  fields: {
    delivery_ids: { type: 'array', isRequired: true },
  },
} as const

export const portalCompareCanonical = {
  id: 'portalCompareCanonical',
  fields: {
    yours: { type: 'string', isRequired: true, maxLength: 8192 },
  },
} as const

export const portalPutMemberLimits = {
  id: 'portalPutMemberLimits',
  fields: {
    limits: { type: 'array', isRequired: true },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalChangeMember = {
  id: 'portalChangeMember',
  fields: {
    role: { type: 'string', choices: ['admin', 'manager', 'cashier', 'accountant', 'viewer'] },
    status: { type: 'string', choices: ['active', 'disabled'] },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalAddThreshold = {
  id: 'portalAddThreshold',
  fields: {
    amount: { type: 'string', isRequired: true },
  },
} as const

export const portalRemoveThreshold = {
  id: 'portalRemoveThreshold',
  fields: {},
} as const

export const portalSetMailLanguage = {
  id: 'portalSetMailLanguage',
  fields: {
    language: { type: 'string', isRequired: true, choices: ['en', 'ms', 'id', 'zh', 'ta'] },
  },
} as const

export const portalSwitchMail = {
  id: 'portalSwitchMail',
  fields: {
    member_id: { type: 'string', isRequired: true },
    kind: { type: 'string', isRequired: true, choices: ['balance.low', 'deposit', 'delivery', 'case', 'schedule'] },
    on: { type: 'boolean', isRequired: true },
  },
} as const

export const portalApproveApproval = {
  id: 'portalApproveApproval',
  fields: {
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const portalRefuseApproval = {
  id: 'portalRefuseApproval',
  fields: {},
} as const

export const stopApproval = {
  id: 'stopApproval',
  fields: {
    token: { type: 'string', isRequired: true, maxLength: 200 },
  },
} as const

export const portalCompareBooks = {
  id: 'portalCompareBooks',
  fields: {},
} as const

export const portalPay = {
  id: 'portalPay',
  fields: {
    refid: { type: 'string', isRequired: true, maxLength: 50 },
    product: { type: 'string', isRequired: true, maxLength: 50 },
    account: { type: 'string', isRequired: true, maxLength: 100 },
    amount: { type: 'string', isRequired: true },
    remarks: { type: 'string', maxLength: 2000 },
    extras: {  },
    quote_id: { type: 'string', maxLength: 36 },
    max_cost: { type: 'string' },
    allow_duplicate: { type: 'boolean' },
  },
} as const

export const portalOpenDispute = {
  id: 'portalOpenDispute',
  fields: {
    refid: { type: 'string', maxLength: 50 },
    trxid: { type: 'string' },
    user_email: { type: 'array' },
  },
} as const

export const portalOpenVoid = {
  id: 'portalOpenVoid',
  fields: {
    refid: { type: 'string', maxLength: 50 },
    trxid: { type: 'string' },
    user_email: { type: 'array' },
    refund_type: { type: 'integer', isRequired: true, minimum: 1, maximum: 3 },
    refund_reason: { type: 'string', maxLength: 500 },
  },
} as const

export const portalCreateOrder = {
  id: 'portalCreateOrder',
  fields: {
    reference: { type: 'string', isRequired: true },
    user_id: { type: 'string', isRequired: true, maxLength: 100 },
    return_url: { type: 'string', isRequired: true, maxLength: 500 },
    products: { type: 'array' },
    items: { type: 'array' },
    expires_in_seconds: { type: 'integer', minimum: 300, maximum: 86400 },
    language: { type: 'string', choices: ['en', 'ms', 'id', 'zh', 'ta'] },
    show_results: { type: 'boolean' },
  },
} as const

export const portalConfirmOrder = {
  id: 'portalConfirmOrder',
  fields: {
    payment_reference: { type: 'string', isRequired: true, maxLength: 100 },
    total_amount: { type: 'string' },
  },
} as const

export const portalCancelOrder = {
  id: 'portalCancelOrder',
  fields: {
    reason: { type: 'string', maxLength: 200 },
  },
} as const

export const portalPutCheckoutSettings = {
  id: 'portalPutCheckoutSettings',
  fields: {
    display_name: { type: 'string', isRequired: true, maxLength: 60 },
    allowed_origins: { type: 'array', isRequired: true },
    accepts_loss: { type: 'boolean', isRequired: true },
    theme: { isRequired: true },
    password: { type: 'string', maxLength: 1000 },
  },
} as const
