import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listActions } from '../actions.ts'
import type { Answer } from '../http.ts'
import { createPayer, reload } from '../payments.ts'
import { newAuthenticator } from '../portal/authenticator.ts'
import { dataOf, newMember } from '../portal/members.ts'
import { addPasskey, beginPasskey, originOf, tryPasskey } from '../portal/passkeys.ts'
import type { Browser } from '../portal/people.ts'
import { appCode, enrol, signIn, trySignIn } from '../portal/people.ts'
import { slipOf } from '../portal/slips.ts'
import type { OperatorFixture } from './fixture.ts'
import { openOperatorFixture } from './fixture.ts'
import type { Person, Role } from './operators.ts'
import { hireOperator, lettingIn, signInAs } from './operators.ts'
import { newWord, packed } from './packs.ts'

// Every operation of the back office that changes something, as its own document lists them. A successful call leaves a
// line in the audit log. To add an operation, add a call here, or the reason why it leaves no line.

let fixture: OperatorFixture
let finance: Browser
let support: Browser
let account: string

beforeAll(async () => {
  fixture = await openOperatorFixture()
  finance = await signInAs(fixture.service, 'finance')
  support = await signInAs(fixture.service, 'support')
  account = await fixture.newReseller()
  await fixture.service.warungd('provider', 'add', '--code', 'gudang', '--kind', 'stock')
})
afterAll(() => fixture.close())

/** Operations that were called, with the actions that the log has. */
const actions: [operationId: string, action: string][] = []

/** Operations that leave no line, and why. */
const UNLOGGED: Readonly<Record<string, string>> = {
  requestOperatorPasswordReset: 'sends a mail, and changes nothing until the token comes back',
  enrolOperatorTwoFactor: 'counts for nothing until a code of it comes back',
  beginOperatorPasskeySession: 'changes nothing until a device answers',
  beginOperatorProof: 'changes nothing until a device answers',
  beginOperatorPasskey: 'counts for nothing until a device answers',
  previewCatalogue: 'changes nothing',
  compareResellerBooks: 'changes nothing',
}

/** Operations that need a stuck payment, a case or a mail, with the file that tests their lines. */
const SHOWN_ELSEWHERE: Readonly<Record<string, string>> = {
  resolvePayment: 'operator/payments.test.ts',
  approveCase: 'operator/payments.test.ts',
  startOfferSync: 'offers/acts.concurrency.test.ts of the server',
  acceptOfferProposals: 'offers/acts.concurrency.test.ts of the server',
  rejectOfferProposals: 'offers/acts.concurrency.test.ts of the server',
  confirmOperatorPasswordReset: 'sessions/service.test.ts of the server',
}

const SINGAPORE = {
  country: 'SG',
  trunk: '',
  source: 'Made up',
  as_of: '2026-01-01',
  operators: [{ code: 'SIGMA', name: 'Sigma', aliases: [], products: ['KOPI'] }],
  ranges: [{ prefix: '9', kind: 'mobile', digits_min: 8, digits_max: 8, operator: 'SIGMA' }],
}
const LIMITS = { limits: [{ scope: 'account', period: 'month', payments: 1_000_000 }] }
const because = (body: object = {}) => ({ ...body, reason: 'month end' })
const admin = (method: string, path: string, body: object = {}) =>
  fixture.admin.send(method, path, because(body))
const byCatalogue = (method: string, path: string, body: object) =>
  fixture.catalogue.send(method, path, because(body))
const posting = (amount: string) => ({ account, amount, remarks: 'bank' })

async function somebody(role: Role = 'support'): Promise<{ browser: Browser; person: Person }> {
  const person = await hireOperator(fixture.service, role)
  return { browser: await signIn(fixture.service, 'operator', person), person }
}

async function withFactor() {
  const { browser, person } = await somebody()
  const { secret } = await enrol(browser, person.password)
  return { browser, proof: { password: person.password, code: appCode(secret) } }
}

