import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey, listApiKeys } from '../modules/accounts/keys.service.ts'
import { changeCase, listMessages } from '../modules/cases/sql.ts'
import { sequenceFacts } from '../modules/events/outbox/sequencer.sql.ts'
import { insertNotice, listNoticeRows } from '../modules/network/notices.sql.ts'
import { listProofs } from '../modules/operator/money/ledger.sql.ts'
import { listChanges } from '../modules/payments/core/sql.ts'
import { listAttemptChanges } from '../modules/payments/read/attempt-history.sql.ts'
import { listRestoreRows } from '../modules/payments/restores/sql.ts'
import { findLast, insertRate } from '../modules/rates/sql.ts'
import type { CasesBench } from '../testing/cases.ts'
import { openCasesBench, openVoid } from '../testing/cases.ts'
import { expectSoundMoney, payWith } from '../testing/payments/payments.ts'
import { FAILED, SUCCEEDED } from '../testing/providers/scripted-provider.ts'

// Ids of a group that was moved: each server gives numbers in a range of its own, so that the newest row may have a
// lower id than the ones before. Both ranges lie where a number of JavaScript and a bigint begin to differ in text.
const BEFORE = 2n ** 49n
const AFTER = 2n ** 48n

let bench: CasesBench
beforeAll(async () => {
  bench = await openCasesBench()
})
afterAll(() => bench.close())

let moves = 0n

/** Puts every sequence of the schema into a range, as if the group lay on another server. No number is given twice. */
async function moveTo(range: bigint): Promise<void> {
  moves += 1n
  const { rows } = await bench.database.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
       join pg_sequence s on s.seqrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and s.seqmax > 2147483647`,
  )
  for (const { name } of rows)
    await bench.database.query('select setval($1::regclass, $2)', [name, range + moves * 1_000_000n])
}

/** Does the same before and after the move. */
async function onBothServers<T>(
  work: (place: 'before' | 'after') => Promise<T>,
): Promise<[before: T, after: T]> {
  await moveTo(BEFORE)
  const before = await work('before')
  await moveTo(AFTER)
  return [before, await work('after')]
}

describe('the newest row, with a lower id than the one before it', () => {
  it('comes first among notices', async () => {
    const [before, after] = await onBothServers((place) =>
      insertNotice(
        bench.database,
        {
          target: { kind: 'product', code: 'VOLT' },
          message: place,
          startsAt: null,
          endsAt: null,
          stopsPayments: false,
          createdBy: 'somebody',
        },
        1_000,
      ),
    )
    expect(after?.id).toBeLessThan(Number(before?.id))
    const listed = await listNoticeRows(bench.database, { includeOver: true, limit: 2 })
    expect(listed.map(({ message }) => message)).toEqual(['after', 'before'])
  })

  it('comes first among the API keys of a reseller, and both keys are found by their ids', async () => {
    const accounts = { ...bench, environment: 'staging' } as const
    const resellerId = await bench.newReseller()
    const [before, after] = await onBothServers((label) => createApiKey(accounts, resellerId, { label }))
    expect([before.id > 2n ** 49n, after.id < before.id]).toEqual([true, true])
    const listed = await listApiKeys(bench.database, resellerId)
    expect(listed.slice(0, 2).map(({ id, label }) => [id, label])).toEqual([
      [after.id, 'after'],
      [before.id, 'before'],
    ])
  })

  it('comes last among the messages of a case', async () => {
    await moveTo(BEFORE)
    const resellerId = await bench.newReseller(100_000n)
    const payment = await bench.succeed(resellerId)
    const number = await openVoid(bench.casesAt('staging'), payment)
    const { id } = await bench.caseOf(number)
    await onBothServers((text) =>
      changeCase(bench.database, { resellerId, id }, { state: null, author: 'operator', text }),
    )
    const messages = await listMessages(bench.database, { resellerId, id }, 2)
    expect(messages.map(({ text }) => text)).toEqual(['before', 'after'])
  })

  it('is the present rate of a currency', async () => {
    await onBothServers((reason) =>
      bench.database.transaction((tx) =>
        insertRate(tx, {
          currency: 'SGD',
          rate: 3n,
          fromAt: new Date(Date.now() + 60_000),
          reason,
          setBy: 'somebody',
          approvedBy: null,
        }),
      ),
    )
    expect((await findLast(bench.database, 'SGD'))?.reason).toBe('after')
  })

  it('comes first among proofs of the ledger and restores', async () => {
    await onBothServers(async (place) => {
      await bench.database.query(
        'insert into ledger_proofs (requested_by, finished_at) values ($1, clock_timestamp())',
        [place],
      )
      await bench.database.query(
        `insert into restores (restored_to, restored_at, log_read_to, accepted_at, accepted_by, reason)
         values (now(), clock_timestamp(), now(), now(), 'somebody', 'whole')`,
      )
    })
    const proofs = await listProofs(bench.database, 2)
    const restores = await listRestoreRows(bench.database, 2)
    for (const [newest, older] of [proofs, restores])
      expect(Number(newest?.id)).toBeLessThan(Number(older?.id))
  })
})

describe('payments around a move', () => {
  it('keep the order of their events and timelines, and their money', async () => {
    await moveTo(BEFORE)
    const resellerId = await bench.newReseller(100_000n)
    const { id } = await payWith(bench.node, resellerId)
    const decided = await payWith(bench.node, resellerId)
    const end = (payment: bigint, outcome: typeof SUCCEEDED) =>
      bench.node.resolver.submit({ resellerId, id: payment, outcome, attempt: 1, nextMs: 0 })
    await end(decided.id, SUCCEEDED)
    await sequenceFacts(bench.database, 1_000)
    await moveTo(AFTER)
    await end(id, SUCCEEDED)
    // A contradiction is noted behind the state that it contradicts.
    await end(decided.id, FAILED)
    await sequenceFacts(bench.database, 1_000)
    for (const list of [listChanges, listAttemptChanges]) {
      const changes = await list(bench.database, resellerId, decided.id, 10)
      expect(changes.map(({ kind }) => kind)).toEqual(['state', 'contradiction'])
    }
    const { rows } = await bench.database.query<{ source: string }>(
      'select source from events where reseller_id = $1 and subject = $2 order by sequence',
      [resellerId, id],
    )
    expect(rows.map(({ source }) => source)).toEqual(['taken', 'moved'])
    await expectSoundMoney(bench.database)
  })
})
