// Attacker in its own process. It floods the service in one way from several addresses of this machine until its
// standard input ends, then prints what it met as JSON. floods.js starts it with its orders as JSON in the first
// argument.

import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { connect } from 'node:net'

export type FloodOrders = {
  url: string
  kind: string
  connections: number
  /** Requests a second in all; null: as many as it can. */
  perSecond: number | null
  addresses: string[]
  apiKey: string
  signingSecret: string
}

export type Met = { opened: number; sent: number; answers: Record<string, number>; cut: number }

const orders = JSON.parse(process.argv[2] ?? '') as FloodOrders
const url = new URL(orders.url)
const secret = Buffer.from(orders.signingSecret, 'base64')
const met: Met = { opened: 0, sent: 0, answers: {}, cut: 0 }
let isOver = false
let count = 0

const MIB = 1_048_576
const REOPEN_MS = 50
/** Bytes of a body that are sent before its sender falls silent. */
const HALF_BYTES = 2 * MIB
const HALF = Buffer.alloc(HALF_BYTES, ' ')
const BRACKETS = Buffer.alloc(65_000, '[')
const BLANK_LINES = Buffer.from('\r\n'.repeat(32 * 1024))
const MANY_BRACKETS = Buffer.alloc(MIB, '[')

// ── Requests ──

function request(
  method: string,
  path: string,
  headers: Record<string, string | number>,
  body: Buffer = Buffer.alloc(0),
  length = body.length,
) {
  const lines = Object.entries({ ...headers, 'Content-Length': length }).map(
    (pair) => `${pair.join(': ')}\r\n`,
  )
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${url.host}\r\n${lines.join('')}\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

function signed(method: string, path: string, body: Buffer = Buffer.alloc(0)) {
  const timestamp = Math.floor(Date.now() / 1_000)
  const nonce = randomBytes(12).toString('hex')
  const bodyHash = createHash('sha256').update(body).digest('base64')
  const canonical = `v1:${timestamp}:${nonce}:${method}:${path.split('?')[1] ?? ''}:${bodyHash}`
  const signature = createHmac('sha256', secret).update(canonical).digest('base64')
  const proof = { 'X-Timestamp': timestamp, 'X-Nonce': nonce, 'X-Signature': `v1=${signature}` }
  return request(
    method,
    path,
    { 'X-Api-Key': orders.apiKey, 'Content-Type': 'application/json', ...proof },
    body,
  )
}

function payment(account: string) {
  count += 1
  const refid = `flood-${process.pid}-${count}`
  return signed(
    'POST',
    '/v2/topup',
    Buffer.from(JSON.stringify({ refid, product: 'NOVA', account, amount: 10 })),
  )
}

const FORGED = {
  'X-Api-Key': 'wk_stg_nobody',
  'X-Nonce': 'a-nonce-of-nobody',
  'X-Signature': `v1=${Buffer.alloc(32).toString('base64')}`,
}

function nextDeadName() {
  count += 1
  return encodeURIComponent(`https://shop${count}.dead.example/hook`)
}

/** Floods that send a request, read its answer and send the next. */
const SENT: Record<string, () => Buffer> = {
  'sign-ins': () => {
    count += 1
    const guess = { username: `user${count % 500}`, password: `guess ${count}` }
    const body = Buffer.from(JSON.stringify(guess))
    return request('POST', '/portal/v1/session', { 'Content-Type': 'application/json' }, body)
  },
  'deep JSON': () =>
    count++ % 2 === 0
      ? request('POST', '/v2/token', { 'Content-Type': 'application/json' }, BRACKETS)
      : signed('POST', '/v2/topup', MANY_BRACKETS),
  // Digits that almost match the form of an account, for a matcher that goes back and tries again.
  patterns: () => payment(`${'60'.repeat(40)}x`),
  'dead names': () =>
    count % 3 === 0
      ? signed('POST', `/v2/callback-url?method=POST&url=${nextDeadName()}`)
      : payment('60123456789'),
  'forged signatures': () =>
    request(
      'POST',
      '/v2/topup',
      { ...FORGED, 'X-Timestamp': Math.floor(Date.now() / 1_000) },
      Buffer.from('{}'),
    ),
}

/** Floods that send something and hold their connection. */
const HELD: Record<string, () => Buffer> = {
  'blank lines': () => BLANK_LINES,
  connections: () => request('GET', '/healthz', {}),
  'half bodies': () => request('POST', '/v2/topup', { 'X-Api-Key': orders.apiKey }, HALF, 10 * MIB),
  'slow readers': () => signed('GET', '/v1/billpay/billers'),
}

// ── Connections ──

function open(index: number) {
  const localAddress = orders.addresses[index % orders.addresses.length] ?? '127.0.0.1'
  met.opened += 1
  const socket = connect({ host: url.hostname, port: Number(url.port), localAddress, noDelay: true })
  socket.on('error', () => {})
  return socket
}

function note(text: string) {
  for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
    met.answers[status] = (met.answers[status] ?? 0) + 1
  }
}

function reopen(index: number, again: (index: number) => void) {
  if (isOver) return
  met.cut += 1
  setTimeout(again, REOPEN_MS, index)
}

function hold(index: number) {
  if (isOver) return
  const socket = open(index)
  socket.on('connect', () => {
    met.sent += 1
    socket.write(HELD[orders.kind]?.() ?? '')
  })
  if (orders.kind === 'blank lines') keepWriting(socket)
  // A socket that nobody listens to takes nothing from the network but its first buffer.
  if (orders.kind !== 'slow readers') socket.on('data', (chunk) => note(chunk.toString('latin1')))
  socket.on('close', () => reopen(index, hold))
}

/** Writes as fast as the service takes it. */
function keepWriting(socket: Socket) {
  socket.on('drain', () => {
    met.sent += 1
    while (!socket.destroyed && socket.write(BLANK_LINES)) met.sent += 1
  })
}

function send(index: number) {
  if (isOver) return
  const socket = open(index)
  let received = ''
  const sendNext = () => {
    if (isOver) return
    received = ''
    met.sent += 1
    socket.write(SENT[orders.kind]?.() ?? '')
  }
  socket.on('connect', sendNext)
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    const headEnd = received.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
    if (headEnd < 0 || received.length < headEnd + 4 + length) return
    note(received.slice(0, headEnd))
    setTimeout(sendNext, orders.perSecond === null ? 0 : (1_000 * orders.connections) / orders.perSecond)
  })
  socket.on('close', () => reopen(index, send))
}

const begin = orders.kind in HELD ? hold : send
for (let index = 0; index < orders.connections; index += 1) begin(index)
process.stdin.resume()
process.stdin.on('end', () => {
  isOver = true
  process.stdout.write(JSON.stringify(met), () => process.exit(0))
})
