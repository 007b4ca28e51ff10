import { execFile } from 'node:child_process'
import { chmod, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { createReseller } from '../edge.ts'
import type { Payer } from '../payments.ts'
import { createPayer, deposit, newRefid, PHONE, payerAt } from '../payments.ts'
import { newMember } from '../portal/members.ts'
import { makeDirectory, stopServices, until } from '../service.ts'
import type { Ran } from './command.ts'
import { runWarung, startWarung, variablesOf } from './command.ts'

const run = promisify(execFile)

let demo: Demo
let payer: Payer
let configDir: string

const warung = (...args: string[]): Promise<Ran> => runWarung({ configDir }, args)

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '1000')
  configDir = await makeDirectory()
  const { apiKey } = payer.credentials
  const answers = `${demo.service.baseUrl}/\n${apiKey}\n${payer.credentials.secretBase64}\n`
  const signedIn = await runWarung({ configDir }, ['login'], answers)
  expect(signedIn, signedIn.stderr).toMatchObject({ code: 0, stdout: '' })
})

afterAll(() => stopServices())

function jsonOf<T>({ code, stdout, stderr }: Ran): T {
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as T
}

describe('credentials', () => {
  it('are saved for their owner alone, and the environment is always shown', async () => {
    const file = join(configDir, 'profiles.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8')).profiles.default).toMatchObject({
      environment: 'staging',
      account: payer.account,
    })
    const shown = await warung('balance')
    expect(shown.stderr).toMatch(/^warung: STAGING · profile default · http/)
    expect(shown.stdout).toMatch(/balance\s+\d/)
    expect(shown.stdout + shown.stderr).not.toContain(payer.credentials.secretBase64)
  })

  it('are those of the demo with --demo, which asks for nothing', async () => {
    const at = await makeDirectory()
    const env = { WARUNG_DATA_DIR: demo.service.dataDir }
    const signedIn = await runWarung({ configDir: at, env }, ['login', '--demo'])
    expect(signedIn, signedIn.stderr).toMatchObject({ code: 0, stdout: '' })
    const file = join(at, 'profiles.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const [first] = demo.service.demo.resellers
    expect(JSON.parse(await readFile(file, 'utf8')).profiles.default).toMatchObject({
      environment: 'staging',
      account: first?.account,
      base_url: demo.service.baseUrl,
    })
    expect(await runWarung({ configDir: at }, ['balance'])).toMatchObject({ code: 0 })
    const both = await runWarung({ configDir: at, env }, ['login', '--demo', '--api-key', 'x'])
    expect(both).toMatchObject({ code: 2 })
    const none = await runWarung({ configDir: at, env: { WARUNG_DATA_DIR: at } }, ['login', '--demo'])
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('npm start') })
  })

  it('in a file that others can read are refused', async () => {
    await chmod(join(configDir, 'profiles.json'), 0o644)
    const refused = await warung('balance')
    await chmod(join(configDir, 'profiles.json'), 0o600)
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/chmod 600/)
  })

  it('may come from the environment, and are missed with an exit code of their own', async () => {
    const empty = await makeDirectory()
    const env = variablesOf(demo.service.baseUrl, payer.credentials)
    const shown = await runWarung({ configDir: empty, env }, ['balance', '--json'])
    expect(jsonOf<{ account: string }>(shown).account).toBe(payer.account)
    expect(shown.stderr).toMatch(/STAGING/)
    expect(await runWarung({ configDir: empty }, ['balance'])).toMatchObject({ code: 5 })
  })
})

describe('paying', () => {
  it('takes fields as options, prints the payment, and pays a refid once', async () => {
    const refid = newRefid()
    const args = ['pay', 'KITA', '-f', `phone=${PHONE}`, '-f', 'amount=10', '--refid', refid, '--json']
    const before = await payer.balance()
    const [first, second] = [await warung(...args), await warung(...args)]
    expect(jsonOf(first)).toMatchObject({ refid, status: 'Succesful', amount: 10 })
    const { cost } = jsonOf<{ cost: number }>(second)
    expect(await payer.balance()).toBeCloseTo(before - cost, 4)
    expect(jsonOf(await warung('status', refid, '--json'))).toMatchObject({
      refid,
      status_name: 'Successful',
    })
    const rows = jsonOf<{ refid: string }[]>(await warung('history', '--json'))
    expect(rows.map((row) => row.refid)).toContain(refid)
    const entries = jsonOf<{ refid?: string }[]>(await warung('statement', '--json', '--limit', '5'))
    expect(entries.some((entry) => entry.refid === refid)).toBe(true)
  })

  it('names all missing fields when nobody can be asked, and pays nothing', async () => {
    const refused = await warung('pay', 'NOVA')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/Mobile number is required[\s\S]*Amount is required/)
  })

  it('tells a failed payment and a rejected one by exit codes', async () => {
    const failed = await warung('pay', 'NOVA', '-f', 'phone=60123450048', '-f', 'amount=10')
    expect(failed).toMatchObject({ code: 3 })
    expect(failed.stdout).toMatch(/Failed 48/)
    const rejected = await warung('pay', 'NOVA', '-f', 'phone=60123450043', '-f', 'amount=10')
    expect(rejected).toMatchObject({ code: 1, stdout: '' })
    expect(rejected.stderr).toMatch(/Insufficient_Balance 43[\s\S]*request [0-9a-f-]{36}/)
    const unreachable = await runWarung(
      { configDir, env: { ...variablesOf('http://127.0.0.1:1', payer.credentials) } },
      ['balance'],
    )
    expect(unreachable).toMatchObject({ code: 6 })
  })
})

