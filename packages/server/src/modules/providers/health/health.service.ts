import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database, Queryable } from '../../../db/database.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { Breaker, BreakerSettings } from '../connections/breaker.rules.ts'
import { acceptsOrders, admit, createBreaker, measure, observe } from '../connections/breaker.rules.ts'
import type { Admission, Health, Observation } from '../connections/routing.types.ts'
import { combineHealth, toReport } from './health.rules.ts'
import { forgetHealth, listHealth, publishHealth } from './health.sql.ts'
import type { HealthReport, HealthRow } from './health.types.ts'
import { createHealthHistory } from './history.service.ts'

/** Measurements of each provider by this node, and the reports of the other nodes. */
export type HealthBoard = {
  /** Sets the providers to measure. One whose connection changed starts anew. */
  watch(connections: readonly Watched[]): void
  acceptsOrders(code: string): boolean
  admit(code: string): Admission
  observe(code: string, observation: Observation): void
  /** Returns this node's own measurements of every watched provider. */
  measurements(): readonly Measurement[]
  /** Returns the combined health of all nodes. */
  healthOf(code: string): Health
  /**
   * Tells whether the combined state is open. Every reader asks this, so it measures only when some node found it ill.
   */
  isOpen(code: string): boolean
  /** Sends this node's reports to the other nodes now, and reads theirs. */
  share(): Promise<void>
  close(): Promise<void>
}

/** `answers` counts the orders by their end since the node started. */
export type Measurement = {
  readonly code: string
  readonly health: Health
  readonly answers: ReadonlyMap<Observation['answer'], number>
}

export type Watched = {
  readonly code: string
  readonly version: bigint
  /** null: health is measured, but the breaker never opens. */
  readonly breaker: BreakerSettings | null
}

export type HealthSettings = {
  readonly database: Database
  readonly onProblem: (text: string, error: unknown) => void
  readonly nowMs?: () => number
  /** The database's clock, for the history. */
  readonly clockMs?: () => number
  readonly everyMs?: number
}

const SHARE_EVERY_MS = 2_000
/** Maximum age of a report; an older one says nothing about the present. */
const FRESH_MS = 10_000
const FORGET_AFTER_MS = 600_000

type Entry = {
  readonly breaker: Breaker
  readonly version: bigint
  readonly answers: Map<Observation['answer'], number>
  isReported: boolean
}

export function openHealth(settings: HealthSettings): HealthBoard {
  const { database, onProblem, nowMs = () => performance.now(), everyMs = SHARE_EVERY_MS } = settings
  const node = `${hostname().slice(0, 60)}-${process.pid}-${randomBytes(3).toString('hex')}`
  const history = createHealthHistory(node, settings.clockMs ?? Date.now)
  let entries = new Map<string, Entry>()
  let others = new Map<string, HealthRow[]>()
  let isFailing = false

  async function share(): Promise<void> {
    const news = newsOf(entries, nowMs())
    if (news.length > 0) await publishHealth(database, node, news)
    others = groupOthers(await listHealth(database, FRESH_MS), node)
    await history.write(database)
    isFailing = false
  }

  const sharing = repeat(everyMs, share, (error) => {
    if (!isFailing)
      onProblem("the providers' health could not be shared with the other nodes; tried again soon", error)
    isFailing = true
  })

  const measureOwn = (code: string): Health => {
    const entry = entries.get(code)
    return measure(entry?.breaker ?? UNMEASURED, nowMs())
  }

  const healthOf = (code: string) => combineHealth(measureOwn(code), others.get(code) ?? [])

  return {
    watch(connections) {
      entries = new Map(connections.map((each) => [each.code, entryOf(entries.get(each.code), each)]))
    },
    acceptsOrders(code) {
      const entry = entries.get(code)
      return entry === undefined || acceptsOrders(entry.breaker, nowMs())
    },
    admit(code) {
      const entry = entries.get(code)
      return entry === undefined ? 'send' : admit(entry.breaker, nowMs())
    },
    observe(code, observation) {
      const entry = entries.get(code)
      if (entry === undefined) return
      observe(entry.breaker, observation, nowMs())
      history.count(code, observation)
      if (observation.answer === 'unsent') return
      entry.answers.set(observation.answer, (entry.answers.get(observation.answer) ?? 0) + 1)
    },
    measurements: () =>
      [...entries].map(([code, { answers }]) => ({ code, health: measureOwn(code), answers })),
    healthOf,
    isOpen(code) {
      const isAnyIll =
        entries.get(code)?.breaker.state === 'open' || others.get(code)?.some(({ state }) => state === 'open')
      return isAnyIll === true && healthOf(code).state === 'open'
    },
    share,
    async close() {
      await sharing.stop()
      await history.write(database).catch(() => {})
      await forgetHealth(database, node, FORGET_AFTER_MS).catch(() => {})
    },
  }
}

const UNMEASURED = createBreaker(null)

function entryOf(existing: Entry | undefined, { version, breaker }: Watched): Entry {
  if (existing?.version === version) return existing
  return {
    breaker: createBreaker(breaker),
    version,
    answers: existing?.answers ?? new Map(),
    isReported: false,
  }
}

/** Reports the providers that have orders or trouble, or had at the last report. */
function newsOf(entries: ReadonlyMap<string, Entry>, nowMs: number): HealthReport[] {
  const reports: HealthReport[] = []
  for (const [code, entry] of entries) {
    const health = measure(entry.breaker, nowMs)
    const isNews = health.orders > 0 || health.state !== 'closed'
    if (isNews || entry.isReported) reports.push(toReport(code, health))
    entry.isReported = isNews
  }
  return reports
}

function groupOthers(rows: readonly HealthRow[], node: string): Map<string, HealthRow[]> {
  const grouped = new Map<string, HealthRow[]>()
  for (const row of rows) {
    if (row.node === node) continue
    grouped.set(row.provider, [...(grouped.get(row.provider) ?? []), row])
  }
  return grouped
}

/** Lists the last report of every node, for an operator. */
export function listHealthReports(database: Queryable): Promise<HealthRow[]> {
  return listHealth(database, FRESH_MS)
}
