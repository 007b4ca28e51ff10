// Payers in their own process. It signs its requests and opens its connections ahead, each with one answer of the service,
// as pgbench does not count the time to connect either. Then it keeps the connections busy; each one sends its next payment
// when the last one is answered, and with `perSecond` not before its time. With `fromSchedule` the latency of a payment
// begins at its time, also when no connection was free then: a service that stands still delays every payment of that time,
// not only those that were under way. It gets its orders as one line of JSON on standard input, prints the line READY when
// all requests are signed and all connections open, begins when the input ends, and prints its result as JSON.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const orders = JSON.parse((await lines.next()).value)
const url = new URL(orders.url)
const run = randomBytes(5).toString('hex')
const secrets = orders.credentials.map(({ signingSecret }) => Buffer.from(signingSecret, 'base64'))

function signedPayment(index) {
  const payer = index % orders.credentials.length
  const body = JSON.stringify({ refid: `${run}-${index}`, ...orders.payment })
  const timestamp = Math.floor(Date.now() / 1000)
  const nonce = randomBytes(12).toString('hex')
  const bodyHash = createHash('sha256').update(body).digest('base64')
  const canonical = `v1:${timestamp}:${nonce}:POST::${bodyHash}`
  const signature = createHmac('sha256', secrets[payer]).update(canonical).digest('base64')
  return Buffer.from(
    `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nX-Api-Key: ${orders.credentials[payer].apiKey}\r\n` +
      `X-Timestamp: ${timestamp}\r\nX-Nonce: ${nonce}\r\nX-Signature: v1=${signature}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

const requests = Array.from({ length: orders.requests }, (_, index) => signedPayment(index))
const latencies = new Float64Array(orders.requests)
let next = 0
let answered = 0
let failed = 0
let example = ''

const OK = 'HTTP/1.1 200'
const shared = Buffer.alloc(64 * 1024)

function isWhole(received) {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = Number(/content-length: (\d+)/i.exec(received.latin1Slice(0, headEnd))?.[1] ?? 0)
  return received.length >= headEnd + 4 + length
}

const GREETING = `GET /healthz HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`

/** Opens a connection. Resolves when a process of the service has answered on it, with the function that keeps it busy. */
function openConnection() {
  return new Promise((tellOpen, reject) => {
    // All connections are read into one buffer, and an answer that arrives whole is not copied: what the payers cost is
    // missing to the service.
    const onread = { buffer: shared, callback: (bytes, buffer) => read(buffer.subarray(0, bytes)) }
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true, onread })
    let sentAt = 0
    let begun
    let tellFinished
    let broken
    let fail = reject
    const sendNext = () => {
      if (next >= requests.length) {
        socket.end()
        tellFinished()
        return
      }
      const index = next
      next += 1
      const dueAt = started + (index * 1_000) / (orders.perSecond ?? Number.POSITIVE_INFINITY)
      const waitMs = dueAt - performance.now()
      if (waitMs > 0) setTimeout(send, waitMs, index, dueAt)
      else send(index, dueAt)
    }
    const send = (index, dueAt) => {
      sentAt = orders.fromSchedule ? dueAt : performance.now()
      socket.write(requests[index])
    }
    const run = () =>
      new Promise((resolve, rejectRun) => {
        tellFinished = resolve
        fail = rejectRun
        if (broken === undefined) sendNext()
        else rejectRun(broken)
      })
    socket.on('connect', () => socket.write(GREETING))
    // After the last payment was answered this does nothing: the promise is resolved then.
    const giveUp = (error) => {
      broken ??= error
      fail(broken)
    }
    socket.on('error', giveUp)
    socket.on('close', () =>
      giveUp(
        new Error(
          `a connection was closed by the service; ${failed} of ${answered} answers refused ${example}`,
        ),
      ),
    )
    const read = (bytes) => {
      const received = begun === undefined ? bytes : Buffer.concat([begun, bytes])
      if (!isWhole(received)) {
        begun = Buffer.from(received)
        return true
      }
      begun = undefined
      if (received.latin1Slice(0, OK.length) !== OK) {
        failed += 1
        example ||= received.toString()
      }
      if (tellFinished === undefined) {
        tellOpen(run)
        return true
      }
      latencies[answered] = performance.now() - sentAt
      answered += 1
      sendNext()
      return true
    }
  })
}

const connections = await Promise.all(Array.from({ length: orders.connections }, openConnection))
process.stdout.write('READY\n')
await lines.next()
const startedAt = Date.now()
const cpuBefore = process.cpuUsage()
const started = performance.now()
await Promise.all(connections.map((run) => run()))
const seconds = (performance.now() - started) / 1000
const cpu = process.cpuUsage(cpuBefore)
const sorted = latencies.subarray(0, answered).sort()
process.stdout.write(
  JSON.stringify({
    startedAt,
    perSecond: answered / seconds,
    cpuMicros: cpu.user + cpu.system,
    p50Ms: sorted[Math.floor(answered * 0.5)],
    p99Ms: sorted[Math.floor(answered * 0.99)],
    ...(orders.withLatencies && { latenciesMs: [...sorted] }),
    failed,
    example,
  }),
)
