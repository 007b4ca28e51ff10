// Cases of answers and their meaning, and of the one retry policy.

const ANYTHING = { method: 'GET', path: '/v2/balance' }
const PAYMENT = { method: 'POST', path: '/v2/topup' }
const CONFIRM = { method: 'POST', path: '/v2/orders/ord_0123456789abcdefghjkmnpq/confirm' }
const DISPUTE = { method: 'POST', path: '/v2/transactions/check' }

const payment = (more) => ({ refid: 'A-1', product: 'NOVA', account: '60123456789', amount: 10, ...more })
const rejection = (statusCode, remarks, errors = {}) => ({
  data: payment({ statusCode, status: 'Failed', remarks, cost: 0 }),
  message: remarks,
  errors,
})

function failure(name, request, status, body, expected, headers = {}) {
  const {
    code = null,
    token = null,
    retry_safe: retrySafe = false,
    retry_after: retryAfter = null,
  } = expected
  return {
    name,
    request,
    answer: { status, headers: { 'x-request-id': 'req-1', ...headers }, body },
    expect: { error: expected.error, code, token, retry_safe: retrySafe, retry_after: retryAfter },
  }
}

/** Neither paid nor refused: the same payment is sent again. */
const NOBODY_KNOWS = { error: 'UnknownOutcome', token: 'unknown_outcome', retry_safe: true }

function value(name, status, body) {
  return {
    name,
    request: PAYMENT,
    answer: { status, headers: { 'x-request-id': 'req-1' }, body },
    expect: { payment: body.data },
  }
}

