import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { until } from '../../testing/payments/payments.ts'
import type { Database } from '../database.ts'
import { isReadOnly, openDatabase, run } from '../database.ts'
import { migrate } from '../migrate.ts'
import { findGate, lockMove } from './locks.ts'
import { chooseMover } from './mover.ts'
import { findPlace } from './place.ts'
import { fence } from './plain.ts'
import { noteStep } from './steps.ts'
import { listCarried } from './tables.ts'
import type { MoveEnds } from './types.ts'

// Two databases with a group each of them could serve. The copy between servers is in moves.crash.test.ts.

const GROUP = 'east'

let places: readonly TestDatabase[]
const opened: Database[] = []

beforeAll(async () => {
  places = await Promise.all([openTestDatabase(), openTestDatabase(), openTestDatabase()])
})
afterAll(async () => {
  for (const each of opened) await each.close()
  for (const place of places) await place.close()
})

function open(at: TestDatabase, schema: string, openAddress?: (sealed: Buffer) => Promise<string>): Database {
  const database = openDatabase({ ...at.database.options, schema, openAddress })
  opened.push(database)
  return database
}

const readable = async (sealed: Buffer) => sealed.toString('utf8')
const place = (index: number) => places[index] as TestDatabase

function endsOf(group: string, given: Partial<MoveEnds> = {}): MoveEnds {
  const address = place(1).url
  return {
    group,
    source: open(place(0), group),
    target: open(place(1), group),
    connections: { source: place(0).connection, target: { connectionString: address } },
    labels: { source: 'the older place', target: 'the new place' },
    sealed: Buffer.from(address, 'utf8'),
    isEmpty: async () => true,
    list: async () => {},
    note: () => {},
    reached: () => {},
    ...given,
  }
}

const move = async (ends: MoveEnds) => (await chooseMover(ends)).move(ends)

const WRITE = { name: 'write', text: `insert into group_move_steps (move, step) values (1, $1)` }
const READ = { name: 'read', text: 'select step from group_move_steps where move = 1 order by step' }

describe('a group that was moved away', () => {
  it('cannot be written or read at its older place by a node that missed every message', async () => {
    const ends = endsOf(GROUP)
    await migrate(ends.source)
    await migrate(ends.target)
    await ends.target.query('update group_place set epoch = 2')
    const lost = open(place(0), GROUP, () => Promise.reject(new Error('it cannot be opened')))
    const node = open(place(0), GROUP, readable)
    const plain = open(place(0), GROUP)
    const old = await plain.dedicatedConnection()
    for (const each of [lost, node]) await each.query(READ)
    await node.query(WRITE, ['before'])
    await run(old, 'begin isolation level repeatable read')
    await run(old, READ.text)

    for (const { gate } of await listCarried(ends.source)) await ends.source.query(gate)
    const control = await ends.source.dedicatedConnection()
    const gate = await findGate(control)
    await gate.close()
    const held = node.query(WRITE, ['held'])
    await until('the writer waits', async () => {
      const { rows } = await place(0).database.query(
        `select from pg_locks where locktype = 'advisory' and not granted`,
      )
      return rows.length > 0
    })
    const found = await findPlace(ends.source)
    if (found === undefined) throw new Error('the group has a place')
    await fence(ends, control, found)
    await gate.open()
    await control.end()

    // One that can read where it went writes there, and answers as if nothing had been.
    await held
    await node.query(WRITE, ['after'])
    expect((await node.query(READ)).rows).toEqual([{ step: 'after' }, { step: 'held' }])
    expect(node.whereabouts).toMatchObject({ hasMoved: true, trouble: undefined })
    // One that cannot, refuses, and says where the group is.
    for (const attempt of [lost.query(WRITE, ['lost']), lost.query(READ)]) {
      const error = await attempt.catch((reason: unknown) => reason)
      expect(isReadOnly(error)).toBe(true)
      expect(String(error)).toContain('the group was moved to the new place')
    }
    expect(lost.whereabouts.trouble).toContain('the new place')
    // A transaction that began before the move writes nothing either.
    await expect(run(old, WRITE.text, ['old'])).rejects.toThrow()
    await old.end()
    expect((await open(place(0), `${GROUP}_old_1`).query(READ)).rows).toEqual([{ step: 'before' }])
  })
})

describe('a place that is named for a group', () => {
  it('is taken only where it serves the group and no other place does', async () => {
    const group = 'named'
    const node = open(place(0), group, readable)
    await migrate(node)
    const lead = (at: TestDatabase) => node.whereabouts.lead(at.connection)
    await expect(lead(place(1))).rejects.toThrow('there is no group of this name')
    const other = open(place(1), group)
    await migrate(other)
    await expect(lead(place(1))).rejects.toThrow('the present place still serves the group')
    await other.query(`update group_place set epoch = 2, state = 'arriving'`)
    await expect(lead(place(1))).rejects.toThrow('is not finished')
    await other.query(`update group_place set state = 'serving'`)
    await lead(place(1))
    expect((await findPlace(node))?.epoch).toBe(2n)
  })
})

describe('a move', () => {
  const group = 'still'
  let source: Database
  beforeAll(async () => {
    source = open(place(0), group)
    await Promise.all([migrate(source), migrate(open(place(1), group))])
  })

  it.each<[name: string, given: () => Partial<MoveEnds>, text: string]>([
    [
      'of a group that is not there',
      () => ({ group: 'nowhere', source: open(place(0), 'nowhere') }),
      'there is no group nowhere at the older place',
    ],
    [
      'to the place where the group is',
      () => ({ target: open(place(0), group) }),
      'is at the new place already',
    ],
    [
      'to a place that has resellers of its own under that name',
      () => ({ isEmpty: async () => false }),
      'has a group still of its own',
    ],
  ])('%s is refused', async (_, given, text) => {
    await expect(move(endsOf(group, given()))).rejects.toThrow(text)
  })

  it('is refused while another command does one', async () => {
    const control = await source.dedicatedConnection()
    await lockMove(control)
    await expect(move(endsOf(group))).rejects.toThrow('another command moves this group now')
    await control.end()
  })

  it('is refused to another place than the one to which it was begun', async () => {
    await noteStep(source, 9, 'begun', 'a third place')
    await expect(move(endsOf(group))).rejects.toThrow('a move to a third place was begun')
    await expect((await chooseMover(endsOf(group))).abort(endsOf(group))).rejects.toThrow('name that place')
    await noteStep(source, 9, 'aborted')
  })

  it('is refused where the group is of an earlier version', async () => {
    await source.query('delete from schema_migrations where number = 60')
    await expect(move(endsOf(group))).rejects.toThrow('of an earlier version')
  })
})
