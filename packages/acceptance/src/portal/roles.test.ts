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

const VIEWERS = [
  'GET /portal/v1/overview',
  'GET /portal/v1/balance',
  'GET /portal/v1/live',
  'GET /portal/v1/search',
  'GET /portal/v1/checklist',
  'GET /portal/v1/payments',
  'GET /portal/v1/payments/totals',
  'GET /portal/v1/payments.csv',
  'GET /portal/v1/payments/{id}',
  'GET /portal/v1/receipt-header',
  'GET /portal/v1/payment-filters',
  'POST /portal/v1/payments/statuses',
  'GET /portal/v1/deposit-requests',
  'GET /portal/v1/deposit-requests/{id}',
  'GET /portal/v1/reports/sales',
  'GET /portal/v1/reports/sales.csv',
  'GET /portal/v1/reports/sales.xlsx',
  'GET /portal/v1/reports/sales.pdf',
  'GET /portal/v1/reports/month.zip',
  'GET /portal/v1/statement',
  'GET /portal/v1/statement.csv',
  'GET /portal/v1/statement/months',
  'GET /portal/v1/statement/days',
  'GET /portal/v1/statement/month.csv',
  'GET /portal/v1/statement/month.pdf',
  'POST /portal/v1/reconciliations',
  'GET /portal/v1/catalogue',
  'GET /portal/v1/catalogue/products/{code}',
  'GET /portal/v1/api-keys',
  'GET /portal/v1/ip-allowlist',
  'GET /portal/v1/limits',
  'GET /portal/v1/settings',
  'GET /portal/v1/endpoints',
  'GET /portal/v1/endpoints/{stream}/deliveries',
  'GET /portal/v1/endpoints/{stream}/deliveries/{id}',
  'GET /portal/v1/events',
  'GET /portal/v1/request-log',
  'GET /portal/v1/request-log/{id}',
  'POST /portal/v1/request-log/{id}/compare',
  'GET /portal/v1/members',
  'GET /portal/v1/thresholds',
  'GET /portal/v1/mail-preferences',
  'GET /portal/v1/sell/catalog',
  'GET /portal/v1/sell/options',
  'GET /portal/v1/sell/network-status',
  'GET /portal/v1/sell/bill',
  'GET /portal/v1/sell/numbers',
  'GET /portal/v1/sell/bulk/batches',
  'GET /portal/v1/sell/bulk/batches/{id}/lines',
  'GET /portal/v1/number-lookup',
  'GET /portal/v1/receipts/{transaction_id}',
  'GET /portal/v1/cases',
  'GET /portal/v1/cases/{number}',
  'GET /portal/v1/orders',
  'GET /portal/v1/orders/{order_id}',
  'GET /portal/v1/orders/{order_id}/deliveries',
  'GET /portal/v1/checkout-settings',
]

