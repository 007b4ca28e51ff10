import { chmod, link, realpath, rm, stat, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { replaceFile, syncDir, writeTemporary } from '../lib/replace-file.ts'
import { AlreadyRunningError, failure, systemCode, textOf } from './errors.ts'
import { discard, findText, listNames, makeDir, parseObject } from './files.ts'
import type { ProcessIdentity } from './process.ts'
import { identifySelf, liveness, parseIdentity } from './process.ts'
import { isRoot } from './runas.ts'

/*
 * Ownership of a data directory lies in numbered files, owner.<n>.json; the highest number counts. A process that finds
 * the owner dead or gone creates the next number exclusively, which exactly one of several can do. Then it checks
 * whether its number is the highest: a late process, which judged an outdated number, steps back. The highest file is
 * never deleted, only marked as released, so numbers never begin again and an old one cannot mislead. (One lock file
 * that is removed and created again cannot be taken over safely: two processes may find it stale, and the slower one
 * removes the faster one's new lock.)
 */

export type Claim = {
  /** Writes a note about this process for a second start, such as its address. */
  describe(note: string): Promise<void>
  release(): Promise<void>
}

type OwnerRecord = { owner: ProcessIdentity; note?: string; released?: true }

type Entry = { generation: number; path: string }

const ATTEMPTS_MAX = 50
const RETRY_MS = 20

// The file's time moves while the owner lives: no other sign of life is visible outside a container.
const HEARTBEAT_MS = 2_000
const SILENCE_MS = 7_000
const SURELY_SILENT_MS = 60_000

export async function claimDataDir(dataDir: string): Promise<Claim> {
  const dir = await makeDataDir(dataDir)
  const record: OwnerRecord = { owner: await identifySelf() }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const current = await findHighest(dir)
    if (current !== undefined) await refuseIfOwned(dir, current)
    const mine = entry(dir, (current?.generation ?? 0) + 1)
    if (await createExclusively(mine.path, record)) {
      if ((await findHighest(dir))?.generation === mine.generation) return await hold(dir, mine, record)
      await rm(mine.path, { force: true })
    }
    // Another start was faster: the next round judges what it wrote.
    await delay(RETRY_MS)
  }
  throw new Error(`could not take ownership of ${dir}: other processes keep changing it`)
}

/** Returns the real path of the data directory, which is made when missing. */
export async function makeDataDir(dataDir: string): Promise<string> {
  const dir = resolve(dataDir)
  try {
    await makeDir(dir, isRoot() ? PASSABLE : 0o700)
    await openWhenNew(dir)
    return await realpath(dir)
  } catch (error) {
    throw failure(`cannot make the data directory ${dataDir}: ${textOf(error)}`, '', error)
  }
}

// Mode for root: the server runs as another user, who must pass through to the cluster but need not list it.
const PASSABLE = 0o711

/** Opens an empty directory that root prepared for us; one that holds anything is left as it is. */
async function openWhenNew(dir: string): Promise<void> {
  if (!isRoot()) return
  const { uid, mode } = await stat(dir)
  if (uid !== 0 || (mode & 0o001) !== 0 || (await listNames(dir)).length > 0) return
  await chmod(dir, (mode & 0o777) | PASSABLE)
}

async function refuseIfOwned(dir: string, current: Entry): Promise<void> {
  const record = parseRecord(await findText(current.path))
  if (record === undefined || record.released === true) return
  const state = await liveness(record.owner)
  if (state === 'alive' || (state === 'unknown' && (await isBeating(current.path)))) {
    throw new AlreadyRunningError(dir, record.owner.pid, record.note)
  }
}

/** Watches the file's time for a while, unless it is so old that its owner cannot be alive. */
async function isBeating(path: string): Promise<boolean> {
  const before = await modifiedAt(path)
  if (before === undefined || Math.abs(Date.now() - before) > SURELY_SILENT_MS) return false
  const deadline = performance.now() + SILENCE_MS
  while (performance.now() < deadline) {
    await delay(HEARTBEAT_MS / 10)
    const now = await modifiedAt(path)
    // The file was removed: others came and went meanwhile, and the next round shows who owns it.
    if (now === undefined) return false
    if (now !== before) return true
  }
  return false
}

async function modifiedAt(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs
}

async function createExclusively(path: string, record: OwnerRecord): Promise<boolean> {
  let temporary: string | undefined
  try {
    // The file is linked into place when complete, so that half a record is never read.
    temporary = await writeTemporary(path, serialise(record), { mode: 0o644 })
    await link(temporary, path)
    return true
  } catch (error) {
    // The winner may have removed our temporary file.
    if (systemCode(error) === 'EEXIST' || systemCode(error) === 'ENOENT') return false
    throw failure(`cannot write into the data directory: ${textOf(error)}`, '', error)
  } finally {
    if (temporary !== undefined) await rm(temporary, { force: true })
  }
}

async function hold(dir: string, mine: Entry, first: OwnerRecord): Promise<Claim> {
  let record = first
  await syncDir(dir)
  // The previous file stays until the next takeover, so that a listing taken during this one sees one of the two.
  const isOld = (name: string) => (generationOf(name) ?? mine.generation) < mine.generation - 1
  await discard(dir, (name) => isOld(name) || /^owner\.\d+\.json\.tmp-/.test(name))
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(mine.path, now, now).catch(() => {})
  }, HEARTBEAT_MS)
  heartbeat.unref()
  let released = false
  return {
    async describe(note) {
      if (released) return
      record = { ...record, note }
      await replaceFile(mine.path, serialise(record), { mode: 0o644 })
    },
    async release() {
      if (released) return
      released = true
      clearInterval(heartbeat)
      // The directory is already released when a person deleted all of it.
      if ((await findText(mine.path)) === undefined) return
      await replaceFile(mine.path, serialise({ ...record, released: true }), { mode: 0o644 })
    },
  }
}

async function findHighest(dir: string): Promise<Entry | undefined> {
  const generations = (await listNames(dir)).map(generationOf).filter((value) => value !== undefined)
  return generations.length === 0 ? undefined : entry(dir, Math.max(...generations))
}

function entry(dir: string, generation: number): Entry {
  return { generation, path: join(dir, `owner.${generation}.json`) }
}

function generationOf(name: string): number | undefined {
  const digits = /^owner\.(\d{1,15})\.json$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function serialise(record: OwnerRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`
}

function parseRecord(text: string | undefined): OwnerRecord | undefined {
  const value = parseObject(text)
  const owner = parseIdentity(value?.owner)
  if (value === undefined || owner === undefined) return undefined
  const note = value.note
  return {
    owner,
    ...(typeof note === 'string' ? { note } : {}),
    ...(value.released === true ? { released: true } : {}),
  }
}
