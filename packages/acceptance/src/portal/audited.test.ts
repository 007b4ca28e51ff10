import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listActions } from '../actions.ts'
import { shareDemo } from '../catalog.ts'
import type { Answer } from '../http.ts'
import { withToken } from '../mail/mailbox.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { startReceiver } from '../receiver/receiver.ts'
import type { Service } from '../service.ts'
import { connectDatabase, stopServices, until } from '../service.ts'
import { newAuthenticator } from './authenticator.ts'
import type { Member, Shop } from './members.ts'
import { dataOf, newMember, openShop } from './members.ts'
import { addPasskey, beginPasskey, originOf } from './passkeys.ts'
import { appCode, call, enrol, signInOperator } from './people.ts'
import { scheduleOf } from './schedules.ts'
import { slipOf } from './slips.ts'
import { at, newTill } from './tills.ts'

// Every operation of the portal that changes something, as its own document lists them. A successful call leaves a line
// in the audit log. To add an operation, add a call here, or the reason why it leaves no line.

let service: Service
let database: pg.Client
let receiver: Receiver
let shop: Shop

beforeAll(async () => {
  receiver = await startReceiver()
  service = (await shareDemo()).service
  database = await connectDatabase(service)
  shop = await openShop(service, '1000')
})
afterAll(async () => {
  await database?.end()
  await stopServices()
})

/** Operations that were called, with the actions that the log has. */
const actions: [operationId: string, action: string][] = []

/** Operations that leave no line, and why. */
const UNLOGGED: Readonly<Record<string, string>> = {
  createPortalSession: 'members’ sign-ins stand in their list of sessions',
  createPinSession: 'members’ sign-ins stand in their list of sessions',
  beginPortalPasskeySession: 'changes nothing until a device answers',
  createPortalPasskeySession: 'members’ sign-ins stand in their list of sessions',
  beginPortalPasskey: 'counts for nothing until a device answers',
  beginPortalProof: 'changes nothing until a device answers',
  givePortalProof: 'members’ proofs stand with their sessions',
  deletePortalSession: 'members’ sessions stand in their list of sessions',
  deletePortalOtherSessions: 'members’ sessions stand in their list of sessions',
  deletePortalSessionById: 'members’ sessions stand in their list of sessions',
  requestPortalPasswordReset: 'sends a mail, and changes nothing until the token comes back',
  enrolPortalTwoFactor: 'counts for nothing until a code of it comes back',
  portalPreviewCatalogue: 'changes nothing',
  portalPreviewBulk: 'changes nothing',
  portalQuote: 'moves nothing; a payment names its quote',
  portalListPaymentStatuses: 'changes nothing',
  portalCompareBooks: 'changes nothing',
  portalCompareCanonical: 'changes nothing',
  portalTestEndpoint: 'the delivery stands in the delivery log',
  portalReplayDelivery: 'the delivery stands in the delivery log',
  portalReplayDeliveries: 'the delivery stands in the delivery log',
  portalPay: 'the payment has a record of its own, with who paid',
  portalOpenDispute: 'the case has a record of its own',
  portalOpenVoid: 'the case has a record of its own',
  portalCreateOrder: 'the order has a record of its own',
  portalConfirmOrder: 'the order has a record of its own',
  portalCancelOrder: 'the order has a record of its own',
}

const FILTER = { name: 'Failed', is_shared: false, query: 'status=failed' }
const FAVOURITE = { name: 'Ali', is_shared: true, product: 'NOVA', number: '60123456789', amount: '10' }
const TILL = { name: 'Kaunter 1', idle_seconds: 120 }
const NETWORK = '203.0.113.9/32'
const newcomer = () => newMember(service, shop.payer.account, 'viewer')
async function openShift() {
  const cashier = await newMember(service, shop.payer.account, 'cashier')
  const till = await newTill(shop.admin)
  const opened = await cashier.send('POST', '/shifts', { float: '10.00' }, at(till, cashier))
  return { id: dataOf<{ id: string }>(opened).id, cashier, till }
}
const send = (method: string, path: string, body?: object) => shop.admin.send(method, path, body)
const proven = (body: object = {}) => ({ ...body, password: shop.admin.password })

async function newKey(): Promise<string> {
  return dataOf<{ id: string }>(await send('POST', '/api-keys', proven({ label: 'till' }))).id
}

async function invite(email: string): Promise<string> {
  return dataOf<{ id: string }>(await send('POST', '/invitations', { email, role: 'viewer' })).id
}

