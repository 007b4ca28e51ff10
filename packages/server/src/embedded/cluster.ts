import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile, syncDir, writeTemporary } from '../lib/replace-file.ts'
import { failure, systemCode, textOf } from './errors.ts'
import { discard, exists, findText, handOver } from './files.ts'
import type { Location } from './location.ts'
import { ownerForNewFiles, shortHash } from './location.ts'
import type { Binaries } from './platform.ts'
import type { Settings } from './settings.ts'
import { renderConf, renderHba } from './settings.ts'
import type { Endpoint } from './socket.ts'
import { MAINTENANCE_DATABASE, ROLE, setPasswordSql } from './sql.ts'
import { runTool } from './tool.ts'

const CONF_FILE = 'warung.conf'
const INCLUDE = `include_if_exists = '${CONF_FILE}'`

/** Name in the title of each server process, by which the orphans of a killed server are recognised. */
export function clusterName(cluster: string): string {
  return `warung-${shortHash(cluster)}`
}

export function passwordPath(dataDir: string): string {
  return join(dataDir, 'postgres-password')
}

export async function findPassword(dataDir: string): Promise<string | undefined> {
  const text = (await findText(passwordPath(dataDir)))?.trim()
  return text === '' ? undefined : text
}

/** Makes a complete cluster of the right version when there is none. Returns true when it was made now. */
export async function ensureCluster(
  location: Location,
  binaries: Binaries,
  options: { sync: boolean; note: (text: string) => void; signal?: AbortSignal | undefined },
): Promise<boolean> {
  await discard(location.home, isUnfinished)
  if (await isEmptyOrMissing(location.cluster)) {
    options.note(`creating the database cluster in ${location.cluster}`)
    await initialise(location, binaries, options)
    return true
  }
  await checkVersion(location.cluster, binaries)
  return false
}

/** Compares PG_VERSION with the carried server, before the server itself would refuse in its own words. */
async function checkVersion(cluster: string, binaries: Binaries): Promise<void> {
  let version: string | undefined
  try {
    version = (await findText(join(cluster, 'PG_VERSION')))?.trim()
  } catch (error) {
    throw failure(`cannot read the cluster ${cluster}: ${textOf(error)}`, '', error)
  }
  if (version === undefined || version === '') {
    throw new Error(
      `${cluster} is not a complete PostgreSQL cluster: its PG_VERSION is missing.\n` +
        'It was damaged. Restore it from a backup, or move it away to begin with an empty database.',
    )
  }
  if (version !== binaries.major) {
    throw new Error(
      `the cluster ${cluster} was made by PostgreSQL ${version}, but the carried server is PostgreSQL ${binaries.version}.\n` +
        `Its files are not compatible. Dump it with a PostgreSQL ${version} server and restore it into a new data directory,\n` +
        'or set DATABASE_URL to a server that runs it.',
    )
  }
}

async function isEmptyOrMissing(cluster: string): Promise<boolean> {
  try {
    return (await readdir(cluster)).length === 0
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true
    throw failure(`cannot read the cluster ${cluster}: ${textOf(error)}`, '', error)
  }
}

/** Begins the name of a directory in which a cluster is made. */
export const UNFINISHED_PREFIX = 'postgres.unfinished-'

export function isUnfinished(name: string): boolean {
  return name.startsWith(UNFINISHED_PREFIX)
}

