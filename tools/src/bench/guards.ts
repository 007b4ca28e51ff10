import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { replaceLevelLimitRows } from '../../../packages/server/dist/modules/accounts/public.sql.js'
import type { Print } from './measure.ts'
import { median } from './measure.ts'
import type { Payment, PaymentsResult, Wallet } from './payers.ts'
import { measurePayments, openWallets, SILENT } from './payers.ts'
import type { Service } from './service.ts'
import { launchService } from './service.ts'
import type { Tree } from './tree.ts'
import { loadTree } from './tree.ts'

const WALLETS = 200
const PAYMENTS = 6_000
const ROUNDS = 6
const SHORT_ROUNDS = 3
const MUCH = 10n ** 15n
const RINGGIT = 10_000
/** A payment may cost so much more with every guard than with none, and with none than before there were any. */
const GUARDED_MAX = 1.15
const UNGUARDED_MAX = 1.03

/** Payment that is taken and stays where it is; no wallet pays the same amount twice. */
const PAYMENT: Payment = { product: 'KITA', account: '60123453003', amount: 5 }
/** Numbers whose payments end after ten minutes at the earliest: a shop sells to many customers. */
const ACCOUNTS = [1, 2].flatMap((kind) =>
  Array.from({ length: 400 }, (_, index) => `6012345${kind}${600 + index}`),
)

const LIMITS = (['account', 'reseller'] as const).flatMap((scope) =>
  (['day', 'month'] as const).flatMap((period) =>
    ['', 'PREPAID_RELOAD'].map((category) => ({ scope, period, category, payments: MUCH, face_value: MUCH })),
  ),
)

const GUARDED = {
  purpose: { maxAmount: MUCH, dailyCap: MUCH, monthlyCap: MUCH },
  duplicateWindowSeconds: 86_400,
}

type Kind = {
  readonly name: string
  readonly service: Service
  readonly wallets: readonly Wallet[]
  readonly isGuarded?: boolean
}

/**
 * Measures what the guards of payments cost: `npm run bench -- payments --guards`. `--before DIRECTORY` measures another
 * checkout in the same turns, such as the last one without guards; `--short` takes fewer rounds. Kinds take turns, in one
 * order and in the other, so that a busy neighbour affects all.
 */
export async function measureGuards(print: Print) {
  const { values } = parseArgs({
    options: { guards: { type: 'boolean' }, short: { type: 'boolean' }, before: { type: 'string' } },
    allowPositionals: true,
  })
  const rounds = values.short ? SHORT_ROUNDS : ROUNDS
  const closing: (() => Promise<void>)[] = []
  try {
    const launch = async (tree?: Tree) => {
      const dir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
      closing.unshift(() => rm(dir, { recursive: true, force: true }))
      const service = await launchService(dir, SILENT, tree)
      closing.unshift(() => service.stop())
      return service
    }
    const service = await launch()
    const kinds: Kind[] = [{ name: 'no guard', service, wallets: await openWallets(service, WALLETS) }]
    if (values.before !== undefined) {
      const before = await launch(await loadTree(values.before))
      kinds.push({ name: 'before', service: before, wallets: await openWallets(before, WALLETS) })
    }
    const guarded = await openWallets(service, WALLETS, GUARDED)
    kinds.push({ name: 'every guard', service, wallets: guarded, isGuarded: true })
    const results = kinds.map((): PaymentsResult[] => [])
    for (let round = 0; round <= rounds; round += 1) {
      const order = [...kinds.entries()]
      for (const [at, kind] of round % 2 === 0 ? order : order.toReversed()) {
        const result = await measureKind(kind, round)
        // The first round warms up code and caches.
        if (round > 0) results[at]?.push(result)
      }
    }
    report(print, kinds, results)
  } finally {
    for (const close of closing) await close()
  }
}

async function measureKind({ service, wallets, isGuarded = false }: Kind, round: number) {
  const own: Own[] = Array.from({ length: PAYMENTS }, (_, index) => ({
    account: ACCOUNTS[(index * 7) % ACCOUNTS.length] ?? PAYMENT.account,
    amount: PAYMENT.amount + round * (PAYMENTS / WALLETS) + Math.floor(index / WALLETS),
    ...(isGuarded && { quote_id: randomUUID() }),
  }))
  const given = { payment: PAYMENT, own, wallets: WALLETS, count: PAYMENTS }
  if (!isGuarded) return measurePayments(service, wallets, given)
  await keepQuotes(service, wallets, own)
  await limit(service, LIMITS)
  const result = await measurePayments(service, wallets, given)
  await limit(service, [])
  return result
}

async function limit({ runtime }: Service, limits: typeof LIMITS) {
  await runtime.database.transaction((tx) => replaceLevelLimitRows(tx, 'STANDARD', limits))
}

type Own = { account: string; amount: number; quote_id?: string }

/** Keeps a quote for each payment. What it costs to ask for one is not measured. */
async function keepQuotes({ runtime }: Service, wallets: readonly Wallet[], own: readonly Own[]) {
  await runtime.database.query(
    `insert into quotes (reseller_id, id, product_code, product_name, account, amount, face_value, cost,
                         created_at, expires_at)
     select q.reseller_id, q.id, $4, $4, q.account, q.amount, q.amount, q.amount, now(), now() + interval '1 hour'
       from unnest($1::bigint[], $2::uuid[], $3::bigint[], $5::text[]) as q (reseller_id, id, amount, account)`,
    [
      own.map((_, index) => wallets[index % wallets.length]?.resellerId),
      own.map((each) => each.quote_id),
      own.map(({ amount }) => String(amount * RINGGIT)),
      PAYMENT.product,
      own.map(({ account }) => account),
    ],
  )
}

function report(print: Print, kinds: readonly Kind[], results: readonly PaymentsResult[][]) {
  for (const [at, { name }] of kinds.entries()) {
    const figure = (key: 'perSecond' | 'cpuPer1000', digits: number) =>
      median((results[at] ?? []).map((result) => result[key])).toFixed(digits)
    print(
      `  ${name.padEnd(12)} ${figure('perSecond', 0).padStart(6)}/s   ${figure('cpuPer1000', 3)} CPU s per 1,000`,
    )
  }
  const plain = results[0] ?? []
  const compare = (name: string, dear: PaymentsResult[], cheap: PaymentsResult[], wanted: number) => {
    const ratio = (of: (result: PaymentsResult) => number) =>
      median(dear.map((result, round) => of(result) / of(cheap[round] ?? result)))
    const time = ratio(({ perSecond }) => 1 / perSecond)
    const cpu = ratio(({ cpuPer1000 }) => cpuPer1000)
    print(
      `  ${name}: ${time.toFixed(3)} of the time, ${cpu.toFixed(3)} of the CPU (wanted: at most ${wanted})`,
    )
  }
  for (const [at, { name, isGuarded }] of kinds.entries()) {
    if (isGuarded) compare('every guard, to none', results[at] ?? [], plain, GUARDED_MAX)
    if (name === 'before') compare('no guard, to before', plain, results[at] ?? [], UNGUARDED_MAX)
  }
}