async function mailedToken(kind: string, name: string): Promise<string> {
  return until(`${name} has a mail`, async () => {
    const { rows } = await database.query<{ id: string }>(
      'select id::text as id from mails where kind = $1 order by id desc limit 200',
      [kind],
    )
    for (const { id } of rows) {
      const { text } = await service.get(withToken(service, `/mailbox/${id}`))
      const token = text.includes(name) ? /Token: (w(?:pr|iv|st)_[\w-]{43})/.exec(text)?.[1] : undefined
      if (token !== undefined) return token
    }
    return false
  })
}

/** Lets an operator ask for a login of the shop. */
async function askAccess(username = `asked-${randomBytes(5).toString('hex')}`): Promise<string> {
  const operator = await signInOperator(service)
  const body = { username, role: 'viewer', reason: 'asked for by telephone' }
  return dataOf<{ id: string }>(await operator.send('POST', `/resellers/${shop.payer.account}/users`, body))
    .id
}

async function withFactor(): Promise<{ member: Member; code: string }> {
  const member = await newcomer()
  const { secret } = await enrol(member, member.password)
  return { member, code: appCode(secret) }
}

/** Preparation of each call. Each one returns the call whose line is checked. */
const CALLS: Readonly<Record<string, () => Promise<() => Promise<Answer>>>> = {
  changePortalPassword: async () => {
    const member = await newcomer()
    const change = { current_password: member.password, password: 'a new and longer one' }
    return () => member.send('POST', '/password', change)
  },
  confirmPortalPasswordReset: async () => {
    const { username } = await newcomer()
    const asked = await call(service, 'POST', '/portal/v1/password-reset', { username })
    expect(asked.status, asked.text).toBe(202)
    const token = await mailedToken('password_reset', username)
    const body = { token, password: 'a new and longer one' }
    return () => call(service, 'POST', '/portal/v1/password-reset/confirm', body)
  },
  confirmPortalTwoFactor: async () => {
    const member = await newcomer()
    const made = await member.send('POST', '/two-factor', { password: member.password })
    const { secret } = dataOf<{ secret: string }>(made)
    return () => member.send('POST', '/two-factor/confirm', { code: appCode(secret) })
  },
  renewPortalRecoveryCodes: async () => {
    const { member, code } = await withFactor()
    return () => member.send('POST', '/two-factor/recovery-codes', { password: member.password, code })
  },
  disablePortalTwoFactor: async () => {
    const { member, code } = await withFactor()
    return () => member.send('POST', '/two-factor/disable', { password: member.password, code })
  },
  createPortalPasskey: async () => {
    const member = await newcomer()
    const { ceremony, options } = await beginPasskey(member, { password: member.password })
    const credential = newAuthenticator(originOf(service)).create(options)
    return () => member.send('POST', '/passkeys', { ceremony, label: 'Phone', credential })
  },
  renamePortalPasskey: async () => {
    const member = await newcomer()
    const { id } = await addPasskey(service, member, { password: member.password })
    return () => member.send('PATCH', `/passkeys/${id}`, { label: 'Old phone' })
  },
  deletePortalPasskey: async () => {
    const member = await newcomer()
    const { id } = await addPasskey(service, member, { password: member.password })
    return () => member.send('DELETE', `/passkeys/${id}`, { password: member.password })
  },
  portalPutCheckoutSettings: async () => {
    const present = dataOf<object>(await shop.admin.get('/checkout-settings'))
    return () => send('PUT', '/checkout-settings', { ...present, accepts_loss: true })
  },
  portalReportDeposit: async () => () => send('POST', '/deposit-requests', slipOf('AUDIT-1')),
  portalWithdrawDeposit: async () => {
    const { id } = dataOf<{ id: string }>(await send('POST', '/deposit-requests', slipOf('AUDIT-2')))
    return () => send('POST', `/deposit-requests/${id}/withdraw`, {})
  },
  createInvitation: async () => () =>
    send('POST', '/invitations', { email: 'one@kedai.example', role: 'viewer' }),
  deleteInvitation: async () => {
    const id = await invite('two@kedai.example')
    return () => send('DELETE', `/invitations/${id}`)
  },
  acceptInvitation: async () => {
    const email = `${randomBytes(5).toString('hex')}@kedai.example`
    await invite(email)
    const token = await mailedToken('invitation', email)
    const body = { token, username: `new-${randomBytes(5).toString('hex')}`, password: 'a password for it' }
    return () => call(service, 'POST', '/portal/v1/invitations/accept', body)
  },
  openSharedTill: async () => () => send('POST', '/shared-tills', TILL),
  closeSharedTill: async () => {
    const { id } = dataOf<{ id: string }>(await send('POST', '/shared-tills', TILL))
    return () => send('DELETE', `/shared-tills/${id}`)
  },
  endPinLocks: async () => {
    const { id } = dataOf<{ id: string }>(await send('POST', '/shared-tills', TILL))
    return () => send('DELETE', `/shared-tills/${id}/locks`, {})
  },
  setPin: async () => () => send('PUT', '/pin', { pin: '482913' }),
  removePin: async () => {
    await send('PUT', '/pin', { pin: '482913' })
    return () => send('DELETE', '/pin')
  },
  portalApplyCatalogue: async () => () =>
    send('POST', '/catalogue/apply', { products: [{ code: 'NOVA', name: 'Nova ku' }] }),
  portalCreateKey: async () => () => send('POST', '/api-keys', proven({ label: 'till' })),
  portalChangeKey: async () => {
    const id = await newKey()
    return () => send('PATCH', `/api-keys/${id}`, { daily_cap: '10.00' })
  },
  portalRotateKey: async () => {
    const id = await newKey()
    return () => send('POST', `/api-keys/${id}/rotate`, proven())
  },
  portalRevokeKey: async () => {
    const id = await newKey()
    return () => send('DELETE', `/api-keys/${id}`, proven())
  },
  portalAllowNetworks: async () => () => send('POST', '/ip-allowlist', proven({ networks: [NETWORK] })),
  portalDisallowNetwork: async () => {
    await send('POST', '/ip-allowlist', proven({ networks: [NETWORK] }))
    return () => send('DELETE', `/ip-allowlist?network=${encodeURIComponent(NETWORK)}`, proven())
  },
  portalChangeSettings: async () => () => send('PATCH', '/settings', { duplicate_window_seconds: 60 }),
  portalPutLimits: async () => () =>
    send('PUT', '/limits', { limits: [{ scope: 'account', period: 'day', payments: 3 }] }),
  portalPutMemberLimits: async () => {
    const { username } = await newcomer()
    const { data } = (await shop.admin.get('/members')).json<{ data: { id: string; username: string }[] }>()
    const id = data.find((each) => each.username === username)?.id
    return () => send('PUT', `/members/${id}/limits`, { limits: [{ period: 'day', payments: 3 }] })
  },
  portalPutEndpoint: async () => () =>
    send('PUT', '/endpoints/balance', { url: `${receiver.urls.secure}/in` }),
  portalChangeEndpoint: async () => {
    await send('PUT', '/endpoints/balance', { url: `${receiver.urls.secure}/in` })
    return () => send('PATCH', '/endpoints/balance', { enabled: false })
  },
  portalRotateEndpointSecret: async () => {
    await send('PUT', '/endpoints/callback', { url: `${receiver.urls.secure}/in` })
    return () => send('POST', '/endpoints/callback/secret', {})
  },
  portalDeleteEndpoint: async () => {
    await send('PUT', '/endpoints/balance', { url: `${receiver.urls.secure}/in` })
    return () => send('DELETE', '/endpoints/balance')
  },
  portalApproveApproval: async () => {
    const id = await askAccess()
    return () => send('POST', `/approvals/${id}/approve`)
  },
  portalRefuseApproval: async () => {
    const id = await askAccess()
    return () => send('POST', `/approvals/${id}/refuse`)
  },
  stopApproval: async () => {
    const username = `asked-${randomBytes(5).toString('hex')}`
    await askAccess(username)
    const token = await mailedToken('access', username)
    return () => call(service, 'POST', '/portal/v1/approvals/stop', { token })
  },
  portalChangeMember: async () => {
    const { username } = await newcomer()
    const { data } = (await shop.admin.get('/members')).json<{ data: { id: string; username: string }[] }>()
    const id = data.find((each) => each.username === username)?.id
    return () => send('PATCH', `/members/${id}`, { role: 'admin' })
  },
  portalKeepBatch: async () => () => {
    const line = { line: 1, refid: `bulk-${'a'.repeat(40)}`, product: 'NOVA', account: '1', amount: '1' }
    return send('POST', '/sell/bulk/batches', { name: 'October', lines: [line] })
  },
  portalScheduleBatch: async () => () => send('POST', '/sell/bulk/schedules', scheduleOf()),
  portalStopSchedule: async () => {
    const { id } = dataOf<{ id: string }>(await send('POST', '/sell/bulk/schedules', scheduleOf()))
    return () => send('DELETE', `/sell/bulk/schedules/${id}`)
  },
  portalResumeSchedule: async () => {
    const { id } = dataOf<{ id: string }>(await send('POST', '/sell/bulk/schedules', scheduleOf()))
    await send('DELETE', `/sell/bulk/schedules/${id}`)
    return () => send('POST', `/sell/bulk/schedules/${id}/resume`, { from: 'here' })
  },
  portalKeepFavourite: async () => () => send('POST', '/sell/favourites', FAVOURITE),
  portalDropFavourite: async () => {
    const { id } = dataOf<{ id: string }>(await send('POST', '/sell/favourites', FAVOURITE))
    return () => send('DELETE', `/sell/favourites/${id}`)
  },
  portalPutReceiptHeader: async () => () => send('PUT', '/receipt-header', { footer: 'Terima kasih' }),
  portalAddBranch: async () => () => send('POST', '/branches', { name: 'Klang' }),
  portalChangeBranch: async () => {
    const { branchId } = await newTill(shop.admin)
    return () => send('PATCH', `/branches/${branchId}`, { name: 'Ipoh' })
  },
  portalAddTill: async () => {
    const { branchId } = await newTill(shop.admin)
    return () => send('POST', '/tills', { branch_id: branchId, name: 'Till 2' })
  },
  portalChangeTill: async () => {
    const { id } = await newTill(shop.admin)
    return () => send('PATCH', `/tills/${id}`, { is_retired: true })
  },
  portalBindTill: async () => {
    const { id } = await newTill(shop.admin)
    return () => send('POST', `/tills/${id}/browser`)
  },
  portalPutTillSettings: async () => () => send('PUT', '/till-settings', { requires_shift: false }),
  portalOpenShift: async () => {
    const cashier = await newMember(service, shop.payer.account, 'cashier')
    const till = await newTill(shop.admin)
    return () => cashier.send('POST', '/shifts', { float: '10.00' }, at(till, cashier))
  },
  portalJoinShift: async () => {
    const { till } = await openShift()
    const other = await newMember(service, shop.payer.account, 'cashier')
    return () => other.send('POST', '/shifts/join', undefined, at(till, other))
  },
  portalMoveCash: async () => {
    const { id, cashier } = await openShift()
    const movement = { kind: 'pay_in', amount: '5.00', reason: 'Change' }
    return () => cashier.send('POST', `/shifts/${id}/movements`, movement)
  },
  portalCloseShift: async () => {
    const { id, cashier } = await openShift()
    return () => cashier.send('POST', `/shifts/${id}/close`, { counted: '10.00' })
  },
  portalSaveFilter: async () => () => send('POST', '/payment-filters', FILTER),
  portalDropFilter: async () => {
    const { id } = dataOf<{ id: string }>(await send('POST', '/payment-filters', FILTER))
    return () => send('DELETE', `/payment-filters/${id}`)
  },
  portalAddThreshold: async () => () => send('POST', '/thresholds', { amount: '75.00' }),
  portalRemoveThreshold: async () => {
    await send('POST', '/thresholds', { amount: '80.00' })
    return () => send('DELETE', '/thresholds?amount=80.00')
  },
  portalSetMailLanguage: async () => () => send('PUT', '/mail-language', { language: 'ta' }),
  portalSwitchMail: async () => () =>
    send('PATCH', '/mail-preferences', { member_id: null, kind: 'deposit', on: false }),
}

