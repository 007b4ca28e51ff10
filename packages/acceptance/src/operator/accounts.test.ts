import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentialsOf, signed } from '../http.ts'
import { readMailbox } from '../mail/mailbox.ts'
import type { Browser } from '../portal/people.ts'
import { call, signIn } from '../portal/people.ts'
import { until } from '../service.ts'
import type { OperatorFixture } from './fixture.ts'
import { openOperatorFixture } from './fixture.ts'
import { hireOperator, lettingIn } from './operators.ts'

let fixture: OperatorFixture

beforeAll(async () => {
  fixture = await openOperatorFixture()
})
afterAll(() => fixture.close())

describe('resellers', () => {
  it('are opened, and who opened them and why is in the audit log', async () => {
    const account = await fixture.newReseller('Kedai Satu')
    expect((await fixture.admin.get(`/resellers/${account}`)).json()).toMatchObject({
      data: { account, name: 'Kedai Satu', status: 'active', access: 0, price_level: 'STANDARD' },
    })
    expect(await fixture.lastLogged()).toMatchObject({
      actor: fixture.service.demo.operator.email,
      action: 'reseller.create',
      target: account,
      before: null,
      after: { name: 'Kedai Satu' },
      reason: 'signed the contract',
    })
  })

  it('are changed with what was there before written down', async () => {
    const account = await fixture.newReseller()
    const changes = { status: 'suspended', access: 50, price_level: 'PARTNER', reason: 'unpaid' }
    const answer = await fixture.admin.send('PATCH', `/resellers/${account}`, changes)
    expect(answer.json()).toMatchObject({
      data: { status: 'suspended', access: 50, price_level: 'PARTNER' },
    })
    expect(await fixture.lastLogged()).toMatchObject({
      action: 'reseller.suspend',
      target: account,
      before: { status: 'active', access: 0, priceLevel: 'STANDARD' },
      after: { status: 'suspended', access: 50, priceLevel: 'PARTNER' },
      reason: 'unpaid',
    })
  })

  it('are not changed without a reason, by an unknown member or to an unknown level, and nothing is logged', async () => {
    const account = await fixture.newReseller()
    const before = await fixture.countLogged()
    const refused = [
      { name: 'Other' },
      { name: 'Other', reason: '   ' },
      { nmae: 'Other', reason: 'typo' },
      { price_level: 'NOWHERE', reason: 'moved' },
      { reason: 'nothing at all' },
      { name: 'Bad\u0000name', reason: 'x' },
    ]
    for (const body of refused) {
      expect((await fixture.admin.send('PATCH', `/resellers/${account}`, body)).status).toBe(400)
    }
    expect((await fixture.admin.get(`/resellers/${account}`)).json()).toMatchObject({
      data: { name: 'Kedai Baru', price_level: 'STANDARD' },
    })
    expect(await fixture.countLogged()).toBe(before)
  })

  it('are found by account, name and status, page by page, each once', async () => {
    const accounts = [
      await fixture.newReseller('Needle A'),
      await fixture.newReseller('Needle B'),
      await fixture.newReseller('Needle C'),
    ]
    const found: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await fixture.admin.get(
        `/resellers?search=nEEdle&status=active&limit=1&cursor=${cursor}`,
      )
      const page = answer.json<{ data: { account: string }[]; cursor: string | null }>()
      found.push(...page.data.map(({ account }) => account))
      cursor = page.cursor
    }
    expect(found).toEqual(accounts)
    const one = await fixture.admin.get(`/resellers?search=${accounts[1]}`)
    expect(one.json()).toMatchObject({ data: [{ name: 'Needle B' }], has_more: false })
  })

  it.each([
    '/resellers?cursor=%00',
    '/resellers?search=%00',
    '/resellers?limit=201',
    '/resellers?status=gone',
  ])('refuse %s as the caller’s mistake', async (path) => {
    expect((await fixture.admin.get(path)).status).toBe(400)
  })
})

