import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { balanceOf } from '../edge.ts'
import type { Answer } from '../http.ts'
import { reload } from '../payments.ts'
import { until } from '../service.ts'
import type { Listed, Shop } from './members.ts'
import { dataOf, openShop } from './members.ts'
import { addPasskey } from './passkeys.ts'
import { signInOperator } from './people.ts'
import { scheduleOf } from './schedules.ts'
import { slipOf } from './slips.ts'
import { at, newTill } from './tills.ts'

// Operations with an id: another account's id is answered exactly like one that does not exist.

let demo: Demo
let shop: Shop
let theirs: Theirs

/** Objects of another account, each with an id of the same form that does not exist. */
type Theirs = Readonly<Record<keyof typeof KINDS, { readonly id: string; readonly nobodys: string }>>

const KINDS = {
  payment: ['GET /payments/{id}'],
  session: ['DELETE /sessions/{id}'],
  invitation: ['DELETE /invitations/{id}'],
  sharedTill: ['DELETE /shared-tills/{id}/locks', 'DELETE /shared-tills/{id}'],
  key: ['PATCH /api-keys/{id}', 'POST /api-keys/{id}/rotate', 'DELETE /api-keys/{id}'],
  member: ['PATCH /members/{id}', 'PUT /members/{id}/limits'],
  delivery: ['GET /endpoints/{stream}/deliveries/{id}', 'POST /endpoints/{stream}/deliveries/{id}/replay'],
  case: ['GET /cases/{number}'],
  request: ['GET /request-log/{id}', 'POST /request-log/{id}/compare'],
  approval: ['POST /approvals/{id}/approve', 'POST /approvals/{id}/refuse'],
  passkey: ['PATCH /passkeys/{id}', 'DELETE /passkeys/{id}'],
  favourite: ['DELETE /sell/favourites/{id}'],
  filter: ['DELETE /payment-filters/{id}'],
  branch: ['PATCH /branches/{id}'],
  till: ['PATCH /tills/{id}', 'POST /tills/{id}/browser'],
  shift: ['GET /shifts/{id}', 'POST /shifts/{id}/movements', 'POST /shifts/{id}/close'],
  batch: ['GET /sell/bulk/batches/{id}/lines'],
  schedule: ['DELETE /sell/bulk/schedules/{id}', 'POST /sell/bulk/schedules/{id}/resume'],
  deposit: [
    'GET /deposit-requests/{id}',
    'GET /deposit-requests/{id}/slip',
    'POST /deposit-requests/{id}/withdraw',
  ],
} as const

beforeAll(async () => {
  demo = await shareDemo()
  shop = await openShop(demo.service, '100')
  theirs = await fill(await openShop(demo.service, '100'))
})
afterAll(() => demo?.end())

async function fill({ payer, admin }: Shop): Promise<Theirs> {
  const body = reload()
  await payer.pay(body)
  await admin.send('PUT', '/endpoints/balance', { url: 'https://receiver.example/hook' })
  await admin.send('POST', '/invitations', { email: 'new@kedai.example', role: 'viewer' })
  await admin.send('POST', '/shared-tills', { name: 'theirs', idle_seconds: 60 })
  const favourite = { name: 'Ali', is_shared: true, product: body.product, number: body.account }
  const { id: favouriteId } = dataOf<{ id: string }>(await admin.send('POST', '/sell/favourites', favourite))
  const view = { name: 'Failed', is_shared: true, query: 'status=failed' }
  const { id: filterId } = dataOf<{ id: string }>(await admin.send('POST', '/payment-filters', view))
  const till = await newTill(admin)
  const shift = dataOf<{ id: string }>(
    await admin.send('POST', '/shifts', { float: '0.00' }, at(till, admin)),
  )
  const line = { line: 1, refid: `bulk-${'a'.repeat(40)}`, product: 'NOVA', account: '1', amount: '1' }
  await admin.send('POST', '/sell/bulk/batches', { name: 'theirs', lines: [line] })
  expect((await admin.send('POST', '/sell/bulk/schedules', scheduleOf())).status).toBe(201)
  const delivery = dataOf<{ delivery_id: string }>(await admin.send('POST', '/endpoints/balance/test', {}))
  await addPasskey(demo.service, admin, { password: admin.password })
  await admin.send('POST', '/deposit-requests', slipOf('FOREIGN-1'))
  expect((await admin.send('POST', '/cases/disputes', { refid: body.refid })).status).toBe(200)
  const operator = await signInOperator(demo.service)
  const login = { username: `asked-${payer.account}`, role: 'viewer', reason: 'asked for' }
  expect((await operator.send('POST', `/resellers/${payer.account}/users`, login)).status).toBe(202)
  const first = async (path: string, name = 'id'): Promise<string> => {
    const id = (await admin.get(path)).json<Listed>().data[0]?.[name]
    if (id === undefined) throw new Error(`${path} lists nothing`)
    return id
  }
  const near = (id: string) => ({
    id,
    nobodys: id.replace(/\d+$/, (digits) => String(BigInt(digits) + 7919n)),
  })
  return {
    payment: near(await first('/payments')),
    session: near(await first('/sessions')),
    invitation: near(await first('/invitations')),
    sharedTill: near(await first('/shared-tills')),
    key: near(await first('/api-keys')),
    member: near(await first('/members')),
    delivery: { id: delivery.delivery_id, nobodys: randomUUID() },
    case: near(await first('/cases', 'number')),
    request: near(await refusedRequest(payer, admin)),
    approval: near(await first('/approvals')),
    passkey: near(await first('/passkeys')),
    deposit: near(await first('/deposit-requests')),
    favourite: near(favouriteId),
    filter: near(filterId),
    branch: near(till.branchId),
    till: near(till.id),
    shift: near(shift.id),
    batch: near(await first('/sell/bulk/batches')),
    schedule: near(await first('/sell/bulk/schedules')),
  }
}

