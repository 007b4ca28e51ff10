// Cases of webhook verification: requests as they arrive, and the client's verdict on each.
import { createHmac } from 'node:crypto'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw2Rt0T4V5cVk='
const OTHER = 'whsec_cM8F0P5ZQ2W0m3hJr1i3n8u0JmVdJ9mS1kqYb0a4dXo='
const NOW = 1767225600
const ID = 'evt_7_42'

const PAYMENT = {
  statusCode: 20,
  status: 'Succesful',
  account: '60123456789',
  product: 'NOVA',
  productName: 'Nova',
  amount: 10,
  sn: 'SN-1',
  pin: '',
  expiry: '',
  cost: 9.85,
  balance: 90.15,
  remarks: '',
  refid: 'A-1001',
  timestamp: '2026-01-01 08:00:00',
  note: '',
  voucherlink: '',
}
const BALANCE = {
  type: 'balance.added',
  version: '1',
  id: ID,
  created_at: '2026-01-01T00:00:00.000Z',
  data: { resellerCode: '1000007', amount: 500, balance: 1250.5, description: 'Saté 王' },
}
const CATALOG = {
  type: 'product.deleted',
  resource: 'products',
  id: 'NOVA',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: null,
}
const ORDER = {
  type: 'order.completed',
  version: '1',
  id: ID,
  created_at: '2026-01-01T00:00:00.000Z',
  order_id: 'ord_0123456789abcdefghjkmnpq',
  reference: 'cart-1001',
  user_id: 'u-77',
  total_amount: '10.60',
  refund_amount: '0.00',
  status: 'completed',
  payment_reference: 'bank-991',
  completed_at: '2026-01-01T00:00:00.000Z',
  items: [{ product_code: 'NOVA', amount: '10.00', quantity: 1, transactions: [{ refid: 'A-1' }] }],
}
const QUERY = `refid=A-1001&status=20&price=9.85&message=${encodeURIComponent(JSON.stringify(PAYMENT))}`
const text = (value: object) => JSON.stringify(value)

type Signed = {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

type Change = {
  method?: string
  path?: string
  query?: string
  secrets?: string[]
  at?: number
  id?: string
  headers?: Record<string, string>
  arrives?: string
}

type More = { secrets?: string[]; now?: number; is_test?: boolean; signed_at?: number; id?: string }

/** Request signed as the service does. Each change breaks, or bends, one part of it. */
function signed(body: string, change: Change = {}): Signed {
  const { method = 'POST', path = '/hook', query, secrets = [SECRET], at = NOW, id = ID } = change
  const payload = method === 'GET' ? query : body
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${at}.${payload}`).digest('base64')}`
  })
  return {
    method,
    url: query === undefined ? path : `${path}?${query}`,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': signatures.join(' '),
      ...change.headers,
    },
    body: method === 'GET' ? '' : (change.arrives ?? body),
  }
}

function accepted(
  name: string,
  request: Signed,
  stream: string,
  payload: object,
  why: string,
  more: More = {},
) {
  const { secrets = [SECRET], now = NOW, is_test: isTest = false, signed_at: signedAt = NOW } = more
  const expect = {
    ok: true,
    stream,
    id: more.id ?? request.headers['webhook-id'],
    signed_at: signedAt,
    is_test: isTest,
  }
  return { name, request, secrets, now, expect: { ...expect, payload }, why }
}

function refused(name: string, request: Signed, token: string, why: string, more: More = {}) {
  const { secrets = [SECRET], now = NOW } = more
  return { name, request, secrets, now, expect: { ok: false, token }, why }
}

function without(request: Signed, header: string): Signed {
  const { [header]: _, ...headers } = request.headers
  return { ...request, headers }
}

const callback = signed(text({ data: PAYMENT }))
const get = signed('', { method: 'GET', query: QUERY })
const balance = signed(text(BALANCE))
const order = signed(text(ORDER))
const catalog = signed(text(CATALOG))

