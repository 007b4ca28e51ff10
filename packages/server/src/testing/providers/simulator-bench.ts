import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  BillRequest,
  CallbackRequest,
  Order,
  Outcome,
  Provider,
} from '../../modules/providers/port/types.ts'
import { signCallback } from '../../modules/providers/simulator/callbacks.rules.ts'
import type {
  SimulatorServer,
  SimulatorServerSettings,
} from '../../modules/providers/simulator/server.service.ts'
import { startSimulatorServer } from '../../modules/providers/simulator/server.service.ts'
import type { RequestFaultKind } from '../../modules/providers/simulator/types.ts'
import type { BookLine, FaultBody } from '../../modules/providers/simulator/wire.schemas.ts'
import { CALLBACK_HEADERS } from '../../modules/providers/simulator/wire.schemas.ts'
import { callbackBodyOf } from '../../modules/providers/simulator/wire.view.ts'
import type { CallbackSample, Fate, Fault, ProviderBench } from './provider-bench.ts'
import { cannotArrange, newOrder } from './provider-bench.ts'

// Simulator's server as the far side of any connector that supports its protocol.

/** Accounts that get this fate at the simulator. `not_acted` has none: it depends on the amount. */
export const SIMULATED_ACCOUNTS: Readonly<Partial<Record<Fate, string>>> = {
  succeeds: '60198765432',
  fails_45: '60123450045',
  fails_47: '60123450047',
  fails_48: '60123450048',
  fails_52: '60123450052',
  fails_54: '60123450464',
  fails_55: '60123450055',
  fails_56: '60123450056',
  fails_57: '60123450057',
  fails_61: '60123450861',
  fails_62: '60123450062',
  pending_then_succeeds: '60123451030',
  pending_then_fails: '60123452030',
  never_known: '60123453003',
  void_approved: '60123454001',
  void_refused: '60123454002',
}

export const CALLBACK_SECRET = 'the-secret-of-callbacks'

const BILL: BillRequest = {
  productCode: 'VOLT',
  account: '220011223344',
  billerCode: null,
  ref2: null,
  amount: null,
}

export const BILL_SAMPLES = {
  found: BILL,
  invalidAccount: { ...BILL, account: '000000000000' },
  unavailable: { ...BILL, account: '000000000999' },
}

const OPTIONS = { productCode: 'EDULOAN', fieldId: 'loan_account', accountNumber: '900101015555' }
export const OPTION_SAMPLES = { found: OPTIONS, unavailable: { ...OPTIONS, accountNumber: '900101015999' } }

const FAULT_KINDS: Readonly<Record<Exclude<Fault, 'refused'>, RequestFaultKind>> = {
  error_before: 'error_before',
  error_after: 'error_after',
  garbage: 'garbage',
  echo: 'echo',
  huge: 'huge',
  truncated: 'truncated',
  drop_before: 'reset_before',
  drop_after: 'drop_after',
  silence_before: 'hang_before',
  silence_after: 'hang',
}

const FLOAT = 10_000_000_000n

export type SimulatorBenchSettings = {
  connect(url: string): Provider
  /** Changes of the server's settings: who may call it, TLS. */
  server?: Partial<SimulatorServerSettings>
  secrets?: readonly string[]
  /** Client for the simulator's control requests, if the connector's own credentials are needed. */
  control?: typeof fetch
}

export async function openSimulatorBench(settings: SimulatorBenchSettings): Promise<ProviderBench> {
  const clock = { nowMs: Date.parse('2026-03-01T04:00:00Z') }
  const { control = fetch } = settings
  const start = (port: number, booksFile?: string) =>
    startSimulatorServer({
      host: '127.0.0.1',
      nowMs: () => clock.nowMs,
      float: FLOAT,
      ...settings.server,
      port,
      booksFile,
    })
  const directory = await mkdtemp(join(tmpdir(), 'warung-simulator-bench-'))
  const booksFile = join(directory, 'books.jsonl')
  let server: SimulatorServer | undefined = await start(0, booksFile)
  const { url } = server

  async function stop(): Promise<void> {
    await server?.close()
    server = undefined
  }

  return {
    provider: settings.connect(url),
    order(fate) {
      if (fate === 'not_acted') return Promise.resolve(orderAt(clock.nowMs, { amount: FLOAT + 1n }))
      const account = SIMULATED_ACCOUNTS[fate]
      return account === undefined ? cannotArrange(fate) : Promise.resolve(orderAt(clock.nowMs, { account }))
    },
    async spoil(place, fault) {
      if (fault === 'refused') return stop()
      const body: FaultBody = { kind: FAULT_KINDS[fault], on: place, count: 1 }
      const { status } = await control(`${url}/faults`, { method: 'POST', body: JSON.stringify(body) })
      if (status !== 200) throw new Error(`the simulator takes no ${fault} at ${place}`)
    },
    async mend() {
      server ??= await start(Number(new URL(url).port), booksFile)
    },
    decide() {
      clock.nowMs += 60_000
      return Promise.resolve()
    },
    async countActs(order) {
      const answer = await control(`${url}/orders?limit=10000`)
      const { orders } = (await answer.json()) as { orders: BookLine[] }
      return orders.filter(({ reference }) => reference === order.reference).length
    },
    secrets: [CALLBACK_SECRET, ...(settings.secrets ?? [])],
    bills: BILL_SAMPLES,
    options: OPTION_SAMPLES,
    callbacks: { make: (sample) => makeCallback(sample, clock.nowMs), nowMs: () => clock.nowMs },
    async close() {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function orderAt(nowMs: number, changes: Partial<Order>): Order {
  return newOrder({ submittedAt: new Date(nowMs), ...changes })
}

// ── Callbacks as the simulator makes them ──

const HOUR_MS = 3_600_000
const OUTPUT = { serialNumber: 'SIM1', pin: '', expiry: '', voucherLink: '', note: '' }

const SAID: Readonly<Record<CallbackSample['says'], Outcome>> = {
  succeeded: { kind: 'succeeded', output: OUTPUT },
  failed: { kind: 'failed', code: 48, reason: 'Rejected by the provider' },
  pending: { kind: 'pending' },
}

/** Makes the simulator's own callback about an order, with the given flaw. */
export function makeCallback({ order, says, flaw }: CallbackSample, nowMs: number): CallbackRequest {
  const content = JSON.stringify(callbackBodyOf(`evt_${order.reference}_${says}`, order, SAID[says]))
  const text = flaw === 'garbage' ? '<html></html>' : content
  const signedAtMs = nowMs + (flaw === 'old' ? -HOUR_MS : flaw === 'future' ? HOUR_MS : 0)
  const timestamp = String(Math.floor(signedAtMs / 1_000))
  const secret = flaw === 'signature' ? 'another secret' : CALLBACK_SECRET
  const headers = {
    'content-type': 'application/json',
    ...(flaw !== 'unsigned' && {
      [CALLBACK_HEADERS.timestamp]: timestamp,
      [CALLBACK_HEADERS.signature]: signCallback(secret, timestamp, text),
    }),
  }
  // A forger changes a body that was signed for another order.
  const body = flaw === 'body' ? text.replace(order.reference, 'W1-1') : text
  return { headers, query: '', body: Buffer.from(body) }
}
