import { createHash, randomBytes } from 'node:crypto'
import { chmod, chown, lchown, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunAs } from '../embedded/runas.ts'
import { canPass } from '../embedded/runas.ts'
import type { Owner } from '../lib/replace-file.ts'
import { replaceFile } from '../lib/replace-file.ts'
import type { Line } from './positions.ts'
import { parseHistory, parsePosition } from './positions.ts'

// Layout of a folder of backups:
//   folder.json            the server that it belongs to
//   base/<time>/           one whole copy: data/<path>.gz for every file, manifest.json (written last)
//   base/unfinished-<id>/  a copy under way, or what is left of one
//   wal/<segment>          the log since the oldest copy, as the server archives it; <timeline>.history
//   tail/<segment>         the log that is not archived yet; its time: since when all of it is there

export type FolderPaths = {
  readonly root: string
  readonly base: string
  readonly log: string
  readonly tail: string
}

export function pathsIn(root: string): FolderPaths {
  return { root, base: join(root, 'base'), log: join(root, 'wal'), tail: join(root, 'tail') }
}

const identityPath = (root: string) => join(root, 'folder.json')

export async function findIdentity(root: string): Promise<{ readonly systemId: string } | undefined> {
  const text = await readFile(identityPath(root), 'utf8').catch(ignoreMissing)
  return text === undefined ? undefined : (JSON.parse(text) as { systemId: string })
}

export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}

/**
 * Returns the owner of the folder when we are root: what a command of root writes into it stays that user's, who runs the
 * service and its timer.
 */
export async function ownerOfFolder(root: string): Promise<Owner | undefined> {
  return process.getuid?.() === 0 ? stat(root) : undefined
}

/** Makes a directory inside the folder for its owner. */
export async function makeInside(dir: string, owner: Owner | undefined): Promise<void> {
  const made = await mkdir(dir, { recursive: true, mode: 0o700 })
  // The user may have put a link in its place, which is not followed.
  if (made !== undefined && owner !== undefined) await lchown(dir, owner.uid, owner.gid)
}

/**
 * Makes the folder when it is new, readable for its owner alone; refuses one that belongs to another server. A folder that
 * root made goes to the user of the server, whose archiver writes there.
 */
export async function openFolder(root: string, systemId: string, runAs?: RunAs): Promise<void> {
  const paths = pathsIn(root)
  await mkdir(root, { recursive: true, mode: 0o700 })
  await chmod(root, 0o700)
  if (runAs !== undefined && (await stat(root)).uid === 0) await chown(root, runAs.uid, runAs.gid)
  const owner = await ownerOfFolder(root)
  for (const dir of [paths.base, paths.log, paths.tail]) await makeInside(dir, owner)
  const known = await findIdentity(root)
  if (known === undefined) {
    const text = `${JSON.stringify({ systemId }, undefined, 2)}\n`
    await replaceFile(identityPath(root), text, { mode: 0o600, owner })
  } else if (known.systemId !== systemId) {
    throw new Error(
      `${root} has the backups of another database server (${known.systemId}, not ${systemId}).\n` +
        'Choose another folder for this one.',
    )
  }
}

/** Makes the folder ready for the archiver of a server that is about to start. */
export async function prepareArchive(
  root: string,
  systemId: string,
  runAs: RunAs | undefined,
): Promise<void> {
  await openFolder(root, systemId, runAs)
  if (await canPass(pathsIn(root).log, runAs)) return
  throw new Error(
    `the user ${runAs?.name}, who runs the database server, cannot reach the folder of backups ${root}.\n` +
      'Open the directories above it for passing through (chmod o+x), or choose another folder.',
  )
}

// ── Copies ──

/** File of a copy, by its path below the data directory, with its compressed size. */
export type CopiedFile = { readonly name: string; readonly bytes: number }

/** Description of a whole copy. */
export type Manifest = {
  readonly format: 2
  readonly startedAt: string
  /** By the database's clock: the copy can be restored to this moment and to later ones. */
  readonly finishedAt: string
  readonly timeline: number
  readonly startPosition: string
  readonly endPosition: string
  readonly systemId: string
  readonly segmentBytes: number
  /** Version of PostgreSQL as a number: 180004. */
  readonly serverVersion: number
  /** Facts about the content, taken before the copy began. */
  readonly content: BackupContent
  readonly directories: readonly string[]
  readonly files: readonly CopiedFile[]
  /** SHA-256 of all the above. */
  readonly digest: string
}

