import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage } from '../live.ts'
import type { Payer } from '../payments.ts'
import { createPayer } from '../payments.ts'
import { dataOf } from '../portal/members.ts'
import type { Browser } from '../portal/people.ts'
import { call, signIn } from '../portal/people.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, stopServices } from '../service.ts'
import type { Person } from './operators.ts'
import { hireOperator, lettingIn, signInAs, untilFree } from './operators.ts'

let service: Service
let database: TestDatabase
let person: Person
let finance: Browser
let second: Browser
let third: Browser
let payer: Payer

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database, environment: { WARUNG_DEMO: 'accounts' } })
  person = await hireOperator(service, 'finance')
  finance = await signIn(service, 'operator', person)
  second = await signInAs(service, 'finance')
  third = await signInAs(service, 'admin')
  payer = await createPayer(service, '100')
})
afterAll(async () => {
  await stopServices()
  await database.drop()
})

type Approval = { id: string; state: string; decision: { outcome: unknown } | null }

let slips = 0

/** Makes a unique posting: a request that equals a pending one in every field is the same request. */
function postingOf(changes: Record<string, unknown> = {}) {
  slips += 1
  return {
    account: payer.account,
    amount: '50.25',
    remarks: 'Bank transfer',
    reason: `slip ${slips} seen at the bank`,
    ...changes,
  }
}

async function ask(
  changes: Record<string, unknown> = {},
  kind = 'deposits',
  by = finance,
): Promise<Approval> {
  const answer = await by.send('POST', `/${kind}`, postingOf(changes))
  expect(answer.status, answer.text).toBe(202)
  return dataOf<Approval>(answer)
}

function decide(by: Browser, { id }: Approval, decision = 'approve') {
  return untilFree(() => by.send('POST', `/approvals/${id}/${decision}`, { reason: 'looked at it' }))
}

async function stateOf({ id }: Approval): Promise<string> {
  return dataOf<Approval>(await finance.get(`/approvals/${id}`)).state
}

