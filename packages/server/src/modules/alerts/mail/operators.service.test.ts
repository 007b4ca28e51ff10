import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { asStored } from '../../../lib/own-addresses.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { createOperator, updateOperator } from '../../accounts/service.ts'
import type { OperatorRole } from '../../accounts/types.ts'
import { raiseAlert } from '../core/service.ts'
import type { AlertKind } from '../core/types.ts'
import { listMails } from './mail.service.ts'
import { mailAlerts } from './operators.service.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
  const accounts = { ...test, environment: 'staging' as const }
  const create = (email: string, role: OperatorRole, demo = false) =>
    createOperator(accounts, { email, name: 'Operator', role, password: 'a long password', demo })
  for (const role of ['admin', 'support', 'finance', 'read_only'] as const) {
    await create(`${role}@example.com`, role)
  }
  const { id } = await create('left@example.com', 'admin')
  await updateOperator(accounts, id, { status: 'disabled' })
  await create('demo@example.com', 'admin', true)
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.database.query('truncate mails, operator_alerts')
})

function raise(subject: string, kind: AlertKind = 'payment_contradiction') {
  return raiseAlert(test.database, { kind, subject, text: `About ${subject}` })
}

/** Moves the alerts back, as if all had been raised so many minutes earlier. */
const passMinutes = (minutes: number) =>
  test.database.query('update operator_alerts set raised_at = raised_at - make_interval(mins => $1)', [
    minutes,
  ])

const mail = (database = test.database) =>
  mailAlerts({ database, environment: 'production', addressOf: asStored })
const mails = async () => (await listMails(test.database, { limit: 100 })).reverse()

/** Moves the mails back, as if the pause after a mail had passed. */
const passPause = (minutes = 5) =>
  test.database.query('update mails set created_at = created_at - make_interval(mins => $1)', [minutes])

it('a critical alert is mailed to active admins and support, once', async () => {
  await raise('42')
  await raise('43', 'case_waiting')
  const nodes = [test.database, test.openAnother(), test.openAnother()]
  await Promise.all(nodes.map((database) => mail(database)))
  await passPause()
  await raise('42')
  await mail()
  expect(await mails()).toMatchObject([
    { recipient: 'admin@example.com', resellerId: null, kind: 'alert', subject: 'Alert: About 42' },
    { recipient: 'support@example.com', subject: 'Alert: About 42' },
  ])
})

it('many at once are one mail, and what comes within five minutes is in the next one', async () => {
  for (let subject = 1; subject <= 30; subject += 1) await raise(String(subject))
  expect(await mail()).toBe(30)
  await raise('31')
  await raise('32')
  expect(await mail()).toBe(0)
  await passPause()
  expect(await mail()).toBe(2)
  const bodies = (await mails()).filter(({ recipient }) => recipient === 'admin@example.com')
  expect(bodies.map(({ subject }) => subject)).toEqual(['30 alerts need a person', '2 alerts need a person'])
  expect(bodies[0]?.body).toContain('And 10 more.')
  expect(bodies[1]?.body).toContain('About 32')
})

it('one that there was nobody to mail to waits until there is', async () => {
  await test.database.query(`update operators set status = 'disabled' where not demo`)
  await raise('42')
  expect(await mail()).toBe(0)
  expect(await mails()).toEqual([])
  await test.database.query(`update operators set status = 'active' where email = 'support@example.com'`)
  expect(await mail()).toBe(1)
  expect(await mails()).toMatchObject([{ recipient: 'support@example.com' }])
  await test.database.query(`update operators set status = 'active' where email <> 'left@example.com'`)
})

it('one that was cleared before is not mailed', async () => {
  await raise('8')
  await test.database.query(`update operator_alerts set cleared_at = now()`)
  expect(await mail()).toBe(0)
})

it('a case that waits for an hour is mailed once, with what to do', async () => {
  await raise('C42', 'case_waiting')
  await passMinutes(59)
  expect(await mail()).toBe(0)
  await passMinutes(1)
  expect(await mail()).toBe(1)
  await passPause(60)
  expect(await mail()).toBe(0)
  const [first] = await mails()
  expect(first?.body).toContain('warning: case_waiting, C42\nAbout C42\nTo do: Take the case')
})

it('an approval that waits is mailed as soon as it is an alert', async () => {
  await raise('7', 'approval_waiting')
  expect(await mail()).toBe(1)
})

it('warnings alone are at most one mail an hour, and go along with what is critical before that', async () => {
  await raise('1', 'approval_waiting')
  expect(await mail()).toBe(1)
  await raise('2', 'approval_waiting')
  await passPause(59)
  expect(await mail()).toBe(0)
  await raise('42')
  expect(await mail()).toBe(2)
  await raise('3', 'approval_waiting')
  await passPause(60)
  expect(await mail()).toBe(1)
})

it('a warning that is no use in a mail is never mailed', async () => {
  await raise('smtp', 'mail_unreachable')
  await passMinutes(100_000)
  expect(await mail()).toBe(0)
})
