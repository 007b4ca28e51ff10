import type { CallbackFault, RequestFault } from '../simulator.ts'
import type { Random } from './random.ts'
import { createRandom } from './random.ts'

/** Places at which a node kills or stops itself, so that faults also hit the few instructions that matter most. */
export const PLACES = [
  'intake.before',
  'intake.committed',
  'dispatch.confirmed',
  'dispatch.before',
  'dispatch.sent',
  'attempt.before',
  'attempt.committed',
  'resolve.before',
  'resolve.committed',
  'refund.before',
  'refund.committed',
  'void.approved',
  'events.before',
  'events.committed',
] as const

/** Place of the code, and the number of times that a node gets there before the fault. */
export type Place = { readonly place: (typeof PLACES)[number]; readonly times: number }

export type LinkName = 'client' | 'database' | 'supplier' | 'receiver'

const LINKS: readonly LinkName[] = ['client', 'database', 'supplier', 'receiver']

/** One fault. Nodes, suppliers and links are named by their position. */
export type Fault =
  | { readonly kind: 'kill'; readonly node: number; readonly place: Place | undefined }
  | { readonly kind: 'freeze'; readonly node: number; readonly place: Place | undefined }
  /** Like a freeze, but the node's monotonic clock stands still, as on a machine that is suspended. */
  | { readonly kind: 'suspend'; readonly node: number; readonly place: Place | undefined }
  | { readonly kind: 'restart_database' }
  | { readonly kind: 'cut'; readonly link: LinkName; readonly at: number }
  | { readonly kind: 'refuse'; readonly link: LinkName; readonly at: number }
  | {
      readonly kind: 'hold'
      readonly link: LinkName
      readonly at: number
      readonly direction: 'there' | 'back'
    }
  | { readonly kind: 'lose_answers'; readonly link: LinkName; readonly at: number }
  | {
      readonly kind: 'supplier'
      readonly at: number
      readonly fault: RequestFault
      readonly on: SupplierRequest
      readonly count: number
    }
  | {
      readonly kind: 'supplier_callback'
      readonly at: number
      readonly fault: CallbackFault
      readonly count: number
    }
  | { readonly kind: 'receiver'; readonly status: number }
  | { readonly kind: 'burst'; readonly payments: number }
  | { readonly kind: 'database_clock'; readonly seconds: number }
  | { readonly kind: 'node_clock'; readonly node: number; readonly seconds: number }

export type Planned = { readonly atMs: number; readonly forMs: number; readonly fault: Fault }

export type Shape = {
  readonly nodes: number
  readonly suppliers: number
  readonly leaseMs: number
  /** Longest time for which an order may be under way: “not found” proves nothing before it is over. */
  readonly heldMaxMs: number
  /** True: nobody else uses the database server, so it may be restarted and its clock may be moved. */
  readonly ownsDatabase: boolean
}

type Kind = Fault['kind']

/** Faults of a run that comes to one place of the code soon. */
export type Focus = {
  /** Weights of the kinds in place of the usual ones; a kind that is left out does not happen. */
  readonly weights: Readonly<Partial<Record<Kind, number>>>
  /** Places at which every kill and freeze happens; left out: anywhere, too. */
  readonly places?: readonly (typeof PLACES)[number][] | undefined
  /** Least and longest freeze, in leases. */
  readonly freezeLeases?: readonly [least: number, most: number] | undefined
  /** Nodes that are killed and frozen. The others go on, and take over what these leave. */
  readonly nodes?: readonly number[] | undefined
  /** Links that are disturbed. */
  readonly links?: readonly LinkName[] | undefined
  /** Requests to suppliers that go wrong. */
  readonly on?: readonly SupplierRequest[] | undefined
  /** Payments that clients make: those whose product and account, with a space between them, fit. */
  readonly payments?: RegExp | undefined
}

type SupplierRequest = 'submit' | 'query' | 'void'

const WEIGHTS: Readonly<Record<Kind, number>> = {
  kill: 10,
  freeze: 8,
  suspend: 4,
  restart_database: 5,
  cut: 8,
  refuse: 5,
  hold: 8,
  lose_answers: 10,
  supplier: 14,
  supplier_callback: 6,
  receiver: 6,
  burst: 5,
  database_clock: 2,
  node_clock: 3,
}

const REQUEST_FAULTS: readonly RequestFault[] = [
  'slow',
  'hang',
  'hang_before',
  'error_before',
  'error_after',
  'garbage',
  'truncated',
  'drop_before',
  'drop_after',
  'reset_before',
  'reset_after',
  'duplicate_answer',
]

const CALLBACK_FAULTS: readonly CallbackFault[] = [
  'callback_missing',
  'callback_twice',
  'callback_early',
  'callback_contradicted',
  'callback_pending_after',
  'callback_wrong_amount',
  'callback_bad_signature',
  'callback_old',
  'callback_garbage',
]

const TIMES_MAX = 4
/** Share of kills and freezes that happen at a named place. */
const PLACED_SHARE = 0.6
/** Share of freezes that end before the lease: nobody may take the work over. */
const SHORT_FREEZE_SHARE = 0.25
const PAUSE_MIN_MS = 150
const PAUSE_MAX_MS = 1_200
/** The signatures of clients, whose clocks are right, must stay in time: five minutes. */
const CLOCK_AHEAD_MAX_SECONDS = 200
const NODE_CLOCK_MAX_SECONDS = 120

const USUAL: Focus = { weights: WEIGHTS }