/** Makes the cluster under another name and renames it when complete: a cluster that exists was never half made. */
async function initialise(
  location: Location,
  binaries: Binaries,
  { sync, signal }: { sync: boolean; signal?: AbortSignal | undefined },
): Promise<void> {
  const { home, cluster, runAs } = location
  const workDir = join(home, `${UNFINISHED_PREFIX}${randomBytes(6).toString('hex')}`)
  const fresh = join(workDir, 'cluster')
  try {
    const password = await ensurePassword(location.dataDir)
    for (const dir of [workDir, fresh]) {
      await mkdir(dir, { mode: 0o700 })
      await handOver(dir, runAs)
    }
    const passwordFile = await writeTemporary(join(workDir, 'password'), `${password}\n`, {
      mode: 0o600,
      owner: runAs,
    })
    const result = await runTool(binaries.initdb, initdbArgs(fresh, passwordFile, sync), { runAs, signal })
    if (!result.ok) throw failure('initdb failed', result.output)
    // An empty directory may have the same name.
    await rmdir(cluster).catch(() => {})
    await rename(fresh, cluster)
    if (sync) await syncDir(dirname(cluster))
  } catch (error) {
    throw failure(`cannot create the database cluster ${cluster}: ${textOf(error)}`, '', error)
  } finally {
    await rm(workDir, { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * Builds the arguments of initdb. The C locale sorts by code point, and the same everywhere: no index depends on the
 * system's libraries.
 */
function initdbArgs(dir: string, passwordFile: string, sync: boolean): string[] {
  return [
    `--pgdata=${dir}`,
    `--username=${ROLE}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
    ...(sync ? [] : ['--no-sync']),
  ]
}

async function ensurePassword(dataDir: string): Promise<string> {
  const existing = await findPassword(dataDir)
  if (existing !== undefined) return existing
  const password = randomBytes(32).toString('base64url')
  await replaceFile(passwordPath(dataDir), `${password}\n`, {
    mode: 0o600,
    owner: await ownerForNewFiles(dataDir),
  })
  return password
}

/** Sets a new password for a cluster whose password file was lost, with the server down. */
export async function restorePassword(location: Location, binaries: Binaries): Promise<string> {
  const existing = await findPassword(location.dataDir)
  if (existing !== undefined) return existing
  const password = randomBytes(32).toString('base64url')
  const args = ['--single', '-D', location.cluster, MAINTENANCE_DATABASE]
  const result = await runTool(binaries.postgres, args, {
    runAs: location.runAs,
    input: `${setPasswordSql(password)}\n`,
  })
  if (!result.ok || /\b(ERROR|FATAL):/.test(result.output)) {
    throw failure(
      `${passwordPath(location.dataDir)} is missing, and no new password could be set`,
      result.output,
    )
  }
  await replaceFile(passwordPath(location.dataDir), `${password}\n`, {
    mode: 0o600,
    owner: await ownerForNewFiles(location.dataDir),
  })
  return password
}

/** Writes the settings of this version of the service to a file of their own that postgresql.conf includes. */
export async function configure(location: Location, settings: Settings, endpoint: Endpoint): Promise<void> {
  const { cluster, runAs } = location
  const options = { mode: 0o600, owner: runAs }
  await replaceFile(join(cluster, CONF_FILE), renderConf(settings, endpoint), options)
  await replaceFile(join(cluster, 'pg_hba.conf'), renderHba(), options)
  const main = join(cluster, 'postgresql.conf')
  const text = (await findText(main)) ?? ''
  if (text.split('\n').includes(INCLUDE)) return
  await replaceFile(
    main,
    `${text.trimEnd()}\n\n# Added by the service, last so that it wins.\n${INCLUDE}\n`,
    options,
  )
}

/** Reads the number that initdb gave the cluster: the control file begins with it. */
export async function readSystemId(cluster: string): Promise<string> {
  const control = await readFile(join(cluster, 'global', 'pg_control'))
  return String(control.readBigUInt64LE())
}

/** Finds out whether this build of the server has lz4; the other compressions cost more time than they save. */
export async function findWalCompression(binaries: Binaries, location: Location): Promise<'lz4' | 'off'> {
  const args = ['-D', location.cluster, '-c', 'wal_compression=lz4', '-C', 'wal_compression']
  const { output } = await runTool(binaries.postgres, args, { runAs: location.runAs })
  return /invalid value for parameter "wal_compression"/.test(output) ? 'off' : 'lz4'
}

/** Deletes all but the newest few log files. */
export async function pruneLogs(logDir: string, keep: number): Promise<void> {
  if (!(await exists(logDir))) return
  // The names are dates, so they sort by age.
  const names = (await readdir(logDir)).filter((name) => /^postgresql-[\d-]+\.log$/.test(name)).sort()
  for (const name of names.slice(0, Math.max(0, names.length - keep))) {
    await rm(join(logDir, name), { force: true })
  }
}
