import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MailBench } from '../../../testing/events/mailing.ts'
import { openMailBench } from '../../../testing/events/mailing.ts'
import type { Reseller } from '../../accounts/types.ts'
import { addThreshold } from '../../wallet/balance/thresholds.service.ts'
import { listAlerts } from '../core/service.ts'
import { makeMails } from './notices.service.ts'

let bench: MailBench

beforeAll(async () => {
  bench = await openMailBench()
})
afterAll(() => bench.close())

const RINGGIT = 10_000n

/** Moves all times back, as if so many minutes had passed since mails were made. */
async function passMinutes(minutes: number): Promise<void> {
  const back = 'make_interval(mins => $1)'
  await bench.database.query(`update mail_tallies set began_at = began_at - ${back}`, [minutes])
  await bench.database.query(`update mail_notices set held_until = held_until - ${back}`, [minutes])
}

describe('a balance', () => {
  it('a balance that falls below a threshold is mailed each time, and not again before it rose above', async () => {
    const reseller = await bench.newReseller()
    await addThreshold(bench.database, reseller.id, 1_000_000n)
    const lowMails = async () => {
      await bench.tell()
      return (await bench.mailsOf(reseller, 'balance.low')).length
    }
    await bench.move(reseller, 100n * RINGGIT)
    expect(await lowMails()).toBe(0)
    await bench.move(reseller, -1n)
    expect(await lowMails()).toBe(1)
    await bench.move(reseller, -10n * RINGGIT)
    await bench.move(reseller, 5n * RINGGIT)
    expect(await lowMails()).toBe(1)
    await bench.move(reseller, 50n * RINGGIT)
    await bench.move(reseller, -60n * RINGGIT)
    expect(await lowMails()).toBe(2)
  })

  it('says what is left, which threshold it was, when, and what to do', async () => {
    const reseller = await bench.newReseller('siti@example.com')
    await addThreshold(bench.database, reseller.id, 1_000_000n)
    await bench.move(reseller, 120n * RINGGIT)
    await bench.move(reseller, -245_000n)
    await bench.tell()
    const [mail, ...others] = await bench.mailsOf(reseller, 'balance.low')
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      recipient: 'siti@example.com',
      subject: `Balance below MYR 100.00: MYR 95.50 left (account ${reseller.account})`,
      status: 'waiting',
    })
    expect(mail?.body).toMatch(
      /^The balance of Kedai Pos \(account \d+\) fell below MYR 100\.00\.\n\nBalance: MYR 95\.50\nThreshold: MYR 100\.00\nTime: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+8\n\nTop up/,
    )
  })

  it('a balance that falls below several thresholds is mailed for each', async () => {
    const reseller = await bench.newReseller()
    for (const amount of [200_000n, 1_000_000n, 500_000n])
      await addThreshold(bench.database, reseller.id, amount)
    await bench.move(reseller, 200n * RINGGIT)
    await bench.move(reseller, -130n * RINGGIT)
    await bench.move(reseller, -60n * RINGGIT)
    await bench.tell()
    const subjects = (await bench.mailsOf(reseller, 'balance.low')).map(({ subject }) => subject.slice(0, 36))
    expect(subjects.sort()).toEqual([
      'Balance below MYR 100.00: MYR 70.00 ',
      'Balance below MYR 20.00: MYR 10.00 l',
      'Balance below MYR 50.00: MYR 10.00 l',
    ])
  })

  it('a balance that crosses its threshold over and over is mailed 20 times in an hour, then once with how many times more', async () => {
    const reseller = await bench.newReseller()
    await addThreshold(bench.database, reseller.id, 1_000_000n)
    for (let times = 0; times < 25; times += 1) {
      await bench.move(reseller, 100n * RINGGIT)
      await bench.move(reseller, -99n * RINGGIT)
    }
    await bench.tell()
    const mails = () => bench.mailsOf(reseller, 'balance.low')
    expect((await mails()).map(({ subject }) => /MYR (\d+)\.00 left/.exec(subject)?.[1])).toEqual(
      Array.from({ length: 20 }, (_, index) => String(index + 1)),
    )
    await passMinutes(59)
    await bench.tell()
    expect(await mails()).toHaveLength(20)
    await passMinutes(1)
    await bench.tell()
    expect(await mails()).toHaveLength(21)
    const last = (await mails()).at(-1)
    expect(last?.body).toContain('Balance: MYR 25.00')
    expect(last?.body).toContain('It also fell below it 4 times within the hour before.')
    expect(await bench.mailsOf(reseller, 'deposit')).toHaveLength(21)
    await bench.move(reseller, 100n * RINGGIT)
    await bench.move(reseller, -99n * RINGGIT)
    await bench.tell()
    expect(await mails()).toHaveLength(22)
  })

  it('the balance of another account is mailed meanwhile', async () => {
    const [busy, other] = [await bench.newReseller(), await bench.newReseller()]
    for (let times = 0; times < 250; times += 1) {
      await bench.notify(busy, 'deposit', { amount: 1, balance: 1, at: new Date().toISOString() })
    }
    await bench.notify(other, 'deposit', { amount: 1, balance: 1, at: new Date().toISOString() })
    await bench.tell()
    expect(await bench.mailsOf(busy)).toHaveLength(20)
    expect(await bench.mailsOf(other)).toHaveLength(1)
    await passMinutes(60)
    await bench.tell()
    const mails = await bench.mailsOf(busy)
    expect(mails).toHaveLength(21)
    expect(mails.at(-1)?.body).toContain('229 times within the hour before')
  })
})

