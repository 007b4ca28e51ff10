import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../http.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, stopServices } from '../service.ts'
import type { Browser } from './people.ts'
import { call, signIn, signInOperator } from './people.ts'

// Every operation of the portal, tried by every role. The document lists the operations, and the table the allowed
// roles: an operation that is not in the table fails.

const ANYONE = [
  'GET /portal/v1/openapi.json',
  'POST /portal/v1/session',
  'POST /portal/v1/password-reset',
  'POST /portal/v1/password-reset/confirm',
  'POST /portal/v1/invitations/accept',
  'POST /portal/v1/approvals/stop',
  'POST /portal/v1/session/passkey/options',
  'POST /portal/v1/session/passkey',
  'GET /portal/v1/demo-accounts',
  'GET /portal/v1/shared-till',
  'POST /portal/v1/shared-till/session',
]

/** Operations of every member on their own session, password and second factor. */
const EVERY_MEMBER = [
  'GET /portal/v1/session',
  'DELETE /portal/v1/session',
  'POST /portal/v1/session/proof',
  'POST /portal/v1/session/proof/options',
  'GET /portal/v1/sessions',
  'DELETE /portal/v1/sessions',
  'DELETE /portal/v1/sessions/{id}',
  'POST /portal/v1/password',
  'GET /portal/v1/two-factor',
  'POST /portal/v1/two-factor',
  'POST /portal/v1/two-factor/confirm',
  'POST /portal/v1/two-factor/recovery-codes',
  'POST /portal/v1/two-factor/disable',
  'GET /portal/v1/passkeys',
  'POST /portal/v1/passkeys/options',
  'POST /portal/v1/passkeys',
  'PATCH /portal/v1/passkeys/{id}',
  'DELETE /portal/v1/passkeys/{id}',
]

type Role = 'manager' | 'cashier' | 'accountant' | 'viewer'
const EVERYBODY: readonly Role[] = ['manager', 'cashier', 'accountant', 'viewer']