describe('a deposit', () => {
  it('moves nothing until a second operator approves it, then is in the wallet and the statement once', async () => {
    const before = await payer.balance()
    const asked = await ask()
    expect(asked).toMatchObject({
      state: 'pending',
      kind: 'deposit',
      command: { account: payer.account, amount: '50.25', remarks: 'Bank transfer', reference: null },
      requested_by: person.email,
      decision: null,
    })
    expect(await payer.balance()).toBe(before)
    const approved = await decide(second, asked)
    expect(approved.status, approved.text).toBe(200)
    expect(dataOf(approved)).toMatchObject({
      state: 'approved',
      decision: { reason: 'looked at it', outcome: { amount: '50.25' } },
    })
    expect(await payer.balance()).toBe(before + 50.25)
    expect((await decide(second, asked)).json()).toEqual(approved.json())
    expect(await payer.balance()).toBe(before + 50.25)
    expect(dataOf(await finance.get(`/wallets/${payer.account}`))).toMatchObject({
      account: payer.account,
      balance: (before + 50.25).toFixed(2),
    })
  })

  it('a deposit that is asked for again, because the answer got lost, is the first request', async () => {
    const slip = { reason: 'seen at the bank, once' }
    const [first, again] = [await ask(slip), await ask(slip)]
    expect(again).toEqual(first)
    const before = await payer.balance()
    await decide(second, first)
    expect((await decide(second, again)).status).toBe(200)
    expect(await payer.balance()).toBe(before + 50.25)
  })

  it('is not approved by who asked, in a second session either', async () => {
    const [before, asked] = [await payer.balance(), await ask()]
    const again = await signIn(service, 'operator', person)
    for (const browser of [finance, again]) {
      const answer = await decide(browser, asked)
      expect([answer.status, answer.json()]).toEqual([403, expect.objectContaining({ error: 'own_request' })])
    }
    expect([await payer.balance(), await stateOf(asked)]).toEqual([before, 'pending'])
  })

  it('is not approved with a token, of whoever', async () => {
    const [before, asked] = [await payer.balance(), await ask()]
    const owner = await hireOperator(service, 'finance')
    const created = await (await signIn(service, 'operator', owner)).send('POST', '/tokens', {
      label: 'script',
      role: 'finance',
      expires_in_days: 1,
      password: owner.password,
    })
    expect(created.status, created.text).toBe(201)
    const { token } = dataOf<{ token: string }>(created)
    const bearer = { Authorization: `Bearer ${token}` }
    const answer = await call(
      service,
      'POST',
      `/operator/v1/approvals/${asked.id}/approve`,
      { reason: 'x' },
      bearer,
    )
    expect([answer.status, answer.json()]).toEqual([
      403,
      expect.objectContaining({ error: 'session_required' }),
    ])
    const read = await call(service, 'GET', `/operator/v1/approvals/${asked.id}`, undefined, bearer)
    expect(read.status).toBe(200)
    expect([await payer.balance(), await stateOf(asked)]).toEqual([before, 'pending'])
  })

  it('is not approved by an operator whom the asker has let in, nor the other way round, until a second admin vouches', async () => {
    const before = await payer.balance()
    const email = 'made-by-the-third@example.com'
    const hired = { email, name: 'Second pair of eyes', role: 'finance', reason: 'hired' }
    const id = await lettingIn(service, () => third.send('POST', '/operators', hired))
    const { password } = await service.warungd<Person>('operator', 'password', '--email', email)
    const newcomer = await signIn(service, 'operator', { email, password })
    const [asked, turned] = [await ask({}, 'deposits', third), await ask({}, 'deposits', newcomer)]
    const dependent = [403, expect.objectContaining({ error: 'not_independent' })]
    for (const answer of [
      await decide(newcomer, asked),
      await decide(third, turned),
      await third.send('POST', `/operators/${id}/vouch`, { reason: 'it is really somebody else' }),
    ]) {
      expect([answer.status, answer.json()]).toEqual(dependent)
    }
    expect([await payer.balance(), await stateOf(asked)]).toEqual([before, 'pending'])

    const another = await signIn(service, 'operator', await hireOperator(service, 'admin'))
    const vouched = await another.send('POST', `/operators/${id}/vouch`, { reason: 'we have met' })
    expect([vouched.status, dataOf(vouched)]).toEqual([200, expect.objectContaining({ let_in_by: null })])
    const again = await another.send('POST', `/operators/${id}/vouch`, { reason: 'twice' })
    expect(again.status, again.text).toBe(409)
    // An operator cannot approve requests that were made before the operator was vouched for.
    expect((await decide(newcomer, asked)).json()).toMatchObject({ error: 'operator_too_new' })
    const approved = await decide(newcomer, await ask({}, 'deposits', third))
    expect(approved.status, approved.text).toBe(200)
  })

  it('takes no reference that an approval could have', async () => {
    const answer = await finance.send('POST', '/deposits', postingOf({ reference: 'approval-7' }))
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({ errors: expect.objectContaining({ reference: expect.anything() }) }),
    ])
  })

  it('a deposit that several operators decide about at once is decided once, and paid in once at most', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [before, asked] = [await payer.balance(), await ask({ amount: '1' })]
      const answers = await Promise.all([
        decide(second, asked),
        decide(third, asked),
        decide(third, asked, 'refuse'),
        decide(finance, asked, 'withdraw'),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
      const moved = (await stateOf(asked)) === 'approved' ? 1 : 0
      expect(await payer.balance()).toBeCloseTo(before + moved, 4)
    }
  })

  it('a deposit with a reference that was posted before moves nothing, and stays pending until it is refused', async () => {
    const slip = { reference: 'BANK-77', amount: '7' }
    const [first, again] = [await ask(slip), await ask(slip)]
    await decide(second, first)
    const before = await payer.balance()
    expect((await decide(second, again)).status).toBe(409)
    const other = await ask({ ...slip, amount: '8' })
    expect((await decide(second, other)).status).toBe(409)
    expect(await payer.balance()).toBe(before)
    expect((await decide(second, again, 'refuse')).status).toBe(200)
    expect(await stateOf(other)).toBe('pending')
  })

  it.each([
    ['no reason', { reason: undefined }, 'reason'],
    ['an empty reason', { reason: '  ' }, 'reason'],
    ['nothing to move', { amount: '0' }, 'amount'],
    ['less than nothing', { amount: '-5' }, 'amount'],
    ['five decimals', { amount: '1.00001' }, 'amount'],
    ['a number', { amount: 5 }, 'amount'],
    ['an account that is nobody’s', { account: '9999999' }, 'account'],
    ['a strange account', { account: 'ÿ\u0000' }, 'account'],
    ['no remarks', { remarks: '' }, 'remarks'],
    ['an unknown member', { ammount: '5' }, 'body'],
  ])('is refused with %s', async (_what, changes, field) => {
    const answer = await finance.send('POST', '/deposits', postingOf(changes))
    expect(answer.status, answer.text).toBe(400)
    expect(Object.keys(answer.json<{ errors: object }>().errors)).toContain(field)
  })
})

