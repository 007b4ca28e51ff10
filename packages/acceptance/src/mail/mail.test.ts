import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import { send, signed } from '../http.ts'
import type { Payer } from '../payments.ts'
import { createPayer, deposit, reload } from '../payments.ts'
import { launch } from '../process.ts'
import type { ServiceProcess } from '../service.ts'
import { createDatabase, environmentOf, startService, until } from '../service.ts'
import { page, readMailbox, untilMails, withToken } from './mailbox.ts'

/** Time limit: a mail whose attempt failed on a busy machine is tried again a minute later. */
const UNTIL_SENT_MS = 100_000

let demo: Demo<ServiceProcess>
let service: ServiceProcess

beforeAll(async () => {
  demo = await startDemo({
    WARUNG_LEASE_SECONDS: '5',
    WARUNG_SIMULATOR_TIMEOUT_SECONDS: '1',
    WARUNG_TRUST_PROXY: '127.0.0.0/8',
  })
  service = demo.service
})
afterAll(() => demo.end())

/** Pays for reloads of 9.70 each. */
async function pay(payer: Payer, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await payer.untilStatus(reload(), 'Succesful')
}

function setThreshold(payer: Payer, amount: string) {
  const path = `/v2/low-balance-threshold?amount=${amount}`
  return signed(service.baseUrl, payer.credentials, { method: 'POST', path })
}

const warungd = (...words: string[]) => service.warungd(...words)

describe('a low balance', () => {
  it('is mailed when payments take it below the threshold, and again when it fails again after it rose', async () => {
    const payer = await createPayer(service, '30')
    expect((await setThreshold(payer, '20')).status).toBe(200)
    await pay(payer, 3)
    const [mail] = await untilMails(service, payer.account, 'balance.low', 1)
    expect(mail).toMatchObject({
      to: 'someone@example.com',
      subject: `Balance below MYR 20.00: MYR 10.60 left (account ${payer.account})`,
    })
    // The total so far, in less than a day, is 19.40. The rest of the balance is less than that.
    expect(mail?.text).toMatch(
      /Balance: MYR 10\.60\nThreshold: MYR 20\.00\nTime: \S+ \S+ GMT\+8\nLasts: less than a day at the present rate of MYR 19\.40 a day\n/,
    )
    await deposit(service, payer.account, '25')
    await pay(payer, 1)
    const [, again] = await untilMails(service, payer.account, 'balance.low', 2)
    expect(again?.text).toContain('Balance: MYR 16.20\n')
  })

  it('is mailed for each of several thresholds', async () => {
    const payer = await createPayer(service, '30')
    for (const amount of ['25', '15']) {
      await warungd('threshold', 'add', '--reseller', payer.account, '--amount', amount)
    }
    await pay(payer, 1)
    await untilMails(service, payer.account, 'balance.low', 1)
    await pay(payer, 1)
    const mails = await untilMails(service, payer.account, 'balance.low', 2)
    expect(mails.map(({ subject }) => subject.slice(0, 24))).toEqual([
      'Balance below MYR 25.00:',
      'Balance below MYR 15.00:',
    ])
  })
})

describe('a deposit', () => {
  it('is mailed to those who want it: the registered address and members, by kind', async () => {
    const { account } = await createPayer(service, null)
    for (const [username, role] of [
      ['boss', 'admin'],
      ['clerk', 'viewer'],
      ['quiet', 'admin'],
    ] as const) {
      const name = `${username}${account}`
      const words = ['--username', name, '--role', role, '--email', `${username}@example.com`]
      await warungd('user', 'create', '--reseller', account, ...words)
    }
    const turn = (user: string, to: string) =>
      warungd(
        'mail',
        'switch',
        '--reseller',
        account,
        '--user',
        `${user}${account}`,
        '--kind',
        'deposit',
        '--to',
        to,
      )
    await turn('quiet', 'off')
    await deposit(service, account, '12.50')
    const first = await untilMails(service, account, 'deposit', 2)
    expect(first.map(({ to }) => to).sort()).toEqual(['boss@example.com', 'someone@example.com'])
    expect(first[0]?.text).toContain('Amount: MYR 12.50\nBalance: MYR 12.50\n')
    await turn('clerk', 'on')
    await turn('boss', 'off')
    await deposit(service, account, '1')
    const all = await untilMails(service, account, 'deposit', 4)
    expect(all.slice(2).map(({ to }) => to)).toContain('clerk@example.com')
    expect(all.slice(2).map(({ to }) => to)).not.toContain('boss@example.com')
  })
})

