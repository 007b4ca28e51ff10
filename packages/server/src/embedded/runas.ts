import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Owner } from '../lib/replace-file.ts'

/** User that the server runs as when we are root: PostgreSQL refuses to run as root. */
export type RunAs = Owner & { readonly name: string }

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

// `_postgres` is the user on macOS. A system without the first two has at least `nobody`.
const CANDIDATES = ['postgres', '_postgres', 'nobody']

/** Finds a user that exists in passwd: `initdb` looks its own name up there. */
export async function findServerUser(passwdPath = '/etc/passwd'): Promise<RunAs> {
  const users = parsePasswd(await readFile(passwdPath, 'utf8'))
  for (const name of CANDIDATES) {
    const user = users.find((entry) => entry.name === name && entry.uid !== 0)
    if (user !== undefined) return user
  }
  throw new Error(
    'the database server cannot run as root, and neither a user "postgres" nor "nobody" exists.\n' +
      'Start the service as a plain user, or set DATABASE_URL to use a PostgreSQL server of your own.',
  )
}

/** Finds a user by number; undefined: passwd does not know it, so `initdb` would not run as it. */
export async function findUser(uid: number, passwdPath = '/etc/passwd'): Promise<RunAs | undefined> {
  return parsePasswd(await readFile(passwdPath, 'utf8')).find((entry) => entry.uid === uid)
}

/** Describes the owner of an existing cluster, who runs its server. The name is for people to read. */
export async function describeOwner(owner: Owner, passwdPath = '/etc/passwd'): Promise<RunAs> {
  const users = parsePasswd(await readFile(passwdPath, 'utf8').catch(() => ''))
  const name = users.find((entry) => entry.uid === owner.uid)?.name ?? `uid ${owner.uid}`
  return { uid: owner.uid, gid: owner.gid, name }
}

export function parsePasswd(text: string): RunAs[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    if (name === undefined || name === '' || name.startsWith('#')) return []
    if (![uid, gid].every((id) => /^-?\d+$/.test(id ?? ''))) return []
    // macOS writes nobody's uid as -2; chown needs it unsigned.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }]
  })
}

/**
 * Returns the options of `spawn` that make it run as that user. Node drops all other groups, and takes signed ids only.
 */
export function credentials(user: RunAs | undefined): { uid?: number; gid?: number } {
  return user === undefined ? {} : { uid: user.uid | 0, gid: user.gid | 0 }
}

/**
 * Tells whether that user can pass through `dir` and everything above it. It reads the mode bits and no access lists,
 * so a directory that only an access list opens counts as closed.
 */
export async function canPass(dir: string, user: RunAs | undefined): Promise<boolean> {
  if (user === undefined) return true
  for (let at = dir; ; at = dirname(at)) {
    if (!mayEnter(await stat(at), user)) return false
    if (at === dirname(at)) return true
  }
}

function mayEnter(info: { uid: number; gid: number; mode: number }, user: Owner): boolean {
  if (info.uid === user.uid) return (info.mode & 0o100) !== 0
  if (info.gid === user.gid) return (info.mode & 0o010) !== 0
  return (info.mode & 0o001) !== 0
}
