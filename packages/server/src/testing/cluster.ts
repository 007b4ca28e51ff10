import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'

/** Address of the run's one cluster. It is plain data, because it is passed to the test workers. */
export type ClusterAddress = { host: string; port: number; user: string; password: string; template: string }

declare module 'vitest' {
  export interface ProvidedContext {
    cluster: ClusterAddress
    /** Address of a coordinator of Citus with two workers; empty: there is none. */
    citus: string
  }
}

/**
 * Sets up vitest globally: one server for the whole run, with one migrated template database that each test file
 * clones. WARUNG_TEST_DATABASE_URL uses a server that is already there (a superuser's address); WARUNG_TEST_SCHEMA names
 * the schema that all tests work in.
 */
export default async function setUpCluster(project: TestProject): Promise<() => Promise<void>> {
  const citus = process.env.WARUNG_CITUS_URL ?? ''
  project.provide('citus', citus)
  if (citus === '')
    process.stderr.write('\n### NOT TESTED: groups on Citus. WARUNG_CITUS_URL names no coordinator. ###\n')
  const { connection, stop } = await reachServer()
  const template = `warung_template_${randomBytes(4).toString('hex')}`
  const schema = process.env.WARUNG_TEST_SCHEMA
  // The role's own setting holds in every database, so that no test has to name the schema.
  if (schema)
    await onServer(connection, (client) =>
      client.query(`alter role current_user set search_path = ${schema}`),
    )
  await onServer(connection, (client) => client.query(`create database ${template}`))
  const database = openDatabase({
    connection: { ...connection, database: template },
    connectionsMax: 2,
    applicationName: 'template',
  })
  await migrate(database)
  await database.close()
  project.provide('cluster', {
    host: String(connection.host),
    port: Number(connection.port),
    user: String(connection.user),
    password: String(connection.password ?? ''),
    template,
  })
  return async () => {
    // The acceptance tests have their own template with the demo in it, and databases that files share.
    await onServer(connection, async (client) => {
      const found = await client.query<{ datname: string }>(
        'select datname from pg_database where starts_with(datname, $1)',
        [template],
      )
      for (const { datname } of found.rows) {
        await client.query(`drop database if exists ${datname} with (force)`)
      }
    })
    await stop()
  }
}

async function reachServer(): Promise<{ connection: pg.ClientConfig; stop: () => Promise<void> }> {
  const given = process.env.WARUNG_TEST_DATABASE_URL
  if (given !== undefined && given !== '') {
    const url = new URL(given)
    return {
      connection: {
        host: url.hostname,
        port: Number(url.port || 5432),
        user: decodeURIComponent(url.username),
        password: decodeURIComponent(url.password),
        database: 'postgres',
      },
      stop: async () => {},
    }
  }
  const { startEmbedded } = await import('../embedded/server.ts')
  const dataDir = await mkdtemp(join(process.env.WARUNG_TEST_CLUSTER_DIR ?? tmpdir(), 'warung-test-'))
  // A crash of the machine may lose a test cluster. kill -9 of a process still loses nothing.
  const server = await startEmbedded({
    dataDir,
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      // Each clone of the template goes through the log, page by page.
      wal_compression: 'off',
      max_wal_size: '512MB',
      // Each connection maps what it touches of it, and each file opens dozens of connections.
      shared_buffers: '128MB',
      max_connections: '300',
      // Groups are moved between its databases.
      wal_level: 'logical',
    },
  })
  const connection = { ...server.connection, database: 'postgres' }
  await trustTests(connection)
  return {
    connection,
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A role that has to prove a password, for tests of that. */
export const ASKED_ROLE = 'asked_for_its_password'
const RULES = `local all ${ASKED_ROLE} scram-sha-256\nlocal all all trust\nlocal replication all trust\n`

/**
 * Lets connections in without a password, over a socket that only we reach: a run opens thousands of them, and proving
 * the password costs as much as everything else in opening one.
 */
async function trustTests(connection: pg.ClientConfig): Promise<void> {
  await onServer(connection, async (client) => {
    const { rows } = await client.query<{ hba_file: string }>(
      "select current_setting('hba_file') as hba_file",
    )
    for (const { hba_file } of rows) await writeFile(hba_file, RULES)
    await client.query('select pg_reload_conf()')
  })
}

export async function onServer<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, database: connection.database ?? 'postgres' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
