import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import type { Direction, TcpProxy } from '../testing/network/tcp-proxy.ts'
import { openTcpProxy, targetOf } from '../testing/network/tcp-proxy.ts'
import { runs } from '../testing/runs.ts'
import type { Database } from './database.ts'
import { openDatabase, UncertainCommitError } from './database.ts'

let test: TestDatabase
let proxy: TcpProxy
let database: Database

beforeAll(async () => {
  test = await openTestDatabase()
  await test.database.query('create table notes (id integer primary key)')
  proxy = await openTcpProxy(targetOf(inject('cluster')))
  database = openDatabase({
    connection: { ...test.connection, host: '127.0.0.1', port: proxy.port },
    connectionsMax: 2,
    applicationName: 'commit test',
    statementMs: 500,
  })
})

afterAll(async () => {
  await database.close()
  await proxy.close()
  await test.close()
})

/** Returns true when the row exists in the end; it waits for a statement that a cut connection left under way. */
async function isThere(id: number): Promise<boolean> {
  return test.database.transaction(async (tx) => {
    await tx.query('lock table notes in exclusive mode')
    return (await tx.query('select 1 from notes where id = $1', [id])).rowCount === 1
  })
}

const CUT = { isSilent: false }
/** One fault for each outcome: COMMIT is lost, its answer is lost, the statement is lost, nothing is lost. */
const EXAMPLES: [Fault][] = [
  [{ ...CUT, direction: 'to server', bytes: 3, isBeforeCommit: false }],
  [{ ...CUT, direction: 'to client', bytes: 3, isBeforeCommit: false }],
  [{ ...CUT, direction: 'to server', bytes: 3, isBeforeCommit: true }],
  [{ ...CUT, direction: 'to client', bytes: 4_000, isBeforeCommit: false }],
]

type Fault = { direction: Direction; bytes: number; isSilent: boolean; isBeforeCommit: boolean }
type Seen = 'committed' | 'uncertain' | 'certain'

it('a transaction whose connection fails anywhere is committed, not committed, or says that it is uncertain', async () => {
  let id = 0
  const seen = new Set<string>()
  const fault = fc.record({
    direction: fc.constantFrom('to server' as const, 'to client' as const),
    // COMMIT, its answer and the statement before it have about as many bytes.
    bytes: fc.integer({ min: 0, max: 60 }),
    isSilent: fc.oneof(
      { weight: 9, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    isBeforeCommit: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fault, async ({ direction, bytes, isSilent, isBeforeCommit }) => {
      id += 1
      const strike = () => {
        for (const link of proxy.connections()) link.limit(direction, bytes, isSilent ? 'hold' : 'cut')
      }
      let outcome: Seen = 'committed'
      try {
        await database.transaction(async (tx) => {
          if (isBeforeCommit) strike()
          await tx.query('insert into notes values ($1)', [id])
          if (!isBeforeCommit) strike()
        })
      } catch (error) {
        outcome = error instanceof UncertainCommitError ? 'uncertain' : 'certain'
      }
      for (const link of proxy.connections()) link.cut()
      const there = await isThere(id)
      seen.add(`${outcome} ${there}`)
      if (outcome === 'committed') expect(there).toBe(true)
      if (outcome === 'certain') expect(there).toBe(false)
    }),
    { numRuns: runs(50), examples: EXAMPLES },
  )
  // The faults reach every outcome, so that no claim passes for lack of a case.
  expect([...seen].sort()).toEqual(['certain false', 'committed true', 'uncertain false', 'uncertain true'])
})
