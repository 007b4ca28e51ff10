import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { sequenceFacts } from '../outbox/sequencer.sql.ts'
import { openLiveFeeds } from './live.service.ts'
import type { ChangedPayments, LiveFeeds, LiveRow } from './live.types.ts'
import { HOUSE } from './live.types.ts'

let test: TestDatabase
let feeds: LiveFeeds
let problems: unknown[]

beforeEach(async () => {
  test = await openTestDatabase()
  problems = []
  feeds = await openLiveFeeds({
    database: test.database,
    gatherMs: 1,
    onProblem: (_, error) => problems.push(error),
  })
})
afterEach(async () => {
  await feeds.close()
  await test.close()
})

/** Appends one fact for each subject and numbers them, as another process would. */
async function happen(resellerId: bigint, subjects: readonly number[], source = 'own'): Promise<void> {
  await test.database.query(
    `select append_facts(p_source => $1, p_resellers => $2::bigint[], p_subjects => $3::bigint[],
       p_codes => $4::smallint[], p_amounts => null, p_balances => null, p_spans => null, p_type => 'case.opened',
       p_data => '{}', p_at => clock_timestamp())`,
    [source, subjects.map(() => resellerId), subjects, source === 'moved' ? subjects.map(() => 20) : null],
  )
  await sequenceFacts(test.database, 100)
}

async function following(resellerId: bigint) {
  const rows: LiveRow[] = []
  const { position, stop } = await feeds.follow(resellerId, (some) => rows.push(...some))
  return { rows, position, stop }
}

const subjectsOf = ({ rows }: { readonly rows: readonly LiveRow[] }) => rows.map(({ subject }) => subject)

describe('a node that starts', () => {
  it('opens the feeds without the pause of a node that nobody follows', async () => {
    const opened = await openLiveFeeds({
      database: test.database,
      gatherIdleMs: 2 ** 31 - 1,
      onProblem: (_, error) => problems.push(error),
    })
    await opened.close()
    expect(problems).toEqual([])
  })
})

describe('followers of a feed', () => {
  it('are all told the rows that come, in their order, and none of another account', async () => {
    await happen(7n, [1, 2])
    const [one, two, other] = [await following(7n), await following(7n), await following(8n)]
    expect(one.position).toBe(2n)
    await happen(7n, [3, 4])
    await happen(8n, [5])
    await expect.poll(() => subjectsOf(other)).toEqual([5n])
    await expect.poll(() => subjectsOf(one)).toEqual([3n, 4n])
    expect(subjectsOf(two)).toEqual([3n, 4n])
    expect(one.rows.map(({ position }) => position)).toEqual([3n, 4n])
    expect(problems).toEqual([])
  })

  it('are told nothing any more when they have stopped, and may come again', async () => {
    const first = await following(7n)
    first.stop()
    await happen(7n, [1])
    const again = await following(7n)
    expect(again.position).toBe(1n)
    await happen(7n, [2])
    await expect.poll(() => subjectsOf(again)).toEqual([2n])
    expect(first.rows).toEqual([])
  })

  it('are told more rows than one reading takes', async () => {
    const all = await following(7n)
    const many = Array.from({ length: 2_500 }, (_, index) => index)
    await happen(7n, many)
    await expect.poll(() => all.rows.length, { timeout: 60_000 }).toBe(2_500)
    expect(subjectsOf(all)).toEqual(many.map(BigInt))
  })
})

describe('a page that connects again', () => {
  it('is told what came after its position', async () => {
    await happen(7n, [1, 2, 3])
    const missed = await feeds.replay(7n, 1n, 3n)
    expect(missed.kind === 'rows' && subjectsOf(missed)).toEqual([2n, 3n])
    expect(await feeds.replay(7n, 3n, 3n)).toEqual({ kind: 'rows', rows: [] })
  })

  it('a page that connects again of a node that had read further is told nothing twice', async () => {
    await happen(7n, [1, 2, 3])
    expect(await feeds.replay(7n, 3n, 1n)).toEqual({ kind: 'rows', rows: [] })
  })

  it('has lost what is too much, is kept no longer, or never was', async () => {
    await happen(
      7n,
      Array.from({ length: 501 }, (_, index) => index),
    )
    expect(await feeds.replay(7n, 0n, 501n)).toEqual({ kind: 'lost' })
    expect((await feeds.replay(7n, 1n, 501n)).kind).toBe('rows')
    await test.database.query('delete from events where sequence < 400')
    expect(await feeds.replay(7n, 300n, 501n)).toEqual({ kind: 'lost' })
    expect(await feeds.replay(7n, 9_999n, 501n)).toEqual({ kind: 'lost' })
  })
})

describe('operators', () => {
  it('are told which payments of all accounts changed, and in which state they are', async () => {
    const told: ChangedPayments[] = []
    const stop = feeds.followPayments((changed) => told.push(changed))
    await happen(7n, [11, 12], 'moved')
    await happen(8n, [13], 'moved')
    const ids = () => told.flatMap(({ payments }) => [...payments.keys()]).toSorted((a, b) => Number(a - b))
    await expect.poll(ids).toEqual([11n, 12n, 13n])
    expect(told.every(({ isPartial }) => !isPartial)).toBe(true)
    stop()
  })

  it('are told that more changed than a message names', async () => {
    const told: ChangedPayments[] = []
    feeds.followPayments((changed) => told.push(changed))
    await happen(
      7n,
      Array.from({ length: 300 }, (_, index) => index + 1),
      'moved',
    )
    await expect.poll(() => told.some(({ isPartial }) => isPartial)).toBe(true)
    expect(told[0]?.payments.size).toBe(100)
  })

  it('are told of alerts when they are opened and cleared, and not each time they are raised', async () => {
    const house = await following(HOUSE)
    const raise = () => test.database.query(`select raise_alert('stuck', 'x', 'text', 'warning')`)
    await raise()
    await raise()
    await test.database.query(`select clear_alert('stuck', 'x')`)
    await sequenceFacts(test.database, 100)
    await expect.poll(() => house.rows.map(({ type }) => type)).toEqual(['alert.opened', 'alert.cleared'])
    expect(house.rows[0]?.data).toMatchObject({ kind: 'stuck', subject: 'x', severity: 'warning' })
  })
})