export const verification = {
  cases: [
    accepted('callback-post', callback, 'callback', PAYMENT, 'the payment itself, without its wrapper'),
    accepted('callback-get', get, 'callback', PAYMENT, 'the query is signed; the payment is in its message'),
    accepted(
      'callback-get-own-query',
      signed('', { method: 'GET', query: `shop=a%20b&${QUERY}` }),
      'callback',
      PAYMENT,
      "the URL's own query is part of it",
    ),
    accepted(
      'callback-get-own-message',
      signed('', { method: 'GET', query: `message=hello&${QUERY}` }),
      'callback',
      PAYMENT,
      "the service's own parameters come last",
    ),
    accepted('balance', balance, 'balance', BALANCE, 'the event as it was sent'),
    accepted('order', order, 'order', ORDER, 'the event as it was sent; its type begins with order.'),
    accepted('catalog', catalog, 'catalog', CATALOG, 'the envelope as it was sent'),
    accepted(
      'header-names-in-capitals',
      { ...balance, headers: capitals(balance.headers) },
      'balance',
      BALANCE,
      'names of headers in any letter case',
      { id: ID },
    ),
    accepted(
      'test-event',
      signed(text(BALANCE), { id: 'evt_test_1', headers: { 'x-webhook-test': 'true' } }),
      'balance',
      BALANCE,
      'a sample says that it is one',
      { is_test: true },
    ),
    accepted(
      'test-event-without-header',
      signed(text(BALANCE), { id: 'evt_test_2' }),
      'balance',
      BALANCE,
      'the id says it too: a proxy may drop the header',
      { is_test: true },
    ),
    accepted(
      'test-header-of-an-event',
      { ...balance, headers: { ...balance.headers, 'x-webhook-test': 'true' } },
      'balance',
      BALANCE,
      'the header is not signed: it makes no sample of an event',
    ),
    accepted(
      'rotation-both-sign',
      signed(text(CATALOG), { secrets: [OTHER, SECRET] }),
      'catalog',
      CATALOG,
      'one signature that fits is enough: the receiver still has the old secret',
    ),
    accepted(
      'rotation-two-known',
      signed(text(CATALOG), { secrets: [OTHER] }),
      'catalog',
      CATALOG,
      'the receiver knows both secrets, the service signs with the new one',
      { secrets: [SECRET, OTHER] },
    ),
    accepted(
      'unknown-version-beside',
      {
        ...balance,
        headers: {
          ...balance.headers,
          'webhook-signature': `v9,AAAA ${balance.headers['webhook-signature']}`,
        },
      },
      'balance',
      BALANCE,
      'signatures of versions that are not known are passed over',
    ),
    accepted('oldest', balance, 'balance', BALANCE, '5 minutes old', { now: NOW + 300 }),
    accepted('newest', balance, 'balance', BALANCE, "the sender's clock is 5 minutes ahead", {
      now: NOW - 300,
    }),
    refused('too-old', balance, 'timestamp_out_of_window', 'a replayed request', { now: NOW + 301 }),
    refused('too-new', balance, 'timestamp_out_of_window', 'from the future', { now: NOW - 301 }),
    refused('other-secret', balance, 'wrong_signature', 'not signed by us', { secrets: [OTHER] }),
    refused('body-changed', signed(text(BALANCE), { arrives: `${text(BALANCE)} ` }), 'wrong_signature', ''),
    refused(
      'query-changed',
      { ...get, url: get.url.replace('status=20', 'status=48') },
      'wrong_signature',
      'a changed query',
    ),
    refused(
      'id-changed',
      { ...balance, headers: { ...balance.headers, 'webhook-id': 'evt_7_43' } },
      'wrong_signature',
      'the id is signed',
    ),
    refused(
      'timestamp-changed',
      { ...balance, headers: { ...balance.headers, 'webhook-timestamp': String(NOW + 1) } },
      'wrong_signature',
      'so is the time: a replay cannot be made younger',
    ),
    refused(
      'order-status-changed',
      signed(text({ ...ORDER, status: 'failed' }), { arrives: text(ORDER) }),
      'wrong_signature',
      'an order that was not completed',
    ),
    refused('no-id', without(balance, 'webhook-id'), 'missing_headers', ''),
    refused('no-timestamp', without(balance, 'webhook-timestamp'), 'missing_headers', ''),
    refused('no-signature', without(balance, 'webhook-signature'), 'missing_headers', ''),
    refused(
      'timestamp-no-number',
      { ...balance, headers: { ...balance.headers, 'webhook-timestamp': 'now' } },
      'missing_headers',
      'a time in digits',
    ),
    refused(
      'timestamp-too-long',
      { ...balance, headers: { ...balance.headers, 'webhook-timestamp': '9'.repeat(13) } },
      'missing_headers',
      'at most 12 digits',
    ),
    refused(
      'signature-not-base64',
      { ...balance, headers: { ...balance.headers, 'webhook-signature': 'v1,***' } },
      'wrong_signature',
      'never an error of another kind',
    ),
    refused('signature-cut', cut(balance), 'wrong_signature', 'a part of the signature is none'),
    refused('not-json', signed('not JSON'), 'unreadable', 'signed by us, and still not what we send'),
    refused('other-json', signed('[1]'), 'unreadable', 'no event'),
  ],
  body_signatures: [
    bodySignature('whole-secret', SECRET, text(CATALOG), [SECRET], true),
    bodySignature('of-two', OTHER, text(CATALOG), [SECRET, OTHER], true),
    bodySignature('other-secret', OTHER, text(CATALOG), [SECRET], false),
    { ...bodySignature('other-body', SECRET, text(CATALOG), [SECRET], false), body: text(BALANCE) },
    { ...bodySignature('no-prefix', SECRET, text(CATALOG), [SECRET], false), header: 'abcd' },
    { ...bodySignature('absent', SECRET, text(CATALOG), [SECRET], false), header: '' },
  ],
}

function bodySignature(name: string, secret: string, body: string, secrets: string[], ok: boolean) {
  const header = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return { name, body, header, secrets, ok }
}

function capitals(headers: Record<string, string>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
}

function cut(request: Signed): Signed {
  const signature = request.headers['webhook-signature']?.slice(0, 20) ?? ''
  return { ...request, headers: { ...request.headers, 'webhook-signature': signature } }
}