describe('users and keys of a reseller', () => {
  it('are let in without a password that anybody knows, by a mail to choose one, and kept out', async () => {
    const account = await fixture.newReseller()
    const username = `kasir-${account}`
    const email = `${username}@example.com`
    const made = await fixture.admin.send('POST', `/resellers/${account}/users`, {
      username,
      email,
      role: 'viewer',
      reason: 'first user',
    })
    expect(made.json()).toEqual({
      data: {
        username,
        email,
        role: 'viewer',
        status: 'active',
        created_at: expect.any(String),
      },
    })
    const letters = async () => (await readMailbox(fixture.service)).filter(({ to }) => to === email)
    const [letter] = await until('the mail is there', async () => {
      const found = await letters()
      return found.length > 0 && found
    })
    expect(letter).toMatchObject({ kind: 'invitation', text: expect.stringContaining('within 7 days') })
    expect(letter?.text).toContain(`(account ${account})`)
    const token = /Token: (wpr_[\w-]{43})/.exec(letter?.text ?? '')?.[1]
    const chosen = { token, password: 'a password of their own' }
    const confirmed = await call(fixture.service, 'POST', '/portal/v1/password-reset/confirm', chosen)
    expect(confirmed.status, confirmed.text).toBeLessThan(300)
    await fixture.admin.send('PATCH', `/resellers/${account}/users/${username}`, {
      status: 'disabled',
      reason: 'left',
    })
    expect((await fixture.admin.get(`/resellers/${account}/users`)).json()).toMatchObject({
      data: [{ username, status: 'disabled' }],
    })
    expect(await fixture.lastLogged()).toMatchObject({
      action: 'user.update',
      target: `${account}/${username}`,
      before: { status: 'active' },
      after: { status: 'disabled' },
    })
  })

  it('show of a key neither the key nor its secret, and a revoked one stops working', async () => {
    const [reseller] = fixture.service.demo.resellers
    if (reseller === undefined) throw new Error('demo.json names no reseller')
    const { account } = reseller
    const made = await fixture.service.warungd<{ key: string; signing_secret: string }>(
      'key',
      'create',
      '--reseller',
      account,
    )
    const credentials = credentialsOf({ api_key: made.key, signing_secret: made.signing_secret })
    const balance = () => signed(fixture.service.baseUrl, credentials, { path: '/v2/balance' })
    await until('the key works', async () => (await balance()).status === 200)

    const listed = await fixture.admin.get(`/resellers/${account}/keys`)
    expect(listed.text).not.toContain(made.key)
    expect(listed.text).not.toContain(made.signing_secret)
    const { data } = listed.json<{ data: { id: string; hint: string; state: string }[] }>()
    const key = data.find(({ hint }) => hint.endsWith(made.key.slice(-4)))
    if (key === undefined) throw new Error('the key is not listed')

    const revoked = await fixture.admin.send('POST', `/resellers/${account}/keys/${key.id}/revoke`, {
      reason: 'leaked',
    })
    expect(revoked.json()).toMatchObject({ data: { state: 'revoked' } })
    await until('the key is refused', async () => (await balance()).status === 401)
    expect(await fixture.lastLogged()).toMatchObject({
      action: 'key.revoke',
      before: { state: 'active' },
      after: { state: 'revoked' },
    })
    expect(JSON.stringify(await fixture.lastLogged())).not.toContain(made.key)
  })

  it('users and keys of another reseller are answered as if they did not exist', async () => {
    const mine = await fixture.newReseller()
    const theirs = await fixture.newReseller()
    await fixture.admin.send('POST', `/resellers/${theirs}/users`, {
      username: `their-${theirs}`,
      role: 'admin',
      reason: 'first',
    })
    const { id } = await keyOf(theirs)
    const logged = await fixture.countLogged()
    const foreign = [
      await fixture.admin.send('PATCH', `/resellers/${mine}/users/their-${theirs}`, {
        role: 'viewer',
        reason: 'x',
      }),
      await fixture.admin.send('POST', `/resellers/${mine}/keys/${id}/revoke`, { reason: 'x' }),
    ]
    const unknown = [
      await fixture.admin.send('PATCH', `/resellers/${mine}/users/nobody-at-all`, {
        role: 'viewer',
        reason: 'x',
      }),
      await fixture.admin.send('POST', `/resellers/${mine}/keys/999999999/revoke`, { reason: 'x' }),
    ]
    expect(foreign.map(({ status }) => status)).toEqual([404, 404])
    expect(foreign.map(({ text }) => text)).toEqual(unknown.map(({ text }) => text))
    expect(await fixture.countLogged()).toBe(logged)
    for (const id of ['abc', '%00', '-1', '99999999999999999999']) {
      const answer = await fixture.admin.send('POST', `/resellers/${mine}/keys/${id}/revoke`, { reason: 'x' })
      expect(answer.text).toBe(unknown[1]?.text)
    }
  })

  async function keyOf(account: string): Promise<{ id: string }> {
    await fixture.service.warungd('key', 'create', '--reseller', account)
    const { data } = (await fixture.admin.get(`/resellers/${account}/keys`)).json<{
      data: { id: string }[]
    }>()
    const [key] = data
    if (key === undefined) throw new Error('the key is not listed')
    return key
  }
})