/** Roles that may call each operation besides the owner, who may call all. Written by hand: this is what is wanted. */
const EXPECTED: Readonly<Record<string, readonly Role[]>> = {
  'GET /portal/v1/overview': ['manager', 'accountant', 'viewer'],
  'GET /portal/v1/balance': EVERYBODY,
  'GET /portal/v1/live': EVERYBODY,
  'GET /portal/v1/search': EVERYBODY,
  'GET /portal/v1/checklist': ['viewer'],
  'GET /portal/v1/payments': EVERYBODY,
  'GET /portal/v1/payments/totals': EVERYBODY,
  'GET /portal/v1/payments.csv': ['manager', 'accountant', 'viewer'],
  'GET /portal/v1/payments/{id}': EVERYBODY,
  'POST /portal/v1/payments/statuses': EVERYBODY,
  'GET /portal/v1/deposit-requests': ['accountant', 'viewer'],
  'GET /portal/v1/deposit-requests/{id}': ['accountant', 'viewer'],
  'GET /portal/v1/reports/sales': ['manager', 'accountant', 'viewer'],
  'GET /portal/v1/reports/sales.csv': ['manager', 'accountant', 'viewer'],
  'GET /portal/v1/reports/sales.xlsx': ['manager', 'accountant', 'viewer'],
  'GET /portal/v1/payment-filters': EVERYBODY,
  'GET /portal/v1/sell/bulk/batches': ['manager', 'accountant', 'viewer'],
  'GET /portal/v1/sell/bulk/batches/{id}/lines': ['manager', 'accountant', 'viewer'],
  'POST /portal/v1/sell/bulk/batches': ['manager'],
  'GET /portal/v1/sell/bulk/schedules': ['manager', 'accountant', 'viewer'],
  'POST /portal/v1/sell/bulk/schedules': ['manager'],
  'DELETE /portal/v1/sell/bulk/schedules/{id}': ['manager'],
  'POST /portal/v1/sell/bulk/schedules/{id}/resume': ['manager'],
  'POST /portal/v1/payment-filters': ['manager', 'cashier'],
  'DELETE /portal/v1/payment-filters/{id}': ['manager', 'cashier'],
  'GET /portal/v1/reports/sales.pdf': ['manager', 'accountant', 'viewer'],
  'GET /portal/v1/reports/month.zip': ['accountant', 'viewer'],
  'GET /portal/v1/receipt-header': EVERYBODY,
  'PUT /portal/v1/receipt-header': [],
  'GET /portal/v1/statement': ['accountant', 'viewer'],
  'GET /portal/v1/statement.csv': ['accountant', 'viewer'],
  'GET /portal/v1/statement/months': ['accountant', 'viewer'],
  'GET /portal/v1/statement/days': ['accountant', 'viewer'],
  'GET /portal/v1/statement/month.csv': ['accountant', 'viewer'],
  'GET /portal/v1/statement/month.pdf': ['accountant', 'viewer'],
  'POST /portal/v1/reconciliations': ['accountant', 'viewer'],
  'GET /portal/v1/catalogue': ['manager', 'accountant', 'viewer'],
  'GET /portal/v1/catalogue/products/{code}': ['manager', 'accountant', 'viewer'],
  'GET /portal/v1/api-keys': ['viewer'],
  'GET /portal/v1/ip-allowlist': ['viewer'],
  'GET /portal/v1/limits': ['manager', 'viewer'],
  'GET /portal/v1/settings': ['viewer'],
  'GET /portal/v1/endpoints': ['viewer'],
  'GET /portal/v1/endpoints/{stream}/deliveries': ['viewer'],
  'GET /portal/v1/endpoints/{stream}/deliveries/{id}': ['viewer'],
  'GET /portal/v1/events': ['viewer'],
  'GET /portal/v1/request-log': ['viewer'],
  'GET /portal/v1/request-log/{id}': ['viewer'],
  'POST /portal/v1/request-log/{id}/compare': ['viewer'],
  'GET /portal/v1/member-limits': ['manager', 'viewer'],
  'PUT /portal/v1/members/{id}/limits': ['manager'],
  'GET /portal/v1/members': ['manager', 'viewer'],
  'GET /portal/v1/tills': ['manager', 'accountant', 'viewer'],
  'POST /portal/v1/tills': ['manager'],
  'PATCH /portal/v1/tills/{id}': ['manager'],
  'POST /portal/v1/tills/{id}/browser': ['manager'],
  'POST /portal/v1/branches': ['manager'],
  'PATCH /portal/v1/branches/{id}': ['manager'],
  'PUT /portal/v1/till-settings': [],
  'GET /portal/v1/shift': ['manager', 'cashier'],
  'GET /portal/v1/shifts': EVERYBODY,
  'GET /portal/v1/shifts/{id}': EVERYBODY,
  'POST /portal/v1/shifts': ['manager', 'cashier'],
  'POST /portal/v1/shifts/join': ['manager', 'cashier'],
  'POST /portal/v1/shifts/{id}/movements': ['manager', 'cashier'],
  'POST /portal/v1/shifts/{id}/close': ['manager', 'cashier'],
  'GET /portal/v1/thresholds': ['manager', 'viewer'],
  'GET /portal/v1/mail-preferences': ['manager', 'viewer'],
  'GET /portal/v1/mail-language': EVERYBODY,
  'PUT /portal/v1/mail-language': EVERYBODY,
  'GET /portal/v1/sell/catalog': EVERYBODY,
  'GET /portal/v1/sell/options': EVERYBODY,
  'GET /portal/v1/sell/network-status': EVERYBODY,
  'GET /portal/v1/sell/bill': ['manager', 'cashier', 'viewer'],
  'GET /portal/v1/sell/numbers': ['manager', 'cashier', 'viewer'],
  'GET /portal/v1/number-lookup': EVERYBODY,
  'GET /portal/v1/receipts/{transaction_id}': EVERYBODY,
  'GET /portal/v1/cases': ['manager', 'viewer'],
  'GET /portal/v1/cases/{number}': ['manager', 'viewer'],
  'GET /portal/v1/orders': ['manager', 'viewer'],
  'GET /portal/v1/orders/{order_id}': ['manager', 'viewer'],
  'GET /portal/v1/orders/{order_id}/deliveries': ['manager', 'viewer'],
  'GET /portal/v1/checkout-settings': ['manager', 'viewer'],
  'GET /portal/v1/pin': ['manager', 'cashier'],
  'PUT /portal/v1/pin': ['manager', 'cashier'],
  'DELETE /portal/v1/pin': ['manager', 'cashier'],
  'GET /portal/v1/shared-tills': ['manager', 'viewer'],
  'POST /portal/v1/shared-tills': ['manager'],
  'DELETE /portal/v1/shared-tills/{id}': ['manager'],
  'DELETE /portal/v1/shared-tills/{id}/locks': ['manager'],
  'POST /portal/v1/invitations': [],
  'GET /portal/v1/invitations': [],
  'DELETE /portal/v1/invitations/{id}': [],
  'POST /portal/v1/catalogue/preview': [],
  'POST /portal/v1/catalogue/apply': [],
  'POST /portal/v1/api-keys': [],
  'PATCH /portal/v1/api-keys/{id}': [],
  'POST /portal/v1/api-keys/{id}/rotate': [],
  'DELETE /portal/v1/api-keys/{id}': [],
  'POST /portal/v1/ip-allowlist': [],
  'DELETE /portal/v1/ip-allowlist': [],
  'PATCH /portal/v1/settings': [],
  'PUT /portal/v1/limits': [],
  'PUT /portal/v1/endpoints/{stream}': [],
  'PATCH /portal/v1/endpoints/{stream}': [],
  'DELETE /portal/v1/endpoints/{stream}': [],
  'POST /portal/v1/endpoints/{stream}/secret': [],
  'POST /portal/v1/endpoints/{stream}/test': [],
  'POST /portal/v1/endpoints/{stream}/deliveries/{id}/replay': [],
  'POST /portal/v1/endpoints/{stream}/replays': [],
  'PATCH /portal/v1/members/{id}': [],
  'GET /portal/v1/approvals': [],
  'POST /portal/v1/approvals/{id}/approve': [],
  'POST /portal/v1/approvals/{id}/refuse': [],
  'POST /portal/v1/thresholds': [],
  'DELETE /portal/v1/thresholds': [],
  'PATCH /portal/v1/mail-preferences': [],
  'POST /portal/v1/sell/payments': ['manager', 'cashier'],
  'POST /portal/v1/sell/quotes': ['manager', 'cashier'],
  'POST /portal/v1/sell/favourites': ['manager', 'cashier'],
  'DELETE /portal/v1/sell/favourites/{id}': ['manager', 'cashier'],
  'POST /portal/v1/sell/bulk/preview': ['manager'],
  'POST /portal/v1/deposit-requests': ['accountant'],
  'GET /portal/v1/deposit-requests/{id}/slip': ['accountant'],
  'POST /portal/v1/deposit-requests/{id}/withdraw': ['accountant'],
  'POST /portal/v1/cases/disputes': ['manager'],
  'POST /portal/v1/cases/voids': ['manager'],
  'POST /portal/v1/orders': [],
  'POST /portal/v1/orders/{order_id}/confirm': [],
  'POST /portal/v1/orders/{order_id}/cancel': [],
  'PUT /portal/v1/checkout-settings': [],
}

