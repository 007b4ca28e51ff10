import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import type { Runtime } from '../../../packages/server/dist/runtime.js'

export type Pgbench = Awaited<ReturnType<typeof openPgbench>>

type SteadyRate = { clients: number; perSecond: number; seconds: number }

const DEBIAN = '/usr/lib/postgresql'

/** Finds the program on the PATH or in Debian's folder; undefined when there is none. */
export function findPgbench(environment = process.env) {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(environment.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
  ]
  return folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path))
}

/** Makes a database of its own on the service's server, filled for TPC-B at this scale. */
export async function preparePgbench(pgbench: string, runtime: Runtime, scale: number) {
  const yardstick = await openPgbench(pgbench, runtime, `pgbench_${scale}`, [])
  await yardstick.run('--initialize', '--quiet', `--scale=${scale}`)
  return yardstick
}

/** Makes an empty database of its own on the service's server, on which pgbench runs with these options. */
export async function openPgbench(pgbench: string, runtime: Runtime, name: string, options: string[]) {
  await runtime.database.query(`create database ${name}`)
  let server = runtime
  const run = (...given: string[]) =>
    new Promise<string>((resolve, reject) => {
      execFile(pgbench, given, { env: environmentOf(server, name) }, (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message}\n${stderr}`)) : resolve(stdout),
      )
    })
  const execute = async (text: string) => {
    const client = new pg.Client({ ...server.database.options.connection, database: name })
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  return {
    run,
    /** Runs statements that prepare the database. */
    execute,
    /** Follows the server after a restart, because its address may change. */
    moveTo(restarted: Runtime) {
      server = restarted
    },
    /** Returns transactions per second with this many clients. */
    async measure(clients: number, seconds: number) {
      const text = await run(
        ...options,
        '--protocol=prepared',
        `--client=${clients}`,
        '--jobs=2',
        `--time=${seconds}`,
        '--no-vacuum',
      )
      // Updated rows leave dead ones. They are removed now, outside all measured times: otherwise autovacuum removes
      // them while the next candidate is measured, and takes half a core from it.
      await execute('vacuum')
      return Number(/tps = ([\d.]+)/.exec(text)?.[1])
    },
    /** Returns the latency of each transaction at a steady rate. `more` are options after those of the database. */
    async latenciesMs({ clients, perSecond, seconds }: SteadyRate, more: string[] = []) {
      const folder = await mkdtemp(join(tmpdir(), 'warung-bench-'))
      try {
        await run(
          ...options,
          ...more,
          '--protocol=prepared',
          `--client=${clients}`,
          `--rate=${perSecond}`,
          `--time=${seconds}`,
          '--no-vacuum',
          '--log',
          `--log-prefix=${join(folder, 'log')}`,
        )
        const texts = await Promise.all(
          (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
        )
        // The log is empty when the machine stood still for the whole time.
        const lines = texts.flatMap((text) => text.split('\n').filter((line) => line !== ''))
        return lines.map(latencyOf)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Reads a line of the log: a transaction's microseconds from its scheduled time on, and those that it began later. */
function latencyOf(line: string) {
  const [, , micros = Number.NaN, , , , lagMicros = Number.NaN] = line.split(' ').map(Number)
  const latencyMs = (micros - lagMicros) / 1_000
  if (!Number.isFinite(latencyMs)) throw new Error(`a transaction of pgbench failed: ${line}`)
  return latencyMs
}

function environmentOf(runtime: Runtime, name: string) {
  const { connection } = runtime.database.options
  return {
    ...process.env,
    PGHOST: connection.host,
    PGPORT: String(connection.port),
    PGUSER: connection.user,
    PGPASSWORD: String(connection.password ?? ''),
    PGDATABASE: name,
  }
}
