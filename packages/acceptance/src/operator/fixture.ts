import { expect } from 'vitest'
import type { Browser } from '../portal/people.ts'
import { signInOperator } from '../portal/people.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, stopServices } from '../service.ts'
import { CATALOGUE, importCatalog, signInAs } from './operators.ts'

/** Service with a small catalog, an admin and an operator for the catalog. */
export type OperatorFixture = {
  readonly service: Service
  readonly database: TestDatabase
  readonly admin: Browser
  readonly catalogue: Browser
  /** Opens an account and returns its number. */
  newReseller(name?: string): Promise<string>
  lastLogged(): Promise<Logged>
  countLogged(): Promise<number>
  close(): Promise<void>
}

/** Row of the audit log. */
export type Logged = {
  actor: string
  action: string
  target: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  reason: string
}

export async function openOperatorFixture(): Promise<OperatorFixture> {
  const database = await createDatabase()
  const service = await openService({ database })
  const admin = await signInOperator(service)
  const catalogue = await signInAs(service, 'catalogue')
  await importCatalog(catalogue, CATALOGUE)
  return {
    service,
    database,
    admin,
    catalogue,
    newReseller: (name = 'Kedai Baru') => openReseller(admin, name),
    async lastLogged() {
      const { rows } = await database.query<Logged>(
        'select actor, action, target, before, after, reason from audit_log order by sequence desc limit 1',
      )
      const [row] = rows
      if (row === undefined) throw new Error('nothing was written to the audit log')
      return row
    },
    async countLogged() {
      const { rows } = await database.query<{ count: string }>('select count(*) from audit_log')
      return Number(rows[0]?.count)
    },
    async close() {
      await stopServices()
      await database.drop()
    },
  }
}

async function openReseller(admin: Browser, name: string): Promise<string> {
  const answer = await admin.send('POST', '/resellers', {
    name,
    email: 'kedai@example.com',
    price_level: 'STANDARD',
    reason: 'signed the contract',
  })
  expect(answer.status, answer.text).toBe(201)
  return answer.json<{ data: { account: string } }>().data.account
}
