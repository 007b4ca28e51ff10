import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { isOutOfReach } from '../../../db/database.ts'
import { sqlStateOf } from '../../../db/sql-state.ts'
import type { Failpoint } from '../../../lib/failpoints.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import type { Alerts } from '../../alerts/alert/service.ts'
import { createOutcomeAlerts } from './outcome-alerts.service.ts'
import type { OutcomeFiles } from './outcome-files.service.ts'
import { isRefusal, retryAfterMs } from './outcomes.rules.ts'
import type { OutcomeKind, Outcomes } from './outcomes.types.ts'

export type OutcomesSettings = {
  readonly files: OutcomeFiles
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>
  readonly failpoint?: Failpoint
  readonly onProblem: (text: string, error: unknown) => void
  readonly graceMs?: number
  readonly keptMax?: number
}

/** File that holds answers, and the number of them that are not in the database yet. */
type Saved = { readonly path: string; left: number }

type Entry = {
  readonly kind: OutcomeKind<unknown, unknown>
  readonly command: unknown
  /** Name of the payment, attempt or case that the answer is about. */
  readonly name: string
  /** Key in memory: the name, or a line of a file. */
  readonly key: string
  readonly sinceMs: number
  tries: number
  dueMs: number
  isRefused: boolean
  isUnderway: boolean
  isWritten: boolean
  file: Saved | undefined
}

/** Limit of answers in memory: far more than the orders that a node has under way. Above it answers wait in files. */
const KEPT_MAX = 10_000
const ALERT_FROM_SHARE = 0.8
const FILE_MAX = 1_000
const LOOK_EVERY_MS = 250
/** Limit of retries at the same time: waiting answers are written beside fresh ones, never instead of them. */
const AT_ONCE_MAX = 64
const LATE_AFTER_MS = 60_000
const WAKE_EVERY_MS = 100
const GRACE_MS = 2_000
const GRACE_LOOK_MS = 20

