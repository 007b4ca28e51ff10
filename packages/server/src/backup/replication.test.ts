import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { connectReplication, identifySystem } from './replication.ts'

let test: TestDatabase
const role = `copier_${randomBytes(4).toString('hex')}`

beforeAll(async () => {
  test = await openTestDatabase()
  await test.database.query(`create role ${role} login password 'secret'`)
})
afterAll(async () => {
  await test.database.query(`drop role ${role}`)
  await test.close()
})

it('a role without the right of replication is told how it gets it', async () => {
  const connecting = connectReplication({ ...test.connection, user: role, password: 'secret' })
  await expect(connecting).rejects.toThrow(`alter role "${role}" replication`)
})

it('a server says who it is, and a wrong command leaves the connection usable', async () => {
  await test.database.query(`alter role ${role} replication`)
  const replication = await connectReplication({ ...test.connection, user: role, password: 'secret' })
  try {
    await expect(replication.run('START_REPLICATION SLOT no_such_slot PHYSICAL 0/0')).rejects.toThrow(
      'no_such_slot',
    )
    const system = await identifySystem(replication)
    expect(system).toMatchObject({ timeline: 1, segmentBytes: 16_777_216 })
    expect(system.systemId).toMatch(/^\d+$/)
  } finally {
    await replication.end()
  }
})
