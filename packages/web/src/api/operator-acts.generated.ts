// Generated from docs/openapi-operator.json by npm run web-api. Do not edit.

export const createOperatorSession = {
  id: 'createOperatorSession',
  fields: {
    email: { type: 'string', isRequired: true, maxLength: 254 },
    password: { type: 'string', isRequired: true, maxLength: 1000 },
    code: { type: 'string', maxLength: 1000 },
  },
} as const

export const deleteOperatorSession = {
  id: 'deleteOperatorSession',
  fields: {},
} as const

export const deleteOperatorOtherSessions = {
  id: 'deleteOperatorOtherSessions',
  fields: {},
} as const

export const deleteOperatorSessionById = {
  id: 'deleteOperatorSessionById',
  fields: {},
} as const

export const beginOperatorProof = {
  id: 'beginOperatorProof',
  fields: {},
} as const

export const giveOperatorProof = {
  id: 'giveOperatorProof',
  fields: {
    password: { type: 'string', maxLength: 1000 },
    ceremony: { type: 'string', maxLength: 100 },
    credential: { type: 'object' },
  },
} as const

export const changeOperatorPassword = {
  id: 'changeOperatorPassword',
  fields: {
    current_password: { type: 'string', isRequired: true, maxLength: 1000 },
    password: { type: 'string', isRequired: true, maxLength: 1000 },
  },
} as const

export const requestOperatorPasswordReset = {
  id: 'requestOperatorPasswordReset',
  fields: {
    email: { type: 'string', isRequired: true, maxLength: 254 },
  },
} as const

export const confirmOperatorPasswordReset = {
  id: 'confirmOperatorPasswordReset',
  fields: {
    token: { type: 'string', isRequired: true, maxLength: 1000 },
    password: { type: 'string', isRequired: true, maxLength: 1000 },
  },
} as const

