import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { untilAnswered } from '../../clients.ts'
import { createKey, expectForbidden } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { send } from '../../http.ts'
import type { PayBody, Payer } from '../../payments.ts'
import { createPayer, expectPayment, payerAt, RELOAD_COST, reload, ringgit, TOPUP } from '../../payments.ts'
import { createUser, getTokens } from '../../tokens.ts'

let demo: Demo
let payer: Payer
let token: string

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '100')
  token = await tokenOf('admin')
})

async function tokenOf(role: 'admin' | 'viewer'): Promise<string> {
  const user = await createUser(demo.service, { account: payer.account, role })
  return (await getTokens(demo.service, user)).IdToken
}

function payByToken(body: PayBody, bearer = token): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` }
  const { baseUrl } = demo.service
  return send({ baseUrl, method: 'POST', path: TOPUP, headers, body: JSON.stringify(body) })
}

function restrict(to: 'on' | 'off'): Promise<unknown> {
  const whose = ['--reseller', payer.account]
  return demo.service.warungd('settings', 'set', ...whose, '--topup-requires-api-key', to)
}

describe('a bearer token', () => {
  it('pays while the topup restriction is off, and finds what the key paid', async () => {
    const before = await payer.balance()
    const body = reload()
    const { transaction_id } = expectPayment(await payByToken(body), body)
    expect(await payer.balance()).toBe(ringgit(before - RELOAD_COST))
    expect((await payer.untilStatus(body, 'Succesful')).transaction_id).toBe(transaction_id)
    const byKey = reload()
    const paid = await payer.untilStatus(byKey, 'Succesful')
    expect(expectPayment(await payByToken(byKey), byKey)).toEqual(paid)
  })

  it('is refused while it is on: new payments, polls and bad bodies alike; the key goes on', async () => {
    const earlier = reload()
    expectPayment(await payByToken(earlier), earlier)
    await payer.untilStatus(earlier, 'Succesful')
    await restrict('on')
    const refused = await untilAnswered(() => payByToken(earlier), 403, 'api_key_required')
    expectForbidden(refused, 'api_key_required')
    expect(refused.json<{ message: string }>().message).toMatch(
      /API-key authentication is required|requires API-key/i,
    )
    const before = await payer.balance()
    for (const body of [reload(), earlier, { refid: '' }]) {
      expectForbidden(await payByToken(body), 'api_key_required')
    }
    expect(await payer.balance()).toBe(before)
    expect((await payer.pay(earlier)).status).toBe('Succesful')
    expect((await payer.pay(reload())).status).toBe('Accepted')
    await restrict('off')
    await untilAnswered(() => payByToken(earlier), 200)
  })

  it('the bearer token of a user who may only look is refused', async () => {
    const viewer = await tokenOf('viewer')
    const before = await payer.balance()
    expectForbidden(await payByToken(reload(), viewer), 'insufficient_scope')
    expect(await payer.balance()).toBe(before)
  })
})

describe('a key without the scope pay', () => {
  it('is refused, for new payments and polls alike', async () => {
    const scoped = await createKey(demo.service, payer.account, ['read', 'support', 'configure'])
    const reader = payerAt(demo.service, { ...scoped, account: payer.account })
    const body = reload()
    await payer.pay(body)
    const before = await payer.balance()
    for (const json of [reload(), body, { refid: '' }]) {
      expectForbidden(await reader.send(json), 'insufficient_scope')
    }
    expect(await payer.balance()).toBe(before)
  })

  it('a key with only that scope pays', async () => {
    const scoped = await createKey(demo.service, payer.account, ['pay'])
    const till = payerAt(demo.service, { ...scoped, account: payer.account })
    expect((await till.pay(reload())).status).toBe('Accepted')
  })
})
