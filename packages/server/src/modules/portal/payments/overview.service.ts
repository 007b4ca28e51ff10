import { dayOf } from '../../../lib/dates.ts'
import { listApiKeys } from '../../accounts/keys.service.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import type { CaseFilter } from '../../cases/types.ts'
import type { DeliveryDay } from '../../events/log/days.service.ts'
import { listDeliveryDays } from '../../events/log/days.service.ts'
import { STREAMS } from '../../events/types.ts'
import { listDays } from '../../finance/closings/closings.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { listThresholds } from '../../wallet/balance/thresholds.service.ts'
import { resellerOf } from '../access/access.service.ts'
import type { PortalSettings } from '../access/types.ts'
import type { Attention, BalanceDay, Day, EndpointState } from './overview.rules.ts'
import {
  accountAttention,
  balanceByDay,
  CASES_TARGET,
  countAttention,
  countLeftPending,
  daysLeft,
  endpointAttention,
  keyAttention,
  LOSSES_TARGET,
  leftPendingTarget,
  moneyAttention,
  spentPerDay,
} from './overview.rules.ts'

export type Overview = {
  readonly balance: bigint
  readonly daysLeft: number | null
  readonly runway: Runway
  /** The last 30 days; the last one is today. */
  readonly days: readonly Day[]
  /** The same days. */
  readonly balances: readonly BalanceDay[]
  readonly deliveries: readonly DeliveryDay[]
  readonly interruptions: readonly Interruption[]
  readonly attention: readonly Attention[]
}

/** How long the balance lasts at the rate of the last seven whole days. */
export type Runway = {
  readonly spentPerDay: bigint | null
  /** The highest threshold, at which the account's members are told; null: there is none. */
  readonly threshold: bigint | null
  readonly daysToThreshold: number | null
}

export type Interruption = { readonly product: string; readonly name: string; readonly since: Date }

const DAYS = 30
const CASES_COUNTED_MAX = 100

export async function readOverview(
  settings: PortalSettings,
  caller: MemberCaller,
  deadlineMs: number,
): Promise<Overview> {
  const reseller = resellerOf(settings, caller)
  const today = dayOf(settings.now().getTime())
  // The reads run one after another, so that one page takes one connection of the pool and not all of them.
  const balance = await settings.balances.get(reseller.id, deadlineMs)
  const range = { from: today - DAYS + 1, to: today }
  const days = await settings.payments.sumByDay(reseller.id, range)
  const moved = await listDays(settings.database, reseller.id, range)
  const nowMs = settings.now().getTime()
  const deliveries = await listDeliveryDays(settings.database, reseller.id, range, nowMs)
  const thresholds = await listThresholds(settings.database, reseller.id)
  const states = await listEndpointStates(settings, reseller.id)
  const cases = await countOpenCases(settings, reseller.id)
  const keys = await listApiKeys(settings.database, reseller.id)
  const lasts = daysLeft(balance, days, today)
  const losing = countLosing(settings, reseller)
  const threshold = thresholds[0]?.amount ?? null
  return {
    balance,
    daysLeft: lasts,
    runway: {
      spentPerDay: spentPerDay(days, today),
      threshold,
      daysToThreshold: threshold === null ? null : daysLeft(balance - threshold, days, today),
    },
    days,
    balances: balanceByDay(moved, range, balance),
    deliveries,
    interruptions: listInterruptions(settings, reseller),
    attention: [
      ...accountAttention(reseller),
      ...moneyAttention(balance, threshold, lasts),
      ...states.flatMap(endpointAttention),
      ...countAttention(
        'products_at_loss',
        losing,
        'Some products can be sold below their cost.',
        LOSSES_TARGET,
      ),
      ...countAttention(
        'payments_pending',
        countLeftPending(days, today),
        'Some payments of the days before have not ended yet.',
        leftPendingTarget(days, today),
      ),
      ...countAttention('cases_open', cases, 'Some cases are not closed yet.', CASES_TARGET),
      ...keyAttention(keys.filter(({ state }) => state === 'in_grace')),
    ],
  }
}

async function listEndpointStates(
  { endpoints }: PortalSettings,
  resellerId: bigint,
): Promise<EndpointState[]> {
  const found: EndpointState[] = []
  for (const stream of STREAMS) {
    const endpoint = await endpoints.find(resellerId, stream)
    if (endpoint !== undefined) found.push(endpoint)
  }
  return found
}

async function countOpenCases({ cases }: PortalSettings, resellerId: bigint): Promise<number> {
  const any: CaseFilter = {
    state: null,
    kind: null,
    fromMs: null,
    untilMs: null,
    beforeId: null,
    limit: CASES_COUNTED_MAX,
  }
  let open = 0
  for (const state of ['open', 'in_progress'] as const) {
    open += (await cases.list(resellerId, { ...any, state })).cases.length
  }
  return open
}

function countLosing({ catalog }: PortalSettings, reseller: DirectoryReseller): number {
  const products = [...catalog.snapshotFor(reseller).products.values()]
  return products.filter((each) => each.isActive && each.hasLossRisk).length
}

/** Lists interruptions of the products that the account sells, because its own customers notice them. */
export function listInterruptions(
  settings: Pick<PortalSettings, 'catalog' | 'network'>,
  reseller: DirectoryReseller,
): Interruption[] {
  const { catalog, network } = settings
  return [...catalog.snapshotFor(reseller).products.values()]
    .filter((each) => each.isActive && !each.product.isHidden)
    .flatMap(({ product: { code }, name }) => {
      const { isInterrupted, sinceMs } = network.stateFor(reseller, code)
      return isInterrupted ? [{ product: code, name, since: new Date(sinceMs) }] : []
    })
}
