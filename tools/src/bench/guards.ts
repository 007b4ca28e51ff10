import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { replaceLevelLimitRows } from '../../../packages/server/dist/modules/accounts/public.sql.js'
import type { Print } from './measure.ts'
import { median } from './measure.ts'
import { measurePayments, NEVER_ANSWERED, openWallets, SILENT } from './payers.ts'
import type { Service } from './service.ts'
import { launchService } from './service.ts'

const WALLETS = 200
const ROUNDS = 5
const PAYMENTS = 10_000
const MUCH = 10n ** 15n

const ENTRIES = (['account', 'reseller'] as const).flatMap((scope) =>
  (['day', 'month'] as const).flatMap((period) =>
    ['', 'PREPAID_RELOAD'].map((category) => ({ scope, period, category, payments: MUCH, face_value: MUCH })),
  ),
)

async function limit(service: Service, entries: typeof ENTRIES): Promise<void> {
  await service.runtime.database.transaction((tx) => replaceLevelLimitRows(tx, 'STANDARD', entries))
}

/**
 * Measures what limits and caps cost a payment: `npm run bench -- payments --guards`. Rounds of each kind take turns, so
 * that a busy neighbour affects all.
 */
export async function measureGuards(print: Print) {
  const dataDir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
  const service = await launchService(dataDir, SILENT)
  try {
    const plain = await openWallets(service, WALLETS)
    const others = await openWallets(service, WALLETS)
    const caps = { maxAmount: MUCH, dailyCap: MUCH, monthlyCap: MUCH }
    const capped = await openWallets(service, WALLETS, caps)
    const kinds = [
      { name: 'without', credentials: plain, entries: [] },
      { name: 'caps of keys', credentials: capped, entries: [] },
      { name: 'eight limits', credentials: others, entries: ENTRIES },
      { name: 'eight limits and caps', credentials: capped, entries: ENTRIES },
    ]
    const rates = kinds.map((): number[] => [])
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [at, { credentials, entries }] of kinds.entries()) {
        await limit(service, entries)
        const given = { payment: NEVER_ANSWERED, wallets: WALLETS, count: PAYMENTS }
        const { perSecond } = await measurePayments(service, credentials, given)
        // The first round warms up code and caches.
        if (round > 0) rates[at]?.push(perSecond)
      }
    }
    const base = median(rates[0] ?? [])
    for (const [at, { name }] of kinds.entries()) {
      const rate = median(rates[at] ?? [])
      print(
        `  ${name}: ${rate.toFixed(0)} payments/s, ${((base / rate - 1) * 100).toFixed(1)} % more for each`,
      )
    }
  } finally {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