describe('orders of the checkout', () => {
  it('are made once, confirmed once and found again', async () => {
    const reference = newRefid()
    const items = JSON.stringify([{ product_code: 'NOVA', amount: '10.00', account: PHONE, quantity: 1 }])
    const create = ['orders', 'create', '--reference', reference, '--items', items, '--json']
    const order = jsonOf<{ order_id: string; total_amount: string }>(await warung(...create))
    expect(jsonOf(await warung(...create))).toMatchObject({ order_id: order.order_id })
    const confirm = ['orders', 'confirm', order.order_id]
    const wrong = await warung(...confirm, 'bank-1', '--total', '1.00')
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/amount_mismatch/)])
    for (const attempt of [1, 2]) {
      const confirmed = await warung(...confirm, 'bank-1', '--total', order.total_amount)
      expect(confirmed.code, `attempt ${attempt}: ${confirmed.stderr}`).toBe(0)
    }
    expect(await warung(...confirm, 'bank-2')).toMatchObject({ code: 1 })
    await until('the order is completed', async () =>
      /status\s+completed/.test((await warung('orders', 'show', order.order_id)).stdout),
    )
    const listed = await warung('orders', 'list', '--reference', reference)
    expect(listed.stdout).toMatch(new RegExp(`${order.order_id}\\s+${reference}`))
    expect(await warung('orders', 'cancel', order.order_id)).toMatchObject({ code: 1 })
    expect(await warung('orders', 'pay')).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('looking', () => {
  it('searches the catalogue, shows a form and lists options', async () => {
    expect((await warung('catalog', 'nova')).stdout).toMatch(/^code\s+name[\s\S]*\nNOVA\s/)
    expect((await warung('catalog', 'NOVA')).stdout).toMatch(/phone\s+text\s+yes\s+account\s+Mobile number/)
    const options = jsonOf<{ code: string }[]>(
      await warung('options', 'NOVA', 'amount', '--json', '--limit', '2'),
    )
    expect(options).toHaveLength(2)
  })

  it('calls any path, and fails when the service does', async () => {
    const called = await warung('call', 'get', '/v2/networkstatus', '--query', 'product=FP')
    expect(jsonOf(called)).toMatchObject({ data: { network_status: 'Interruption' } })
    expect(await warung('call', 'GET', '/v2/networkstatus?product=NO')).toMatchObject({ code: 1 })
    const posted = await runWarung({ configDir }, ['call', 'POST', '/v2/topup', '-d', '-'], '{"refid":"x"}')
    expect(posted.code).toBe(1)
    expect(JSON.parse(posted.stdout)).toMatchObject({ data: { remarks: 'Invalid_Format' } })
  })

  it('tails the request log for a user of the portal', async () => {
    const member = await newMember(demo.service, payer.account, 'viewer')
    const env = { WARUNG_PORTAL_USERNAME: member.username, WARUNG_PORTAL_PASSWORD: member.password }
    const { stdout } = await until('the log is written', async () => {
      const ran = await runWarung({ configDir, env }, ['logs', 'tail', '--failed'])
      return ran.code === 0 && ran.stdout.includes('/v2/networkstatus') && ran
    })
    expect(stdout).toMatch(/404 {2}GET \/v2\/networkstatus/)
  })

  it('lists deliveries, and refuses a replay of a job that does not exist', async () => {
    expect(await warung('webhooks', 'deliveries', 'callback')).toMatchObject({ code: 0, stdout: '' })
    expect(await warung('webhooks', 'replay', 'callback')).toMatchObject({ code: 2 })
  })
})

describe('signatures', () => {
  it('are explained: the part that differs, and the usual mistake', async () => {
    const path = '/v2/options?product_code=NOVA&field_id=amount'
    const signed = jsonOf<{ canonical_string: string; headers: Record<string, string>; curl: string }>(
      await warung('sign', 'GET', path, '--timestamp', '1767225600', '--nonce', 'abcdefghijklmnop', '--json'),
    )
    expect(signed.canonical_string).toMatch(
      /^v1:1767225600:abcdefghijklmnop:GET:field_id=amount&product_code=NOVA:/,
    )
    const unsorted = signed.canonical_string.replace(/GET:.*:/, 'GET:product_code=NOVA&field_id=amount:')
    const explained = await warung('explain-signature', 'GET', path, '--yours', unsorted)
    expect(explained.code).toBe(1)
    expect(explained.stdout).toMatch(/part\s+query[\s\S]*mistake\s+query_not_sorted/)
    const right = ['explain-signature', 'GET', path, '--yours', signed.canonical_string]
    const good = await warung(...right, '--signature', signed.headers['X-Signature'] ?? '')
    expect([good.code, good.stdout]).toEqual([0, expect.stringMatching(/The signature is right/)])
    const other = await warung(...right, '--signature', `v1=${Buffer.alloc(32).toString('base64')}`)
    expect([other.code, other.stdout]).toEqual([1, expect.stringMatching(/other_secret/)])
  })
})

describe('events', () => {
  it('are followed, and brought to a receiver on localhost signed as in production', async () => {
    const received: { url: string; method: string; headers: Record<string, string>; body: string }[] = []
    const receiver = createServer(async (incoming, outgoing) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const headers = incoming.headers as Record<string, string>
      const { url = '', method = '' } = incoming
      received.push({ url, method, headers, body: Buffer.concat(chunks).toString('utf8') })
      outgoing.writeHead(received.length === 1 ? 204 : 500).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?shop=1`
    const listening = startWarung({ configDir }, ['listen', '--forward-to', target, '--count', '3', '--json'])
    const following = startWarung({ configDir }, ['events', '--follow', '--json'])
    try {
      await until(
        'both follow',
        async () => /Ctrl-C/.test(listening.stderr()) && /Ctrl-C/.test(following.stderr()),
      )
      const triggered = jsonOf<{ refid: string }>(await warung('trigger', 'payment.failed', '--json'))
      await until('the callback came', async () => received.length === 1)
      const opened = jsonOf<{ order_id: string }>(await warung('orders', 'create', '--json'))
      jsonOf(await warung('orders', 'cancel', opened.order_id, '--json'))
      await until('the order webhook came', async () => received.length === 2)
      await demo.service.warungd('deposit', '--reseller', payer.account, '--amount', '5', '--remarks', 'bank')
      const { code, stdout, stderr } = await listening.ended
      expect(code, stderr).toBe(0)
      const sent = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
      expect(sent.map(({ type, stream, status }) => [type, stream, status])).toEqual([
        ['payment.failed', 'callback', 204],
        ['order.cancelled', 'order', 500],
        ['balance.added', 'balance', 500],
      ])
      const secret = /whsec_\S+/.exec(stderr)?.[0] ?? ''
      for (const { headers, body } of received) new Webhook(secret).verify(body, headers)
      expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
        data: { refid: triggered.refid, statusCode: 48 },
      })
      expect(received[0]?.headers['x-webhook-signature']).toBeUndefined()
      expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({
        type: 'order.cancelled',
        version: '1',
        order_id: opened.order_id,
      })
      expect(received[2]?.headers['x-webhook-signature']).toMatch(/^sha256=[0-9a-f]{64}$/)
      expect(JSON.parse(received[2]?.body ?? '')).toMatchObject({
        type: 'balance.added',
        version: '1',
        data: { amount: 5 },
      })
      await until('the follower told it', async () =>
        following.stdout().includes(`"refid":"${triggered.refid}"`),
      )
    } finally {
      following.interrupt()
      listening.interrupt()
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
    }
    expect(await following.ended).toMatchObject({ code: 0 })
  })
})

describe('the secret that signs on this machine', () => {
  /** Starts a receiver that answers each request with 204, and keeps it. */
  async function receive() {
    const received: { headers: Record<string, string>; body: string }[] = []
    const receiver = createServer(async (incoming, outgoing) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const headers = incoming.headers as Record<string, string>
      received.push({ headers, body: Buffer.concat(chunks).toString('utf8') })
      outgoing.writeHead(204).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    return { received, target, close: () => new Promise((resolve) => receiver.close(resolve)) }
  }

  it.each(['a profile', 'the environment'])(
    'is the same in the next run, with credentials of %s',
    async (from) => {
      const around =
        from === 'a profile'
          ? { configDir }
          : {
              configDir: await makeDirectory(),
              env: variablesOf(demo.service.baseUrl, payer.credentials),
            }
      const { target, received, close } = await receive()
      const secrets: (string | undefined)[] = []
      for (let run = 0; run < 2; run += 1) {
        const listening = startWarung(around, ['listen', '--forward-to', target])
        await until('it listens', async () => /Ctrl-C/.test(listening.stderr()))
        listening.interrupt()
        secrets.push(/whsec_\S+/.exec((await listening.ended).stderr)?.[0])
      }
      expect(secrets[0]).toMatch(/^whsec_/)
      expect(secrets[1]).toBe(secrets[0])
      expect((await stat(join(around.configDir, 'profiles.json'))).mode & 0o777).toBe(0o600)

      // A sample of each stream is signed with it too: nobody but the operator can change the catalogue.
      for (const stream of ['catalog', 'callback', 'balance', 'order']) {
        const sent = await runWarung(around, ['trigger', 'sample', stream, '--forward-to', target, '--json'])
        expect(jsonOf(sent)).toMatchObject({ stream, status: 204 })
      }
      for (const { headers, body } of received) {
        new Webhook(secrets[0] ?? '').verify(body, headers)
        expect(headers).toMatchObject({ 'x-webhook-test': 'true' })
        expect(headers['webhook-id']).toMatch(/^evt_test_/)
      }
      expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
        type: 'product.updated',
        resource: 'products',
        data: { product_code: expect.any(String) },
      })
      const refused = await runWarung(around, ['trigger', 'payment.failed', '--forward-to', target])
      expect(refused).toMatchObject({ code: 2 })
      await close()
    },
  )
})

describe('a scenario', () => {
  it.each([
    ['payment.voided', '60123454001'],
    ['payment.void-refused', '60123454002'],
  ])('%s pays for a product that can be voided, and asks for the void', async (scenario, account) => {
    const buyer = await createPayer(demo.service, '50')
    const env = variablesOf(demo.service.baseUrl, buyer.credentials)
    const around = { configDir: await makeDirectory(), env }
    const ran = await runWarung(around, ['trigger', scenario, '--json'])
    const payment = jsonOf<{ refid: string; account: string }>(ran)
    expect(payment).toMatchObject({ account })
    const cases = jsonOf(await runWarung(around, ['call', 'GET', '/v2/cases', '--json']))
    expect(cases).toMatchObject({ data: [{ kind: 'void', refid: payment.refid }] })
    if (scenario === 'payment.voided') {
      await until('the money is back', async () => (await buyer.balance()) === 50)
    }
  })

  it('takes no money where the key may not ask for a void', async () => {
    const { service } = demo
    const buyer = payerAt(service, await createReseller(service, ['read', 'pay']))
    await deposit(service, buyer.account, '50')
    const env = variablesOf(service.baseUrl, buyer.credentials)
    const ran = await runWarung({ configDir: await makeDirectory(), env }, ['trigger', 'payment.voided'])
    expect(ran).toMatchObject({ code: 1 })
    expect(await buyer.balance()).toBe(50)
  })
})

describe('the command itself', () => {
  it('explains each command, and refuses what it does not know', async () => {
    const overview = await warung('help')
    const names = [...overview.stdout.matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, name]) => name ?? '')
    expect(names).toEqual(
      expect.arrayContaining(['login', 'pay', 'listen', 'explain-signature', 'mcp', 'completion']),
    )
    expect((await warung('pay', '--help')).stdout).toMatch(/^Usage: warung pay PRODUCT/)
    expect(await warung('pya')).toMatchObject({ code: 2, stdout: '' })
    expect(await warung('balance', '--colour')).toMatchObject({ code: 2 })
  })

  it('completes commands and options in bash', async () => {
    const { stdout: script } = await warung('completion', 'bash')
    const complete = async (line: string, word: number, current: string) => {
      const call = `COMP_LINE='${line}'; COMP_CWORD=${word}; _warung warung '${current}'; echo "\${COMPREPLY[@]}"`
      return (await run('bash', ['-c', `${script}\n${call}`])).stdout.trim()
    }
    expect(await complete('warung st', 1, 'st')).toBe('status statement')
    expect(await complete('warung pay --re', 2, '--re')).toBe('--refid --remarks')
    expect((await warung('completion', 'zsh')).stdout).toMatch(/^#compdef warung\n/)
  })
})
