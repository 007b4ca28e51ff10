import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { NewKey } from '../../../packages/server/dist/modules/accounts/keys.service.js'
import type { Accounts } from '../../../packages/server/dist/modules/accounts/service.js'
import { readProcesses } from './cpu.ts'
import type { Service } from './service.ts'
import type { Credentials } from './signed.ts'
import type { Tree } from './tree.ts'
import { THIS_TREE } from './tree.ts'

export type Payment = { product: string; account: string; amount: number }

/** Orders of the payers. */
export type PayOrders = {
  url: string
  credentials: Credentials[]
  connections: number
  requests: number
  payment: Payment
  /** Members of each request, besides those of the payment. */
  own?: readonly object[] | undefined
  perSecond?: number
  fromSchedule?: boolean
  withLatencies?: boolean
}

/** Figures that the payers met. */
export type Paid = {
  startedAt: number
  perSecond: number
  cpuMicros: number
  p50Ms: number
  p99Ms: number
  latenciesMs?: number[]
  failed: number
  example: string
}

/** Wallets that are opened at the same time. */
const OPENED_AT_ONCE = 8
const CONNECTIONS = 128
const PAYMENTS = 20_000
const RINGGIT = 10_000n
/** Line that payers print when their requests are signed. */
const READY = 'READY\n'

/** Payment to a number whose provider never answers: it is taken, and nothing else happens to it. */
export const NEVER_ANSWERED: Payment = { product: 'NOVA', account: '60123453003', amount: 10 }
export const ANSWERED_AT_ONCE: Payment = { product: 'NOVA', account: '60123456789', amount: 10 }

/** Settings that give the provider a minute, so that nothing is resolved while payments are counted. */
export const SILENT = { WARUNG_SIMULATOR_TIMEOUT_SECONDS: '60', WARUNG_LEASE_SECONDS: '600' }

/** Key that pays from a wallet of its own. */
export type Wallet = Credentials & { readonly resellerId: string }

export async function openWallets(
  service: Service,
  count: number,
  {
    purpose = {},
    duplicateWindowSeconds,
  }: { purpose?: Partial<NewKey>; duplicateWindowSeconds?: number } = {},
): Promise<Wallet[]> {
  const { database, vault } = service.runtime
  const { createReseller, deposit } = service.tree
  const accounts = { database, vault, environment: 'staging' as const }
  const openWallet = async (index: number) => {
    const reseller = await createReseller(accounts, {
      name: `Bench ${index}`,
      email: 'bench@warung.example',
      priceLevel: 'STANDARD',
      ...(duplicateWindowSeconds !== undefined && { duplicateWindowSeconds }),
    })
    const key = await openKey(accounts, reseller.id, ['read', 'pay'], purpose, service.tree)
    await database.transaction((tx) =>
      deposit(tx, { resellerId: reseller.id, amount: 10_000_000n * RINGGIT, remarks: 'bench' }),
    )
    return { ...key, resellerId: String(reseller.id) }
  }
  const credentials: Wallet[] = []
  while (credentials.length < count) {
    const some = Array.from({ length: Math.min(OPENED_AT_ONCE, count - credentials.length) }, (_, index) =>
      openWallet(credentials.length + index),
    )
    credentials.push(...(await Promise.all(some)))
  }
  const last = credentials.at(-1)
  if (last !== undefined) await untilKnown(service.baseUrl, last)
  return credentials
}

/** Makes a key that signs. */
export async function openKey(
  accounts: Accounts,
  resellerId: bigint,
  scopes: NonNullable<NewKey['scopes']>,
  purpose: Partial<NewKey> = {},
  { createApiKey }: Pick<Tree, 'createApiKey'> = THIS_TREE,
): Promise<Credentials> {
  const { key, signingSecret } = await createApiKey(accounts, resellerId, {
    ...purpose,
    label: 'bench',
    scopes,
  })
  if (signingSecret === null) throw new Error('the key has no secret to sign with')
  return { apiKey: key, signingSecret }
}

/**
 * Waits until every process knows the accounts. Each process learns of new accounts by itself, and of the newest
 * account last.
 */
async function untilKnown(baseUrl: string, { apiKey }: Credentials) {
  const headers = { 'X-Api-Key': apiKey }
  for (let known = 0; known < 20; ) {
    const answer = await fetch(`${baseUrl}/v2/balance`, { headers })
    const { error } = (await answer.json()) as { error?: string }
    if (error === 'invalid_api_key') await new Promise((resolve) => setTimeout(resolve, 100))
    else known += 1
  }
}

type Measured = {
  payment: Payment
  own?: readonly object[] | undefined
  wallets: number
  untilFinal?: boolean
  count?: number
  connections?: number
}

export type PaymentsResult = Paid & { connections: number; cpuPer1000: number }

/** Runs the payers once. With `untilFinal` the time ends when no payment is in progress. */
export async function measurePayments(
  service: Service,
  credentials: readonly Credentials[],
  { payment, own, wallets, untilFinal, count = PAYMENTS, connections = CONNECTIONS }: Measured,
): Promise<PaymentsResult> {
  const { database } = service.runtime
  await database.query('delete from payment_work')
  const cpuBefore = cpuSeconds(service.pid)
  const result = await startPayers({
    url: `${service.baseUrl}/v2/topup`,
    credentials: credentials.slice(0, wallets),
    connections,
    requests: count,
    payment,
    own,
  })
  if (result.failed > 0) throw new Error(`${result.failed} payments failed, such as: ${result.example}`)
  if (untilFinal) {
    for (;;) {
      const { rows } = await database.query('select 1 from payment_work limit 1')
      if (rows.length === 0) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    result.perSecond = count / ((Date.now() - result.startedAt) / 1_000)
  }
  return { ...result, connections, cpuPer1000: ((cpuSeconds(service.pid) - cpuBefore) / count) * 1_000 }
}

/**
 * Starts payers in their own process and returns their result. They sign their requests first, and begin when `mayBegin`
 * resolves.
 */
export function startPayers(
  orders: PayOrders,
  mayBegin: () => Promise<void> = async () => {},
  signal?: AbortSignal,
): Promise<Paid> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./pay-load.js', import.meta.url))], {
      stdio: ['pipe', 'pipe', 'inherit'],
      signal,
    })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      if (!text.startsWith(READY)) return
      text = text.slice(READY.length)
      mayBegin().then(() => child.stdin.end(), reject)
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(text) as Paid) : reject(new Error(`payers ended with ${code}`)),
    )
    child.stdin.write(`${JSON.stringify(orders)}\n`)
  })
}

/** Starts several groups of payers, which begin together when all of them have signed their requests. */
export function startTogether(...groups: PayOrders[]) {
  let missing = groups.length
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const mayBegin = () => {
    missing -= 1
    if (missing === 0) open()
    return opened
  }
  // A group that fails ends the others, which would wait for it for ever.
  const failing = new AbortController()
  return Promise.all(groups.map((orders) => startPayers(orders, mayBegin, failing.signal))).catch((error) => {
    failing.abort()
    throw error
  })
}

/** Returns the CPU time of the service's and its database's processes, if /proc has it. The payers are not counted. */
function cpuSeconds(servicePid: number) {
  const processes = readProcesses()
  if (processes.size === 0) return Number.NaN
  let micros = 0
  for (const [pid, { parent, user, system }] of processes) {
    // The service starts the workers and the postmaster, and the postmaster the database's other processes.
    const ancestors = [pid, parent, processes.get(parent)?.parent]
    if (ancestors.includes(servicePid)) micros += user + system
  }
  return micros / 1e6
}