describe('an adjustment', () => {
  it('takes away as well, and never below zero', async () => {
    const before = await payer.balance()
    const fits = await ask({ amount: '-10.5' }, 'adjustments')
    expect((await decide(third, fits)).status).toBe(200)
    expect(await payer.balance()).toBe(before - 10.5)
    const exceeds = await ask({ amount: '-100000' }, 'adjustments')
    const answer = await decide(third, exceeds)
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('below zero')])
    expect([await payer.balance(), await stateOf(exceeds)]).toEqual([before - 10.5, 'pending'])
  })
})

describe('the audit log', () => {
  type Row = {
    action: string
    actor: { name: string }
    target: object
    before: object
    after: object
    reason: string
  }

  it('shows who asked and who approved, what it moved, and why', async () => {
    const asked = await ask({ amount: '3', reason: 'audited' })
    await decide(third, asked)
    const page = (await third.get('/audit?action=deposit&limit=2')).json<{ data: Row[]; has_more: boolean }>()
    expect(page.has_more).toBe(true)
    expect(page.data).toEqual([
      expect.objectContaining({
        action: 'deposit.approve',
        target: { kind: 'wallet', id: payer.account },
        before: { balance: expect.any(String) },
        after: expect.objectContaining({ approval: asked.id, requested_by: person.email }),
        reason: 'looked at it',
      }),
      expect.objectContaining({
        action: 'deposit.request',
        actor: { kind: 'operator', name: person.email, address: expect.any(String) },
        reason: 'audited',
      }),
    ])
  })

  it('verifies, by the API and by the command, and a row that somebody changed is found', async () => {
    expect(dataOf(await third.get('/audit/proof'))).toMatchObject({ is_whole: true, broken: null })
    const whole = await service.warungd<{ ok: boolean; head: string }>('audit', 'verify')
    expect(whole.ok).toBe(true)
    expect(await service.warungd('audit', 'verify', '--head', whole.head)).toMatchObject({ ok: true })
    await expect(database.query("update audit_log set reason = 'x' where sequence = 2")).rejects.toThrow(
      'immutable',
    )
    const tamper = async (from: string, to: string) => {
      await database.query('begin')
      await database.query('set local session_replication_role = replica')
      await database.query('update audit_log set actor = $2 where sequence = 2 and actor = $1', [from, to])
      await database.query('commit')
    }
    const { rows } = await database.query<{ actor: string }>('select actor from audit_log where sequence = 2')
    const actor = rows[0]?.actor ?? ''
    await tamper(actor, 'somebody else')
    expect(dataOf(await third.get('/audit/proof'))).toMatchObject({
      is_whole: false,
      broken: { kind: 'hash', sequence: '2' },
    })
    await tamper('somebody else', actor)
    expect(dataOf(await third.get('/audit/proof'))).toMatchObject({ is_whole: true })
    const listed = await service.warungd<{ records: Row[] }>('audit', 'list', '--limit', '3')
    expect(listed.records).toHaveLength(3)
  })
})

describe('the ledger', () => {
  it('is proven on demand, and what was found is kept', async () => {
    const page = await openPage(service.baseUrl, finance)
    const begun = await finance.send('POST', '/ledger/proofs', { reason: 'month end' })
    expect(begun.status, begun.text).toBe(202)
    type Proof = { id: string; finished_at: string | null; report: object | null }
    const { id } = dataOf<Proof>(begun)
    // An open page is told when it is over, and reads the result then.
    await page.message('ledger', (data) => data.id === id && data.change === 'finished')
    expect(page.messages.filter(({ event }) => event === 'ledger')).toHaveLength(2)
    page.close()
    const [proof] = (await finance.get('/ledger/proofs')).json<{ data: Proof[] }>().data
    expect(proof).toMatchObject({ id, report: { is_whole: true, breaks: [], sums: { total: '0.00' } } })
  })
})

it('approvals that are nobody’s are unknown, and listed ones can be filtered', async () => {
  for (const id of ['999999', '0', 'x', '99999999999999999999999']) {
    expect((await second.get(`/approvals/${id}`)).status).toBe(404)
    expect((await second.send('POST', `/approvals/${id}/approve`, { reason: 'x' })).status).toBe(404)
  }
  const asked = await ask()
  type Page = { data: Approval[]; cursor: string | null }
  const pending = (await finance.get('/approvals?state=pending&limit=1')).json<Page>()
  expect(pending.data.map(({ id }) => id)).toEqual([asked.id])
  const next = (await finance.get(`/approvals?state=pending&limit=1&cursor=${pending.cursor}`)).json<Page>()
  expect(Number(next.data[0]?.id)).toBeLessThan(Number(asked.id))
  expect((await finance.get('/approvals?state=done')).status).toBe(400)
})
