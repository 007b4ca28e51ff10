import { isOutOfReach } from '../../../db/database.ts'
import type { OutcomeAlerts } from './outcome-alerts.service.ts'
import type { OutcomeFiles } from './outcome-files.service.ts'
import type { OutcomeKind } from './outcomes.types.ts'

/** File that holds answers, and the number of them that are not in the database yet. */
type Saved = { readonly path: string; left: number }

/** Answer of a supplier on its way to the database. */
export type Entry = {
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

export function newEntry(kind: OutcomeKind<unknown, unknown>, command: unknown, key?: string): Entry {
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

export type SpoolSettings = {
  readonly files: OutcomeFiles
  /** Entries in memory, by their keys. The spool moves entries between memory and files. */
  readonly kept: Map<string, Entry>
  readonly keptMax: number
  readonly kinds: ReadonlyMap<string, OutcomeKind<unknown, unknown>>
  readonly alerts: Pick<OutcomeAlerts, 'tell'>
  readonly onProblem: (text: string, error: unknown) => void
}

/** Files beside the memory: for answers that memory has no room for, and for all of them when the process ends. */
export type Spool = {
  /** False after a file could not be written, until one is written again. */
  readonly canSave: boolean
  /** Finds the files that earlier processes left. */
  prepare(): Promise<void>
  /** Saves entries that no file holds yet. An entry that the database accepts meanwhile may be read again harmlessly. */
  save(list: () => readonly Entry[]): Promise<void>
  /** Moves the oldest entries to a file when memory is full. The file is read again when there is room. */
  spill(): Promise<void>
  /** Reads the next waiting file when memory has room for it. */
  readNext(): Promise<void>
  /** Notes that the database has an entry of the file, and removes the file after its last entry. */
  letGo(file: Saved | undefined): Promise<void>
}

const FILE_MAX = 1_000

export function createSpool(settings: SpoolSettings): Spool {
  const { files, kept, keptMax, onProblem } = settings
  const fileMax = Math.max(1, Math.min(FILE_MAX, keptMax >> 1))
  const waitingFiles: string[] = []
  let saving: Promise<void> = Promise.resolve()
  let canSave = true
  let isSpilling = false
  let isReading = false

  async function saveBatch(batch: readonly Entry[]): Promise<string | undefined> {
    try {
      const path = await writeFile(files, batch)
      canSave = true
      return path
    } catch (error) {
      canSave = false
      const names = batch.map(({ name }) => name).join(', ')
      onProblem(`${files.directory} cannot be written to; these answers are in memory alone: ${names}`, error)
      return undefined
    }
  }

  async function saveAll(list: () => readonly Entry[]): Promise<void> {
    for (;;) {
      const unsaved = list().filter(({ file }) => file === undefined)
      if (unsaved.length === 0) return
      if ((await saveBatch(unsaved.slice(0, fileMax))) === undefined) return
    }
  }

  return {
    get canSave() {
      return canSave
    },
    async prepare() {
      await files.prepare()
      waitingFiles.push(...(await files.list()))
    },
    save(list) {
      saving = saving.then(() => saveAll(list))
      return saving
    },
    async spill() {
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
    },
    async readNext() {
      const path = waitingFiles[0]
      if (path === undefined || isReading || kept.size > keptMax - fileMax) return
      isReading = true
      if (await isRead(settings, path)) waitingFiles.shift()
      isReading = false
    },
    async letGo(file) {
      if (file === undefined) return
      file.left -= 1
      if (file.left > 0) return
      await files
        .remove(file.path)
        .catch((error: unknown) => onProblem(`${file.path} could not be removed`, error))
    },
  }
}

async function writeFile(files: OutcomeFiles, batch: readonly Entry[]): Promise<string> {
  const path = await files.save(batch.map(({ kind: { kind }, command }) => ({ kind, command })))
  const unwritten = batch.filter(({ isWritten }) => !isWritten)
  const file = { path, left: unwritten.length }
  for (const entry of batch) entry.file = file
  if (unwritten.length === 0) await files.remove(path)
  return path
}

/** Reads a file into memory. False: the database is out of reach, which may hold the file's key; it is tried again. */
async function isRead(settings: SpoolSettings, path: string): Promise<boolean> {
  try {
    await readFile(settings, path)
    return true
  } catch (error) {
    if (isOutOfReach(error)) return false
    // Every other error comes from the file.
    const text = `the file ${path} holds answers of suppliers and cannot be read: ${(error as Error).message}`
    settings.alerts.tell({ kind: 'outcome_file', subject: path, text }, error)
    return true
  }
}

async function readFile({ files, kept, kinds }: SpoolSettings, path: string): Promise<void> {
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