describe('a deposit', () => {
  it('is told of with its amount and what it left', async () => {
    const reseller = await bench.newReseller()
    await bench.move(reseller, 12_345_678n)
    await bench.tell()
    expect(await bench.mailsOf(reseller)).toMatchObject([
      {
        kind: 'deposit',
        subject: `Deposit of MYR 1234.5678 received (account ${reseller.account})`,
        body: expect.stringContaining('Amount: MYR 1234.5678\nBalance: MYR 1234.5678\n'),
      },
    ])
  })
})

it('a copy of a case goes to each mail address once, and only to mail addresses', async () => {
  const reseller = await bench.newReseller('owner@example.com')
  const cc = ['Owner@example.com', 'clerk@example.com', 'CLERK@example.com', 'x@example.com\r\nBcc: y@z', 7]
  await bench.notify(reseller, 'case', { number: 'C9', kind: 'void', state: 'open', cc })
  await bench.notify(reseller, 'delivery.failed', { stream: 'balance', url: '', error: '', cc })
  await bench.tell()
  const recipientsOf = async (kind: string) =>
    (await bench.mailsOf(reseller, kind)).map(({ recipient }) => recipient)
  expect(await recipientsOf('case')).toEqual(['owner@example.com', 'clerk@example.com'])
  expect(await recipientsOf('delivery.failed')).toEqual(['owner@example.com'])
})

