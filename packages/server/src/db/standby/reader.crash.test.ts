import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ReplicatedServer } from '../../testing/standby.ts'
import { startReplicated } from '../../testing/standby.ts'
import { readWithin } from '../bounded.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../database.ts'
import type { OpenReader } from './reader.ts'
import { examineStandby, openReader } from './reader.ts'

// The test has servers of its own: a primary and its standby.

/** Time for a standby on a busy machine; a read waits only as long as it needs. */
const PATIENT_MS = 120_000
const IMPATIENT_MS = 50

let server: ReplicatedServer
let primary: Database
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  server = await startReplicated()
  primary = open('primary')
  await primary.query('create table notes (id serial primary key)')
}, 300_000)

afterAll(async () => {
  await primary?.close()
  await server?.close()
})

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

function open(which: 'primary' | 'standby', database?: string): Database {
  const connection = { ...server[which], ...(database !== undefined && { database }) }
  return openDatabase({
    connection,
    connectionsMax: 4,
    applicationName: 'reader test',
    statementMs: PATIENT_MS,
    access: which === 'standby' ? 'any' : 'read-write',
  })
}

async function reader(waitMs = PATIENT_MS, standby = open('standby')): Promise<OpenReader> {
  const made = await openReader({ primary, standby, waitMs, lookEveryMs: 20 })
  opened.push(made)
  return made
}

const addNote = () => primary.query('insert into notes default values')

async function countNotes(database: Pick<Database, 'query'>): Promise<number> {
  const { rows } = await database.query<{ count: number }>('select count(*)::integer as count from notes')
  return rows[0]?.count ?? -1
}

async function isStandby(database: Pick<Database, 'query'>): Promise<boolean | undefined> {
  const { rows } = await database.query<{ is: boolean }>('select pg_is_in_recovery() as is')
  return rows[0]?.is
}

async function untilUsable(made: OpenReader): Promise<void> {
  await expect.poll(() => made.standby?.isUsable, { timeout: PATIENT_MS }).toBe(true)
}

describe('reads from a standby', () => {
  it('see everything that was committed before they began', async () => {
    const made = await reader()
    const before = await countNotes(primary)
    for (let n = 1; n <= 20; n += 1) {
      await addNote()
      expect(await countNotes(made)).toBe(before + n)
    }
    expect(made.counts).toEqual({ standby: 20, primary: 0 })
  })

  it('are in one snapshot when they are in one transaction', async () => {
    const made = await reader()
    const counts = await readWithin(made, PATIENT_MS, async (tx) => {
      const before = await countNotes(tx)
      await addNote()
      await untilSeen(await countNotes(primary))
      return [before, await countNotes(tx), await isStandby(tx)]
    })
    expect(counts).toEqual([counts[0], counts[0], true])
  })

  it('are answered by the primary while the replay stands still, and by the standby when it goes on', async () => {
    const made = await reader(IMPATIENT_MS)
    await server.pauseReplay()
    await addNote()
    const notes = await countNotes(primary)
    expect(await countNotes(made)).toBe(notes)
    expect(await readWithin(made, PATIENT_MS, isStandby)).toBe(false)
    await expect.poll(() => made.standby?.text, { timeout: PATIENT_MS }).toMatch(/^it is behind by/)
    expect(made.counts.standby).toBe(0)
    await server.resumeReplay()
    await untilUsable(made)
  })

  it('are answered by the primary when the replay ends them', async () => {
    const made = await reader()
    await primary.query('insert into notes select from generate_series(1, 100)')
    let conflict: Promise<unknown> | undefined
    const answeredBy = await readWithin(made, PATIENT_MS, async (tx) => {
      if ((await isStandby(tx)) !== true) return 'primary'
      await countNotes(tx)
      // The rows that this snapshot needs are removed.
      conflict = primary.query('delete from notes').then(() => primary.query('vacuum notes'))
      await tx.query('select pg_sleep(600)')
      return 'standby'
    })
    await conflict
    expect(answeredBy).toBe('primary')
  })

  it('go on without the standby, and use it when it is back', async () => {
    const made = await reader()
    await server.stopStandby()
    await addNote()
    expect(await countNotes(made)).toBe(await countNotes(primary))
    expect(await isStandby(made)).toBe(false)
    await server.startStandby()
    await untilUsable(made)
    expect(await isStandby(made)).toBe(true)
  })
})

/** Waits until the standby shows this many notes. */
async function untilSeen(notes: number): Promise<void> {
  const standby = open('standby')
  await expect.poll(() => countNotes(standby), { timeout: PATIENT_MS }).toBe(notes)
  await standby.close()
}

describe('a server that is not the standby of the database', () => {
  it.each([
    ['another primary', 'primary', undefined, 'it is no standby'],
    ['another database of the standby', 'standby', 'postgres', 'it is a standby of another database'],
  ] as const)('is never read: %s', async (_, which, database, text) => {
    const made = await reader(PATIENT_MS, open(which, database))
    expect(made.standby).toMatchObject({ isUsable: false, text })
    expect(await isStandby(made)).toBe(false)
    expect(made.counts).toEqual({ standby: 0, primary: 1 })
  })

  it('is reported with the reason', async () => {
    const nowhere = openDatabase({
      connection: { ...server.standby, port: 1 },
      connectionsMax: 1,
      applicationName: 'reader test',
      access: 'any',
    })
    expect(await examineStandby(primary, nowhere)).toMatchObject({
      isUsable: false,
      lagSeconds: undefined,
      text: expect.stringMatching(/^it cannot be asked: /),
    })
    await nowhere.close()
  })
})
