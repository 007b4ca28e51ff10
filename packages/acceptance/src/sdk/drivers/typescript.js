// Driver of the TypeScript client (driver.md). It is copied into an empty project in which the packed client is
// installed, so it imports the package as users do.
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { buildPayment, createClient, createInbox, signRequest, verifyWebhook, WarungError } from '@warung/sdk'

const DIED = 7
const ERROR_MEMBERS = [
  'token',
  'code',
  'status',
  'requestId',
  'remedy',
  'retrySafe',
  'errors',
  'payment',
  'refid',
  'problems',
  'retryAfterSeconds',
]

let settings
let client

const COMMANDS = {
  hello: () => ({ client: 'typescript', version: '0.1.0' }),
  configure({ settings: given }) {
    const { clockOffsetSeconds = 0, ...rest } = given
    settings = rest
    client = createClient({ ...rest, now: () => Date.now() + clockOffsetSeconds * 1_000 })
  },
  operation: ({ name, input }) => client[name](input ?? undefined),
  async call({ method, path, query, body }) {
    const answer = await client.call(method, path, { query: query ?? {}, body: body ?? undefined })
    return { status: answer.status, requestId: answer.requestId, body: answer.body }
  },
  getProduct: ({ code }) => client.getProduct(code),
  optionsFor: ({ product, field, values }) => take(client.optionsFor(product, field, values ?? {})),
  buildPayment: ({ product, values, options }) => buildPayment(product, values, options),
  pay: ({ payment }) => client.pay(payment),
  payAndWait: ({ payment, timeoutMs, pollScheduleMs }) =>
    client.payAndWait(payment, { timeoutMs, pollScheduleMs }),
  list: ({ iterator, input, max }) => take(client[iterator](input ?? undefined), max),
  followEvents,
  async verifyWebhook({ request, secrets, toleranceSeconds, now }) {
    const event = await verifyWebhook(request, { secrets, toleranceSeconds, now })
    return { ...event, signedAt: event.signedAt.getTime() / 1_000 }
  },
  async inbox({ events }) {
    const inbox = createInbox()
    const verdicts = []
    for (const event of events) verdicts.push(await inbox.accept(event))
    return verdicts
  },
  sign: ({ method, query, body, timestamp, nonce }) =>
    signRequest({ ...settings, method, query: query ?? '', body: body ?? undefined, timestamp, nonce }),
  clock: () => ({ offsetMs: client.clockOffsetMs() }),
}

async function take(items, max = Number.POSITIVE_INFINITY) {
  const list = []
  for await (const item of items) {
    list.push(item)
    if (list.length >= max) break
  }
  return list
}

async function followEvents({ storeFile, max, dieBeforeSaving, pauseMs }) {
  const end = new AbortController()
  const saved = []
  let current
  const store = {
    load: () => (existsSync(storeFile) ? Number(readFileSync(storeFile, 'utf8')) : undefined),
    save(sequence) {
      if (saved.length + 1 === dieBeforeSaving) process.exit(DIED)
      writeFileSync(`${storeFile}.new`, String(sequence))
      renameSync(`${storeFile}.new`, storeFile)
      saved.push(current)
      if (saved.length >= max) end.abort()
    },
  }
  const handle = ({ sequence, id, type }) => {
    current = { sequence, id, type }
    appendFileSync(`${storeFile}.handled`, `${JSON.stringify(current)}\n`)
  }
  await client.followEvents({ store, handle, signal: end.signal, pauseMs })
  return saved
}

function errorOf(error) {
  if (!(error instanceof WarungError)) return { class: error?.name ?? 'Error', message: String(error?.stack) }
  const members = ERROR_MEMBERS.map((name) => [name, error[name] ?? null])
  return { class: error.name, message: error.message, ...Object.fromEntries(members) }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, do: name, ...members } = JSON.parse(line)
  let answer
  try {
    answer = { id, ok: (await COMMANDS[name](members)) ?? null }
  } catch (error) {
    answer = { id, error: errorOf(error) }
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
