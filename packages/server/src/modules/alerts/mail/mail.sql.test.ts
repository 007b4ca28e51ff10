import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { noFailpoint } from '../../../lib/failpoints.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { startMailServer } from '../../../testing/events/mail-server.ts'
import { HELD_CLOCK, STEADY_CLOCK } from '../../../testing/steady-clock.ts'
import { createReseller } from '../../accounts/service.ts'
import { createAlerts } from '../core/service.ts'
import type { Mailing } from './mail.service.ts'
import { sendDueMails } from './mail.service.ts'
import { claimMails, DELETE_FINISHED, insertMails } from './mail.sql.ts'
import { createSmtp } from './smtp.service.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.database.query('truncate mails')
})

/** Queues mails of an account; null: of the operators. */
async function queueOf(resellerId: bigint | null, ...recipients: string[]): Promise<void> {
  const letter = { kind: 'deposit', subject: 'Subject', body: 'Body\n' }
  await insertMails(
    test.database,
    recipients.map((recipient) => ({ ...letter, resellerId, recipient })),
  )
}

function newReseller() {
  const wanted = { name: 'Kedai', email: 'k@example.com', priceLevel: 'STANDARD' }
  return createReseller({ ...test, environment: 'staging' }, wanted)
}

it('a mail is had by one at a time, however many ask at the same moment', async () => {
  const { database } = test
  for (let round = 0; round < 5; round += 1) {
    await queueOf(null, ...Array.from({ length: 20 }, (_, index) => `member${index}@example.com`))
    const asked = Array.from({ length: 10 }, () =>
      claimMails(database, { limit: 4, leaseMs: 60_000, believedUntil: STEADY_CLOCK.believedUntil() }),
    )
    const ids = (await Promise.all(asked)).flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  }
})

it('a mail whose lease seems to be over is not taken while the database’s clock is not believed', async () => {
  const { database } = test
  await queueOf(null, 'held@example.com')
  const claim = { leaseMs: 0, limit: 4 }
  const believed = { ...claim, believedUntil: STEADY_CLOCK.believedUntil() }
  expect(await claimMails(database, { ...claim, believedUntil: new Date(0) })).toHaveLength(1)
  expect(await claimMails(database, { ...claim, believedUntil: new Date(0) })).toEqual([])
  expect(await claimMails(database, believed)).toHaveLength(1)
})

it('a node that saw the database’s clock move sends new mails, and none that another node may be sending', async () => {
  const { database, vault } = test
  const server = await startMailServer()
  const sender = { name: '', address: 'mail@warung.example' }
  const mailing: Mailing = {
    database,
    vault,
    transport: createSmtp({ url: server.url, sender, ca: undefined }),
    alerts: createAlerts({ database, onRaised: () => {} }),
    leaseMs: 60_000,
    leaseClock: HELD_CLOCK,
    failpoint: noFailpoint,
  }
  const goingOn = { isAsked: () => false, signal: new AbortController().signal }
  const recipients = () => server.received.map(({ to }) => to)
  await queueOf(null, 'taken@example.com')
  const claim = { leaseMs: 0, limit: 4 }
  await claimMails(database, { ...claim, believedUntil: STEADY_CLOCK.believedUntil() })
  await queueOf(null, 'fresh@example.com')
  await sendDueMails(mailing, goingOn)
  expect(recipients()).toEqual(['fresh@example.com'])
  await sendDueMails({ ...mailing, leaseClock: STEADY_CLOCK }, goingOn)
  expect(recipients()).toEqual(['fresh@example.com', 'taken@example.com'])
  await server.close()
})

it('a mail of an account with many has the turn of all others between its own, and operators’ come first', async () => {
  const [many, some, one] = [await newReseller(), await newReseller(), await newReseller()]
  await queueOf(many.id, ...Array.from({ length: 50 }, (_, index) => `many${index}@example.com`))
  await queueOf(some.id, 'some0@example.com', 'some1@example.com')
  await queueOf(one.id, 'one0@example.com')
  await queueOf(null, 'operator@example.com')
  const next = async () => {
    const claim = { limit: 4, leaseMs: 60_000, believedUntil: STEADY_CLOCK.believedUntil() }
    return (await claimMails(test.database, claim)).map(({ recipient }) => recipient).sort()
  }
  expect(await next()).toEqual([
    'many0@example.com',
    'one0@example.com',
    'operator@example.com',
    'some0@example.com',
  ])
  expect(await next()).toContain('some1@example.com')
  expect(await next()).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^many/)))
})

it('old rows are found by their index', async () => {
  const plan = await test.database.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off')
    const text = `explain ${DELETE_FINISHED.replace('$1', '30').replace('$2', '10')}`
    return (await tx.query<Record<string, string>>(text)).rows.flatMap((row) => Object.values(row)).join('\n')
  })
  expect(plan).toContain('mails_finished')
})