describe('operators', () => {
  it('are let in and kept out by an admin, never by themselves', async () => {
    const hired = { email: 'baharu@example.com', name: 'Baharu', role: 'support', reason: 'hired' }
    const id = await lettingIn(fixture.service, () => fixture.admin.send('POST', '/operators', hired))
    const changed = await fixture.admin.send('PATCH', `/operators/${id}`, {
      role: 'read_only',
      reason: 'moved',
    })
    expect(changed.json()).toMatchObject({ data: { id, role: 'read_only' } })
    expect(await fixture.lastLogged()).toMatchObject({
      action: 'operator.update',
      target: 'baharu@example.com',
      before: { role: 'support' },
      after: { role: 'read_only' },
    })
    const own = await idOf(fixture.service.demo.operator.email)
    for (const change of [{ role: 'read_only' }, { status: 'disabled' }]) {
      const answer = await fixture.admin.send('PATCH', `/operators/${own}`, { ...change, reason: 'tired' })
      expect(answer.status).toBe(409)
    }
    const unknown = await fixture.admin.send('PATCH', '/operators/999999999', {
      status: 'disabled',
      reason: 'x',
    })
    expect(unknown.status).toBe(404)
  })

  it('operators who disable each other at once: one of them stays enabled', async () => {
    const [one, two] = [
      await hireOperator(fixture.service, 'admin'),
      await hireOperator(fixture.service, 'admin'),
    ]
    const [first, second] = [await signInAs(one), await signInAs(two)]
    const [idOfOne, idOfTwo] = [await idOf(one.email), await idOf(two.email)]
    const answers = await Promise.all([
      first.send('PATCH', `/operators/${idOfTwo}`, { status: 'disabled', reason: 'rivalry' }),
      second.send('PATCH', `/operators/${idOfOne}`, { status: 'disabled', reason: 'rivalry' }),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status !== 200).every((status) => [401, 403].includes(status))).toBe(
      true,
    )
  })

  it('are not changed by a script, whatever its owner may do', async () => {
    const answer = await fixture.admin.send('POST', '/tokens', {
      label: 'nightly',
      role: 'admin',
      expires_in_days: 1,
      password: fixture.service.demo.operator.password,
    })
    const { token } = answer.json<{ data: { token: string } }>().data
    const headers = { Authorization: `Bearer ${token}` }
    const made = await call(
      fixture.service,
      'POST',
      '/operator/v1/operators',
      { email: 'robot@example.com', name: 'Robot', role: 'admin', reason: 'to stay' },
      headers,
    )
    expect(made.json()).toMatchObject({ error: 'proof_required' })
    const operators = await call(fixture.service, 'GET', '/operator/v1/operators', undefined, headers)
    expect(operators.text).not.toContain('robot@example.com')
  })

  function signInAs(person: { email: string; password: string }): Promise<Browser> {
    return signIn(fixture.service, 'operator', person)
  }

  async function idOf(email: string): Promise<string> {
    const { data } = (await fixture.admin.get('/operators')).json<{ data: { id: string; email: string }[] }>()
    const found = data.find((each) => each.email === email)
    if (found === undefined) throw new Error(`there is no operator ${email}`)
    return found.id
  }
})

it('every answer to a stranger is the same 401, whether the thing exists or not', async () => {
  const account = await fixture.newReseller()
  const [known, unknown] = [
    await call(fixture.service, 'GET', `/operator/v1/resellers/${account}`),
    await call(fixture.service, 'GET', '/operator/v1/resellers/0000000'),
  ]
  expect(known.status).toBe(401)
  expect(known.text).toBe(unknown.text)
})
