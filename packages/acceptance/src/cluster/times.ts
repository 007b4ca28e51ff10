import type { Exchange } from '../faults/records.ts'
import { groupBy } from '../faults/records.ts'

// Times until a cluster serves again, from the clients' logs alone.

/** Times after one fault, in milliseconds. */
export type Recovery = {
  readonly fault: string
  /** Time until a payment that was begun after the fault was acknowledged. */
  readonly firstMs: number
  /** Time until payments were acknowledged at every address that is expected to serve. */
  readonly everywhereMs: number
  /** Longest time in which no client was told anything about a payment. */
  readonly longestGapMs: number
  /** Time until every part was there again, with a synchronous standby. */
  readonly wholeMs: number
}

/** Returns the time from the fault until a payment that was begun after it was acknowledged; undefined: not yet. */
export function firstAcknowledged(exchanges: readonly Exchange[], atMs: number): number | undefined {
  const begun = new Map<string, number>()
  for (const { account, refid, sentMs } of exchanges) {
    const key = `${account} ${refid}`
    begun.set(key, Math.min(begun.get(key) ?? sentMs, sentMs))
  }
  const times = exchanges
    .filter(
      ({ told, account, refid }) =>
        told.kind === 'payment' && Number(begun.get(`${account} ${refid}`)) >= atMs,
    )
    .map(({ toldMs }) => toldMs - atMs)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Returns the longest time between the fault and `untilMs` in which no client was told anything about a payment. */
export function longestGap(exchanges: readonly Exchange[], atMs: number, untilMs: number): number {
  const told = exchanges
    .filter((each) => each.told.kind === 'payment' && each.toldMs > atMs && each.toldMs < untilMs)
    .map(({ toldMs }) => toldMs)
    .sort((a, b) => a - b)
  const times = [atMs, ...told, untilMs]
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] as number)))
}

const COLUMNS = ['firstMs', 'everywhereMs', 'longestGapMs', 'wholeMs'] as const
const HEAD = [
  'fault',
  'times',
  'first new payment',
  'at every address',
  'longest time without an answer',
  'everything there again',
]

/** Builds the table of docs/proof.md: one line for each kind of fault, with the least and the most seconds. */
export function tableOf(recoveries: readonly Recovery[]): string {
  const byFault = groupBy(recoveries, ({ fault }) => fault)
  const lines = [...byFault].map(([fault, own]) => [
    fault,
    String(own.length),
    ...COLUMNS.map((column) => spanOf(own.map((each) => each[column]))),
  ])
  return [HEAD, HEAD.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function spanOf(times: readonly number[]): string {
  const [least, most] = [Math.min(...times), Math.max(...times)].map((ms) => (ms / 1_000).toFixed(1))
  return least === most ? `${least} s` : `${least} to ${most} s`
}