export function createOutcomes(settings: OutcomesSettings): Outcomes {
  const { files, failpoint = noFailpoint, onProblem, graceMs = GRACE_MS, keptMax = KEPT_MAX } = settings
  const fileMax = Math.max(1, Math.min(FILE_MAX, keptMax >> 1))
  const alerts = createOutcomeAlerts(settings)
  const subject = `${hostname()}, process ${process.pid}`
  const kinds = new Map<string, OutcomeKind<unknown, unknown>>()
  /** Answers on their first way to the database: a stop must not lose them. */
  const fresh = new Set<Entry>()
  const kept = new Map<string, Entry>()
  const waitingFiles: string[] = []
  let underway = 0
  let wokenAtMs = 0
  let saving: Promise<void> = Promise.resolve()
  let canSave = true
  let isSpilling = false
  let isReading = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const everything = () => [...kept.values(), ...fresh]

  // ── Memory ──

  function keep(entry: Entry, error: unknown): void {
    judge(entry, error)
    // The same answer was received again while the first one waits.
    if (kept.has(entry.key)) return
    if (!canSave && kept.size >= keptMax) {
      onProblem(`${entry.name} is dropped: too many answers wait, and no file can be written`, error)
      return
    }
    kept.set(entry.key, entry)
    onProblem(`${entry.name} is kept until the database takes it`, error)
    if (kept.size >= keptMax * ALERT_FROM_SHARE) tellWaiting()
    if (isClosed) void save(everything)
    else if (kept.size >= keptMax) void spill()
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
    await letGo(entry.file)
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
    if (!isClosed) look()
  }

  function look(): void {
    const now = performance.now()
    for (const entry of kept.values()) {
      if (underway >= AT_ONCE_MAX) break
      if (entry.isUnderway || entry.dueMs > now) continue
      if (now - entry.sinceMs > LATE_AFTER_MS && !entry.isRefused) tellWaiting()
      void retry(entry)
    }
    void readNext()
    alerts.raiseLater()
  }

  // ── Files ──

  async function letGo(file: Saved | undefined): Promise<void> {
    if (file === undefined) return
    file.left -= 1
    if (file.left > 0) return
    await files
      .remove(file.path)
      .catch((error: unknown) => onProblem(`${file.path} could not be removed`, error))
  }

  /**
   * Saves entries that no file holds yet. An entry that the database accepts meanwhile may be read again without harm.
   */
  function save(list: () => readonly Entry[]): Promise<void> {
    saving = saving.then(async () => {
      for (;;) {
        const unsaved = list().filter(({ file }) => file === undefined)
        if (unsaved.length === 0) return
        if ((await saveBatch(unsaved.slice(0, fileMax))) === undefined) return
      }
    })
    return saving
  }

  async function saveBatch(batch: readonly Entry[]): Promise<string | undefined> {
    try {
      const path = await files.save(batch.map(({ kind: { kind }, command }) => ({ kind, command })))
      const unwritten = batch.filter(({ isWritten }) => !isWritten)
      const file = { path, left: unwritten.length }
      for (const entry of batch) entry.file = file
      if (unwritten.length === 0) await files.remove(path)
      canSave = true
      return path
    } catch (error) {
      canSave = false
      const names = batch.map(({ name }) => name).join(', ')
      onProblem(`${files.directory} cannot be written to; these answers are in memory alone: ${names}`, error)
      return undefined
    }
  }

  /** Moves the oldest entries to a file when memory is full. The file is read again when there is room. */
  async function spill(): Promise<void> {
    if (isSpilling) return
    isSpilling = true
    while (kept.size >= keptMax) {
      const batch = [...kept.values()].filter((entry) => !entry.isUnderway && !entry.file).slice(0, fileMax)
      const path = batch.length === 0 ? undefined : await saveBatch(batch)
      if (path === undefined) break
      for (const entry of batch) if (!entry.isUnderway) kept.delete(entry.key)
      waitingFiles.push(path)
    }
    isSpilling = false
  }

  async function readNext(): Promise<void> {
    const path = waitingFiles[0]
    if (path === undefined || isReading || isClosed || kept.size > keptMax - fileMax) return
    isReading = true
    try {
      await take(path)
      waitingFiles.shift()
    } catch (error) {
      // The key may be in a database that is unavailable; every other error comes from the file.
      if (!isOutOfReach(error)) {
        waitingFiles.shift()
        const text = `the file ${path} holds answers of suppliers and cannot be read: ${(error as Error).message}`
        alerts.tell({ kind: 'outcome_file', subject: path, text }, error)
      }
    }
    isReading = false
  }

  async function take(path: string): Promise<void> {
    const stored = await files.read(path)
    // Another process on this directory was faster and removed the file.
    if (stored === undefined) return
    const entries = stored.map(({ kind: name, command }, line) => {
      const kind = kinds.get(name)
      if (kind === undefined) throw new Error(`it holds an answer of an unknown kind, ${name}`)
      return newEntry(kind, command, `${path} ${line}`)
    })
    const file = { path, left: entries.length }
    for (const entry of entries) {
      entry.file = file
      kept.set(entry.key, entry)
    }
    if (entries.length === 0) await files.remove(path)
  }

  async function write(entry: Entry): Promise<unknown> {
    fresh.add(entry)
    try {
      const result = await entry.kind.write(entry.command)
      entry.isWritten = true
      if (entry.file !== undefined) await letGo(entry.file)
      return result
    } catch (error) {
      keep(entry, error)
      return undefined
    } finally {
      fresh.delete(entry)
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
        await files.prepare()
        waitingFiles.push(...(await files.list()))
      } catch (error) {
        onProblem(unwritable(files.directory), error)
      }
      timer = setInterval(look, LOOK_EVERY_MS)
      timer.unref()
      look()
    },
    checkpoint: () => save(() => [...kept.values()]),
    async close() {
      const endMs = performance.now() + graceMs
      const isAwaited = () => fresh.size > 0 || [...kept.values()].some(({ isRefused }) => !isRefused)
      while (isAwaited() && performance.now() < endMs) {
        look()
        await delay(GRACE_LOOK_MS)
      }
      isClosed = true
      clearInterval(timer)
      await save(everything)
    },
  }
}

function unwritable(directory: string): string {
  return (
    `${directory} cannot be written to: suppliers' answers that the database has not taken are lost when this ` +
    'process stops. Set WARUNG_DATA_DIR to a directory that can be written to.'
  )
}

function newEntry(kind: OutcomeKind<unknown, unknown>, command: unknown, key?: string): Entry {
  const name = kind.nameOf(command)
  return {
    kind,
    command,
    name,
    key: key ?? name,
    sinceMs: performance.now(),
    tries: 0,
    dueMs: 0,
    isRefused: false,
    isUnderway: false,
    isWritten: false,
    file: undefined,
  }
}
