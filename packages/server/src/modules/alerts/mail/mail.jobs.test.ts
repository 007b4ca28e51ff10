import { afterAll, beforeAll, expect, it } from 'vitest'
import { noFailpoint } from '../../../lib/failpoints.ts'
import { asStored } from '../../../lib/own-addresses.ts'
import { startMailServer, startSilentServer } from '../../../testing/events/mail-server.ts'
import type { MailBench } from '../../../testing/events/mailing.ts'
import { openMailBench } from '../../../testing/events/mailing.ts'
import { STEADY_CLOCK } from '../../../testing/steady-clock.ts'
import { createOperator } from '../../accounts/service.ts'
import { createAlerts, raiseAlert } from '../core/service.ts'
import { startMailing } from './mail.jobs.ts'
import { createSmtp } from './smtp.service.ts'

const POLL = { timeout: 60_000 }

let bench: MailBench

beforeAll(async () => {
  bench = await openMailBench()
})
afterAll(() => bench.close())

function start(url: string) {
  const { database, vault } = bench
  return startMailing({
    database,
    vault,
    environment: 'production',
    addressOf: asStored,
    transport: createSmtp({ url, sender: { name: '', address: 'mail@warung.example' }, ca: undefined }),
    alerts: createAlerts({ database, onRaised: () => {} }),
    leaseMs: 60_000,
    leaseClock: STEADY_CLOCK,
    failpoint: noFailpoint,
    pollMs: 5,
    onProblem: (error) => {
      throw error
    },
  })
}

async function tellOfCase(number: string) {
  const reseller = await bench.newReseller()
  const data = { number, state: 'resolved' }
  await bench.notify(reseller, 'case', data)
  return reseller
}

it('messages to members arrive by themselves', async () => {
  const server = await startMailServer()
  const mailing = start(server.url)
  await tellOfCase('C1')
  await expect
    .poll(() => server.received.map(({ mail }) => mail.subject))
    .toEqual([expect.stringContaining('Case C1 is resolved')])
  await mailing.stop()
  await server.close()
})

it('a mail server that hangs holds up neither the making of mails nor a stop', async () => {
  const silent = await startSilentServer()
  const mailing = start(silent.url)
  await tellOfCase('C2')
  await expect.poll(() => silent.connections).toBe(1)
  const reseller = await tellOfCase('C3')
  await expect.poll(() => bench.mailsOf(reseller)).toMatchObject([{ status: 'waiting' }])
  await mailing.stop()
  await silent.close()
})

it('operators hear of what is critical while notices cannot be told of', async () => {
  const server = await startMailServer()
  let stopped: Promise<void> | undefined
  const { database } = bench
  const accounts = { ...bench, environment: 'staging' as const }
  const password = 'a long password'
  await createOperator(accounts, { email: 'admin@example.com', name: 'Admin', role: 'admin', password })
  await raiseAlert(database, { kind: 'payment_contradiction', subject: '1', text: 'Broken' })
  await tellOfCase('C4')
  await database.transaction(async (tx) => {
    // The job that makes mails from notices waits while this lock is held.
    await tx.query('lock table mail_notices in access exclusive mode')
    const mailing = start(server.url)
    await expect.poll(() => server.received.map(({ to }) => to), POLL).toContain('admin@example.com')
    stopped = mailing.stop()
  })
  await stopped
  await server.close()
})
