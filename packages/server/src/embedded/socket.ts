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

/** How the server is reached: a socket in a private directory, or, on Windows, a port on the loopback address. */
export type Endpoint = { readonly host: string; readonly port: number }

// A socket's whole path must fit into 104 bytes on macOS, 108 on Linux, each with a closing zero.
const SOCKET_PATH_BYTES_MAX = 103
const SOCKET_PORT = 5432
const LOOPBACK = '127.0.0.1'

export async function makeEndpoint(location: Location): Promise<Endpoint> {
  if (process.platform === 'win32') return { host: LOOPBACK, port: await findFreePort() }
  return { host: await makeSocketDir(location), port: SOCKET_PORT }
}

/**
 * A private directory under one of `parents`. Its name can be guessed, so one that exists already is used only when
 * it is certainly ours; else another name is taken.
 */
export async function makeSocketDir(
  location: Pick<Location, 'cluster' | 'home' | 'runAs'>,
  parents: readonly string[] = [tmpdir(), '/tmp', '/var/tmp', location.home],
): Promise<string> {
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

/**
 * Removes a directory that `makeSocketDir` made, file by file: the path may come out of a server's pid file, where an
 * operator's own setting can have put any directory, and one that holds anything else is not ours to remove.
 */
export async function removeSocketDir(endpoint: Endpoint): Promise<void> {
  if (!/^warung-[0-9a-f]{12}(-[0-9a-f]{6})?$/.test(basename(endpoint.host))) return
  await clearSocket(endpoint).catch(() => {})
  await rmdir(endpoint.host).catch(() => {})
}

/** A server that died leaves its socket and a lock file that names its pid, which may be another's by now. */
export async function clearSocket({ host, port }: Endpoint): Promise<void> {
  if (host === LOOPBACK) return
  await rm(join(host, `.s.PGSQL.${port}`), { force: true })
  await rm(join(host, `.s.PGSQL.${port}.lock`), { force: true })
}

async function isUsable(parent: string, runAs: RunAs | undefined): Promise<boolean> {
  try {
    const { mode } = await stat(parent)
    // In a directory that everybody may write to, only the sticky bit keeps others from moving ours away.
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