/** Plans the faults of a run. The same seed, shape, duration and focus give the same plan. */
export function planFaults(seed: number, shape: Shape, durationMs: number, focus: Focus = USUAL): Planned[] {
  const random = createRandom(seed).fork('faults')
  const plan: Planned[] = []
  const kinds = (Object.entries(focus.weights) as [Kind, number][])
    .filter(([kind]) => shape.ownsDatabase || kind !== 'database_clock')
    .map(([kind, weight]) => [weight, kind] as const)
  let aheadSeconds = 0
  for (let atMs = random.between(0, PAUSE_MAX_MS); atMs < durationMs; ) {
    const fault = makeFault(random.weighted(kinds), random, shape, focus)
    const isTooFar = fault.kind === 'database_clock' && aheadSeconds + fault.seconds > CLOCK_AHEAD_MAX_SECONDS
    if (!isTooFar) {
      if (fault.kind === 'database_clock') aheadSeconds += fault.seconds
      plan.push({ atMs, forMs: durationOf(fault, random, shape, focus), fault })
    }
    atMs += random.between(PAUSE_MIN_MS, PAUSE_MAX_MS)
  }
  return plan
}

function makeFault(kind: Kind, random: Random, shape: Shape, focus: Focus): Fault {
  const node = focus.nodes === undefined ? random.between(0, shape.nodes - 1) : random.pick(focus.nodes)
  const isPlaced = random.chance(PLACED_SHARE) || focus.places !== undefined
  const place = isPlaced
    ? { place: random.pick(focus.places ?? PLACES), times: random.between(1, TIMES_MAX) }
    : undefined
  switch (kind) {
    case 'kill':
    case 'freeze':
    case 'suspend':
      return { kind, node, place }
    case 'restart_database':
      return { kind }
    case 'cut':
    case 'refuse':
      return { kind, ...linkOf(random, shape, focus.links ?? LINKS) }
    case 'hold': {
      const direction = random.pick(['there', 'back'] as const)
      return { kind, direction, ...linkOf(random, shape, focus.links ?? LINKS) }
    }
    case 'lose_answers':
      return { kind, ...linkOf(random, shape, focus.links ?? ['database', ...LINKS]) }
    case 'supplier':
    case 'supplier_callback':
      return supplierFault(kind, random, shape, focus)
    case 'receiver':
      return { kind, status: random.pick([500, 503, 408, 429]) }
    case 'burst':
      return { kind, payments: random.between(10, 40) }
    case 'database_clock':
      return { kind, seconds: random.between(10, 60) }
    case 'node_clock':
      return { kind, node, seconds: random.between(-NODE_CLOCK_MAX_SECONDS, NODE_CLOCK_MAX_SECONDS) }
  }
}

/** Requests to suppliers, as often as they go wrong. */
const REQUESTS: readonly SupplierRequest[] = ['submit', 'submit', 'submit', 'query', 'void']

function supplierFault(
  kind: 'supplier' | 'supplier_callback',
  random: Random,
  shape: Shape,
  focus: Focus,
): Fault {
  const at = random.between(0, shape.suppliers - 1)
  const count = random.between(1, 8)
  if (kind === 'supplier') {
    const on = random.pick(focus.on ?? REQUESTS)
    return { kind, at, fault: random.pick(REQUEST_FAULTS), on, count }
  }
  return { kind, at, fault: random.pick(CALLBACK_FAULTS), count }
}

function linkOf(random: Random, { nodes, suppliers }: Shape, links: readonly LinkName[]) {
  const link = random.pick(links)
  const most = link === 'supplier' ? suppliers : link === 'receiver' ? 1 : nodes
  return { link, at: random.between(0, most - 1) }
}

/** Freezes last beyond the lease, so that others take the work over; some until "not found" is a proof. */
const FREEZE_LEASES = [1.1, 3] as const
const SHORT_FREEZE_LEASES = [0.1, 0.8] as const

function durationOf(fault: Fault, random: Random, { leaseMs, heldMaxMs }: Shape, focus: Focus): number {
  switch (fault.kind) {
    case 'freeze':
    case 'suspend': {
      const usual = random.chance(SHORT_FREEZE_SHARE) ? SHORT_FREEZE_LEASES : FREEZE_LEASES
      const [least, most] = focus.freezeLeases ?? usual
      return random.between(Math.round(least * leaseMs), Math.round(most * leaseMs))
    }
    case 'kill':
      return random.between(0, 1_500)
    case 'hold':
    case 'lose_answers':
    case 'refuse':
      return random.between(50, heldMaxMs)
    case 'receiver':
    case 'node_clock':
      return random.between(500, 4_000)
    case 'restart_database':
    case 'cut':
    case 'supplier':
    case 'supplier_callback':
    case 'burst':
    case 'database_clock':
      return 0
  }
}

/** Describes a fault in words, for stories. */
export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
    case 'freeze':
    case 'suspend': {
      const where = fault.place === undefined ? '' : ` at ${fault.place.place}:${fault.place.times}`
      return `${fault.kind} node ${fault.node}${where}`
    }
    case 'restart_database':
      return 'the database ends at once and recovers'
    case 'cut':
    case 'refuse':
    case 'lose_answers':
      return `${fault.kind.replace('_', ' ')} on ${fault.link} link ${fault.at}`
    case 'hold':
      return `hold bytes ${fault.direction} on ${fault.link} link ${fault.at}`
    case 'supplier':
      return `supplier ${fault.at}: ${fault.fault} on ${fault.on} × ${fault.count}`
    case 'supplier_callback':
      return `supplier ${fault.at}: ${fault.fault} × ${fault.count}`
    case 'receiver':
      return `receiver answers ${fault.status}`
    case 'burst':
      return `burst of ${fault.payments} payments`
    case 'database_clock':
      return `the database's clock is set ${fault.seconds} s forward`
    case 'node_clock':
      return `the clock of node ${fault.node} is ${fault.seconds} s off`
  }
}