async function newToken({ browser, person }: Awaited<ReturnType<typeof somebody>>): Promise<Answer> {
  const wanted = { label: 'script', role: 'support', expires_in_days: 1, password: person.password }
  return browser.send('POST', '/tokens', wanted)
}

async function ask(): Promise<string> {
  const asked = await finance.send('POST', '/deposits', because(posting('5.00')))
  return dataOf<{ id: string }>(asked).id
}

async function reportTransfer(reference: string): Promise<string> {
  const member = await newMember(fixture.service, account, 'admin')
  return dataOf<{ id: string }>(await member.send('POST', '/deposit-requests', slipOf(reference))).id
}

async function openCase(): Promise<string> {
  const payer = await createPayer(fixture.service, '100')
  const body = reload({ product: 'KOPI' })
  await payer.untilStatus(body, 'Succesful')
  const opened = await payer.send({ refid: body.refid }, { path: '/v2/transactions/check' })
  return /C-\d{4}-\d+/.exec(opened.text)?.[0] ?? ''
}

async function withEndpoint(): Promise<string> {
  const payer = await createPayer(fixture.service, null)
  await fixture.database.query(
    `insert into event_endpoints (reseller_id, stream, url, method, is_enabled, types, sealed_secret,
                                  secret_last_four, secret_created_at, created_at, updated_at)
     select id, 'balance', 'https://receiver.example.com/in', 'POST', true, '{balance.added}', 'x', '0000', now(),
            now(), now()
       from resellers where account = $1`,
    [payer.account],
  )
  return payer.account
}

async function newOperator(): Promise<string> {
  const email = `new-${randomBytes(5).toString('hex')}@example.com`
  const hired = { email, name: 'New', role: 'support' }
  return lettingIn(fixture.service, () => admin('POST', '/operators', hired))
}

async function onNewKey(method: string, path: string, body?: object) {
  const { id } = await fixture.service.warungd<{ id: string }>('key', 'create', '--reseller', account)
  return () => admin(method, `/resellers/${account}/keys/${id}${path}`, body)
}

/** Makes a user of a reseller without people and without money; returns its path. */
async function newUser(): Promise<string> {
  const path = `/resellers/${await fixture.newReseller()}/users`
  const username = `user-${randomBytes(5).toString('hex')}`
  expect((await admin('POST', path, { username, role: 'viewer' })).status).toBe(201)
  return `${path}/${username}`
}

