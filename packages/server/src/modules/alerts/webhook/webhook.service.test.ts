import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../db/database.ts'
import { addressesAt } from '../../../lib/own-addresses.ts'
import { createOutbound } from '../../../outbound/client.ts'
import type { Outbound } from '../../../outbound/types.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { Received, Receiver } from '../../../testing/events/delivering.ts'
import { openReceiver } from '../../../testing/events/delivering.ts'
import { LOOPBACK } from '../../../testing/providers/http-connection.ts'
import { HELD_CLOCK, STEADY_CLOCK } from '../../../testing/steady-clock.ts'
import { signingKeyOf } from '../../events/endpoints/secrets.service.ts'
import { standardHeaders } from '../../events/endpoints/signing.rules.ts'
import { createAlerts, listAlerts, raiseAlert } from '../core/service.ts'
import { startPostingAlerts } from './webhook.jobs.ts'
import { postDueAlerts } from './webhook.service.ts'
import { claimAlerts } from './webhook.sql.ts'

const SECRET_BYTES = Buffer.alloc(32, 7)
const KEYS = [signingKeyOf(`whsec_${SECRET_BYTES.toString('base64')}`)] as const
const NEVER = new AbortController().signal

let test: TestDatabase
let outbound: Outbound
let receiver: Receiver

beforeAll(async () => {
  test = await openTestDatabase()
  outbound = createOutbound({ allow: LOOPBACK })
})
afterAll(async () => {
  await outbound.close()
  await test.close()
})
beforeEach(async () => {
  await test.database.query('truncate operator_alerts')
  receiver = await openReceiver()
  return () => receiver.close()
})

function webhookOn(database: Database) {
  return {
    database,
    environment: 'production' as const,
    addressOf: addressesAt(() => 'https://pay.example.com'),
    outbound,
    url: receiver.url,
    sign: (eventId: string, timestampSeconds: number, payload: string) =>
      standardHeaders({ eventId, timestampSeconds, payload, keys: KEYS }),
    alerts: createAlerts({ database, onRaised: () => {} }),
    leaseMs: 60_000,
    leaseClock: STEADY_CLOCK,
  }
}

const post = (database = test.database) => postDueAlerts(webhookOn(database), NEVER)
const raise = (subject: string) =>
  raiseAlert(test.database, { kind: 'float_low', subject, text: `${subject} is low` })
const makeDue = () => test.database.query(`update operator_alerts set post_next_at = '-infinity'`)
const refuse = () => receiver.answerWith((_, response) => void response.writeHead(503).end())
const subjects = () => receiver.received.map(({ body }) => JSON.parse(body).data.subject)

function isSigned({ headers, body }: Received): boolean {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', SECRET_BYTES).update(content).digest('base64')
  return headers['webhook-signature'] === `v1,${expected}`
}

it('a new alert is sent with its severity and remedy, signed as Standard Webhooks says', async () => {
  await raise('acme')
  expect(await post()).toBe('done')
  const [request] = receiver.received
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    type: 'alert.raised',
    data: {
      kind: 'float_low',
      severity: 'critical',
      subject: 'acme',
      text: 'acme is low',
      remedy: expect.stringContaining('Top up'),
      runbook: 'https://pay.example.com/docs/operators/runbooks#float_low',
      environment: 'production',
    },
  })
  expect(request !== undefined && isSigned(request)).toBe(true)
  expect(Math.abs(Number(request?.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60)
})

it('many nodes send each alert once, also when it is seen again', async () => {
  for (let number = 0; number < 20; number += 1) await raise(`p${number}`)
  await Promise.all([test.database, test.openAnother(), test.openAnother()].map((each) => post(each)))
  await raise('p0')
  await post()
  expect(new Set(subjects()).size).toBe(20)
  expect(receiver.received).toHaveLength(20)
})

it('while the database’s clock is not believed, new alerts are sent, and none that another node may be sending', async () => {
  await raise('taken')
  const terms = { limit: 4, leaseMs: 0, believedUntil: STEADY_CLOCK.believedUntil() }
  expect(await claimAlerts(test.database, terms)).toHaveLength(1)
  await raise('fresh')
  await postDueAlerts({ ...webhookOn(test.database), leaseClock: HELD_CLOCK }, NEVER)
  expect(subjects()).toEqual(['fresh'])
  await post()
  expect(subjects()).toEqual(['fresh', 'taken'])
})

it('an alert that the receiver does not take is sent again later under the same id, and operators are told', async () => {
  await raise('acme')
  refuse()
  expect(await post()).toBe('failing')
  expect(await post()).toBe('failing')
  // The second round sent the alert about the webhook itself: the first alert waits for its turn.
  expect(subjects()).toEqual(['acme', 'WARUNG_ALERT_WEBHOOK'])
  await makeDue()
  receiver.answerWith((_, response) => void response.end())
  expect(await post()).toBe('done')
  const ids = receiver.received
    .filter(({ body }) => JSON.parse(body).data.subject === 'acme')
    .map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
  const open = await listAlerts(test.database, { limit: 10, withCleared: false })
  expect(open.map(({ kind }) => kind)).toEqual(['float_low'])
})

it('an alert is given up after eight attempts', async () => {
  await raise('acme')
  refuse()
  for (let attempt = 0; attempt < 12; attempt += 1) {
    await post()
    await test.database.query(
      `update operator_alerts set post_next_at = '-infinity' where post_next_at < 'infinity' and kind = 'float_low'`,
    )
  }
  expect(subjects().filter((each) => each === 'acme')).toHaveLength(8)
})

it('an alert that was cleared before it could be sent is not sent', async () => {
  await raise('acme')
  await webhookOn(test.database).alerts.clear('float_low', 'acme')
  await post()
  expect(receiver.received).toEqual([])
})

it('the alert of a node that died while it sent is sent by another one when the lease is over', async () => {
  await raise('acme')
  await test.database.query(
    `update operator_alerts set post_holder = 'dead', post_attempts = 1, post_next_at = now() + interval '1 minute'`,
  )
  await post()
  expect(receiver.received).toEqual([])
  await test.database.query(`update operator_alerts set post_next_at = now() - interval '1 second'`)
  await post()
  expect(subjects()).toEqual(['acme'])
})

it('a receiver that hangs does not hold up a stop, and the alert counts as not tried', async () => {
  receiver.answerWith(() => {})
  await raise('acme')
  const job = startPostingAlerts({ ...webhookOn(test.database), pollMs: 10, onProblem: () => {} })
  await expect.poll(() => receiver.received.length).toBe(1)
  await job.stop()
  const { rows } = await test.database.query('select post_attempts, post_holder from operator_alerts')
  expect(rows).toEqual([{ post_attempts: 0, post_holder: null }])
})
