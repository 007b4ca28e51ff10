import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { spendNonces } from './nonces.sql.ts'
import type { NonceCommand } from './nonces.types.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const SKEW_SECONDS = 300

function command(ageSeconds = 0): NonceCommand {
  const timestampSeconds = Math.floor(Date.now() / 1_000) - ageSeconds
  return { digest: randomUUID(), requestId: randomUUID(), timestampSeconds }
}

/** Sends a nonce again, in another request. */
const again = (spent: NonceCommand): NonceCommand => ({ ...spent, requestId: randomUUID() })

async function refusedOf(...batch: readonly NonceCommand[]): Promise<string[]> {
  return [...(await spendNonces(test.database, batch, SKEW_SECONDS))]
}

describe('a batch of nonces', () => {
  it('a batch of new nonces is accepted as a whole', async () => {
    expect(await refusedOf(command(), command())).toEqual([])
  })

  it('a nonce that was spent before is refused, and the new ones beside it are accepted', async () => {
    const spent = command()
    await refusedOf(spent)
    const fresh = [command(), command()]
    expect(await refusedOf(...fresh, again(spent))).toEqual([spent.digest])
    expect((await refusedOf(...fresh.map(again))).sort()).toEqual(fresh.map(({ digest }) => digest).sort())
  })

  it('a nonce of a signature that is too old is refused and not spent, and the ones beside it are accepted', async () => {
    const [late, fresh] = [command(SKEW_SECONDS + 60), command()]
    expect(await refusedOf(late, fresh)).toEqual([late.digest])
    const { rows } = await test.database.query('select from nonces where digest = $1', [late.digest])
    expect(rows).toEqual([])
  })

  it('a batch with a spent nonce, one that is too old and a new one spends the new one alone', async () => {
    const [spent, late, fresh] = [command(), command(SKEW_SECONDS + 60), command()]
    await refusedOf(spent)
    const refused = [spent.digest, late.digest].sort()
    expect((await refusedOf(again(spent), late, fresh)).sort()).toEqual(refused)
    const { rows } = await test.database.query(
      'select digest::text, request_id::text as request from nonces where digest = any ($1) order by digest = $2',
      [[spent.digest, late.digest, fresh.digest], fresh.digest],
    )
    expect(rows).toEqual([
      { digest: spent.digest, request: spent.requestId },
      { digest: fresh.digest, request: fresh.requestId },
    ])
  })

  it.each([
    ['its own time', 'late', 0],
    ['no time', 'late', null],
    ['its own time', 'spent', 0],
    ['no time', 'spent', null],
  ])(
    'a command without a nonce and with %s, beside one that is %s, is no refused nonce',
    async (_, refusal, age) => {
      const refused = refusal === 'late' ? command(SKEW_SECONDS + 60) : command()
      if (refusal === 'spent') await refusedOf(again(refused))
      const { rows } = await test.database.query<{ refused: string[] | null }>(
        `select spend_nonces(array[null, $1]::uuid[], array[$5, $2]::uuid[], array[$6, $3]::float8[], $4)::text[]
         as refused`,
        [
          refused.digest,
          refused.requestId,
          refused.timestampSeconds,
          SKEW_SECONDS,
          randomUUID(),
          age === null ? null : command(age).timestampSeconds,
        ],
      )
      expect(rows).toEqual([{ refused: [refused.digest] }])
    },
  )

  it('a nonce that was spent more than ten minutes ago is accepted, and spent anew', async () => {
    const old = command()
    await refusedOf(old)
    await test.database.query(
      `update nonces set used_at = now() - interval '601 seconds' where digest = $1`,
      [old.digest],
    )
    const second = again(old)
    expect(await refusedOf(second)).toEqual([])
    expect(await refusedOf(again(old))).toEqual([old.digest])
    const { rows } = await test.database.query('select request_id as id from nonces where digest = $1', [
      old.digest,
    ])
    expect(rows).toEqual([{ id: second.requestId }])
  })

  it('a request that is sent again with its nonce is accepted, however it was spent', async () => {
    const spent = command()
    await refusedOf(spent)
    expect(await refusedOf(spent, command())).toEqual([])
  })
})