/** Preparation of each call. Each one returns the call whose line is checked. */
const CALLS: Readonly<Record<string, () => Promise<() => Promise<Answer>>>> = {
  createOperatorSession: async () => {
    const person = await hireOperator(fixture.service, 'support')
    return () => trySignIn(fixture.service, 'operator', person)
  },
  deleteOperatorSession: async () => {
    const { browser } = await somebody()
    return () => browser.send('DELETE', '/session')
  },
  deleteOperatorOtherSessions: async () => {
    const { browser, person } = await somebody()
    await signIn(fixture.service, 'operator', person)
    return () => browser.send('DELETE', '/sessions')
  },
  deleteOperatorSessionById: async () => {
    const { browser, person } = await somebody()
    await signIn(fixture.service, 'operator', person)
    const { data } = (await browser.get('/sessions')).json<{ data: { id: string; is_current: boolean }[] }>()
    return () => browser.send('DELETE', `/sessions/${data.find((each) => !each.is_current)?.id}`)
  },
  giveOperatorProof: async () => {
    const { browser, person } = await somebody()
    return () => browser.send('POST', '/session/proof', { password: person.password })
  },
  changeOperatorPassword: async () => {
    const { browser, person } = await somebody()
    const change = { current_password: person.password, password: 'a new and longer one' }
    return () => browser.send('POST', '/password', change)
  },
  confirmOperatorTwoFactor: async () => {
    const { browser, person } = await somebody()
    const made = await browser.send('POST', '/two-factor', { password: person.password })
    const { secret } = dataOf<{ secret: string }>(made)
    return () => browser.send('POST', '/two-factor/confirm', { code: appCode(secret) })
  },
  renewOperatorRecoveryCodes: async () => {
    const { browser, proof } = await withFactor()
    return () => browser.send('POST', '/two-factor/recovery-codes', proof)
  },
  disableOperatorTwoFactor: async () => {
    const { browser, proof } = await withFactor()
    return () => browser.send('POST', '/two-factor/disable', proof)
  },
  createOperatorPasskey: async () => {
    const { browser, person } = await somebody()
    const { ceremony, options } = await beginPasskey(browser, { password: person.password })
    const credential = newAuthenticator(originOf(fixture.service)).create(options)
    return () => browser.send('POST', '/passkeys', { ceremony, label: 'Key', credential })
  },
  createOperatorPasskeySession: async () => {
    const { browser, person } = await somebody()
    const { device } = await addPasskey(fixture.service, browser, { password: person.password })
    return () => tryPasskey(fixture.service, 'operator', device)
  },
  renameOperatorPasskey: async () => {
    const { browser, person } = await somebody()
    const { id } = await addPasskey(fixture.service, browser, { password: person.password })
    return () => browser.send('PATCH', `/passkeys/${id}`, { label: 'Old key' })
  },
  deleteOperatorPasskey: async () => {
    const { browser, person } = await somebody()
    const { id } = await addPasskey(fixture.service, browser, { password: person.password })
    return () => browser.send('DELETE', `/passkeys/${id}`, { password: person.password })
  },
  createOperatorToken: async () => {
    const who = await somebody()
    return () => newToken(who)
  },
  deleteOperatorToken: async () => {
    const who = await somebody()
    const { id } = dataOf<{ id: string }>(await newToken(who))
    return () => who.browser.send('DELETE', `/tokens/${id}`)
  },
  requestDeposit: async () => () => finance.send('POST', '/deposits', because(posting('6.00'))),
  requestAdjustment: async () => () => finance.send('POST', '/adjustments', because(posting('-1.00'))),
  requestRate: async () => () =>
    finance.send('POST', '/rates', because({ currency: 'USD', rate: '4.70', from: '2026-12-01' })),
  acceptDepositRequest: async () => {
    const id = await reportTransfer('AUDIT-1')
    return () => finance.send('POST', `/deposit-requests/${id}/accept`, because())
  },
  refuseDepositRequest: async () => {
    const id = await reportTransfer('AUDIT-2')
    return () => finance.send('POST', `/deposit-requests/${id}/refuse`, because())
  },
  approveApproval: async () => {
    const other = await signInAs(fixture.service, 'finance')
    const id = await ask()
    return () => other.send('POST', `/approvals/${id}/approve`, because())
  },
  refuseApproval: async () => {
    const other = await signInAs(fixture.service, 'finance')
    const id = await ask()
    return () => other.send('POST', `/approvals/${id}/refuse`, because())
  },
  withdrawApproval: async () => {
    const id = await ask()
    return () => finance.send('POST', `/approvals/${id}/withdraw`, because())
  },
  takeCase: async () => {
    const number = await openCase()
    return () => support.send('POST', `/cases/${number}/take`, because())
  },
  writeCaseMessage: async () => {
    const number = await openCase()
    return () => support.send('POST', `/cases/${number}/message`, { message: 'We ask the supplier.' })
  },
  refuseCase: async () => {
    const number = await openCase()
    return () => support.send('POST', `/cases/${number}/refuse`, { message: 'It was delivered.' })
  },
  resolveCase: async () => {
    const number = await openCase()
    return () => support.send('POST', `/cases/${number}/resolve`, { message: 'It was delivered.' })
  },
  pauseEndpoint: async () => {
    const owner = await withEndpoint()
    return () => support.send('POST', `/endpoints/${owner}/balance/pause`, because())
  },
  resumeEndpoint: async () => {
    const owner = await withEndpoint()
    await support.send('POST', `/endpoints/${owner}/balance/pause`, because())
    return () => support.send('POST', `/endpoints/${owner}/balance/resume`, because())
  },
  liftBlock: async () => {
    await fixture.database.query(
      `insert into address_blocks (address, blocked_at, blocked_until, requests)
       values ('198.51.100.7', now(), now() + interval '1 hour', 30001)`,
    )
    return () => support.send('POST', '/blocks/lift', because({ address: '198.51.100.7' }))
  },
  clearAlert: async () => {
    const { rows } = await fixture.database.query<{ id: string }>(
      `insert into operator_alerts (kind, subject, text, severity, raised_at, last_seen_at, times)
       values ('float_low', 'TESTER', 'low', 'warning', now(), now(), 1) returning id::text as id`,
    )
    return () => support.send('POST', `/alerts/${rows[0]?.id}/clear`, because())
  },
  beginLedgerProof: async () => () => finance.send('POST', '/ledger/proofs', because()),
  createReseller: async () => () =>
    admin('POST', '/resellers', { name: 'Kedai', email: 'k@example.com', price_level: 'STANDARD' }),
  updateReseller: async () => () => admin('PATCH', `/resellers/${account}`, { name: 'Kedai Lama' }),
  putResellerLimits: async () => () => admin('PUT', `/resellers/${account}/limits`, LIMITS),
  putLevelLimits: async () => () => admin('PUT', '/levels/STANDARD/limits', LIMITS),
  createResellerUser: async () => () =>
    admin('POST', `/resellers/${account}/users`, { username: 'first-user', role: 'viewer' }),
  updateResellerUser: async () => {
    const path = await newUser()
    return () => admin('PATCH', path, { role: 'admin' })
  },
  narrowResellerKey: () => onNewKey('PATCH', '', { daily_cap: '10.00' }),
  revokeResellerKey: () => onNewKey('POST', '/revoke'),
  setResellerPermission: async () => () =>
    byCatalogue('PUT', `/resellers/${account}/permissions/KOPI`, { is_allowed: false }),
  createLevel: async () => () => byCatalogue('POST', '/levels', { code: 'BARU', name: 'Baru' }),
  updateLevel: async () => () => byCatalogue('PATCH', '/levels/STANDARD', { name: 'Biasa' }),
  setLevelPrice: async () => () =>
    byCatalogue('PUT', '/levels/STANDARD/prices/KOPI', { discount_type: 'percentage', value: '0.975' }),
  importCatalogue: async () => {
    const document = { levels: [{ code: 'LAIN', name: 'Lain' }] }
    const preview = await fixture.catalogue.send('POST', '/catalogue/preview', { document })
    const { version } = dataOf<{ summary: { version: number } }>(preview).summary
    return () => byCatalogue('POST', '/catalogue/import', { document, expected_version: version })
  },
  switchProvider: async () => () => admin('PATCH', '/providers/gudang', { enabled: false }),
  addProvider: async () => () => admin('POST', '/providers', packed('kilat')),
  upgradeProvider: async () => {
    await admin('POST', '/providers', packed('laju'))
    return () =>
      admin('POST', '/providers/laju/upgrade', { settings: { base_url: 'https://api.laju.example' } })
  },
  setProviderProducts: async () => () =>
    admin('POST', '/providers/laju/products', { products: { KOPI: 'LAJU-1' } }),
  beginProviderProof: async () => () => admin('POST', '/providers/laju/proofs', { live_address: true }),
  mapUnknownAnswer: async () => {
    const id = await newWord(fixture, 'ODD')
    return () => admin('POST', `/providers/laju/unknown-answers/${id}/map`, { outcome: 'pending' })
  },
  dismissUnknownAnswer: async () => {
    const id = await newWord(fixture, 'ODDER')
    return () => admin('POST', `/providers/laju/unknown-answers/${id}/dismiss`)
  },
  setRoute: async () => () => admin('PUT', '/routes/KOPI/gudang'),
  removeRoute: async () => {
    await admin('PUT', '/routes/KOPI/gudang')
    return () => admin('POST', '/routes/KOPI/gudang/remove', { to_any: true })
  },
  setOfferSchedule: async () => () => byCatalogue('PUT', '/offers/schedules/gudang', { every_hours: 6 }),
  putNumberPlan: async () => () => byCatalogue('PUT', '/number-plan', { plans: [SINGAPORE] }),
  createNotice: async () => () =>
    byCatalogue('POST', '/notices', { target: 'product', code: 'KOPI', message: 'Slow' }),
  endNotice: async () => {
    const notice = { target: 'product', code: 'KOPI', message: 'Slow' }
    const { id } = dataOf<{ id: string }>(await byCatalogue('POST', '/notices', notice))
    return () => byCatalogue('POST', `/notices/${id}/end`, {})
  },
  createOperator: async () => () =>
    admin('POST', '/operators', { email: 'one.more@example.com', name: 'One', role: 'support' }),
  updateOperator: async () => {
    const id = await newOperator()
    return () => admin('PATCH', `/operators/${id}`, { status: 'disabled' })
  },
  vouchForOperator: async () => {
    const id = await newOperator()
    const other = await signInAs(fixture.service, 'admin')
    await other.prove()
    return () => other.send('POST', `/operators/${id}/vouch`, because())
  },
}

