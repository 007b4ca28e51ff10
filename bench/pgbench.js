import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql'

/** The program, on the PATH or where Debian keeps it; undefined when there is none. */
export function findPgbench(environment = process.env) {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(environment.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
  ]
  return folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path))
}

/** A database of its own on the service's server, filled for TPC-B at this scale. */
export async function preparePgbench(pgbench, runtime, scale) {
  const name = `pgbench_${scale}`
  await runtime.database.query(`create database ${name}`)
  let environment = environmentOf(runtime, name)
  const run = (...options) =>
    new Promise((resolve, reject) => {
      execFile(pgbench, options, { env: environment }, (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message}\n${stderr}`)) : resolve(stdout),
      )
    })
  await run('--initialize', '--quiet', `--scale=${scale}`)
  return {
    /** The same server, started again: it may listen elsewhere. */
    moveTo(restarted) {
      environment = environmentOf(restarted, name)
    },
    /** Transactions a second with this many clients. */
    async measure(clients, seconds) {
      const text = await run(
        '--protocol=prepared',
        `--client=${clients}`,
        '--jobs=2',
        `--time=${seconds}`,
        '--no-vacuum',
      )
      return Number(/tps = ([\d.]+)/.exec(text)?.[1])
    },
  }
}

function environmentOf(runtime, name) {
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