export const enrolOperatorTwoFactor = {
  id: 'enrolOperatorTwoFactor',
  fields: {
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const confirmOperatorTwoFactor = {
  id: 'confirmOperatorTwoFactor',
  fields: {
    code: { type: 'string', isRequired: true, maxLength: 1000 },
  },
} as const

export const renewOperatorRecoveryCodes = {
  id: 'renewOperatorRecoveryCodes',
  fields: {
    code: { type: 'string', isRequired: true, maxLength: 1000 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const disableOperatorTwoFactor = {
  id: 'disableOperatorTwoFactor',
  fields: {
    code: { type: 'string', isRequired: true, maxLength: 1000 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const beginOperatorPasskeySession = {
  id: 'beginOperatorPasskeySession',
  fields: {},
} as const

export const createOperatorPasskeySession = {
  id: 'createOperatorPasskeySession',
  fields: {
    ceremony: { type: 'string', isRequired: true, maxLength: 100 },
    credential: { type: 'object', isRequired: true },
  },
} as const

export const createOperatorPasskey = {
  id: 'createOperatorPasskey',
  fields: {
    ceremony: { type: 'string', isRequired: true, maxLength: 100 },
    label: { type: 'string', isRequired: true, maxLength: 100 },
    credential: { type: 'object', isRequired: true },
  },
} as const

export const beginOperatorPasskey = {
  id: 'beginOperatorPasskey',
  fields: {
    code: { type: 'string', maxLength: 1000 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const renameOperatorPasskey = {
  id: 'renameOperatorPasskey',
  fields: {
    label: { type: 'string', isRequired: true, maxLength: 100 },
  },
} as const

export const deleteOperatorPasskey = {
  id: 'deleteOperatorPasskey',
  fields: {
    code: { type: 'string', maxLength: 1000 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const createOperatorToken = {
  id: 'createOperatorToken',
  fields: {
    label: { type: 'string', isRequired: true, maxLength: 100 },
    role: { type: 'string', isRequired: true, choices: ['admin', 'finance', 'support', 'catalogue', 'read_only'] },
    expires_in_days: { type: 'integer', isRequired: true, minimum: 1, maximum: 366 },
    code: { type: 'string', maxLength: 1000 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const deleteOperatorToken = {
  id: 'deleteOperatorToken',
  fields: {},
} as const

export const requestDeposit = {
  id: 'requestDeposit',
  fields: {
    account: { type: 'string', isRequired: true },
    amount: { type: 'string', isRequired: true },
    remarks: { type: 'string', isRequired: true, maxLength: 200 },
    reference: { type: 'string', maxLength: 100 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const requestAdjustment = {
  id: 'requestAdjustment',
  fields: {
    account: { type: 'string', isRequired: true },
    amount: { type: 'string', isRequired: true },
    remarks: { type: 'string', isRequired: true, maxLength: 200 },
    reference: { type: 'string', maxLength: 100 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const requestRate = {
  id: 'requestRate',
  fields: {
    currency: { type: 'string', isRequired: true },
    rate: { type: 'string', isRequired: true },
    from: { type: 'string', maxLength: 29 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const acceptDepositRequest = {
  id: 'acceptDepositRequest',
  fields: {
    reference: { type: 'string', maxLength: 100 },
    remarks: { type: 'string', maxLength: 200 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const refuseDepositRequest = {
  id: 'refuseDepositRequest',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const approveApproval = {
  id: 'approveApproval',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const refuseApproval = {
  id: 'refuseApproval',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const withdrawApproval = {
  id: 'withdrawApproval',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const resolvePayment = {
  id: 'resolvePayment',
  fields: {
    as: { type: 'string', isRequired: true, choices: ['succeeded', 'failed'] },
    evidence: { type: 'string', isRequired: true, maxLength: 400 },
    serial_number: { type: 'string', maxLength: 200 },
    pin: { type: 'string', maxLength: 200 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const takeCase = {
  id: 'takeCase',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const writeCaseMessage = {
  id: 'writeCaseMessage',
  fields: {
    message: { type: 'string', isRequired: true, maxLength: 500 },
    reason: { type: 'string', maxLength: 500 },
  },
} as const

export const refuseCase = {
  id: 'refuseCase',
  fields: {
    message: { type: 'string', isRequired: true, maxLength: 500 },
    reason: { type: 'string', maxLength: 500 },
  },
} as const

export const resolveCase = {
  id: 'resolveCase',
  fields: {
    message: { type: 'string', isRequired: true, maxLength: 500 },
    reason: { type: 'string', maxLength: 500 },
  },
} as const

export const approveCase = {
  id: 'approveCase',
  fields: {
    evidence: { type: 'string', isRequired: true, maxLength: 500 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const pauseEndpoint = {
  id: 'pauseEndpoint',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const resumeEndpoint = {
  id: 'resumeEndpoint',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const liftBlock = {
  id: 'liftBlock',
  fields: {
    address: { type: 'string', isRequired: true, maxLength: 50 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const clearAlert = {
  id: 'clearAlert',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const beginLedgerProof = {
  id: 'beginLedgerProof',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const compareResellerBooks = {
  id: 'compareResellerBooks',
  fields: {},
} as const

export const createReseller = {
  id: 'createReseller',
  fields: {
    account: { type: 'string' },
    name: { type: 'string', isRequired: true, maxLength: 200 },
    email: { type: 'string', isRequired: true, maxLength: 254 },
    price_level: { type: 'string', isRequired: true },
    access: { type: 'number', choices: [0, 50] },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const updateReseller = {
  id: 'updateReseller',
  fields: {
    name: { type: 'string', maxLength: 200 },
    email: { type: 'string', maxLength: 254 },
    price_level: { type: 'string' },
    access: { type: 'number', choices: [0, 50] },
    status: { type: 'string', choices: ['active', 'suspended'] },
    topup_requires_api_key: { type: 'boolean' },
    duplicate_window_seconds: { type: 'integer', minimum: 0, maximum: 86400 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const createResellerUser = {
  id: 'createResellerUser',
  fields: {
    username: { type: 'string', isRequired: true },
    email: { type: 'string', maxLength: 254 },
    role: { type: 'string', isRequired: true, choices: ['admin', 'manager', 'cashier', 'accountant', 'viewer'] },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const updateResellerUser = {
  id: 'updateResellerUser',
  fields: {
    role: { type: 'string', choices: ['admin', 'manager', 'cashier', 'accountant', 'viewer'] },
    status: { type: 'string', choices: ['active', 'disabled'] },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const narrowResellerKey = {
  id: 'narrowResellerKey',
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
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const revokeResellerKey = {
  id: 'revokeResellerKey',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const setResellerPermission = {
  id: 'setResellerPermission',
  fields: {
    is_allowed: { type: 'boolean', isRequired: true, choices: [true, false, null] },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const putResellerLimits = {
  id: 'putResellerLimits',
  fields: {
    limits: { type: 'array', isRequired: true },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const putLevelLimits = {
  id: 'putLevelLimits',
  fields: {
    limits: { type: 'array', isRequired: true },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const createLevel = {
  id: 'createLevel',
  fields: {
    code: { type: 'string', isRequired: true },
    name: { type: 'string', isRequired: true, maxLength: 100 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const updateLevel = {
  id: 'updateLevel',
  fields: {
    name: { type: 'string', isRequired: true, maxLength: 100 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const setLevelPrice = {
  id: 'setLevelPrice',
  fields: {
    discount_type: { type: 'string', isRequired: true, choices: ['percentage', 'fixed', 'none'] },
    value: { type: 'string' },
    currency: { type: 'string' },
    dry_run: { type: 'boolean' },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const previewCatalogue = {
  id: 'previewCatalogue',
  fields: {
    document: { type: 'object' },
    files: { type: 'array' },
    deactivate_missing: { type: 'boolean' },
  },
} as const

export const importCatalogue = {
  id: 'importCatalogue',
  fields: {
    document: { type: 'object' },
    files: { type: 'array' },
    deactivate_missing: { type: 'boolean' },
    expected_version: { type: 'integer', isRequired: true, minimum: 0, maximum: 9007199254740991 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const addProvider = {
  id: 'addProvider',
  fields: {
    pack: { type: 'string', isRequired: true, maxLength: 40 },
    code: { type: 'string', isRequired: true },
    name: { type: 'string', maxLength: 100 },
    settings: { type: 'object' },
    secrets: { type: 'object' },
    products: { type: 'object' },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const switchProvider = {
  id: 'switchProvider',
  fields: {
    enabled: { type: 'boolean', isRequired: true },
    accept_loss: { type: 'boolean' },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const setRoute = {
  id: 'setRoute',
  fields: {
    priority: { type: 'integer', minimum: 1, maximum: 1000 },
    weight: { type: 'integer', minimum: 0, maximum: 1000 },
    cost: { type: 'string' },
    windows: { type: 'array' },
    enabled: { type: 'boolean' },
    accept_loss: { type: 'boolean' },
    dry_run: { type: 'boolean' },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const removeRoute = {
  id: 'removeRoute',
  fields: {
    to_any: { type: 'boolean' },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const startOfferSync = {
  id: 'startOfferSync',
  fields: {
    provider: { type: 'string', isRequired: true },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const setOfferSchedule = {
  id: 'setOfferSchedule',
  fields: {
    every_hours: { type: 'integer', isRequired: true, minimum: 1, maximum: 720 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const acceptOfferProposals = {
  id: 'acceptOfferProposals',
  fields: {
    provider: { type: 'string', isRequired: true },
    ids: { type: 'array' },
    kinds: { type: 'array' },
    after: { type: 'string' },
    cost_up_to: { type: 'integer', minimum: 0, maximum: 1000 },
    product: { type: 'string' },
    category: { type: 'string' },
    dry_run: { type: 'boolean' },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const rejectOfferProposals = {
  id: 'rejectOfferProposals',
  fields: {
    provider: { type: 'string', isRequired: true },
    ids: { type: 'array' },
    kinds: { type: 'array' },
    after: { type: 'string' },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const upgradeProvider = {
  id: 'upgradeProvider',
  fields: {
    settings: { type: 'object' },
    secrets: { type: 'object' },
    dry_run: { type: 'boolean' },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const setProviderProducts = {
  id: 'setProviderProducts',
  fields: {
    products: { type: 'object', isRequired: true },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const beginProviderProof = {
  id: 'beginProviderProof',
  fields: {
    live_address: { type: 'boolean' },
    supplier_code: { type: 'string', maxLength: 200 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const mapUnknownAnswer = {
  id: 'mapUnknownAnswer',
  fields: {
    outcome: { type: 'string', isRequired: true, maxLength: 30 },
    failure: { type: 'integer', minimum: 1, maximum: 999 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const dismissUnknownAnswer = {
  id: 'dismissUnknownAnswer',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const createNotice = {
  id: 'createNotice',
  fields: {
    target: { type: 'string', isRequired: true, choices: ['product', 'category', 'provider'] },
    code: { type: 'string', isRequired: true },
    message: { type: 'string', isRequired: true, maxLength: 500 },
    starts_at: { type: 'string' },
    ends_at: { type: 'string' },
    stops_payments: { type: 'boolean' },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const endNotice = {
  id: 'endNotice',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const putNumberPlan = {
  id: 'putNumberPlan',
  fields: {
    plans: { type: 'array', isRequired: true },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

export const createOperator = {
  id: 'createOperator',
  fields: {
    email: { type: 'string', isRequired: true, maxLength: 254 },
    name: { type: 'string', isRequired: true, maxLength: 200 },
    role: { type: 'string', isRequired: true, choices: ['admin', 'finance', 'support', 'catalogue', 'read_only'] },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const updateOperator = {
  id: 'updateOperator',
  fields: {
    role: { type: 'string', choices: ['admin', 'finance', 'support', 'catalogue', 'read_only'] },
    status: { type: 'string', choices: ['active', 'disabled'] },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const

export const vouchForOperator = {
  id: 'vouchForOperator',
  fields: {
    reason: { type: 'string', isRequired: true, maxLength: 500 },
    password: { type: 'string', maxLength: 1000 },
  },
} as const