/** Meaning of one answer, after the policy below has decided not to repeat the request. */
export const answers = {
  cases: [
    value('accepted', 200, { data: payment({ transaction_id: '7', statusCode: 0, status: 'Accepted' }) }),
    value('failed', 200, { data: payment({ transaction_id: '7', statusCode: 48, status: 'Failed' }) }),
    value('failed-at-once', 400, {
      data: payment({ transaction_id: '7', statusCode: 47, status: 'Failed' }),
    }),
    value('fault-with-payment', 500, {
      data: payment({ transaction_id: '7', statusCode: 1, status: 'Processing' }),
    }),
    failure('rejected', PAYMENT, 400, rejection(44, 'Invalid_Product', { product: ['Unknown.'] }), {
      error: 'PaymentRejected',
      code: 44,
      token: 'Invalid_Product',
    }),
    failure('balance-too-low', PAYMENT, 400, rejection(43, 'Insufficient_Balance'), {
      error: 'PaymentRejected',
      code: 43,
      token: 'Insufficient_Balance',
      retry_safe: true,
    }),
    failure('out-of-stock', PAYMENT, 400, rejection(45, 'Out_Of_Stock'), {
      error: 'PaymentRejected',
      code: 45,
      token: 'Out_Of_Stock',
      retry_safe: true,
    }),
    failure('temporary', PAYMENT, 400, rejection(49, 'Temporary_Error_Please_Try_Again'), {
      error: 'PaymentRejected',
      code: 49,
      token: 'Temporary_Error_Please_Try_Again',
      retry_safe: true,
    }),
    failure('identity', PAYMENT, 400, rejection(62, 'Identity_Check_Failed'), {
      error: 'PaymentRejected',
      code: 62,
      token: 'Identity_Check_Failed',
    }),
    failure(
      'refid-of-another',
      PAYMENT,
      409,
      {
        data: payment({ transaction_id: '7', statusCode: 20, status: 'Succesful' }),
        message: 'This refid belongs to another payment.',
        errors: { amount: ['The payment has 10.'] },
      },
      { error: 'RefidConflict', code: 20, token: 'refid_conflict' },
    ),
    failure(
      'body-unreadable',
      PAYMENT,
      400,
      { message: 'Not JSON.', errors: {} },
      {
        error: 'InvalidRequest',
        token: 'invalid_request',
      },
    ),
    failure(
      'signature',
      ANYTHING,
      401,
      { error: 'invalid_signature', message: 'No.', metadata: { status_code: 401 } },
      { error: 'AuthenticationFailed', token: 'invalid_signature' },
    ),
    failure(
      '401-bare',
      ANYTHING,
      401,
      { message: 'No.', metadata: { status_code: 401 } },
      {
        error: 'AuthenticationFailed',
        token: 'unauthorized',
      },
    ),
    failure(
      'nonce',
      ANYTHING,
      401,
      { error: 'nonce_reused', message: 'No.' },
      {
        error: 'AuthenticationFailed',
        token: 'nonce_reused',
        retry_safe: true,
      },
    ),
    failure(
      'scope',
      ANYTHING,
      403,
      { error: 'insufficient_scope', message: 'No.' },
      {
        error: 'Forbidden',
        token: 'insufficient_scope',
      },
    ),
    failure(
      'blocked',
      ANYTHING,
      403,
      { error: 'ip_blocked', message: 'No.' },
      { error: 'Forbidden', token: 'ip_blocked', retry_after: 14400 },
      { 'retry-after': '14400' },
    ),
    failure('403-of-a-proxy', ANYTHING, 403, 'no JSON', { error: 'Forbidden', token: 'forbidden' }),
    failure(
      'parameter',
      ANYTHING,
      400,
      { message: 'Wrong.', errors: { limit: ['1 to 1000.'] } },
      {
        error: 'InvalidRequest',
        token: 'invalid_request',
      },
    ),
    failure(
      'too-large',
      DISPUTE,
      413,
      { message: 'Too large.', errors: {} },
      {
        error: 'InvalidRequest',
        token: 'invalid_request',
      },
    ),
    failure(
      'unknown',
      ANYTHING,
      404,
      { message: 'Product not found.', errors: {} },
      {
        error: 'NotFound',
        token: 'not_found',
      },
    ),
    failure(
      'conflict',
      DISPUTE,
      409,
      { message: 'Not failed.', errors: {} },
      {
        error: 'Conflict',
        token: 'conflict',
      },
    ),
    failure(
      'order-confirmed-already',
      CONFIRM,
      409,
      { error: 'already_confirmed', message: 'Another payment_reference.', errors: {} },
      { error: 'Conflict', token: 'already_confirmed' },
    ),
    failure(
      'order-items',
      { method: 'POST', path: '/v2/orders' },
      422,
      { error: 'invalid_items', message: 'Wrong.', errors: { 'items.0.account': ['Digits.'] } },
      { error: 'InvalidRequest', token: 'invalid_items' },
    ),
    failure('order-confirm-504', CONFIRM, 504, { message: 'Late.', errors: {} }, NOBODY_KNOWS),
    failure(
      'too-many',
      DISPUTE,
      429,
      { message: 'Slowly.', errors: {} },
      { error: 'TooManyRequests', token: 'too_many_requests', retry_safe: true, retry_after: 7 },
      { 'retry-after': '7' },
    ),
    ...[
      ['date', 'Thu, 01 Jan 2026 00:02:05 GMT', 125],
      ['past-date', 'Wed, 31 Dec 2025 23:59:59 GMT', 0],
      ['date-in-no-form', '2026-01-01', null],
      ['date-that-does-not-exist', 'Thu, 01 Foo 2026 00:02:05 GMT', null],
    ].map(([name, text, seconds]) =>
      failure(
        `too-many-until-${name}`,
        DISPUTE,
        429,
        { message: 'Slowly.', errors: {} },
        { error: 'TooManyRequests', token: 'too_many_requests', retry_safe: true, retry_after: seconds },
        { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': text },
      ),
    ),
    failure(
      'too-many-until-date-of-a-service-without-time',
      DISPUTE,
      429,
      { message: 'Slowly.', errors: {} },
      { error: 'TooManyRequests', token: 'too_many_requests', retry_safe: true },
      { 'retry-after': 'Thu, 01 Jan 2026 00:02:05 GMT' },
    ),
    failure(
      'read-503',
      ANYTHING,
      503,
      { message: 'Later.', errors: {} },
      {
        error: 'ServiceUnavailable',
        token: 'service_unavailable',
        retry_safe: true,
      },
    ),
    failure(
      'read-503-for-long',
      ANYTHING,
      503,
      { message: 'Later.', errors: {} },
      { error: 'ServiceUnavailable', token: 'service_unavailable', retry_safe: true, retry_after: 60 },
      { 'retry-after': '60' },
    ),
    failure(
      'write-503',
      DISPUTE,
      503,
      { message: 'Later.', errors: {} },
      {
        error: 'ServiceUnavailable',
        token: 'service_unavailable',
        retry_safe: true,
      },
    ),
    failure(
      'read-500',
      ANYTHING,
      500,
      { message: 'Oops.', errors: {} },
      {
        error: 'ServiceFault',
        token: 'service_fault',
        retry_safe: true,
      },
    ),
    failure(
      'read-504',
      ANYTHING,
      504,
      { message: 'Late.', errors: {} },
      {
        error: 'ServiceFault',
        token: 'service_fault',
        retry_safe: true,
      },
    ),
    failure(
      'write-504',
      DISPUTE,
      504,
      { message: 'Late.', errors: {} },
      {
        error: 'UnknownOutcome',
        token: 'unknown_outcome',
      },
    ),
    failure(
      'payment-500',
      PAYMENT,
      500,
      { message: 'Oops.', errors: {} },
      {
        error: 'UnknownOutcome',
        token: 'unknown_outcome',
        retry_safe: true,
      },
    ),
    failure('payment-502-html', PAYMENT, 502, '<html>', {
      error: 'UnknownOutcome',
      token: 'unknown_outcome',
      retry_safe: true,
    }),
    failure(
      'payment-503',
      PAYMENT,
      503,
      { message: 'Later.', errors: {} },
      {
        error: 'UnknownOutcome',
        token: 'unknown_outcome',
        retry_safe: true,
      },
    ),
    failure('payment-403-of-a-proxy', PAYMENT, 403, '<html>', {
      error: 'UnknownOutcome',
      token: 'unknown_outcome',
      retry_safe: true,
    }),
    failure('payment-200-without-payment', PAYMENT, 200, { message: 'Welcome to the lobby.' }, NOBODY_KNOWS),
    failure(
      'payment-200-without-id',
      PAYMENT,
      200,
      { data: payment({ statusCode: 0, status: 'Accepted' }) },
      NOBODY_KNOWS,
    ),
    failure('payment-302', PAYMENT, 302, { message: 'Moved.' }, NOBODY_KNOWS),
    failure(
      'write-302',
      DISPUTE,
      302,
      { message: 'Moved.' },
      { error: 'UnknownOutcome', token: 'unknown_outcome' },
    ),
    failure(
      'read-302',
      ANYTHING,
      302,
      { message: 'Moved.' },
      { error: 'InvalidRequest', token: 'invalid_request' },
    ),
    failure(
      'payment-504',
      PAYMENT,
      504,
      { message: 'Late.', errors: {} },
      {
        error: 'UnknownOutcome',
        token: 'unknown_outcome',
        retry_safe: true,
      },
    ),
  ],
}

function decision(name, request, attempt, outcome, repeat, wait = null) {
  const [min, max] = wait ?? [0, 0]
  return { name, request, attempt, outcome, expect: repeat ? { repeat, wait_ms: { min, max } } : { repeat } }
}

const LOST = { failure: 'connection' }
const LATE = { failure: 'timeout' }
const status = (code, retryAfter = null) => ({ status: code, retry_after: retryAfter })
const PUT_TYPES = { method: 'PUT', path: '/v2/balance-webhook/types' }
const PUT_HOOK = { method: 'PUT', path: '/v2/balance-webhook' }
const SET_URL = { method: 'POST', path: '/v2/callback-url' }
const CREATE_ORDER = { method: 'POST', path: '/v2/orders' }
const ROTATE = { method: 'POST', path: '/v2/callback-url/secret/rotate' }

/** Decision after an attempt, counted from 1. Waits are random between min and max. */
export const retries = {
  settings: [
    { name: 'attempts_max', value: 4 },
    { name: 'retry_after_max_seconds', value: 30 },
    // Waits between two questions about a payment that is not final; the last one repeats.
    { name: 'poll_schedule_ms', value: [5000, 5000, 5000, 5000, 5000, 5000, 10000] },
    // Statuses after which nothing changes by itself.
    { name: 'final_statuses', value: ['Succesful', 'Failed'] },
  ],
  cases: [
    decision('read-lost', ANYTHING, 1, LOST, true, [250, 500]),
    decision('read-late', ANYTHING, 2, LATE, true, [500, 1000]),
    decision('read-500', ANYTHING, 3, status(500), true, [1000, 2000]),
    decision('read-last', ANYTHING, 4, LOST, false),
    decision('read-400', ANYTHING, 1, status(400), false),
    decision('read-401', ANYTHING, 1, status(401), false),
    decision('read-403', ANYTHING, 1, status(403), false),
    decision('read-404', ANYTHING, 1, status(404), false),
    decision('read-408', ANYTHING, 1, status(408), false),
    decision('read-429', ANYTHING, 1, status(429, 1), false),
    decision('read-503', ANYTHING, 1, status(503), true, [250, 500]),
    decision('read-503-wait', ANYTHING, 1, status(503, 3), true, [3000, 3000]),
    decision('read-503-short-wait', ANYTHING, 3, status(503, 1), true, [1000, 2000]),
    decision('read-503-too-long', ANYTHING, 1, status(503, 31), false),
    decision('read-504', ANYTHING, 1, status(504), true, [250, 500]),
    decision('payment-lost', PAYMENT, 1, LOST, true, [250, 500]),
    decision('payment-late', PAYMENT, 1, LATE, true, [250, 500]),
    decision('payment-500', PAYMENT, 1, status(500), true, [250, 500]),
    decision('payment-502', PAYMENT, 1, status(502), true, [250, 500]),
    decision('payment-503', PAYMENT, 1, status(503), true, [250, 500]),
    decision('payment-504', PAYMENT, 1, status(504), true, [250, 500]),
    decision('payment-400', PAYMENT, 1, status(400), false),
    decision('payment-409', PAYMENT, 1, status(409), false),
    decision('payment-last', PAYMENT, 4, status(504), false),
    decision('dispute-503', DISPUTE, 1, status(503), true, [250, 500]),
    decision('dispute-lost', DISPUTE, 1, LOST, false),
    decision('dispute-500', DISPUTE, 1, status(500), false),
    decision('dispute-504', DISPUTE, 1, status(504), false),
    decision('put-lost', PUT_TYPES, 1, LOST, true, [250, 500]),
    decision('put-with-secret-lost', PUT_HOOK, 1, LOST, false),
    decision('delete-lost', { method: 'DELETE', path: '/v2/balance-webhook' }, 1, LOST, true, [250, 500]),
    decision(
      'patch-lost',
      { method: 'PATCH', path: '/v2/balance-webhook/enabled' },
      1,
      LOST,
      true,
      [250, 500],
    ),
    decision('set-url-lost', SET_URL, 1, LOST, true, [250, 500]),
    decision(
      'threshold-lost',
      { method: 'POST', path: '/v2/low-balance-threshold' },
      1,
      LOST,
      true,
      [250, 500],
    ),
    decision('order-create-lost', CREATE_ORDER, 1, LOST, true, [250, 500]),
    decision('order-create-409', CREATE_ORDER, 1, status(409), false),
    decision('order-confirm-lost', CONFIRM, 1, LOST, true, [250, 500]),
    decision('order-confirm-504', CONFIRM, 2, status(504), true, [500, 1000]),
    decision('order-confirm-409', CONFIRM, 1, status(409), false),
    decision(
      'order-cancel-lost',
      { method: 'POST', path: '/v2/orders/ord_0123456789abcdefghjkmnpq/cancel' },
      1,
      LOST,
      true,
      [250, 500],
    ),
    decision(
      'order-other-lost',
      { method: 'POST', path: '/v2/orders/ord_0123456789abcdefghjkmnpq/refund' },
      1,
      LOST,
      false,
    ),
    decision('order-hook-lost', { method: 'PUT', path: '/v2/order-webhook' }, 1, LOST, false),
    decision('rotate-lost', ROTATE, 1, LOST, false),
    decision('clock-lost', { method: 'POST', path: '/v2/test-clock' }, 1, LOST, false),
  ],
}