describe('a case', () => {
  const say = (reseller: Reseller, message: string, cc: string[] = []) =>
    bench.notify(reseller, 'case', { number: 'C7', kind: 'void', state: 'open', message, cc })

  it('is told of message by message, however many wait together', async () => {
    const reseller = await bench.newReseller()
    for (let index = 1; index <= 30; index += 1) await say(reseller, `Message ${index}.`)
    await bench.tell()
    const said = (await bench.mailsOf(reseller, 'case')).map(({ body }) => /Message: (.*)/.exec(body)?.[1])
    expect(said).toEqual(Array.from({ length: 30 }, (_, index) => `Message ${index + 1}.`))
  })

  it('is copied to 500 addresses in a day, and an operator is told; members are told always', async () => {
    const reseller = await bench.newReseller()
    const cc = Array.from({ length: 20 }, (_, index) => `copy${index}@example.com`)
    for (let index = 0; index < 26; index += 1) await say(reseller, 'Hello', cc)
    await bench.tell()
    const copies = async () =>
      (await bench.mailsOf(reseller, 'case')).filter(({ recipient }) => recipient.startsWith('copy')).length
    expect(await copies()).toBe(500)
    expect(await bench.mailsOf(reseller, 'case')).toHaveLength(526)
    const alerts = await listAlerts(bench.database, { limit: 10, withCleared: false })
    expect(alerts).toMatchObject([{ kind: 'mail_copies_limited', subject: reseller.account }])
    await passMinutes(24 * 60)
    await say(reseller, 'Hello', cc)
    await bench.tell()
    expect(await copies()).toBe(520)
    await bench.database.query('truncate operator_alerts')
  })

  it('goes to the registered address of that moment, not of the day it was opened', async () => {
    const reseller = await bench.newReseller('old@example.com')
    await bench.database.query(`update resellers set email = 'new@example.com' where id = $1`, [reseller.id])
    await say(reseller, 'Hello', ['clerk@example.com'])
    await bench.tell()
    const recipients = (await bench.mailsOf(reseller)).map(({ recipient }) => recipient)
    expect(recipients).toEqual(['new@example.com', 'clerk@example.com'])
  })

  it('is mailed to nobody in staging, whoever changed it', async () => {
    const reseller = await bench.newReseller()
    await say(reseller, 'Hello')
    expect(await makeMails({ database: bench.database, environment: 'staging' })).toBe(1)
    expect(await bench.mailsOf(reseller)).toEqual([])
    expect(await makeMails({ database: bench.database, environment: 'production' })).toBe(0)
  })
})

describe('notices', () => {
  it('become mails once, however many nodes make them', async () => {
    const reseller = await bench.newReseller()
    for (let number = 1; number <= 15; number += 1) {
      const data = { number: `C${number}`, state: 'resolved' }
      await bench.notify(reseller, 'case', data)
    }
    const nodes = [bench.database, bench.openAnother(), bench.openAnother()]
    await Promise.all(nodes.map((database) => makeMails({ database, environment: 'production' })))
    await bench.tell()
    const subjects = (await bench.mailsOf(reseller, 'case')).map(({ subject }) => subject)
    expect(subjects).toHaveLength(15)
    expect(new Set(subjects).size).toBe(15)
  })

  it('notices that cannot be read hold up no other, and an operator is told', async () => {
    const reseller = await bench.newReseller()
    await bench.notify(reseller, 'deposit', { amount: 'much' })
    await bench.notify(reseller, 'delivery.failed', {
      stream: 'balance',
      url: 'https://shop.example/hook?key=secret',
      error: 'HTTP 500',
    })
    await bench.tell()
    expect(await bench.mailsOf(reseller)).toMatchObject([{ kind: 'delivery.failed' }])
    const alerts = await listAlerts(bench.database, { limit: 10, withCleared: false })
    expect(alerts).toMatchObject([{ kind: 'mail_notice_unreadable', subject: reseller.account }])
  })

  it('notices of a kind that this version does not know wait for one that does', async () => {
    const { id } = await bench.newReseller()
    await bench.database.query(
      `insert into mail_notices (reseller_id, kind, data, created_at) values ($1, 'from.the.future', '{}', now())`,
      [id],
    )
    await bench.tell()
    const { rows } = await bench.database.query('select kind from mail_notices')
    expect(rows).toEqual([{ kind: 'from.the.future' }])
  })

  it('notices of a demo account go to nobody in production', async () => {
    const reseller = await bench.newReseller()
    await bench.database.query('update resellers set demo = true where id = $1', [reseller.id])
    const data = { number: 'C1', state: 'resolved' }
    await bench.notify(reseller, 'case', data)
    expect(await makeMails({ database: bench.database, environment: 'production' })).toBe(1)
    expect(await bench.mailsOf(reseller)).toEqual([])
  })
})
