import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { handOver } from '../embedded/files.ts'
import type { Binaries } from '../embedded/platform.ts'
import { getPlatformPackage, prepareBinaries } from '../embedded/platform.ts'
import type { RunAs } from '../embedded/runas.ts'
import { credentials, findServerUser, isRoot } from '../embedded/runas.ts'
import { runTool, toolEnvironment } from '../embedded/tool.ts'
import { onServer } from './cluster.ts'

/**
 * PostgreSQL server as an operator runs it beside the service: on a TCP port, with passwords, with its configuration
 * outside of the data directory as Debian has it, and with a role that owns its database and nothing more.
 */
export type ExternalServer = {
  /** Address of the database for its owner. */
  readonly url: string
  /** Directory above its own, in which further data directories can be made. */
  readonly home: string
  /** Runs a statement as the superuser. */
  administer(statement: string): Promise<void>
  /** Starts the server again, on another data directory. */
  startOn(directory: string): Promise<void>
  stop(): Promise<void>
  close(): Promise<void>
}

const ADMIN = 'admin'
const ROLE = 'warung'

export async function startExternal(): Promise<ExternalServer> {
  const runAs = isRoot() ? await findServerUser() : undefined
  const home = await mkdtemp(join(tmpdir(), 'warung-external-'))
  await handOver(home, runAs)
  const programs = await prepareBinaries(await getPlatformPackage(), join(home, 'programs'), runAs)
  const password = randomBytes(12).toString('hex')
  const directory = join(home, 'main')
  await initialise(programs, { home, directory, password, runAs })
  const server = createRunner(programs, { home, password, runAs })
  await server.startOn(directory)
  await server.administer(`create role ${ROLE} login password '${password}'`)
  await server.administer(`create database ${ROLE} owner ${ROLE}`)
  return {
    home,
    url: `postgres://${ROLE}:${password}@127.0.0.1:${server.port()}/${ROLE}`,
    ...server,
    async close() {
      await server.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

type Place = { readonly home: string; readonly password: string; readonly runAs: RunAs | undefined }

async function initialise(
  { initdb }: Binaries,
  { home, directory, password, runAs }: Place & { readonly directory: string },
): Promise<void> {
  const etc = join(home, 'etc')
  await mkdir(etc)
  const files = {
    password: password,
    'postgresql.conf': '',
    'pg_ident.conf': '',
    'pg_hba.conf':
      'host all all 127.0.0.1/32 scram-sha-256\nhost replication all 127.0.0.1/32 scram-sha-256\n',
  }
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(etc, name), text)
    await handOver(join(etc, name), runAs)
  }
  const args = [
    ...[`--pgdata=${directory}`, `--username=${ADMIN}`, `--pwfile=${join(etc, 'password')}`],
    ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
  ]
  const result = await runTool(initdb, args, { runAs })
  if (!result.ok) throw new Error(`initdb failed: ${result.output}`)
}

/** Starts and stops the server on one port, which is chosen at the first start. */
function createRunner({ postgres }: Binaries, { home, password, runAs }: Place) {
  let running: ChildProcess | undefined
  let port = 0
  const admin = (): pg.ClientConfig => ({
    ...{ host: '127.0.0.1', port, user: ADMIN, password, database: 'postgres' },
  })

  async function launch(directory: string): Promise<boolean> {
    const etc = join(home, 'etc')
    const settings = {
      config_file: join(etc, 'postgresql.conf'),
      hba_file: join(etc, 'pg_hba.conf'),
      ident_file: join(etc, 'pg_ident.conf'),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      port: String(port),
      shared_buffers: '32MB',
      fsync: 'off',
    }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(postgres, ['-D', directory, ...args], {
      ...toolEnvironment,
      ...credentials(runAs),
      stdio: 'ignore',
    })
    running = child
    while (child.exitCode === null) {
      const answers = await onServer(admin(), async () => true).catch(() => false)
      if (answers) return true
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    return false
  }

  async function startOn(directory: string): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      // Another program may take the port between the question and the start.
      if (port === 0 || attempt > 0) port = await findFreePort()
      if (await launch(directory)) return
    }
    throw new Error(`the server does not start on ${directory}`)
  }

  return {
    startOn,
    port: () => port,
    administer: (statement: string) =>
      onServer(admin(), async (client) => {
        await client.query(statement)
      }),
    async stop() {
      if (running === undefined || running.exitCode !== null) return
      const ended = once(running, 'exit')
      running.kill('SIGINT')
      await ended
    },
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
