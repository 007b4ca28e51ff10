import type { Database } from '../db/database.ts'
import type { Vault } from '../db/vault.ts'
import type { BackfilledPayment } from '../modules/payments/reports/backfill.service.ts'
import { addConnection } from '../modules/providers/connections/connections.service.ts'
import { setRoute } from '../modules/providers/connections/routing.service.ts'
import { createHealthHistory } from '../modules/providers/health/history.service.ts'
import { simulatorKind } from '../modules/providers/kinds.service.ts'
import { SIMULATOR_CODE } from '../modules/providers/simulator/service.ts'

// A connected provider, so that the console's pages of providers, routes, margins and health show something.

const SUPPLIER = { code: 'nusantara', name: 'Nusantara Supply' } as const

/**
 * Products that the supplier sells, with its charge as a share of the face value. Each charge is below the prices of
 * both levels. All other products are sold by staging's simulator, which needs no connection.
 */
const CHARGES: Readonly<Record<string, string>> = {
  ARENAPIN: '94%',
  ASTRAL: '92.5%',
  BOLA: '93%',
  BUKUGIFT: '91%',
  KAINGIFT: '90%',
  KITAPIN: '94%',
  LAGUGO: '93%',
  LANGIT: '95.5%',
  MANIS: '88%',
  NAGA: '92%',
  NASIBOX: '89.5%',
  PASAR: '94%',
  ROKET: '91%',
  TAMANRIA: '91%',
  WAYANG: '88%',
  ZAMRUD: '95%',
}

export function providerOf(productCode: string): string {
  return Object.hasOwn(CHARGES, productCode) ? SUPPLIER.code : SIMULATOR_CODE
}

/** Connects the supplier and leads its products to it. The simulator answers for it, inside the service. */
export async function seedDemoSupplier(database: Database, vault: Vault): Promise<void> {
  const simulator = simulatorKind({ fulfilment: () => 'plain', nowMs: Date.now })
  await addConnection(
    { database, vault, kinds: new Map([[simulator.kind, simulator]]) },
    // A visitor tries accounts that never answer. They must not interrupt the products for everybody.
    { ...SUPPLIER, kind: simulator.kind, config: {}, limits: { breaker: false } },
  )
  for (const [productCode, cost] of Object.entries(CHARGES)) {
    const way = { priority: 1, weight: 100, windows: [], isEnabled: true }
    await setRoute(database, { productCode, provider: SUPPLIER.code, cost, ...way })
  }
}

const DAY_MS = 24 * 3_600_000

/**
 * Writes the health of the providers, measured from these orders. It is dated a day later than they are: the month of
 * payments ends with yesterday, and a page that shows the last 24 hours would be empty in the evening.
 */
export async function seedDemoHealth(
  database: Database,
  payments: readonly Pick<BackfilledPayment, 'provider' | 'createdAt' | 'steps'>[],
): Promise<void> {
  let nowMs = 0
  const history = createHealthHistory('demo', () => nowMs)
  const inOrder = [...payments].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  for (const { provider, createdAt, steps } of inOrder) {
    const [first] = steps
    const atMs = createdAt.getTime() + DAY_MS
    if (first === undefined || atMs > Date.now()) continue
    nowMs = atMs
    history.count(provider, {
      answer: answerOf(first.kind),
      tookMs: first.at.getTime() - createdAt.getTime(),
    })
  }
  await history.write(database)
}

function answerOf(step: BackfilledPayment['steps'][number]['kind']) {
  return step === 'processing' ? 'pending' : step === 'failed' ? 'failed' : 'succeeded'
}