type Document = { paths: Record<string, Record<string, { operationId: string }>> }

async function listWrites(): Promise<string[]> {
  const { paths } = (await service.get('/portal/v1/openapi.json')).json<Document>()
  return Object.values(paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
  )
}

async function newestLine(): Promise<{ sequence: string; text: string }> {
  const { rows } = await database.query<{ sequence: string; text: string }>(
    `select sequence::text, actor_kind || ' ' || action || ' ' || target || ' ' ||
            coalesce(before::text, '') || coalesce(after::text, '') as text
       from audit_log order by audit_log.sequence desc limit 1`,
  )
  return rows[0] ?? { sequence: '0', text: '' }
}

it('every operation of the document leaves a line, or is named with the reason why not', async () => {
  const named = [...Object.keys(CALLS), ...Object.keys(UNLOGGED)].sort()
  expect(named).toEqual((await listWrites()).sort())
})

it.each(Object.keys(CALLS))('%s leaves a line about the account', async (operationId) => {
  const attempt = await CALLS[operationId]?.()
  const before = await newestLine()
  const answer = await attempt?.()
  expect(answer?.status, answer?.text).toBeLessThan(300)
  const after = await newestLine()
  expect(BigInt(after.sequence)).toBeGreaterThan(BigInt(before.sequence))
  // A link of a mail is used by somebody who is not signed in.
  expect(after.text).toMatch(operationId === 'stopApproval' ? /^system / : /^member /)
  expect(after.text).toContain(shop.payer.account)
  expect(after.text).not.toMatch(/whsec_|correct horse/)
  actions.push([operationId, after.text.split(' ')[1] ?? ''])
})

it('every operation writes the action under which its lines can be found', () => {
  expect(actions.sort()).toEqual(listActions('portal'))
})

it('the log says what was changed, and from what', async () => {
  await send('PATCH', '/settings', { topup_requires_api_key: false })
  await send('PATCH', '/settings', { topup_requires_api_key: true })
  expect((await newestLine()).text).toMatch(/settings\.update .*false.*true/)
})
