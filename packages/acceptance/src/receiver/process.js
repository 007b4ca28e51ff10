// Receiver of webhooks in its own process, with good and bad behaviour of resellers' receivers. It keeps every request,
// verifies signatures with the public package alone, and answers as it was told for the path. It is plain JavaScript,
// because Node itself starts it.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'

const tlsFile = (name) => readFileSync(new URL(`./tls/${name}`, import.meta.url))
const key = tlsFile('server.key')
const secure = (name) => (listener) => createSecureServer({ key, cert: tlsFile(name) }, listener)

const PORTS = {
  plain: createServer,
  secure: secure('server.pem'),
  otherName: secure('other-name.pem'),
  untrusted: secure('untrusted.pem'),
}

/** Behaviours of the next requests, by path; the last one stays. */
const behaviours = new Map()
/** Secrets with which signatures are verified, by path. */
const secrets = new Map()
const requests = []
/** Number of TCP connections that were ever made, with or without requests, by port. */
const connections = {}
/** Requests in progress now, and the most at once, by path. */
const underway = new Map()

// ── Requests ──

async function receive(port, incoming, response) {
  const at = Date.now()
  const chunks = []
  try {
    for await (const chunk of incoming) chunks.push(chunk)
  } catch {
    // The request was cut off: nothing arrived that could be answered.
    return
  }
  const body = Buffer.concat(chunks)
  const { method, url } = incoming
  const path = url.split('?')[0]
  const headers = headersOf(incoming)
  const known = secrets.get(path) ?? []
  const payload = method === 'GET' ? url.slice(path.length + 1) : body.toString('utf8')
  const seen = underway.get(path) ?? { now: 0, most: 0 }
  seen.now += 1
  seen.most = Math.max(seen.most, seen.now)
  underway.set(path, seen)
  response.once('close', () => {
    seen.now -= 1
  })
  const behaviour = nextBehaviour(path)
  requests.push({
    port,
    at,
    method,
    url,
    path,
    headers,
    names: incoming.rawHeaders.filter((_, index) => index % 2 === 0),
    body: body.toString('utf8'),
    bodyBase64: body.toString('base64'),
    behaviour: behaviour.kind,
    status: behaviour.kind === 'answer' ? (behaviour.status ?? 200) : null,
    // One verdict for each secret, in their order.
    standard: known.map((secret) => verifyStandard(secret, payload, headers)),
    plain: known.map((secret) => verifyPlain(secret, body, headers['x-webhook-signature'])),
  })
  BEHAVIOURS[behaviour.kind](response, behaviour)
}

function headersOf(incoming) {
  return Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
}

function verifyStandard(secret, payload, headers) {
  try {
    new Webhook(secret).verify(payload, headers, { jsonParse: false })
    return 'verified'
  } catch (error) {
    return error.message
  }
}

function verifyPlain(secret, body, header) {
  if (header === undefined) return 'absent'
  const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const given = Buffer.from(header)
  return wanted.length === given.length && timingSafeEqual(wanted, given) ? 'verified' : 'wrong'
}

function nextBehaviour(path) {
  const list = behaviours.get(path) ?? []
  const next = list.length > 1 ? list.shift() : list[0]
  return next ?? { kind: 'answer', status: 200 }
}

// ── Answers ──

const DRIP_MS = 100
const HUGE_CHUNK = Buffer.alloc(64 * 1_024, 'x')

const BEHAVIOURS = {
  answer(response, { status = 200, headers = {}, body = '', delayMs = 0 }) {
    setTimeout(() => response.writeHead(status, headers).end(body), delayMs)
  },
  hang() {},
  drip_headers(response) {
    response.socket.write('HTTP/1.1 200 OK\r\n')
    drip(response.socket, () => 'X')
  },
  drip_body(response) {
    response.writeHead(200, { 'Content-Type': 'text/plain' })
    drip(response, () => 'x')
  },
  reset(response) {
    // TLS: the reset has to go to the connection below it.
    const { socket } = response
    const beneath = socket._parent ?? socket
    beneath.resetAndDestroy?.()
    socket.destroy()
  },
  close(response) {
    response.socket.destroy()
  },
  truncated(response) {
    response.writeHead(200, { 'Content-Length': '100' })
    response.write('only this')
    setTimeout(() => response.socket?.destroy(), 20)
  },
  garbage(response) {
    response.socket.end('this is not HTTP\r\n\r\n')
  },
  huge(response, { status = 200 }) {
    response.writeHead(status)
    const fill = () => {
      while (!response.destroyed && response.write(HUGE_CHUNK));
    }
    response.on('drain', fill)
    fill()
  },
  gzip(response, { body = 'taken' }) {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(body))
  },
}

function drip(stream, next) {
  const timer = setInterval(() => stream.write(next()), DRIP_MS)
  stream.on('error', () => {})
  stream.once('close', () => clearInterval(timer))
}

// ── Commands of tests ──

const CONTROLS = {
  'POST /behaviours': ({ path, list }) => behaviours.set(path, list),
  'POST /secrets': ({ path, list }) => secrets.set(path, list),
  'POST /requests': ({ path, after = 0 }) =>
    requests
      .map((request, index) => ({ ...request, index }))
      .slice(after)
      .filter((request) => path === undefined || request.path === path),
  'POST /counts': () => ({
    requests: requests.length,
    connections,
    most: Object.fromEntries([...underway].map(([path, { most }]) => [path, most])),
  }),
}

async function control(incoming, response) {
  const chunks = []
  for await (const chunk of incoming) chunks.push(chunk)
  const given = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'))
  const found = CONTROLS[`${incoming.method} ${incoming.url}`]
  const result = found?.(given)
  const answer = result === undefined || result instanceof Map ? {} : result
  response
    .writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(answer))
}

function listen(server, host) {
  return new Promise((resolve) => {
    server.listen(0, host, () => resolve(server.address().port))
  })
}

const ports = {}
for (const [name, create] of Object.entries(PORTS)) {
  connections[name] = 0
  const server = create((incoming, response) => void receive(name, incoming, response))
  server.keepAliveTimeout = 60_000
  server.on('connection', () => {
    connections[name] += 1
  })
  server.on('tlsClientError', () => {})
  ports[name] = await listen(server, '127.0.0.1')
}
// A client that gets here went where it must not. It listens on every address of this machine, and no client is sent
// here.
connections.trap = 0
const trap = createServer((incoming, response) => void receive('trap', incoming, response))
trap.on('connection', () => {
  connections.trap += 1
})
ports.trap = await listen(trap, undefined)
ports.control = await listen(
  createServer((incoming, response) => void control(incoming, response)),
  '127.0.0.1',
)
process.stdout.write(`${JSON.stringify({ ports })}\n`)
// The process ends with the one that started it.
process.once('SIGTERM', () => process.exit(0))
