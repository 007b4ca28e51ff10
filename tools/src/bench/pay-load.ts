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
import type { Paid, PayOrders } from './payers.ts'

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const orders = JSON.parse((await lines.next()).value ?? '') as PayOrders
const url = new URL(orders.url)
const run = randomBytes(5).toString('hex')
const payers = orders.credentials.map(({ apiKey, signingSecret }) => ({
  apiKey,
  secret: Buffer.from(signingSecret, 'base64'),
}))

function signedPayment(index: number) {
  const payer = payers[index % payers.length]
  if (payer === undefined) throw new Error('nobody pays')
  const body = JSON.stringify({ refid: `${run}-${index}`, ...orders.payment, ...orders.own?.[index] })
  const timestamp = Math.floor(Date.now() / 1000)
  const nonce = randomBytes(12).toString('hex')
  const bodyHash = createHash('sha256').update(body).digest('base64')
  const canonical = `v1:${timestamp}:${nonce}:POST::${bodyHash}`
  const signature = createHmac('sha256', payer.secret).update(canonical).digest('base64')
  return Buffer.from(
    `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nX-Api-Key: ${payer.apiKey}\r\n` +
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

function isWhole(received: Buffer) {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = Number(/content-length: (\d+)/i.exec(received.toString('latin1', 0, headEnd))?.[1] ?? 0)
  return received.length >= headEnd + 4 + length
}

const GREETING = `GET /healthz HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`

/** Opens a connection. Resolves when a process of the service has answered on it, with the function that keeps it busy. */
function openConnection() {
  return new Promise<() => Promise<void>>((tellOpen, reject) => {
    // All connections are read into one buffer, and an answer that arrives whole is not copied: what the payers cost is
    // missing to the service.
    const onread = {
      buffer: shared,
      callback: (bytes: number, buffer: Uint8Array) => read(Buffer.from(buffer.buffer, 0, bytes)),
    }
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true, onread })
    let sentAt = 0
    let begun: Buffer | undefined
    let tellFinished: (() => void) | undefined
    let broken: Error | undefined
    let fail: (error: Error) => void = reject
    const sendNext = () => {
      if (next >= requests.length) {
        socket.end()
        tellFinished?.()
        return
      }
      const index = next
      next += 1
      const dueAt = started + (index * 1_000) / (orders.perSecond ?? Number.POSITIVE_INFINITY)
      const waitMs = dueAt - performance.now()
      if (waitMs > 0) setTimeout(send, waitMs, index, dueAt)
      else send(index, dueAt)
    }
    const send = (index: number, dueAt: number) => {
      sentAt = orders.fromSchedule ? dueAt : performance.now()
      socket.write(requests[index] ?? '')
    }
    const run = () =>
      new Promise<void>((resolve, rejectRun) => {
        tellFinished = resolve
        fail = rejectRun
        if (broken === undefined) sendNext()
        else rejectRun(broken)
      })
    socket.on('connect', () => socket.write(GREETING))
    // After the last payment was answered this does nothing: the promise is resolved then.
    const giveUp = (error: Error) => {
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
    const read = (bytes: Buffer) => {
      const received = begun === undefined ? bytes : Buffer.concat([begun, bytes])
      if (!isWhole(received)) {
        begun = Buffer.from(received)
        return true
      }
      begun = undefined
      if (received.toString('latin1', 0, OK.length) !== OK) {
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
const paid: Paid = {
  startedAt,
  perSecond: answered / seconds,
  cpuMicros: cpu.user + cpu.system,
  p50Ms: sorted[Math.floor(answered * 0.5)] ?? Number.NaN,
  p99Ms: sorted[Math.floor(answered * 0.99)] ?? Number.NaN,
  ...(orders.withLatencies && { latenciesMs: [...sorted] }),
  failed,
  example,
}
process.stdout.write(JSON.stringify(paid))
