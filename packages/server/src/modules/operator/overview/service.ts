import { readWithin } from '../../../db/bounded.ts'
import type { Tx } from '../../../db/database.ts'
import type { DayRange } from '../../../lib/dates.ts'
import { dayOf } from '../../../lib/dates.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { OpenAlerts } from '../../alerts/core/service.ts'
import { readOpenAlerts } from '../../alerts/core/service.ts'
import type { PendingApproval } from '../../approvals/types.ts'
import type { DueCases } from '../../cases/operators.service.ts'
import { readDueCases } from '../../cases/operators.service.ts'
import { listDeliveryQueues } from '../../events/endpoints/operators.service.ts'
import { readSuppliers } from '../../margins/service.ts'
import type { Suppliers } from '../../margins/types.ts'
import { listSales } from '../../payments/reports/sales.service.ts'
import type { ProductSales } from '../../payments/reports/sales.types.ts'
import type { StuckCount, StuckPayment } from '../../payments/support/support.service.ts'
import { countStuckPayments, listStuckPayments } from '../../payments/support/support.service.ts'
import { listConnections } from '../../providers/connections/connections.service.ts'
import type { Health } from '../../providers/connections/routing.types.ts'
import type { ProviderFloat } from '../../providers/float.rules.ts'
import { listFloats } from '../../providers/float.service.ts'
import { combineReports } from '../../providers/health/health.rules.ts'
import { listHealthReports } from '../../providers/health/health.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { scopeOf } from '../kit/approvals.rules.ts'
import type { Permission } from '../kit/roles.rules.ts'
import { mayDo } from '../kit/roles.rules.ts'
import type { MoneyContext } from '../kit/types.ts'
import type { ProofRow } from '../money/ledger.sql.ts'
import { listProofs } from '../money/ledger.sql.ts'
import type { Remembered } from './remembered.service.ts'
import { remember } from './remembered.service.ts'

export type OverviewContext = Pick<MoneyContext, 'database' | 'approvals' | 'nowMs'>

/** First page of the console. A part is null if the operator's role may not read it. */
export type OperatorOverview = {
  readonly nowMs: number
  readonly alerts: OpenAlerts | null
  readonly stuck: (StuckCount & { readonly first: readonly StuckPayment[] }) | null
  readonly approvals: readonly PendingApproval[] | null
  readonly cases: DueCases | null
  readonly providers: readonly WatchedProvider[] | null
  readonly proofs: readonly ProofRow[] | null
  /** Parts of which the database could not read enough in time are `late`. */
  readonly receivers: Dated<readonly DeliveryQueue[]> | 'late' | null
  readonly sales: Dated<Sales> | 'late' | null
}

export type Dated<T> = { readonly value: T; readonly atMs: number }

export type DeliveryQueue = Awaited<ReturnType<typeof listDeliveryQueues>>[number]

export type Sales = {
  readonly days: DayRange
  readonly sales: readonly ProductSales[]
  readonly suppliers: Suppliers
}

export type WatchedProvider = {
  readonly code: string
  readonly name: string
  readonly isEnabled: boolean
  /** False: it has no connection of its own, as the simulator of staging. */
  readonly isConnected: boolean
  /** undefined: no order went there lately. */
  readonly health: Health | undefined
  readonly float: ProviderFloat | undefined
}

const FIRST = 10
/** Limit of requests that are counted: they expire after days, so that there are never many. */
export const APPROVALS_MAX = 200
export const QUEUES_MAX = 1_000
const DAYS = 30
const TIMEOUT_MS = 5_000

export function createOverviews(
  context: OverviewContext,
): (caller: OperatorCaller) => Promise<OperatorOverview> {
  const { database, nowMs } = context
  // These two read more when there is more: they are shared by all operators, and rest in between.
  const queues = remember(() => listDeliveryQueues(database, QUEUES_MAX), { nowMs })
  const sales = remember(() => readSales(context), { nowMs })
  return async (caller) => {
    const may = (permission: Permission) => mayDo(caller.role, permission)
    const read = await readWithin(database, TIMEOUT_MS, (tx) => readParts(tx, may))
    const page = { scope: scopeOf(caller), limit: APPROVALS_MAX }
    return {
      nowMs: nowMs(),
      ...read,
      approvals: may('approvals.read') ? await context.approvals.listPending(caller, page) : null,
      receivers: may('deliveries.read') ? await inTime(queues) : null,
      sales: may('payments.read') ? await inTime(sales) : null,
    }
  }
}

/** Reads the parts that stay small, in one snapshot and on one connection. */
async function readParts(tx: Tx, may: (permission: Permission) => boolean) {
  return {
    alerts: may('alerts.read') ? await readOpenAlerts(tx, FIRST) : null,
    stuck: may('payments.read')
      ? { ...(await countStuckPayments(tx)), first: await listStuckPayments(tx, { limit: FIRST }) }
      : null,
    cases: may('cases.read') ? await readDueCases(tx, FIRST) : null,
    providers: may('providers.read') ? await listWatchedProviders(tx) : null,
    // The newest one may still be running; the one before it has the last result.
    proofs: may('ledger.read') ? await listProofs(tx, 2) : null,
  }
}

async function listWatchedProviders(tx: Tx): Promise<WatchedProvider[]> {
  const connections = await listConnections(tx)
  const reports = await listHealthReports(tx)
  const floats = await listFloats(tx)
  const connected = connections.map(({ code, name, isEnabled }) => ({
    code,
    name,
    isEnabled,
    isConnected: true,
  }))
  const known = new Set(connections.map(({ code }) => code))
  const others = [...new Set(reports.map(({ provider }) => provider))].filter((code) => !known.has(code))
  const unconnected = others.map((code) => ({ code, name: code, isEnabled: true, isConnected: false }))
  return [...connected, ...unconnected].map((each) => {
    const own = reports.filter(({ provider }) => provider === each.code)
    return {
      ...each,
      health: own.length === 0 ? undefined : combineReports(own),
      float: floats.find(({ provider }) => provider === each.code),
    }
  })
}

async function readSales({ database, nowMs }: OverviewContext): Promise<Sales> {
  const today = dayOf(nowMs())
  const days = { from: today - DAYS + 1, to: today }
  return { days, sales: await listSales(database, days), suppliers: await readSuppliers(database) }
}

/** Leaves out a part that takes too long: the others say what is wrong, and are needed most then. */
async function inTime<T>(part: Remembered<T>): Promise<Dated<T> | 'late'> {
  try {
    return await part.get()
  } catch (error) {
    if (error instanceof RequestError && error.code === 'read_too_long') return 'late'
    throw error
  }
}