const ADMINS = [
  'POST /portal/v1/invitations',
  'GET /portal/v1/invitations',
  'DELETE /portal/v1/invitations/{id}',
  'POST /portal/v1/catalogue/preview',
  'POST /portal/v1/catalogue/apply',
  'POST /portal/v1/api-keys',
  'PATCH /portal/v1/api-keys/{id}',
  'POST /portal/v1/api-keys/{id}/rotate',
  'DELETE /portal/v1/api-keys/{id}',
  'POST /portal/v1/ip-allowlist',
  'DELETE /portal/v1/ip-allowlist',
  'PATCH /portal/v1/settings',
  'PUT /portal/v1/limits',
  'PUT /portal/v1/endpoints/{stream}',
  'PATCH /portal/v1/endpoints/{stream}',
  'DELETE /portal/v1/endpoints/{stream}',
  'POST /portal/v1/endpoints/{stream}/secret',
  'POST /portal/v1/endpoints/{stream}/test',
  'POST /portal/v1/endpoints/{stream}/deliveries/{id}/replay',
  'POST /portal/v1/endpoints/{stream}/replays',
  'PATCH /portal/v1/members/{id}',
  'GET /portal/v1/approvals',
  'POST /portal/v1/approvals/{id}/approve',
  'POST /portal/v1/approvals/{id}/refuse',
  'POST /portal/v1/thresholds',
  'DELETE /portal/v1/thresholds',
  'PATCH /portal/v1/mail-preferences',
  'POST /portal/v1/sell/payments',
  'POST /portal/v1/sell/quotes',
  'POST /portal/v1/sell/favourites',
  'DELETE /portal/v1/sell/favourites/{id}',
  'PUT /portal/v1/receipt-header',
  'POST /portal/v1/payment-filters',
  'DELETE /portal/v1/payment-filters/{id}',
  'POST /portal/v1/sell/bulk/preview',
  'POST /portal/v1/sell/bulk/batches',
  'POST /portal/v1/deposit-requests',
  'GET /portal/v1/deposit-requests/{id}/slip',
  'POST /portal/v1/deposit-requests/{id}/withdraw',
  'POST /portal/v1/cases/disputes',
  'POST /portal/v1/cases/voids',
  'POST /portal/v1/orders',
  'POST /portal/v1/orders/{order_id}/confirm',
  'POST /portal/v1/orders/{order_id}/cancel',
  'PUT /portal/v1/checkout-settings',
]

/** Operations that sign their caller out. */
const ENDS_SESSION = ['DELETE /portal/v1/session']

let service: Service
let database: TestDatabase
let operations: readonly string[]
let admin: Browser
let viewer: Browser
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
  ;[admin, viewer, operator] = await Promise.all([
    newMember('admin'),
    newMember('viewer'),
    signInOperator(service),
  ])
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

async function newMember(role: 'admin' | 'viewer'): Promise<Browser> {
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
    const known = [...ANYONE, ...EVERY_MEMBER, ...VIEWERS, ...ADMINS]
    expect(new Set(known).size).toBe(known.length)
    expect(operations.toSorted()).toEqual(known.toSorted())
  })

  it('is refused to whoever has not signed in', async () => {
    for (const operation of [...EVERY_MEMBER, ...VIEWERS, ...ADMINS]) {
      const { method, path } = split(operation)
      const answer = await call(service, method, path, method === 'GET' ? undefined : {})
      expect([operation, answer.status, errorOf(answer)]).toEqual([operation, 401, 'unauthorized'])
    }
  })

  it("is refused to an operator's session", async () => {
    for (const operation of [...EVERY_MEMBER, ...VIEWERS, ...ADMINS]) {
      const answer = await tryAs(operator, operation)
      expect([operation, answer.status]).toEqual([operation, 401])
    }
  })

  it('an operation that changes, pays or shows a secret is refused to viewers, whatever they send', async () => {
    for (const operation of ADMINS) {
      const answer = await tryAs(viewer, operation)
      expect([operation, answer.status, errorOf(answer)]).toEqual([operation, 403, 'insufficient_role'])
    }
  })

  it('an operation that only reads is open to viewers', async () => {
    for (const operation of VIEWERS) {
      const { status } = await tryAs(viewer, operation)
      expect([200, 400, 404].includes(status), `${operation}: ${status}`).toBe(true)
    }
  })

  it('is open to admins, all of them', async () => {
    for (const operation of [...EVERY_MEMBER, ...VIEWERS, ...ADMINS]) {
      if (ENDS_SESSION.includes(operation)) continue
      const { status, text } = await tryAs(admin, operation)
      expect([401, 403].includes(status), `${operation}: ${status} ${text}`).toBe(false)
      expect(status, `${operation}: ${text}`).toBeLessThan(500)
    }
  })

  it('an operation that changes something is refused without the CSRF token, and does nothing', async () => {
    for (const operation of ADMINS.filter((each) => !each.startsWith('GET'))) {
      const { method, path } = split(operation)
      const answer = await admin.send(method, path, {}, { 'X-CSRF-Token': 'x' })
      expect([operation, answer.status, errorOf(answer)]).toEqual([operation, 403, 'invalid_csrf_token'])
    }
  })
})
