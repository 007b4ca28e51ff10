import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Node } from '../edge.ts'
import { balanceOf } from '../edge.ts'
import { hireOperator } from '../operator/operators.ts'
import type { Payer } from '../payments.ts'
import { createPayer, PHONE, reload } from '../payments.ts'
import { browserOf, call, trySignIn } from '../portal/people.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, makeDirectory, openService, stopServices, until } from '../service.ts'

// One service and four groups: the first one; "beside" in another schema of its database; "apart" in a database of its
// own; "gone", whose database does not exist.

const STARTER = new URL('../../../../docs/examples/starter-catalog.json', import.meta.url).pathname
const PAYMENT = { product: 'FIRSTRELOAD', account: PHONE, amount: 10 }

let databases: readonly TestDatabase[]
let apart: TestDatabase
let service: Service

/** The service as somebody of a group sees it. */
function nodeOf(group: string): Node {
  return { baseUrl: service.baseUrl, warungd: (...args) => service.warungd(...args, '--group', group) }
}

beforeAll(async () => {
  const own = await createDatabase()
  apart = await createDatabase({ schema: 'none' })
  databases = [own, apart]
  const nowhere = new URL(own.url)
  nowhere.pathname = '/there_is_no_such_database'
  const file = join(await makeDirectory(), 'groups.json')
  const groups = [
    { name: 'beside', url: 'http://beside.example' },
    { name: 'apart', url: 'http://apart.example', database_url: apart.url },
    { name: 'gone', url: 'http://gone.example', database_url: nowhere.href },
  ]
  await writeFile(file, JSON.stringify({ groups }))
  service = await openService({ database: own, environment: { WARUNG_GROUPS: file } })
})
afterAll(async () => {
  await stopServices()
  await Promise.all(databases.map((database) => database.drop()))
})

type Readiness = {
  status: string
  groups: { name: string; status: string; problems: string[]; carried: { behind: number } | null }[]
}

async function readiness() {
  const answer = await service.get('/readyz')
  return { code: answer.status, ...answer.json<Readiness>() }
}

/** Whether the groups that were made have all that is written in the first one. */
async function isCarried(): Promise<boolean> {
  const { groups } = await readiness()
  return groups.every(({ name, carried }) => name === 'gone' || carried?.behind === 0)
}

const isReady = (name: string) => async () =>
  (await readiness()).groups.find((group) => group.name === name)?.status === 'ready'

/** A group that its operator has made while the service ran: it is opened by itself. */
async function open(name: string): Promise<void> {
  await service.warungd('group', 'create', name)
  await until(`${name} is open`, isReady(name))
}

describe('a group that is listed and was not made', () => {
  it('is not made by the service, and leaves the first group alone', async () => {
    expect(await readiness()).toMatchObject({
      code: 200,
      status: 'ready',
      groups: [
        {
          name: 'beside',
          status: 'unavailable',
          problems: [expect.stringContaining('the log says why')],
        },
        { name: 'apart', status: 'unavailable' },
        { name: 'gone', status: 'unavailable' },
      ],
    })
    expect(service.output()).toContain('warungd group create beside')
    expect(await service.warungd('group', 'list')).toMatchObject({
      groups: [
        { name: '(first)', state: 'ready' },
        { name: 'beside', state: 'missing' },
        { name: 'apart', state: 'missing' },
        { name: 'gone', state: 'unreachable', problem: expect.stringContaining('there_is_no_such_database') },
      ],
    })
  })
})