describe('the mailbox', () => {
  it('is announced at the start, shows text as text, and says what is not there', async () => {
    expect(service.output()).toMatch(new RegExp(`mailbox    ${service.baseUrl}/mailbox\\?token=[\\w-]{32}\n`))
    const name = `<script>alert("&")</script>`
    const created = ['--name', name, '--email', 'markup@example.com']
    const { account } = await service.warungd<{ account: string }>('reseller', 'create', ...created)
    await deposit(service, account, '5')
    const [mail] = await untilMails(service, account, 'deposit', 1)
    expect(mail?.text).toContain(`the balance of ${name} (account ${account})`)
    await page(service, '/mailbox')
    for (const path of ['/mailbox/0', '/mailbox/999999999', '/mailbox/x', '/mailbox/1/2']) {
      expect((await service.get(withToken(service, path))).status, path).toBe(404)
    }
  })

  it('opens with the printed token alone, and then with the cookie that its pages leave', async () => {
    const link = withToken(service, '/mailbox')
    const wrong = ['/mailbox', '/mailbox?token=', `${link}x`, `${link}&token=x`, link.slice(0, -1)]
    for (const path of wrong) expect((await service.get(path)).status, path).toBe(403)
    const [cookie = ''] = (await service.get(link)).headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^warung_mailbox=[\w-]{32}; Path=\/mailbox; HttpOnly; SameSite=Strict$/)
    const headers = { Cookie: `other=1; ${cookie.slice(0, cookie.indexOf(';'))}` }
    expect((await service.get('/mailbox', headers)).status).toBe(200)
    expect((await service.get('/mailbox', { Cookie: 'warung_mailbox=x' })).status).toBe(403)
  })

  it('is not there once the service has a public address; the command reads what was kept', async () => {
    const environment = { WARUNG_PUBLIC_URL: 'https://staging.example.com' }
    const database = await createDatabase()
    const open = await startService({ database, environment })
    expect(open.output()).not.toContain('/mailbox')
    expect((await open.get('/mailbox')).status).toBe(404)
    const created = ['--name', 'Kedai', '--email', 'kept@example.com']
    const { account } = await open.warungd<{ account: string }>('reseller', 'create', ...created)
    await deposit(open, account, '5')
    type Listed = { id: string; recipient: string }
    const mail = await until('the mail is kept', async () => {
      const { mails } = await open.warungd<{ mails: Listed[] }>('mail', 'list')
      return mails.find(({ recipient }) => recipient === 'kept@example.com')
    })
    const shown = await open.warungd<{ body: string }>('mail', 'show', '--id', mail.id)
    expect(shown.body).toContain('MYR 5.00')
    expect(await open.stop()).toBe(0)
    await database.drop()
  })

  it('is there for this machine alone', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.9' }
    expect((await service.get(withToken(service, '/mailbox'), headers)).status).toBe(404)
    const [first] = (await service.warungd<{ mails: { id: string }[] }>('mail', 'list')).mails
    expect((await service.get(withToken(service, `/mailbox/${first?.id}`))).status).toBe(200)
    expect((await service.get(withToken(service, `/mailbox/${first?.id}`), headers)).status).toBe(404)
  })

  it.each([
    ['speaks for somebody', { Forwarded: 'for=203.0.113.9' }],
    ['speaks for this machine', { 'X-Forwarded-For': '127.0.0.1' }],
    ['names the client otherwise', { 'X-Real-IP': '203.0.113.9' }],
    ['has a name of its own', { Host: 'warung.example' }],
    ['has a name that only begins like this machine’s', { Host: 'localhost.example:3000' }],
  ])('is not there for a proxy on this machine that %s', async (_, headers) => {
    expect((await service.get(withToken(service, '/mailbox'), headers)).status).toBe(404)
    expect((await service.get(withToken(service, '/mailbox'), { Host: 'localhost:1' })).status).toBe(200)
  })

  it('takes the test mail of the command', async () => {
    await warungd('mail', 'test', '--to', 'tester@example.com')
    const tests = (await readMailbox(service)).filter(({ kind }) => kind === 'test')
    expect(tests).toMatchObject([{ to: 'tester@example.com', subject: 'Test mail from Warung' }])
  })
})

