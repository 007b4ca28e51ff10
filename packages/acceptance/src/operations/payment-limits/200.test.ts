import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { runWarung, variablesOf } from '../../cli/command.ts'
import { expectForbidden } from '../../edge.ts'
import { signed } from '../../http.ts'
import type { Payer } from '../../payments.ts'
import { advanceClock, createPayer, expectRejection, reload } from '../../payments.ts'
import { openShop } from '../../portal/members.ts'
import type { Service } from '../../service.ts'
import { makeDirectory } from '../../service.ts'

let service: Service

beforeAll(async () => {
  service = (await shareDemo()).service
})

const limit = (payer: Payer, ...options: string[]) =>
  service.warungd('limit', 'set', '--reseller', payer.account, ...options)

async function limitsOf({ credentials }: Payer, query = '') {
  const answer = await signed(service.baseUrl, credentials, { path: `/v2/limits${query}` })
  expect(answer.status).toBe(200)
  return answer.json<{ data: { duplicate_window_seconds: number; limits: Record<string, unknown>[] } }>().data
}

const OF_DAY = { scope: 'account', period: 'day' }

describe('a limit of each account', () => {
  it('refuses what goes beyond it, as a quote does, until the next day, and answers payments that exist', async () => {
    const payer = await createPayer(service, '1000')
    await limit(payer, '--scope', 'account', '--period', 'day', '--payments', '2', '--sum', '100')
    const [first, second, third] = [reload(), reload({ account: '012-345 6789' }), reload()]
    await payer.pay(first)
    await payer.pay(second)
    const refused = await payer.send(third)
    expectRejection(refused, { code: 54, remarks: 'Account_Daily_Limit', fields: ['account'] })
    expect(refused.text).toContain('At most 2 payments and 100.00, of which 2 payments and 20.00 are used.')
    const { refid: _, ...quoted } = third
    const quote = await payer.send(quoted, { path: '/v2/quotes' })
    expect(quote.json()).toMatchObject({ data: { statusCode: 54, remarks: 'Account_Daily_Limit' } })
    await payer.pay(first)
    await payer.pay(reload({ account: '60123456780' }))

    const used = { used_payments: 2, used_sum: '20.00', set_by: 'operator' }
    expect(await limitsOf(payer, '?account=0123456789')).toEqual({
      duplicate_window_seconds: 0,
      limits: [
        { ...OF_DAY, category: null, payments: 2, sum: '100.00', ...used, resets_at: expect.any(String) },
      ],
    })
    expect((await limitsOf(payer)).limits).toMatchObject([{ used_payments: null, used_sum: null }])
    await advanceClock(service, payer.account, 86_400)
    await payer.pay(third)
  })

  it('gives the part of a payment that fails back', async () => {
    const payer = await createPayer(service, '1000')
    await limit(
      payer,
      '--scope',
      'reseller',
      '--period',
      'month',
      '--category',
      'PREPAID_RELOAD',
      '--payments',
      '1',
    )
    const failing = reload({ account: '60123450048' })
    await payer.untilStatus(failing, 'Failed')
    await payer.pay(reload())
    expectRejection(await payer.send(reload({ account: '60123456780' })), {
      code: 54,
      remarks: 'Monthly_Limit',
      fields: ['amount'],
    })
  })
})

it('warung limits lists them, and what a customer has used of them by any spelling', async () => {
  const payer = await createPayer(service, '1000')
  await limit(payer, '--scope', 'account', '--period', 'day', '--payments', '50')
  await payer.pay(reload())
  const env = variablesOf(service.baseUrl, payer.credentials)
  const configDir = await makeDirectory()
  const read = (...of: string[]) => runWarung({ configDir, env }, ['limits', ...of])
  const told = JSON.parse((await read('012-345', '6789', '--json')).stdout)
  expect(told).toMatchObject([{ payments: 50, used_payments: 1 }])
  expect(JSON.parse((await read('--json')).stdout)).toMatchObject([{ payments: 50, used_payments: null }])
  expect((await read('0123456789')).stdout).toMatch(/account\s+day\s+all\s+50\s+1\s/)
})

describe('limits that a reseller sets itself', () => {
  const of = (payments: number, more: object = {}) => ({ limits: [{ ...OF_DAY, payments, ...more }] })

  it('come on top of the operator’s, are never looser, and ask for a proof to be raised alone', async () => {
    const { payer, admin, viewer } = await openShop(service, '1000')
    await limit(payer, '--scope', 'account', '--period', 'day', '--payments', '5')
    const looser = await admin.sendWithoutProof('PUT', '/limits', of(6))
    expect(looser.status).toBe(400)
    expect(looser.text).toContain("the operator's limit for each day and account is 5 payments")
    const misspelt = await admin.sendWithoutProof('PUT', '/limits', of(1, { summ: '5.00' }))
    expect(misspelt.status).toBe(400)
    expect((await viewer.send('PUT', '/limits', of(1))).status).toBe(403)

    expect((await admin.sendWithoutProof('PUT', '/limits', of(1))).status).toBe(200)
    await payer.pay(reload())
    expectRejection(await payer.send(reload()), { code: 54, remarks: 'Account_Daily_Limit' })
    expectForbidden(await admin.sendWithoutProof('PUT', '/limits', of(2)), 'proof_required')
    expectForbidden(await admin.sendWithoutProof('PUT', '/limits', { limits: [] }), 'proof_required')
    const raised = await admin.send('PUT', '/limits', { ...of(2), password: admin.password })
    expect(raised.status).toBe(200)
    await payer.pay(reload())
    const shown = await viewer.get('/limits')
    expect(shown.json()).toMatchObject({
      data: {
        limits: [{ ...OF_DAY, payments: 2 }],
        in_force: [{ set_by: 'operator' }, { set_by: 'reseller' }],
      },
    })
  })

  it('are refused in numbers that are none, and nothing is changed', async () => {
    const { admin, viewer } = await openShop(service, null)
    for (const entry of [
      { ...OF_DAY, payments: '١٢' },
      { ...OF_DAY, payments: 1e40 },
      { ...OF_DAY, payments: -1 },
      { ...OF_DAY, payments: 1.5 },
      { ...OF_DAY, sum: '9'.repeat(40) },
      { ...OF_DAY, sum: '١٠' },
      { ...OF_DAY, sum: '-0.01' },
      { ...OF_DAY, scope: 'key', payments: 1 },
      { ...OF_DAY, category: 'NONE', payments: 1 },
      OF_DAY,
    ]) {
      const answer = await admin.sendWithoutProof('PUT', '/limits', { limits: [entry] })
      expect(answer.status, JSON.stringify(entry)).toBe(400)
    }
    expect((await viewer.get('/limits')).json()).toMatchObject({ data: { limits: [] } })
  })
})