/** Makes a request with a wrong signature, and returns its id in the log. */
async function refusedRequest({ credentials }: Shop['payer'], admin: Shop['admin']): Promise<string> {
  const wrong = { ...credentials, secretBase64: Buffer.alloc(32).toString('base64') }
  await balanceOf(demo.service, wrong)
  return until('the request is in the log', async () => {
    const { data } = (await admin.get('/request-log?error=invalid_signature')).json<Listed>()
    return data[0]?.id
  })
}

/** Bodies of operations that take no member which they do not know. */
const STRICT: Readonly<Record<string, object>> = {
  'PATCH /branches/{id}': { name: 'x' },
  'PATCH /tills/{id}': { name: 'x' },
  'POST /shifts/{id}/movements': { kind: 'pay_in', amount: '1.00', reason: 'x' },
  'POST /shifts/{id}/close': { counted: '1.00' },
}

function ask(operation: string, id: string): Promise<Answer> {
  const [method = '', path = ''] = operation.split(' ')
  const whole = path.replace('{stream}', 'balance').replace(/\{\w+\}/, id)
  // A change of a key takes no member that it does not know.
  if (operation === 'PATCH /api-keys/{id}') return shop.admin.send(method, whole, { label: 'x' })
  const strict = STRICT[operation]
  if (strict !== undefined) return shop.admin.send(method, whole, strict)
  return method === 'GET'
    ? shop.admin.get(whole)
    : shop.admin.send(method, whole, {
        role: 'viewer',
        password: shop.admin.password,
        yours: 'x',
        limits: [],
        label: 'x',
        from: 'here',
      })
}

describe('data of other accounts', () => {
  it.each(
    Object.entries(KINDS).flatMap(([kind, operations]) =>
      operations.map((operation) => [operation, kind as keyof typeof KINDS] as const),
    ),
  )('%s answers as for what never was', async (operation, kind) => {
    const { id, nobodys } = theirs[kind]
    const foreign = await ask(operation, id)
    const unknown = await ask(operation, nobodys)
    expect(foreign.status).toBe(404)
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text])
  })

  it.each(['disputes', 'voids'])('POST /cases/%s answers as for what never was', async (kind) => {
    const { id, nobodys } = theirs.payment
    const [foreign, unknown] = await Promise.all(
      [id, nobodys].map((trxid) =>
        shop.admin.send('POST', `/cases/${kind}`, { trxid, refund_type: '1', user_email: [] }),
      ),
    )
    expect(foreign?.status).not.toBe(200)
    expect([foreign?.status, foreign?.text]).toEqual([unknown?.status, unknown?.text])
  })

  it('is asked for by no other operation: one that names something by its id has its line above', async () => {
    const { paths } = (await demo.service.get('/portal/v1/openapi.json')).json<{
      paths: Record<string, Record<string, unknown>>
    }>()
    const named = Object.entries(paths)
      .filter(([path]) => /\{(id|number)\}/.test(path))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    const tried = Object.values(KINDS)
      .flat()
      .map((operation) => operation.replace(' ', ' /portal/v1'))
    expect(named.sort()).toEqual(tried.sort())
  })
})
