import { randomBytes } from 'node:crypto'
import { lstat, mkdir, rm, rmdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { failure, systemCode } from './errors.ts'
import { handOver } from './files.ts'
import type { Location } from './location.ts'
import { shortHash } from './location.ts'
import type { RunAs } from './runas.ts'
import { canPass } from './runas.ts'

/** Address of the server: a socket in a private directory, or, on Windows, a port on the loopback address. */
export type Endpoint = { readonly host: string; readonly port: number }

// Limit of a socket's whole path: 104 bytes on macOS and 108 on Linux, each with a closing zero.
const SOCKET_PATH_BYTES_MAX = 103
const SOCKET_PORT = 5432
const LOOPBACK = '127.0.0.1'

export async function makeEndpoint(location: Location): Promise<Endpoint> {
  if (process.platform === 'win32') return { host: LOOPBACK, port: await findFreePort() }
  return { host: await makeSocketDir(location), port: SOCKET_PORT }
}

/**
 * Makes a private directory under one of the given parents, or of the usual ones. Its name can be guessed, so an
 * existing one is used only when it is certainly ours; otherwise another name is taken.
 */
export async function makeSocketDir(
  location: Pick<Location, 'cluster' | 'home' | 'runAs'>,
  given?: readonly string[],
): Promise<string> {
  const usual = [tmpdir(), '/tmp', '/var/tmp', location.home]
  const parents = given ?? [...(await ownDirs(RUNTIME_DIR)), ...usual]
  const name = `warung-${shortHash(location.cluster)}`
  const spare = `${name}-${randomBytes(3).toString('hex')}`
  for (const parent of parents) {
    if (Buffer.byteLength(join(parent, spare, `.s.PGSQL.${SOCKET_PORT}`)) > SOCKET_PATH_BYTES_MAX) continue
    if (!(await isUsable(parent, location.runAs))) continue
    for (const dir of [join(parent, name), join(parent, spare)]) {
      if (await makePrivate(dir, location.runAs)) return dir
    }
  }
  throw failure(`found no place for the database server's socket; tried ${parents.join(', ')}`)
}

/** Directory that systemd makes for the service (`RuntimeDirectory=warung` in deploy/systemd). */
const RUNTIME_DIR = '/run/warung'

/**
 * Returns the directory if it is ours. It comes first, because a unit with `PrivateTmp=` has a /tmp of its own: a command
 * beside the service would not find a socket in it. The owner of another one could move ours away.
 */
export async function ownDirs(dir: string): Promise<string[]> {
  const info = await stat(dir).catch(() => undefined)
  return info !== undefined && info.uid === process.getuid?.() ? [dir] : []
}

/**
 * Removes a directory that `makeSocketDir` made, file by file. The path may come from a server's pid file, where an
 * operator's own setting can have put any directory; one that holds anything else is not ours to remove.
 */
export async function removeSocketDir(endpoint: Endpoint): Promise<void> {
  if (!/^warung-[0-9a-f]{12}(-[0-9a-f]{6})?$/.test(basename(endpoint.host))) return
  await clearSocket(endpoint).catch(() => {})
  await rmdir(endpoint.host).catch(() => {})
}

/**
 * Removes the socket of a dead server and its lock file, which names a pid that may belong to another process by now.
 */
export async function clearSocket({ host, port }: Endpoint): Promise<void> {
  if (host === LOOPBACK) return
  await rm(join(host, `.s.PGSQL.${port}`), { force: true })
  await rm(join(host, `.s.PGSQL.${port}.lock`), { force: true })
}

async function isUsable(parent: string, runAs: RunAs | undefined): Promise<boolean> {
  try {
    const { mode } = await stat(parent)
    // The sticky bit is required in a directory that everybody may write to: without it others could move ours away.
    const open = (mode & 0o002) !== 0 && (mode & 0o1000) === 0
    return !open && (await canPass(parent, runAs))
  } catch {
    return false
  }
}

async function makePrivate(dir: string, runAs: RunAs | undefined): Promise<boolean> {
  try {
    await mkdir(dir, { mode: 0o700 })
    await handOver(dir, runAs)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') return false
  }
  const info = await lstat(dir)
  const uid = runAs?.uid ?? process.getuid?.()
  return info.isDirectory() && info.uid === uid && (info.mode & 0o077) === 0
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, LOOPBACK, () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