const OPERATIONS = Object.keys(EXPECTED)
const OF_ADMINS = OPERATIONS.filter((each) => EXPECTED[each]?.length === 0)

/** Operations that sign their caller out. */
const ENDS_SESSION = ['DELETE /portal/v1/session']

let service: Service
let database: TestDatabase
let operations: readonly string[]
let admin: Browser
let others: Readonly<Record<Role, Browser>>
let operator: Browser

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database })
  const { paths } = (await service.get('/portal/v1/openapi.json')).json<{
    paths: Record<string, Record<string, unknown>>
  }>()
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  ;[admin, operator] = await Promise.all([newMember('admin'), signInOperator(service)])
  const [manager, cashier, accountant, viewer] = await Promise.all([
    newMember('manager'),
    newMember('cashier'),
    newMember('accountant'),
    newMember('viewer'),
  ])
  others = { manager, cashier, accountant, viewer }
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

async function newMember(role: 'admin' | Role): Promise<Browser> {
  const [reseller] = service.demo.resellers
  if (reseller === undefined) throw new Error('demo.json names no reseller')
  const username = `${role}-${randomBytes(6).toString('hex')}`
  const whose = ['--reseller', reseller.account, '--username', username, '--role', role]
  const { password } = await service.warungd<{ password: string }>('user', 'create', ...whose)
  return signIn(service, 'portal', { username, password })
}

