import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { startEmbedded } from '../embedded/server.ts'
import { onServer } from './cluster.ts'

/** Server with a streaming standby, both from the carried programs. */
export type ReplicatedServer = {
  readonly primary: pg.ClientConfig
  readonly standby: pg.ClientConfig
  /** Stops replaying on the standby, which goes on answering. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
  startStandby(): Promise<void>
  stopStandby(): Promise<void>
  close(): Promise<void>
}

const SETTINGS = { fsync: 'off', autovacuum: 'off', shared_buffers: '32MB' } as const
const READY_MS_MAX = 120_000

export async function startReplicated(): Promise<ReplicatedServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'warung-standby-'))
  const first = await startEmbedded({ dataDir, settings: SETTINGS })
  const { directory, programs } = await describeServer(first.connection)
  // The copy is whole, because the server is down.
  await first.stop()
  const copy = `${directory}-standby`
  await promisify(execFile)('cp', ['-a', directory, copy])
  const server = await startEmbedded({ dataDir, settings: SETTINGS })
  const primary = server.connection
  await appendFile(join(directory, 'pg_hba.conf'), 'local replication all scram-sha-256\n')
  await onServer(primary, (client) => client.query('select pg_reload_conf()'))
  const standby = { ...primary, port: Number(primary.port) + 1 }
  await makeStandby(copy, primary)
  let running: ChildProcess | undefined

  async function startStandby(): Promise<void> {
    running = await launchStandby(join(programs, 'postgres'), copy, standby)
    await until('the standby answers', () => onServer(standby, async () => true).catch(() => false))
  }

  async function stopStandby(): Promise<void> {
    if (running === undefined || running.exitCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGINT')
    await ended
  }

  await startStandby()
  return {
    primary,
    standby,
    async pauseReplay() {
      await onServer(standby, async (client) => {
        await client.query('select pg_wal_replay_pause()')
        await until('the replay is paused', async () => {
          const { rows } = await client.query('select pg_get_wal_replay_pause_state() as state')
          return rows[0]?.state === 'paused'
        })
      })
    },
    async resumeReplay() {
      await onServer(standby, (client) => client.query('select pg_wal_replay_resume()'))
    },
    startStandby,
    stopStandby,
    async close() {
      await stopStandby()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function describeServer(connection: pg.ClientConfig): Promise<{ directory: string; programs: string }> {
  return onServer(connection, async (client) => {
    const { rows } = await client.query(
      `select current_setting('data_directory') as directory,
              (select setting from pg_config where name = 'BINDIR') as programs`,
    )
    return rows[0] as { directory: string; programs: string }
  })
}

/** Makes a copy of the server's directory a standby of it. */
async function makeStandby(
  directory: string,
  { host, port, user, password }: pg.ClientConfig,
): Promise<void> {
  const { uid, gid } = await stat(directory)
  const signal = join(directory, 'standby.signal')
  await writeFile(signal, '')
  await chown(signal, uid, gid)
  await appendFile(
    join(directory, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${host} port=${port} user=${user} password=${String(password)}'\n`,
  )
}

async function launchStandby(
  program: string,
  directory: string,
  { host, port }: pg.ClientConfig,
): Promise<ChildProcess> {
  const settings = {
    unix_socket_directories: host,
    listen_addresses: '',
    port,
    cluster_name: 'standby',
    logging_collector: 'off',
    // A read that is in the way of the replay is ended at once.
    max_standby_streaming_delay: 0,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { uid, gid } = await stat(directory)
  const isRoot = process.getuid?.() === 0
  return spawn(program, ['-D', directory, ...args], {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: 'ignore',
    ...(isRoot && { uid, gid }),
  })
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const giveUpAtMs = performance.now() + READY_MS_MAX
  while (!(await isTrue())) {
    if (performance.now() > giveUpAtMs) throw new Error(`gave up waiting until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
