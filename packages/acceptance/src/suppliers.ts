import { createHmac, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDemo } from './catalog.ts'
import type { Answer } from './http.ts'
import { send } from './http.ts'
import type { PayBody, Payer, PaymentData } from './payments.ts'
import { createPayer } from './payments.ts'
import type { Service } from './service.ts'
import { makeDirectory, until } from './service.ts'
import type { Simulator } from './simulator.ts'
import { startSimulator } from './simulator.ts'

// Supplier that was connected by configuration. A test signs and sends its callbacks by hand.

const EXAMPLE = new URL('../../../docs/examples/simulator-connection.json', import.meta.url)
const SECRET = 'signs-what-the-supplier-sends'
export const SUPPLIER = 'supplier'
/** Account for which the supplier takes the order and never answers. */
const NEVER_ANSWERS = '60123453003'

/** Supplier's own words for the outcome of an order. */
const OUTCOMES = {
  path: 'status',
  table: {
    succeeded: { outcome: 'succeeded' },
    failed: { outcome: 'failed', code: 48 },
    pending: { outcome: 'pending' },
  },
}

/** Configuration that reads the callbacks of a supplier that speaks as the simulator does. */
export const READS_CALLBACKS = {
  outcome: OUTCOMES,
  output: {
    serial_number: 'output.serial_number',
    pin: 'output.pin',
    voucher_link: 'output.voucher_link',
  },
}

export type Connection = {
  readonly code: string
  /** Secret of its callbacks. */
  readonly secret: string
  /** Members of the configuration that differ from the example's. */
  readonly config: Readonly<Record<string, unknown>>
  /** Reading of callbacks; by default the example's. */
  readonly callback?: typeof READS_CALLBACKS
}

/** Connects a supplier as an operator does. Its breaker stays closed: it has its own tests, and faults would open it. */
export async function addSupplier(
  service: Pick<Service, 'warungd'>,
  { code, secret, config, callback }: Connection,
): Promise<void> {
  const directory = await makeDirectory()
  const write = async (name: string, content: unknown) => {
    const path = join(directory, name)
    await writeFile(path, JSON.stringify(content))
    return path
  }
  const example = JSON.parse(await readFile(EXAMPLE, 'utf8')) as { callback: object }
  const file = await write('config.json', {
    ...example,
    ...config,
    callback: { ...example.callback, ...callback },
  })
  const secrets = await write('secrets.json', { callback: secret })
  const limits = await write('limits.json', { breaker: false })
  const how = ['--kind', 'http', '--file', file, '--secrets-file', secrets, '--limits-file', limits]
  await service.warungd('provider', 'add', '--code', code, ...how)
}

export type Supplier = {
  readonly service: Service
  readonly simulator: Simulator
  readonly payer: Payer
  /** Makes a payment of 10 that waits for an answer that never comes. */
  payUnanswered(): Promise<{ body: PayBody; data: PaymentData; reference: string }>
  end(): Promise<void>
}

export async function connectSupplier(): Promise<Supplier> {
  const demo = await openDemo({ WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8' })
  const { service } = demo
  const simulator = await startSimulator()
  const config = { base_url: simulator.url, timeouts: { submit_ms: 3_000, query_ms: 3_000 } }
  await addSupplier(service, { code: SUPPLIER, secret: SECRET, config, callback: READS_CALLBACKS })
  await service.warungd('route', 'set', '--product', 'KITA', '--provider', SUPPLIER)
  const payer = await createPayer(service, '10000')
  await until('payments go to the supplier', async () => {
    await payer.pay(bodyFor('60191234567'))
    return (await simulator.books()).length > 0
  })
  return {
    service,
    simulator,
    payer,
    async payUnanswered() {
      const body = bodyFor(NEVER_ANSWERS)
      await payer.pay(body)
      const data = await payer.untilStatus(body, 'Processing')
      return { body, data, reference: `W${data.transaction_id}-1` }
    },
    end: () => demo.end(),
  }
}

export function bodyFor(account: string): PayBody {
  return { refid: `supplied-${randomBytes(12).toString('hex')}`, product: 'KITA', account, amount: 10 }
}

export type Said = {
  id?: string
  reference: string
  status?: string
  amount?: string
  output?: Record<string, string>
}

export function newEventId(): string {
  return `evt_${randomBytes(8).toString('hex')}`
}

export type Signing = { provider?: string; secret?: string; ageSeconds?: number; method?: string }

/** Sends a callback, by default signed as the supplier does. */
export function sendCallback(
  { baseUrl }: Pick<Service, 'baseUrl'>,
  said: Said,
  { provider = SUPPLIER, secret = SECRET, ageSeconds = 0, method = 'POST' }: Signing = {},
): Promise<Answer> {
  const body = JSON.stringify({ id: newEventId(), amount: '10.00', ...said })
  const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds)
  return send({
    baseUrl,
    method,
    path: `/callbacks/${provider}`,
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-Simulator-Timestamp': timestamp,
      'X-Simulator-Signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
    },
  })
}
