import { createHash, randomBytes } from 'node:crypto'
import { lstat, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Owner } from '../lib/replace-file.ts'
import { replaceFile } from '../lib/replace-file.ts'
import { failure, systemCode, textOf } from './errors.ts'
import { exists, findJson, listNames, makeDir } from './files.ts'
import type { RunAs } from './runas.ts'
import { canPass, describeOwner, findServerUser, findUser, isRoot } from './runas.ts'

/** Location of a data directory's cluster, and the user who runs its server. */
export type Location = {
  readonly dataDir: string
  /** Data directory itself, or the place of the cluster when the server's user cannot reach the data directory. */
  readonly home: string
  readonly cluster: string
  readonly runAs: RunAs | undefined
  /** Directory for copies of the programs: reachable for the server's user. */
  readonly copiesDir: string
}

/**
 * Directory in which root keeps clusters and programs that the server's user could not reach. It was not tried on
 * macOS.
 */
export const SYSTEM_DIR = process.platform === 'darwin' ? '/usr/local/var/warung' : '/var/lib/warung'

// Characters that programs' paths must not have: initdb hands its own path to a shell between double quotes. The
// cluster's path may have them, because it is never given to a shell.
const AWKWARD_FOR_INITDB = /["$`\\]/

type Pointer = { dataDir: string; home: string; initialised: boolean }

export function clusterIn(home: string): string {
  return join(home, 'postgres')
}

/** Returns twelve hex digits that name a path. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** Returns the home of an existing cluster's data directory, or the data directory itself. Changes nothing. */
export async function findHome(dataDir: string): Promise<string> {
  return (await findPointer(dataDir))?.home ?? dataDir
}

/** Decides the location, and makes it when it is a new one outside the data directory. */
export async function settle(dataDir: string, systemDir: string): Promise<Location> {
  const pointer = await findPointer(dataDir)
  if (pointer !== undefined) return await followPointer(dataDir, pointer, systemDir)
  const runAs = await chooseUser(clusterIn(dataDir), () => userForNew(dataDir))
  if (await canPass(dataDir, runAs)) return at(dataDir, dataDir, runAs, systemDir)
  if (await exists(clusterIn(dataDir))) {
    throw failure(
      `the user ${runAs?.name}, who owns the cluster ${clusterIn(dataDir)}, can no longer reach it.\n` +
        'Open the directories above it for passing through (chmod o+x), or choose another data directory.',
    )
  }
  return await relocate(dataDir, runAs, systemDir)
}

/**
 * Records that a cluster outside the data directory is complete: from now on its absence is a loss, not a beginning.
 */
export async function confirm(location: Location): Promise<void> {
  if (location.home === location.dataDir) return
  const { dataDir, home } = location
  const pointer = await findPointer(dataDir)
  if (pointer?.initialised === true && pointer.dataDir === dataDir) return
  await writePointer({ dataDir, home, initialised: true })
}

async function followPointer(dataDir: string, pointer: Pointer, systemDir: string): Promise<Location> {
  const { home } = pointer
  const original = pointer.dataDir === dataDir ? undefined : await findPointer(pointer.dataDir)
  if (original?.home === home) {
    throw new Error(
      `${dataDir} is a copy of ${pointer.dataDir}, whose database lies in ${home}; two services cannot share it.\n` +
        `Delete ${pointerPath(dataDir)} to begin with an empty database here.`,
    )
  }
  if (pointer.initialised && !(await exists(clusterIn(home)))) {
    throw new Error(
      `the database of ${dataDir} lay in ${clusterIn(home)}, and is not there any more.\n` +
        `Restore it, or delete ${pointerPath(dataDir)} to begin with an empty database.`,
    )
  }
  const runAs = await chooseUser(clusterIn(home), findServerUser)
  await makeDir(home, 0o711)
  return at(dataDir, home, runAs, systemDir)
}

/**
 * Makes a home with a new name each time: after the data directory is deleted to begin anew, the old database is not
 * found again. The file `data-directory` tells a person whose it is; nothing reads it, and nothing deletes a home by
 * itself.
 */
async function relocate(dataDir: string, runAs: RunAs | undefined, systemDir: string): Promise<Location> {
  const home = join(systemDir, `${shortHash(dataDir)}-${randomBytes(3).toString('hex')}`)
  try {
    await makeDir(systemDir, 0o755)
    const info = await lstat(systemDir)
    if (!info.isDirectory() || info.uid !== 0 || (info.mode & 0o022) !== 0) {
      throw new Error(`${systemDir} must be a directory that only root can write to`)
    }
    await makeDir(home, 0o711)
    if (!(await canPass(home, runAs))) throw new Error(`${home} is closed to that user as well`)
    await replaceFile(join(home, 'data-directory'), `${dataDir}\n`, { mode: 0o644 })
    await writePointer({ dataDir, home, initialised: false })
  } catch (error) {
    throw failure(
      `the server must run as the user ${runAs?.name}, who cannot reach ${dataDir}, and no other place was found: ` +
        `${textOf(error)}\nChoose a data directory that this user can reach, start as a plain user, or set DATABASE_URL.`,
      '',
      error,
    )
  }
  return at(dataDir, home, runAs, systemDir)
}

function at(dataDir: string, home: string, runAs: RunAs | undefined, systemDir: string): Location {
  const isOwnPlace = home === dataDir && !(isRoot() && AWKWARD_FOR_INITDB.test(dataDir))
  const copiesDir = join(isOwnPlace ? dataDir : systemDir, 'postgres-programs')
  return { dataDir, home, cluster: clusterIn(home), runAs, copiesDir }
}

/** Chooses the user when we are root: the owner of the cluster, or one for a new cluster. */
async function chooseUser(cluster: string, forNew: () => Promise<RunAs>): Promise<RunAs | undefined> {
  if (!isRoot()) return undefined
  const owner = await findOwner(cluster)
  if (owner === undefined || (await listNames(cluster)).length === 0) return forNew()
  if (owner.uid !== 0) return describeOwner(owner)
  const user = await findServerUser()
  throw new Error(
    `the cluster ${cluster} belongs to root, but PostgreSQL does not run as root.\n` +
      `Give it to the server's user: chown -R ${user.name} ${cluster}`,
  )
}

/**
 * Chooses the user of a new cluster when we are root: the owner of the data directory, who may start the service next
 * time (root restores a backup for it), or else a user made for such services.
 */
async function userForNew(dataDir: string): Promise<RunAs> {
  const owner = await findOwner(dataDir)
  const known = owner === undefined || owner.uid === 0 ? undefined : await findUser(owner.uid)
  return known ?? findServerUser()
}

async function findOwner(path: string): Promise<Owner | undefined> {
  try {
    const { uid, gid } = await stat(path)
    return { uid, gid }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Returns the owner of the data directory when we are root: new files stay that user's, who may start the service next
 * time.
 */
export async function ownerForNewFiles(dataDir: string): Promise<Owner | undefined> {
  return isRoot() ? findOwner(dataDir) : undefined
}

function pointerPath(dataDir: string): string {
  return join(dataDir, 'postgres-location.json')
}

async function findPointer(dataDir: string): Promise<Pointer | undefined> {
  const value = await findJson(pointerPath(dataDir))
  if (value === undefined) return undefined
  const { dataDir: owner, home, initialised } = value
  if (typeof owner !== 'string' || typeof home !== 'string') {
    throw new Error(`${pointerPath(dataDir)} should say where the database lies, but cannot be understood`)
  }
  return { dataDir: owner, home, initialised: initialised === true }
}

async function writePointer(pointer: Pointer): Promise<void> {
  const owner = await ownerForNewFiles(pointer.dataDir)
  const text = `${JSON.stringify(pointer, undefined, 2)}\n`
  await replaceFile(pointerPath(pointer.dataDir), text, { mode: 0o600, owner })
}
