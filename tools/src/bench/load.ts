// Load generator in its own process. It signs its requests ahead and opens its connections, each with one request that is
// not counted. Then it keeps them busy; each one sends its next request when the last one is answered. Raw sockets keep
// its own cost small. measure.js starts it with its orders as JSON in the first argument; it prints its result as JSON.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { LoadOrders } from './measure.ts'

const orders = JSON.parse(process.argv[2] ?? '') as LoadOrders
const url = new URL(orders.url)
const secret = Buffer.from(orders.signingSecret, 'base64')
const emptyHash = createHash('sha256').update('').digest('base64')

function signedRequest() {
  const timestamp = Math.floor(Date.now() / 1000)
  const nonce = randomBytes(12).toString('hex')
  const canonical = `v1:${timestamp}:${nonce}:GET:${url.search.slice(1)}:${emptyHash}`
  const signature = createHmac('sha256', secret).update(canonical).digest('base64')
  return Buffer.from(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nX-Api-Key: ${orders.apiKey}\r\n` +
      `X-Timestamp: ${timestamp}\r\nX-Nonce: ${nonce}\r\nX-Signature: v1=${signature}\r\n\r\n`,
  )
}

const requests = Array.from({ length: orders.requests + orders.connections }, signedRequest)
const latencies = new Float64Array(orders.requests)
let next = 0
let answered = 0
let failed = 0

/** Opens a connection. Resolves when its first request is answered, with the function that keeps it busy. */
function openConnection() {
  return new Promise<() => Promise<void>>((tellOpen, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
    let sentAt = 0
    // Bytes of the answer that are still missing. The head is collected first; the body is only counted.
    let missing: number | undefined
    let head: Buffer = Buffer.alloc(0)
    let tellFinished: (() => void) | undefined
    const sendNext = () => {
      if (next >= requests.length) {
        socket.end()
        tellFinished?.()
        return
      }
      sentAt = performance.now()
      missing = undefined
      head = Buffer.alloc(0)
      socket.write(requests[next] ?? '')
      next += 1
    }
    socket.on('connect', sendNext)
    let broken: Error | undefined
    let fail: (error: Error) => void = reject
    socket.on('error', (error) => {
      broken = error
      fail(error)
    })
    /** Ends a request. The first one only opens the connection. */
    const finish = () => {
      if (tellFinished === undefined) {
        tellOpen(run)
        return
      }
      latencies[answered] = performance.now() - sentAt
      answered += 1
      sendNext()
    }
    const run = () =>
      new Promise<void>((resolve, rejectRun) => {
        tellFinished = resolve
        fail = rejectRun
        if (broken === undefined) sendNext()
        else rejectRun(broken)
      })
    socket.on('data', (chunk) => {
      if (missing === undefined) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
        const headEnd = head.indexOf('\r\n\r\n')
        if (headEnd < 0) return
        const text = head.toString('latin1', 0, headEnd)
        if (!text.startsWith('HTTP/1.1 200')) failed += 1
        missing = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0) - (head.length - headEnd - 4)
      } else {
        missing -= chunk.length
      }
      if (missing <= 0) finish()
    })
  })
}

const connections = await Promise.all(Array.from({ length: orders.connections }, openConnection))
const startedAt = performance.now()
await Promise.all(connections.map((run) => run()))
const seconds = (performance.now() - startedAt) / 1000
const sorted = latencies.subarray(0, answered).sort()
process.stdout.write(
  JSON.stringify({
    perSecond: answered / seconds,
    p50Ms: sorted[Math.floor(answered * 0.5)],
    p99Ms: sorted[Math.floor(answered * 0.99)],
    failed,
  }),
)
