import type { Flaw } from './flaws.ts'
import type { Property } from './properties.ts'
import type { Bounds, Supplier } from './world.types.ts'

/** Providers that act once per reference, and others that cannot take a reference twice. */
const REPEATING: readonly Supplier[] = [
  { name: 'Alpha', repeats: true },
  { name: 'Beta', repeats: true },
]
const SINGLE_USE: readonly Supplier[] = [
  { name: 'Alpha', repeats: false },
  { name: 'Beta', repeats: false },
]

const PLAIN: Bounds = {
  nodes: 2,
  payments: 1,
  requests: 1,
  attempts: 1,
  sendings: 2,
  providers: REPEATING,
  faultKinds: [],
  faults: 0,
  funds: 1,
  operators: 0,
  voids: 0,
  rejects: false,
  tasks: 2,
}

/** Bounded searches. Together they have every fault that the service is built for. */
export const RUNS = {
  takeover: PLAIN,
  people: { ...PLAIN, sendings: 1, operators: 1, voids: 1 },
  intake: { ...PLAIN, requests: 2, sendings: 1, funds: 2, rejects: true, providers: SINGLE_USE },
  failover: { ...PLAIN, attempts: 2 },
  crash: { ...PLAIN, attempts: 2, faultKinds: ['crash', 'lost'], faults: 1 },
  single_use: { ...PLAIN, attempts: 2, providers: SINGLE_USE },
  clock: { ...PLAIN, attempts: 2, providers: SINGLE_USE, faultKinds: ['step'], faults: 1 },
  suspension: { ...PLAIN, sendings: 1, faultKinds: ['suspend'], faults: 1 },
  supplier: { ...PLAIN, attempts: 2, providers: SINGLE_USE, faultKinds: ['flip', 'forget'], faults: 1 },
  wallet: { ...PLAIN, payments: 2, sendings: 1 },
} as const satisfies Record<string, Bounds>

export type RunName = keyof typeof RUNS

/** Property that catches each flaw, within the bounds of a run that is clean without it. */
export const CAUGHT: Readonly<Record<Flaw, { readonly by: Property; readonly run: RunName }>> = {
  refund_on_timeout: { by: 'refund', run: 'takeover' },
  lease_ignored: { by: 'lease', run: 'failover' },
  send_before_commit: { by: 'one_fulfilment', run: 'failover' },
  no_second_look: { by: 'money', run: 'intake' },
  late_send: { by: 'one_fulfilment', run: 'single_use' },
  other_attempt_fails: { by: 'refund', run: 'failover' },
  retry_sends_again: { by: 'one_fulfilment', run: 'intake' },
  unknown_moves_on: { by: 'one_fulfilment', run: 'failover' },
  not_found_proves_at_once: { by: 'one_fulfilment', run: 'single_use' },
  final_moves: { by: 'final', run: 'supplier' },
  answer_before_commit: { by: 'client', run: 'intake' },
  rejection_forgotten: { by: 'client', run: 'intake' },
  crossed_attempt_forgotten: { by: 'watched', run: 'supplier' },
  contradiction_dropped: { by: 'refund', run: 'supplier' },
  clock_believed: { by: 'one_fulfilment', run: 'clock' },
  suspension_unseen: { by: 'refund', run: 'suspension' },
  open_attempt_ignored: { by: 'undecided', run: 'supplier' },
  pending_forgotten: { by: 'ends', run: 'takeover' },
}