describe('a process that is killed', () => {
  type Received = {
    readonly to: string
    readonly subject: string | undefined
    readonly id: string | undefined
  }
  const received: Received[] = []
  let smtp: SMTPServer

  beforeAll(async () => {
    await service.kill9()
    smtp = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', async () => {
          const { subject, messageId } = await PostalMime.parse(Buffer.concat(chunks))
          received.push({ to: session.envelope.rcptTo[0]?.address ?? '', subject, id: messageId })
          done()
        })
      },
    })
    smtp.on('error', () => {})
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => new Promise<void>((resolve) => smtp.close(() => resolve())))

  function optionsOf(settings: Record<string, string>) {
    const { environment, dataDir } = demo.service
    const kept = Object.entries(environment).filter(([name]) => /^(WARUNG_|DATABASE_URL$)/.test(name))
    const { port } = smtp.server.address() as AddressInfo
    return {
      dataDir,
      environment: {
        ...(Object.fromEntries(kept) as Record<string, string>),
        WARUNG_SMTP_URL: `smtp://127.0.0.1:${port}`,
        WARUNG_MAIL_FROM: 'Warung <mail@warung.example>',
        ...settings,
      },
    }
  }

  /** Starts a service that is killed at its first mail, which it may have before it is ready. */
  async function expectKilledAt(failpoint: string): Promise<void> {
    const options = optionsOf({ WARUNG_FAILPOINT: failpoint })
    const { signal } = await launch(environmentOf(options, options.dataDir)).ended
    expect(signal).toBe('SIGKILL')
  }

  it(
    'while it had mails, or right after they were taken, forgets none: a second copy has the first one’s name',
    async () => {
      const accounts: string[] = []
      for (let index = 0; index < 6; index += 1) {
        const created = ['--name', 'Kedai', '--email', `owner${index}@example.com`]
        const { account } = await service.warungd<{ account: string }>('reseller', 'create', ...created)
        await deposit(service, account, '5')
        accounts.push(account)
      }
      await expectKilledAt('mail.claimed')
      expect(received).toEqual([])
      await expectKilledAt('mail.sent')

      const last = await startService(optionsOf({}))
      type Listed = { status: string; recipient: string; kind: string }
      const mails = await until(
        'every mail is sent',
        async () => {
          const listed = (await last.warungd<{ mails: Listed[] }>('mail', 'list')).mails
          const own = listed.filter(({ recipient }) => /^owner\d@/.test(recipient))
          return own.length === 6 && own.every(({ status }) => status === 'sent') && own
        },
        UNTIL_SENT_MS,
      )
      expect(mails).toHaveLength(6)
      const copies = new Map(accounts.map((account) => [account, new Set<string | undefined>()]))
      for (const { subject = '', id } of received)
        copies.get(/account (\d+)/.exec(subject)?.[1] ?? '')?.add(id)
      expect([...copies.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1, 1])
      expect(received.length).toBeGreaterThan(6)
      expect((await send({ baseUrl: last.baseUrl, path: '/mailbox' })).status).toBe(404)
    },
    2 * UNTIL_SENT_MS,
  )
})
