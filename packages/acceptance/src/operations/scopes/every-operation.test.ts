import { beforeAll, describe, expect, it } from 'vitest'
import type { SupportData } from '../../cases/support.ts'
import { numberIn } from '../../cases/support.ts'
import { shareDemo } from '../../catalog.ts'
import { createKey, createReseller, expectForbidden } from '../../edge.ts'
import type { Subscriber } from '../../events/subscriber.ts'
import { createSubscriber } from '../../events/subscriber.ts'
import type { Answer } from '../../http.ts'
import { send, signed } from '../../http.ts'
import type { ListedOperation } from '../../listed.ts'
import { listOperations } from '../../listed.ts'
import { createOrder } from '../../orders.ts'
import { newRefid } from '../../payments.ts'
import type { Service } from '../../service.ts'
import type { Credentials } from '../../signing.ts'

// Rules for every operation of the resellers' API, present and future, taken from the document of the API itself.

let service: Service
let closed: ListedOperation[]

beforeAll(async () => {
  service = (await shareDemo()).service
  closed = (await listOperations(service, 'reseller')).filter(({ isOpen }) => !isOpen)
  expect(closed.length).toBeGreaterThan(50)
})

const SCOPES = ['read', 'pay', 'support', 'configure'] as const
type Scope = (typeof SCOPES)[number]

/** Operations that are neither reads nor settings. */
const OTHERS: Readonly<Record<string, Scope>> = {
  pay: 'pay',
  createQuote: 'pay',
  getQuote: 'pay',
  createOrder: 'pay',
  confirmOrder: 'pay',
  cancelOrder: 'pay',
  disputeTransaction: 'support',
  voidTransaction: 'support',
}

/** It tells a program what its key is for. */
const OF_ANY_SCOPE = 'getKey'

function scopeOf({ id, method }: ListedOperation): Scope {
  return OTHERS[id] ?? (method === 'GET' ? 'read' : 'configure')
}

function ask({ method, path, takesJson }: ListedOperation, credentials: Credentials): Promise<Answer> {
  const whole = path.replaceAll(/\{[^}]+\}/g, 'x')
  return signed(service.baseUrl, credentials, { method, path: whole, ...(takesJson && { json: {} }) })
}

describe('an operation of the resellers’ API that is not open to all', () => {
  it('is refused without credentials', async () => {
    for (const { id, method, path } of closed) {
      const answer = await send({
        baseUrl: service.baseUrl,
        method,
        path: path.replaceAll(/\{[^}]+\}/g, 'x'),
      })
      expect(answer.status, id).toBe(401)
    }
  })

  it('is refused to a key with every scope but its own, and open to a key with its own alone', async () => {
    const { account } = await createReseller(service)
    for (const scope of SCOPES) {
      const others = SCOPES.filter((each) => each !== scope)
      const [owning, lacking] = [
        await createKey(service, account, [scope]),
        await createKey(service, account, others),
      ]
      const operations = closed.filter((each) => each.id !== OF_ANY_SCOPE && scopeOf(each) === scope)
      expect(operations.length, scope).toBeGreaterThan(0)
      for (const operation of operations) {
        const refused = await ask(operation, lacking)
        expect(refused.status, operation.id).toBe(403)
        expectForbidden(refused, 'insufficient_scope')
        expect([401, 403], operation.id).not.toContain((await ask(operation, owning)).status)
      }
    }
  })
})

describe('data of other accounts', () => {
  /** Body of the one operation that asks for something before it looks for the object. */
  const PAID = { payment_reference: 'bank-1' }

  type Named = { readonly theirs: string; readonly nobodys: string }

  /** Makes one object of each kind for an account, each with an id of the same form that does not exist. */
  async function fill(owner: Subscriber): Promise<(operation: ListedOperation) => Named> {
    const hook = { url: 'https://receiver.example/hook' }
    await owner.ask('POST', `/v2/callback-url?method=POST&url=${encodeURIComponent(hook.url)}`)
    const hooks = ['balance-webhook', 'catalog-webhook', 'order-webhook'] as const
    for (const name of hooks) await owner.setWebhook(name, hook.url)
    const jobs = new Map<string, string>()
    for (const name of ['callback-url', ...hooks]) {
      jobs.set(name, (await owner.ask<{ jobId: string }>('POST', `/v2/${name}/test`)).jobId)
    }
    const bill = { refid: newRefid(), product: 'VOLT', account: '60123451000', amount: 10 }
    const { transaction_id: paid } = await owner.untilStatus(bill, 'Succesful')
    const { data } = await owner.ask<{ data: SupportData }>('POST', '/v2/transactions/check', {
      refid: bill.refid,
    })
    const { order_id: order } = await createOrder(service, owner)
    const quoted = { product: bill.product, account: bill.account, amount: bill.amount }
    const quote = await owner.ask<{ data: { quote_id: string } }>('POST', '/v2/quotes', quoted)
    return ({ path }) => {
      const [, , base = ''] = path.split('/')
      const job = jobs.get(base)
      if (job !== undefined) return { theirs: job, nobodys: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b' }
      if (base === 'cases') return { theirs: numberIn(data), nobodys: 'C-2026-999999' }
      if (base === 'receipts') return { theirs: paid, nobodys: '1881990331525759681' }
      if (base === 'quotes') {
        return { theirs: quote.data.quote_id, nobodys: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b' }
      }
      if (base === 'orders') return { theirs: order, nobodys: 'ord_000000000000000000000000' }
      throw new Error(`${path} names something of which this test makes none`)
    }
  }

  it('every operation that names something by its id answers another account’s like one that never was', async () => {
    const named = await fill(await createSubscriber(service, '1000'))
    const stranger = await createSubscriber(service, '1000')
    const operations = closed.filter(({ path }) => path.includes('{'))
    expect(operations.length).toBeGreaterThan(10)
    for (const operation of operations) {
      const { theirs, nobodys } = named(operation)
      const [foreign, unknown] = await Promise.all(
        [theirs, nobodys].map((id) =>
          signed(service.baseUrl, stranger.credentials, {
            method: operation.method,
            path: operation.path.replace(/\{[^}]+\}/, id),
            ...(operation.takesJson && { json: operation.id === 'confirmOrder' ? PAID : {} }),
          }),
        ),
      )
      expect(foreign?.status, operation.id).toBe(404)
      expect(foreign?.text, operation.id).toBe(unknown?.text)
    }
  })
})