function split(operation: string): { method: string; path: string } {
  const [method = '', path = ''] = operation.split(' ')
  return { method, path: path.replace('{stream}', 'balance').replace(/\{\w+\}/g, '999999999') }
}

function tryAs(browser: Browser, operation: string): Promise<Answer> {
  const { method, path } = split(operation)
  return method === 'GET' ? browser.get(path) : browser.send(method, path, {})
}

function errorOf(answer: Answer): unknown {
  return answer.json<{ error?: unknown }>().error
}

describe('an operation of the portal', () => {
  it('is in the table of who may call it', () => {
    const known = [...ANYONE, ...EVERY_MEMBER, ...OPERATIONS]
    expect(new Set(known).size).toBe(known.length)
    expect(operations.toSorted()).toEqual(known.toSorted())
  })

  it('is refused to whoever has not signed in', async () => {
    for (const operation of [...EVERY_MEMBER, ...OPERATIONS]) {
      const { method, path } = split(operation)
      const answer = await call(service, method, path, method === 'GET' ? undefined : {})
      expect([operation, answer.status, errorOf(answer)]).toEqual([operation, 401, 'unauthorized'])
    }
  })

  it("is refused to an operator's session", async () => {
    for (const operation of [...EVERY_MEMBER, ...OPERATIONS]) {
      const answer = await tryAs(operator, operation)
      expect([operation, answer.status]).toEqual([operation, 401])
    }
  })

  it.each(EVERYBODY)('is refused to a %s without its permission, whatever they send', async (role) => {
    for (const operation of OPERATIONS.filter((each) => EXPECTED[each]?.includes(role) === false)) {
      const answer = await tryAs(others[role], operation)
      expect([operation, answer.status, errorOf(answer)]).toEqual([operation, 403, 'insufficient_role'])
    }
  })

  it.each(EVERYBODY)('is open to a %s with its permission', async (role) => {
    for (const operation of OPERATIONS.filter((each) => EXPECTED[each]?.includes(role))) {
      const { status, text } = await tryAs(others[role], operation)
      expect([401, 403].includes(status), `${operation}: ${status} ${text}`).toBe(false)
      expect(status, `${operation}: ${text}`).toBeLessThan(500)
    }
  })

  it('is open to admins, all of them', async () => {
    for (const operation of [...EVERY_MEMBER, ...OPERATIONS]) {
      if (ENDS_SESSION.includes(operation)) continue
      const { status, text } = await tryAs(admin, operation)
      expect([401, 403].includes(status), `${operation}: ${status} ${text}`).toBe(false)
      expect(status, `${operation}: ${text}`).toBeLessThan(500)
    }
  })

  it('an operation that changes something is refused without the CSRF token, and does nothing', async () => {
    for (const operation of OF_ADMINS.filter((each) => !each.startsWith('GET'))) {
      const { method, path } = split(operation)
      const answer = await admin.send(method, path, {}, { 'X-CSRF-Token': 'x' })
      expect([operation, answer.status, errorOf(answer)]).toEqual([operation, 403, 'invalid_csrf_token'])
    }
  })
})