it('packs show what is said of a supplier; what decides payments there waits for a second person', async () => {
  const read = async (path: string) => dataOf<object>(await fixture.admin.get(path))
  expect(await read('/supplier-packs')).toContainEqual(expect.objectContaining({ pack: 'zendit' }))
  expect(await read('/supplier-packs/zendit')).toMatchObject({ guide: expect.stringContaining('Zendit') })
  await fixture.admin.prove()
  await admin('POST', '/providers', packed('waja'))
  expect(await read('/providers/waja/pack')).toMatchObject({
    settings: { base_url: 'https://api.waja.example' },
  })
  const reading = await signInAs(fixture.service, 'read_only')
  expect(dataOf(await reading.get('/providers/waja/pack'))).toMatchObject({ settings: null })
  const word = await newWord(fixture, 'ODDEST', 'waja')
  expect(await read('/providers/waja/unknown-answers')).toMatchObject([{ value: 'ODDEST' }])
  expect((await admin('PATCH', '/providers/waja', { enabled: true })).status).toBe(202)
  await fixture.service.warungd('provider', 'enable', '--code', 'waja')
  const asked = [
    await admin('POST', '/providers/waja/upgrade', { settings: { base_url: 'https://api.lain.example' } }),
    await admin('POST', '/providers/waja/products', { products: { KOPI: 'WAJA-1' } }),
    await admin('POST', `/providers/waja/unknown-answers/${word}/map`, { outcome: 'failed', failure: 48 }),
  ]
  expect(asked.map(({ status }) => status)).toEqual([202, 202, 202])
})

type Document = { paths: Record<string, Record<string, { operationId: string }>> }

it('every operation of the document leaves a line, or is named with the reason why not', async () => {
  const { paths } = (await fixture.service.get('/operator/v1/openapi.json')).json<Document>()
  const writes = Object.values(paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
  )
  const named = [CALLS, UNLOGGED, SHOWN_ELSEWHERE].flatMap((each) => Object.keys(each))
  expect(named.sort()).toEqual(writes.sort())
})

it.each(Object.keys(CALLS))('%s leaves a line that names the operator', async (operationId) => {
  await fixture.admin.prove()
  const attempt = await CALLS[operationId]?.()
  const before = await fixture.countLogged()
  const answer = await attempt?.()
  expect(answer?.status, answer?.text).toBeLessThan(300)
  expect(await fixture.countLogged()).toBe(before + 1)
  const logged = await fixture.lastLogged()
  expect(logged).toMatchObject({ actor: expect.stringContaining('@') })
  actions.push([operationId, logged.action])
})

it('every operation writes the action under which its lines can be found', () => {
  expect(actions.sort()).toEqual(listActions('operator'))
})