export type BackupContent = {
  readonly serviceVersion: string
  readonly migration: number
  readonly payments: number
  readonly auditHead: string | null
  readonly ledgerHeads: readonly {
    readonly account: string
    readonly sequence: number
    readonly hash: string
    readonly at: string
  }[]
}

const MANIFEST = 'manifest.json'
export const UNFINISHED = 'unfinished-'
const BASE_NAME = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/

/** Returns the directory of a copy's files. */
export function filesOf(dir: string): string {
  return join(dir, 'data')
}

function digestOf(manifest: Omit<Manifest, 'digest'>): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}

export async function writeManifest(
  dir: string,
  content: Omit<Manifest, 'digest'>,
  owner?: Owner,
): Promise<Manifest> {
  const manifest = { ...content, digest: digestOf(content) }
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`
  await replaceFile(join(dir, MANIFEST), text, { mode: 0o600, owner })
  return manifest
}

export type Base = { readonly name: string; readonly dir: string; readonly manifest: Manifest }

/** Lists the whole copies in a folder, oldest first. One whose manifest cannot be trusted is an error. */
export async function listBases(root: string): Promise<Base[]> {
  return Promise.all((await listBaseNames(root)).map((name) => readBase(root, name)))
}

/**
 * Lists the copies that the log leads on from, oldest first. After a return to an earlier moment the log goes on from
 * that moment on a new timeline: a copy that was taken after the moment was given up with it.
 */
export async function listUsableBases(root: string): Promise<Base[]> {
  const line = await readLine(root)
  return (await listBases(root)).filter((base) => isOnLine(base, line))
}

/** Reads the line of the log's end; undefined: nothing in the folder was restored and went on in it. */
export async function readLine(root: string): Promise<Line | undefined> {
  const { log } = pathsIn(root)
  const names = (await readdir(log).catch(ignoreMissing)) ?? []
  const last = names
    .filter((name) => /^[0-9A-F]{8}\.history$/.test(name))
    .sort()
    .at(-1)
  if (last === undefined) return undefined
  return {
    timeline: Number(`0x${last.slice(0, 8)}`),
    branches: parseHistory(await readFile(join(log, last), 'utf8')),
  }
}

/** Tells whether the log's end can be reached from a copy. */
export function isOnLine({ manifest }: Base, line: Line | undefined): boolean {
  if (line === undefined || manifest.timeline >= line.timeline) return true
  const index = line.branches.findIndex(({ timeline }) => timeline === manifest.timeline)
  if (index === -1) return false
  // A second restore, to a moment before the first one, ends the timeline between them before that one has begun.
  const end = parsePosition(manifest.endPosition)
  return line.branches.slice(index).every(({ endsAt }) => end <= endsAt)
}

async function listBaseNames(root: string): Promise<string[]> {
  const names = (await readdir(pathsIn(root).base).catch(ignoreMissing)) ?? []
  return names.filter((name) => BASE_NAME.test(name)).sort()
}

export async function readBase(root: string, name: string): Promise<Base> {
  const dir = join(pathsIn(root).base, name)
  const text = await readFile(join(dir, MANIFEST), 'utf8').catch(ignoreMissing)
  if (text === undefined || !BASE_NAME.test(name)) {
    throw new Error(`${dir} is not a whole backup: it has no manifest, so it was cut off before its end`)
  }
  const { digest, ...content } = JSON.parse(text) as Manifest
  if (content.format !== 2 || digestOf(content) !== digest) {
    throw new Error(`${join(dir, MANIFEST)} was changed: its digest is not that of its content`)
  }
  return { name, dir, manifest: { ...content, digest } }
}

/** Builds the name of a copy: it sorts by time. */
export function baseName(at: Date): string {
  const stamp = at.toISOString().replace(/[-:]/g, '').slice(0, 15)
  return `${stamp}Z-${randomBytes(3).toString('hex')}`
}

/**
 * Finds when the newest copy was finished. A copy whose manifest cannot be trusted does not count, nor does one that a
 * restore gave up.
 */
export async function findNewestFinish(root: string): Promise<number | undefined> {
  const line = await readLine(root)
  for (const name of (await listBaseNames(root)).reverse()) {
    const base = await readBase(root, name).catch(() => undefined)
    if (base !== undefined && isOnLine(base, line)) return Date.parse(base.manifest.finishedAt)
  }
  return undefined
}