describe('groups that were made', () => {
  const payers: Payer[] = []

  beforeAll(async () => {
    await service.warungd('catalog', 'import', '--file', STARTER)
    await open('beside')
    await open('apart')
    await until('what is written in the first group is in the others', isCarried)
    for (const node of [service, nodeOf('beside'), nodeOf('apart')])
      payers.push(await createPayer(node, '100'))
  })

  it('sell what is written in the first group, and refuse to write it themselves', async () => {
    const level = ['level', 'create', '--code', 'NEW', '--name', 'New'] as const
    const { code, stderr } = await service.tryWarungd(...level, '--group', 'beside')
    expect([code, stderr]).toEqual([1, expect.stringContaining('written in the first group')])
    await service.warungd(...level)
    for (const group of ['beside', 'apart']) {
      await until(`${group} has the level`, async () => {
        const { levels } = await nodeOf(group).warungd<{ levels: { code: string }[] }>('level', 'list')
        return levels.some((each) => each.code === 'NEW')
      })
    }
    const { groups } = await service.warungd<{ groups: { carried: number; lags: number }[] }>('group', 'list')
    const [first] = groups
    expect(groups.slice(0, 3).map(({ carried, lags }) => [carried, lags])).toEqual(
      Array.from({ length: 3 }, () => [first?.carried, 0]),
    )
  })

  it('take payments while prices and products are carried to them', async () => {
    const payer = payers[1]
    if (payer === undefined) throw new Error('the group has a payer')
    for (let turn = 1; turn <= 5; turn += 1) {
      const body = { ...reload(), ...PAYMENT }
      const changed = service.warungd('level', 'create', '--code', `NEW${turn}`, '--name', `New ${turn}`)
      await payer.pay(body)
      await changed
      await payer.untilStatus(body, 'Succesful')
    }
    await until('the changes are in the others', isCarried)
  })

  it('give keys that name their group; those of the first group keep their form', () => {
    expect(payers.map(({ credentials }) => credentials.apiKey)).toEqual([
      expect.stringMatching(/^wk_stg_[0-9A-Za-z]{32}$/),
      expect.stringMatching(/^wk_stg_beside_[0-9A-Za-z]{32}$/),
      expect.stringMatching(/^wk_stg_apart_[0-9A-Za-z]{32}$/),
    ])
  })

  it('take payments at one address, each in its own wallets, and one refid stands for a payment in each', async () => {
    const body = { ...reload(), ...PAYMENT }
    const made: { transaction_id: string }[] = []
    for (const payer of payers)
      made.push(
        await until('the catalogue is known', async () => {
          const answer = await payer.send(body)
          return answer.status === 200 && answer.json<{ data: { transaction_id: string } }>().data
        }),
      )
    expect(new Set(made.map(({ transaction_id: id }) => id)).size).toBe(3)
    for (const payer of payers) {
      await payer.untilStatus(body, 'Succesful')
      expect(await payer.balance()).toBeLessThan(100)
    }
  })

  it('let operators of the first group in with one login, and write what they do where they do it', async () => {
    const { email, password } = await hireOperator(service, 'admin')
    // Somebody who was let in after a request may not decide it.
    const second = await hireOperator(service, 'admin')
    const there = { Host: 'beside.example' }
    await until('the operators are carried', async () => {
      const { operators } = await nodeOf('beside').warungd<{ operators: { email: string }[] }>(
        'operator',
        'list',
      )
      return operators.some((each) => each.email === second.email)
    })
    const browser = await until('the operator may sign in', async () => {
      const answer = await trySignIn(service, 'operator', { email, password }, there)
      return answer.status === 200 && browserOf(service, 'operator', answer)
    })
    const cookie = { Cookie: `warung_operator=${browser.secret}` }
    const accountsAt = async (headers: Record<string, string>) => {
      const answer = await call(service, 'GET', '/operator/v1/resellers', undefined, {
        ...cookie,
        ...headers,
      })
      return answer.json<{ data: { account: string }[] }>().data.map(({ account }) => account)
    }
    // One session, and the resellers of the group whose address is asked.
    const [own] = await accountsAt(there)
    expect(await accountsAt({})).not.toContain(own)
    const write = (path: string, body: object) => browser.sendWithoutProof('POST', path, body, there)
    const shop = {
      name: 'Kedai Timur',
      email: 'timur@example.com',
      price_level: 'STANDARD',
      reason: 'a new shop',
    }
    const made = await write('/operator/v1/resellers', shop)
    expect(made.status, made.text).toBe(201)
    const { account } = made.json<{ data: { account: string } }>().data
    // A fresh proof, and the request for a second person, are of the group whose access widens.
    const member = { username: 'timur', email: 'timur@example.com', role: 'admin', reason: 'its owner' }
    const users = `/operator/v1/resellers/${account}/users`
    expect((await write(users, member)).json()).toMatchObject({ error: 'proof_required' })
    const proof = await write('/operator/v1/session/proof', { password })
    expect(proof.status, proof.text).toBe(204)
    const joined = await write(users, member)
    expect(joined.status, joined.text).toBe(201)
    // A second person decides in the group where it was asked.
    const posting = { account, amount: '5.00', remarks: 'Bank transfer', reason: 'a slip' }
    const asked = await write('/operator/v1/deposits', posting)
    expect(asked.status, asked.text).toBe(202)
    const { id } = asked.json<{ data: { id: string } }>().data
    const signedIn = await trySignIn(service, 'operator', second, there)
    const decider = browserOf(service, 'operator', signedIn)
    const yes = { reason: 'it came in' }
    const approved = await decider.sendWithoutProof(
      'POST',
      `/operator/v1/approvals/${id}/approve`,
      yes,
      there,
    )
    expect(approved.status, approved.text).toBe(200)
    expect(approved.json()).toMatchObject({ data: { state: 'approved' } })
    const linesOf = async (node: Node) => {
      const list = ['audit', 'list', '--actor', email] as const
      return (await node.warungd<{ records: { action: string }[] }>(...list)).records.map(
        ({ action }) => action,
      )
    }
    expect((await linesOf(nodeOf('beside'))).sort()).toEqual([
      'deposit.request',
      'reseller.create',
      'user.create',
    ])
    expect(await linesOf(service)).not.toContainEqual(expect.stringMatching(/^reseller/))
    const here = await write('/operator/v1/levels', { code: 'HERE', name: 'Here', reason: 'a level' })
    expect([here.status, here.text]).toEqual([409, expect.stringContaining('written in the first group')])
    await service.warungd('operator', 'disable', '--email', email)
    const refused = await call(service, 'GET', '/operator/v1/resellers', undefined, { ...cookie, ...there })
    expect(refused.status).toBe(401)
  })

  it('are proven each and together', async () => {
    const proof = await service.warungd<{ ok: boolean; groups: { balance: number }[]; balance: number }>(
      'group',
      'verify',
      'beside',
    )
    expect(proof).toMatchObject({ ok: true, groups: [{ name: 'beside', ok: true, wallets: 2, entries: 8 }] })
    expect(proof.balance).toBe(proof.groups[0]?.balance)
    // A group that cannot be proven is not passed over.
    const { code, stdout } = await service.tryWarungd('group', 'verify', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      balance: null,
      groups: [{ ok: true }, { ok: true }, { ok: true }, { name: 'gone', ok: false }],
    })
  })

  it('are found by the host of their address where a request has no key', async () => {
    const at = (host: string) => service.get('/readyz', { Host: host })
    expect((await at('beside.example')).json()).toEqual({ status: 'ready', problems: [] })
    expect((await service.get('/v2/errors', { Host: 'gone.example' })).status).toBe(503)
    expect((await at('elsewhere.example')).json<Readiness>().groups).toHaveLength(3)
  })

  it('keep their own requests log', async () => {
    const paths = async (database: TestDatabase, schema: string) =>
      (await database.query(`select count(*)::int as count from ${schema}.request_log`)).rows[0]
        .count as number
    await until('the log of the group is written', async () => (await paths(apart, 'apart')) > 0)
  })

  it('a key of a group that is not listed is an unknown key, and a signature is judged in its own group', async () => {
    const [first, beside] = payers
    if (first === undefined || beside === undefined) throw new Error('the groups have payers')
    const named = (apiKey: string) => ({ ...first.credentials, apiKey })
    const unlisted = await balanceOf(service, named(`wk_stg_nowhere_${'x'.repeat(32)}`))
    expect([unlisted.status, unlisted.json()]).toEqual([
      401,
      expect.objectContaining({ error: 'invalid_api_key' }),
    ])
    const foreign = await balanceOf(service, named(beside.credentials.apiKey))
    expect(foreign.json()).toMatchObject({ error: 'invalid_signature' })
  })

  it('a group whose database is gone stops its own resellers alone, and serves them again when it is back', async () => {
    const [first, beside, cut] = payers
    if (first === undefined || beside === undefined || cut === undefined) throw new Error('each has a payer')
    const url = new URL(apart.url)
    const name = url.pathname.slice(1)
    url.pathname = '/postgres'
    const admin = new pg.Client({ connectionString: url.href })
    await admin.connect()
    try {
      await admin.query(`alter database ${name} allow_connections false`)
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = $1 and application_name like 'warungd%'`,
        [name],
      )
      // Before its view of the accounts is old, it answers as a service does whose database is gone.
      await until('the group is given up', async () => {
        const answer = await balanceOf(service, cut.credentials)
        return answer.status === 503 && answer.headers['retry-after'] === '5'
      })
      for (const payer of [first, beside]) {
        const body = { ...reload(), ...PAYMENT }
        await payer.pay(body)
        await payer.untilStatus(body, 'Succesful')
      }
      expect(await readiness()).toMatchObject({
        code: 200,
        groups: [{ status: 'ready' }, { name: 'apart', status: 'unavailable' }, { status: 'unavailable' }],
      })
    } finally {
      await admin.query(`alter database ${name} allow_connections true`)
      await admin.end()
    }
    await until('the group is back', async () => (await balanceOf(service, cut.credentials)).status === 200)
    const body = { ...reload(), ...PAYMENT }
    await cut.pay(body)
  })

  it('a name that is not listed leads no command to another group', async () => {
    const { code, stderr } = await service.tryWarungd('reseller', 'list', '--group', 'none')
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is: beside, apart, gone')])
  })
})
