// Golden cases of deliveries' signatures. Payloads and parts of headers are written by hand. This file adds the
// arithmetic (HMAC by node:crypto) and shares no code with the server or with any receiver.
import { createHmac } from 'node:crypto'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw2Rt0T4V5cVk='
const OTHER_SECRET = 'whsec_3m7yT1V0k2jQd8mWbXQ0Q3N8oYt6pJ4cH5eZr9sLx+A='
const TIMESTAMP = 1767225600

const CALLBACK =
  '{"data":{"statusCode":20,"status":"Succesful","account":"60123456789","product":"NOVA","productName":"Nova","amount":10,"sn":"SN-1","pin":"","expiry":"","cost":9.85,"balance":90.15,"remarks":"","refid":"A-1001","timestamp":"2026-01-01 08:00:00","note":"","voucherlink":""}}'
const CALLBACK_QUERY =
  'refid=A-1001&status=20&price=9.85&message=%7B%22statusCode%22%3A20%2C%22status%22%3A%22Succesful%22%7D'
const BALANCE =
  '{"type":"balance.added","version":"1","id":"evt_7_42","created_at":"2026-01-01T00:00:00.000Z","data":{"resellerCode":"1000007","amount":500,"balance":1250.5,"description":"Bank transfer"}}'
const CATALOG =
  '{"type":"product.deleted","resource":"products","id":"NOVA","timestamp":"2026-01-01T00:00:00.000Z","data":null}'
const UNICODE =
  '{"type":"group.updated","resource":"groups","id":"FOOD","timestamp":"2026-01-01T00:00:00.000Z","data":{"name":"Saté 王小明 🍜"}}'

type Change = {
  stream: string
  method?: string
  secrets?: string[]
  eventId?: string
  timestamp?: number
  payload: string
}

const CASES: [name: string, change: Change, why: string][] = [
  [
    'callback-post',
    { stream: 'callback', payload: CALLBACK },
    'a callback is signed by the Standard Webhooks headers alone',
  ],
  [
    'callback-get',
    { stream: 'callback', method: 'GET', payload: CALLBACK_QUERY },
    'on GET the raw query string is signed, as it stands in the request line, without the question mark',
  ],
  [
    'callback-get-own-query',
    { stream: 'callback', method: 'GET', payload: `key=a%20b&${CALLBACK_QUERY}` },
    'the query that the URL has itself is part of it',
  ],
  [
    'balance',
    { stream: 'balance', payload: BALANCE },
    'X-Webhook-Signature is keyed with the whole secret as it was shown',
  ],
  [
    'catalog',
    { stream: 'catalog', payload: CATALOG },
    'the other signature with the bytes that its Base64 stands for',
  ],
  ['catalog-unicode', { stream: 'catalog', payload: UNICODE }, 'the payload is signed as its UTF-8 bytes'],
  [
    'event-id',
    { stream: 'balance', eventId: 'evt_123456789012_98765', payload: BALANCE },
    'the id is part of what is signed',
  ],
  ['timestamp', { stream: 'balance', timestamp: 1799999999, payload: BALANCE }, 'and so is the timestamp'],
  [
    'other-secret',
    { stream: 'balance', secrets: [OTHER_SECRET], payload: BALANCE },
    'another secret, another signature',
  ],
  [
    'rotation-catalog',
    { stream: 'catalog', secrets: [OTHER_SECRET, SECRET], payload: CATALOG },
    'during the grace of a rotation both sign, the newest first; X-Webhook-Signature is by the new one alone',
  ],
  [
    'rotation-callback',
    { stream: 'callback', method: 'GET', secrets: [OTHER_SECRET, SECRET], payload: CALLBACK_QUERY },
    'the same on a callback',
  ],
  [
    'empty-payload',
    { stream: 'callback', method: 'GET', payload: '' },
    'nothing is signed as nothing: the dots stay',
  ],
]

function mac(key: string | Buffer, text: string) {
  return createHmac('sha256', key).update(text, 'utf8').digest()
}

function makeCase(name: string, change: Change, why: string) {
  const {
    stream,
    method = 'POST',
    secrets = [SECRET],
    eventId = 'evt_7_42',
    timestamp = TIMESTAMP,
    payload,
  } = change
  const content = [eventId, timestamp, payload].join('.')
  const signatures = secrets.map((secret) => {
    const base64 = secret.slice(secret.indexOf('_') + 1)
    return `v1,${mac(Buffer.from(base64, 'base64'), content).toString('base64')}`
  })
  return {
    name,
    stream,
    method,
    secrets,
    webhook_id: eventId,
    webhook_timestamp: timestamp,
    payload,
    webhook_signature: signatures.join(' '),
    x_webhook_signature:
      stream === 'callback' ? null : `sha256=${mac(secrets[0] ?? '', payload).toString('hex')}`,
    why,
  }
}

export const webhooks = { cases: CASES.map(([name, change, why]) => makeCase(name, change, why)) }
