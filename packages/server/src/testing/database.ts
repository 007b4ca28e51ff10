import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/database.ts'
import type { Vault } from '../db/vault.ts'
import { openVault } from '../db/vault.ts'
import type { MasterKey } from '../lib/secrets/sealing.ts'
import { generateMasterKey } from '../lib/secrets/sealing.ts'
import { onServer } from './cluster.ts'

export type TestDatabase = {
  database: Database
  vault: Vault
  masterKey: MasterKey
  connection: pg.ClientConfig
  /** Address of the same database, for another process. */
  url: string
  /** Opens another pool on the same database, as another node would have. */
  openAnother(): Database
  close(): Promise<void>
}

/**
 * Time limits of a statement and of the wait for a connection. Tests make larger tables than any request, on a machine
 * that is busy with other things.
 */
const STATEMENT_MS = 120_000
const CONNECT_MS = 120_000

/** Opens a new, migrated database for this test file, cloned from the run's template or from the given one. */
export async function openTestDatabase(
  given: { readonly template?: string; readonly masterKey?: MasterKey } = {},
): Promise<TestDatabase> {
  const { template: common, ...server } = inject('cluster')
  const { template = common, masterKey = generateMasterKey() } = given
  const name = `warung_test_${randomBytes(6).toString('hex')}`
  await onServer(server, (client) => client.query(cloneOf(name, template)))
  const connection: pg.ClientConfig = { ...server, database: name }
  const patient = { ...connection, connectionTimeoutMillis: CONNECT_MS }
  const open = () =>
    openDatabase({
      connection: patient,
      connectionsMax: 10,
      applicationName: 'test',
      statementMs: STATEMENT_MS,
    })
  const opened = [open()]
  const [database] = opened as [Database]
  const vault = await openVault(database, [masterKey])
  return {
    database,
    vault,
    masterKey,
    connection,
    url: urlOf(server, name),
    openAnother() {
      const another = open()
      opened.push(another)
      return another
    },
    async close() {
      await Promise.all(opened.map((each) => each.close()))
      await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/**
 * Returns the statement that clones a template. Copies of its files take a third of the time that the default takes,
 * which writes every page to the log.
 */
export function cloneOf(name: string, template: string): string {
  return `create database ${name} template ${template} strategy file_copy`
}

/** Returns the address of a database, for another process. */
export function urlOf(
  server: { host: string; port: number; user: string; password: string },
  name: string,
): string {
  const secret = encodeURIComponent(server.password)
  // A socket directory goes into the query, because it cannot be in the place of the host name.
  return server.host.startsWith('/')
    ? `postgres://${server.user}:${secret}@localhost:${server.port}/${name}?host=${encodeURIComponent(server.host)}`
    : `postgres://${server.user}:${secret}@${server.host}:${server.port}/${name}`
}
