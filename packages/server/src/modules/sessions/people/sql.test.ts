import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../../db/database.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { Credentials } from './people.types.ts'
import { endSessionsBeyond, findByLogin, findLiveSession, insertSession } from './sql.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
  const { database } = test
  await database.query(
    `insert into resellers (account, name, email, price_level, version)
     select (1000000 + n)::text, 'Kedai', 'a@b.example', 'RETAIL', 1 from generate_series(1, 1000) n`,
  )
  await database.query(
    `insert into users (reseller_id, username, email, password_hash, role)
     select id, 'user' || n || '.' || account, 'a@b.example', '', 'admin' from resellers, generate_series(1, 5) n`,
  )
  await database.query(
    `insert into sessions (digest, kind, reseller_id, person_id, password_changed_at, address, user_agent, expires_at)
     select sha256(username::bytea), 'member', reseller_id, id, password_changed_at, '192.0.2.1', '',
            now() + interval '1 day' from users`,
  )
  await database.query('analyze')
})
afterAll(() => test.close())

/** Counts the scans of whole tables by this transaction so far. */
async function countScans(tx: Tx): Promise<bigint> {
  const { rows } = await tx.query<{ scans: bigint }>(
    `select sum(seq_scan)::bigint as scans from pg_stat_xact_user_tables
      where relname in ('users', 'resellers', 'sessions')`,
  )
  return rows[0]?.scans ?? 0n
}

describe('the session of a request', () => {
  it.each(['force_custom_plan', 'force_generic_plan'])(
    'is found by indexes, however many people there are (%s)',
    async (mode) => {
      const [before, after] = await test.database.transaction(async (tx) => {
        await tx.query(`set local plan_cache_mode = ${mode}`)
        const scansBefore = await countScans(tx)
        const wanted = { kind: 'member', idleSeconds: 60, refusesDemo: true } as const
        const found = await findLiveSession(tx, { ...wanted, digest: digestOf('user3.1000500') })
        expect(found?.person).toMatchObject({ login: 'user3.1000500', account: '1000500' })
        expect(await findByLogin(tx, 'member', 'user4.1000600')).toMatchObject({ account: '1000600' })
        return [scansBefore, await countScans(tx)]
      })
      expect(after).toEqual(before)
    },
  )
})

describe('the sessions of a person', () => {
  async function personOf(login: string): Promise<Credentials> {
    const found = await findByLogin(test.database, 'member', login)
    if (found === undefined) throw new Error(`there is no ${login}`)
    return found
  }

  function begin(person: Credentials, secret: string): Promise<bigint> {
    return test.database.transaction(async (tx) => {
      const { id } = await insertSession(tx, {
        person,
        passwordVersion: person.passwordVersion,
        digest: digestOf(secret),
        lifetimeSeconds: 60,
        address: '192.0.2.1',
        userAgent: 'test',
        passkeyId: null,
      })
      await endSessionsBeyond(tx, person, 3)
      return id
    })
  }

  async function idsOf({ resellerId, id }: Credentials): Promise<bigint[]> {
    const { rows } = await test.database.query<{ id: bigint }>(
      'select id from sessions where reseller_id = $1 and person_id = $2 and ended_at is null order by id',
      [resellerId, id],
    )
    return rows.map((row) => row.id)
  }

  it('are limited: a new one ends the one that was used longest ago, and none of another person', async () => {
    const [person, other] = [await personOf('user1.1000001'), await personOf('user2.1000001')]
    const opened = [...(await idsOf(person)), await begin(person, 'a'), await begin(person, 'b')]
    expect(await idsOf(person)).toEqual(opened)
    // The first one is used again, so the second one is the oldest.
    await test.database.query('update sessions set last_seen_at = clock_timestamp() where id = $1', [
      opened[0],
    ])
    const newest = await begin(person, 'c')
    expect(await idsOf(person)).toEqual([opened[0], opened[2], newest])
    expect(await idsOf(other)).toHaveLength(1)
  })
})
