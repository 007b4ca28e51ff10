import { spawn } from 'node:child_process'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { waitUntilReady } from '../embedded/connect.ts'
import { failure } from '../embedded/errors.ts'
import { handOver, tail } from '../embedded/files.ts'
import type { RunAs } from '../embedded/runas.ts'
import { credentials } from '../embedded/runas.ts'
import type { Settings } from '../embedded/settings.ts'
import { makeSocketDir, removeSocketDir } from '../embedded/socket.ts'
import { DATABASE, ROLE } from '../embedded/sql.ts'
import { toolEnvironment } from '../embedded/tool.ts'

// A server that recovers a copy: on a private socket, with settings of its own, and without a password.

export type RecoveryOptions = {
  readonly postgres: string
  /** Directory of the copy, with the log in its pg_wal. */
  readonly cluster: string
  /** Directory beside it for the server's own files. */
  readonly workDir: string
  readonly runAs: RunAs | undefined
  /** Moment at which recovery stops; undefined: the end of the log. */
  readonly to: Date | undefined
  /** False: a crash of the machine may lose the result. */
  readonly isDurable: boolean
  readonly note: (text: string) => void
}

export type RecoveryServer = {
  readonly connection: pg.ClientConfig
  /** Ends the server cleanly: the directory is then complete. */
  stop(): Promise<void>
}

const SOCKET_PORT = 5432
const STOP_MS = 120_000
/** A log of a week takes hours to replay. */
const REPLAY_MAX_MS = 48 * 3_600_000
const LOG_TAIL_BYTES = 4_096

/** Starts a server on a copy, and waits until it has replayed the log and takes connections. */
export async function startRecovery(options: RecoveryOptions): Promise<RecoveryServer> {
  const { cluster, workDir, runAs } = options
  const host = await makeSocketDir({ cluster, home: workDir, runAs })
  const endpoint = { host, port: SOCKET_PORT }
  const logPath = join(workDir, 'server.log')
  await writeOwnFiles(options)
  const log = await open(logPath, 'w', 0o600)
  const child = spawn(options.postgres, ['-D', cluster, ...argumentsOf(options, host)], {
    ...toolEnvironment,
    ...credentials(runAs),
    stdio: ['ignore', log.fd, log.fd],
  })
  await log.close()
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true
      resolve()
    }
    child.once('exit', end)
    child.once('error', end)
  })
  const stop = async () => {
    child.kill('SIGINT')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(timer)
    await removeSocketDir(endpoint)
  }
  const connection = { ...endpoint, user: ROLE, database: DATABASE, password: '' }
  try {
    await waitUntilReady(connection, {
      hasEnded: () => hasEnded,
      note: options.note,
      recoveryMaxMs: REPLAY_MAX_MS,
    })
  } catch (error) {
    await stop()
    throw explain(await tail(logPath, LOG_TAIL_BYTES), options.to, error)
  }
  return { connection, stop }
}

/** Writes the files that stand in the place of the copy's own, which may need things that are not here. */
async function writeOwnFiles({ cluster, workDir, runAs }: RecoveryOptions): Promise<void> {
  const files = [
    [join(workDir, 'postgresql.conf'), ''],
    // The directory of the socket is open to its owner alone.
    [join(workDir, 'pg_hba.conf'), 'local all all trust\n'],
    [join(workDir, 'pg_ident.conf'), ''],
    [join(cluster, 'recovery.signal'), ''],
  ] as const
  for (const [path, text] of files) {
    await writeFile(path, text, { mode: 0o600 })
    await handOver(path, runAs)
  }
}

function argumentsOf({ workDir, to, isDurable }: RecoveryOptions, socketDir: string): string[] {
  const settings: Settings = {
    config_file: join(workDir, 'postgresql.conf'),
    hba_file: join(workDir, 'pg_hba.conf'),
    ident_file: join(workDir, 'pg_ident.conf'),
    listen_addresses: '',
    unix_socket_directories: `"${socketDir}"`,
    port: String(SOCKET_PORT),
    // Every segment lies in pg_wal already.
    restore_command: 'false',
    recovery_target_action: 'promote',
    recovery_target_timeline: 'latest',
    ...(to === undefined ? {} : { recovery_target_time: formatMoment(to) }),
    hot_standby: 'off',
    // Without a module nothing is archived yet, but the history of the new timeline is kept for the service's server.
    archive_mode: 'on',
    archive_library: '',
    archive_command: '',
    synchronous_standby_names: '',
    shared_preload_libraries: '',
    max_wal_senders: '0',
    logging_collector: 'off',
    log_timezone: 'UTC',
    timezone: 'UTC',
    jit: 'off',
    shared_buffers: '256MB',
    max_wal_size: '4GB',
    ...(isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Formats a moment for a setting. The names of time zones, Z included, are not known when settings are read. */
function formatMoment(moment: Date): string {
  return moment.toISOString().replace('T', ' ').replace('Z', '+00')
}

function explain(said: string, to: Date | undefined, cause: unknown): Error {
  if (to !== undefined && /recovery ended before configured recovery target/.test(said)) {
    return new Error(
      `the log has no commit after ${to.toISOString()}: it ends before, or has a gap.\n` +
        'Leave --to out to restore to the end of the log.',
      { cause },
    )
  }
  return failure('the copy could not be recovered', said, cause)
}
