import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { sqlStateOf } from '../../../db/sql-state.ts'
import type { Failpoint } from '../../../lib/failpoints.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import type { OnProblem } from '../../../lib/observing/payment-stages.ts'
import { createRegister } from '../../../lib/register.ts'
import type { Alerts } from '../../alerts/core/service.ts'
import { createOutcomeAlerts } from './outcome-alerts.service.ts'
import type { OutcomeFiles } from './outcome-files.service.ts'
import type { Entry } from './outcome-spool.service.ts'
import { createSpool, newEntry } from './outcome-spool.service.ts'
import { isRefusal, retryAfterMs } from './outcomes.rules.ts'
import type { OutcomeKind, Outcomes } from './outcomes.types.ts'

export type OutcomesSettings = {
  readonly files: OutcomeFiles
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>
  readonly failpoint?: Failpoint
  readonly onProblem: OnProblem
  readonly graceMs?: number
  readonly keptMax?: number
}

/** Limit of answers in memory: far more than the orders that a node has under way. Above it answers wait in files. */
const KEPT_MAX = 10_000
const ALERT_FROM_SHARE = 0.8
const RETRY_EVERY_MS = 250
/** Limit of retries at the same time: waiting answers are written beside fresh ones, never instead of them. */
const AT_ONCE_MAX = 64
const LATE_AFTER_MS = 60_000
const WAKE_EVERY_MS = 100
const GRACE_MS = 2_000
const GRACE_POLL_MS = 20

export function createOutcomes(settings: OutcomesSettings): Outcomes {
  const { files, failpoint = noFailpoint, onProblem, graceMs = GRACE_MS, keptMax = KEPT_MAX } = settings
  const alerts = createOutcomeAlerts(settings)
  const subject = `${hostname()}, process ${process.pid}`
  const kinds = new Map<string, OutcomeKind<unknown, unknown>>()
  /** Answers on their first way to the database: a stop must not lose them. */
  const fresh = createRegister<Entry>()
  const kept = new Map<string, Entry>()
  const spool = createSpool({ files, kept, keptMax, kinds, alerts, onProblem })
  let underway = 0
  let wokenAtMs = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const everything = () => [...kept.values(), ...fresh.list()]

  function keep(entry: Entry, error: unknown): void {
    judge(entry, error)
    const about = entry.kind.namesOf?.(entry.command)
    // The same answer was received again while the first one waits.
    if (kept.has(entry.key)) return
    if (!spool.canSave && kept.size >= keptMax) {
      onProblem(`${entry.name} is dropped: too many answers wait, and no file can be written`, error, about)
      return
    }
    kept.set(entry.key, entry)
    onProblem(`${entry.name} is kept until the database takes it`, error, about)
    if (kept.size >= keptMax * ALERT_FROM_SHARE) tellWaiting()
    if (isClosed) void spool.save(everything)
    else if (kept.size >= keptMax) void spool.spill()
  }

  function judge(entry: Entry, error: unknown): void {
    const state = sqlStateOf(error)
    const isRefused = isRefusal(state)
    entry.tries = isRefused === entry.isRefused ? entry.tries + 1 : 0
    entry.isRefused = isRefused
    entry.dueMs = performance.now() + retryAfterMs(entry.tries, isRefused)
    if (!isRefused) return
    const text = `${entry.name}: the database refuses the supplier's answer (${state}); it is kept and tried again`
    alerts.tell({ kind: 'outcome_refused', subject: entry.name, text }, error)
  }

  function tellWaiting(): void {
    const text = `${kept.size} answers of suppliers wait for the database; at most ${keptMax} are kept in memory`
    alerts.tell({ kind: 'outcomes_waiting', subject, text })
  }

  async function retry(entry: Entry): Promise<void> {
    entry.isUnderway = true
    underway += 1
    try {
      await entry.kind.rewrite(entry.command)
      await forget(entry)
    } catch (error) {
      judge(entry, error)
    } finally {
      entry.isUnderway = false
      underway -= 1
    }
    if (entry.isWritten) wake()
  }

  /** Removes an entry that is in the database. */
  async function forget(entry: Entry): Promise<void> {
    entry.isWritten = true
    failpoint('outcome.committed')
    if (kept.get(entry.key) === entry) kept.delete(entry.key)
    await spool.letGo(entry.file)
    await alerts.end('outcome_refused', entry.name)
    if (kept.size === 0) await alerts.end('outcomes_waiting', subject)
  }

  /** Makes waiting answers due, because the database answers again. */
  function wake(): void {
    const now = performance.now()
    if (now - wokenAtMs > WAKE_EVERY_MS) {
      wokenAtMs = now
      for (const entry of kept.values()) if (!entry.isRefused) entry.dueMs = 0
    }
    if (!isClosed) retryDue()
  }

  function retryDue(): void {
    const now = performance.now()
    for (const entry of kept.values()) {
      if (underway >= AT_ONCE_MAX) break
      if (entry.isUnderway || entry.dueMs > now) continue
      if (now - entry.sinceMs > LATE_AFTER_MS && !entry.isRefused) tellWaiting()
      void retry(entry)
    }
    if (!isClosed) void spool.readNext()
    alerts.raiseLater()
  }

  async function write(entry: Entry): Promise<unknown> {
    const ticket = fresh.add(entry)
    try {
      const result = await entry.kind.write(entry.command)
      entry.isWritten = true
      if (entry.file !== undefined) await spool.letGo(entry.file)
      return result
    } catch (error) {
      keep(entry, error)
      return undefined
    } finally {
      fresh.remove(ticket)
    }
  }

  return {
    register<Command, Result>(kind: OutcomeKind<Command, Result>) {
      const known = kind as OutcomeKind<unknown, Result>
      kinds.set(kind.kind, known)
      return (command: Command) => write(newEntry(known, command)) as Promise<Result | undefined>
    },
    get kept() {
      return kept.size
    },
    async start() {
      try {
        await spool.prepare()
      } catch (error) {
        onProblem(unwritable(files.directory), error)
      }
      timer = setInterval(retryDue, RETRY_EVERY_MS)
      timer.unref()
      retryDue()
    },
    checkpoint: () => spool.save(() => [...kept.values()]),
    async close() {
      const endMs = performance.now() + graceMs
      const isAwaited = () => fresh.size > 0 || [...kept.values()].some(({ isRefused }) => !isRefused)
      while (isAwaited() && performance.now() < endMs) {
        retryDue()
        await delay(GRACE_POLL_MS)
      }
      isClosed = true
      clearInterval(timer)
      await spool.save(everything)
    },
  }
}

function unwritable(directory: string): string {
  return (
    `${directory} cannot be written to: suppliers' answers that the database has not taken are lost when this ` +
    'process stops. Set WARUNG_DATA_DIR to a directory that can be written to.'
  )
}
