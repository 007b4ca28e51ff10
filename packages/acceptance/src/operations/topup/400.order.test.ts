import { beforeAll, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { untilKnown } from '../../edge.ts'
import type { PayBody, Payer } from '../../payments.ts'
import { createPayer, expectRejection, PHONE, payerAt, reload } from '../../payments.ts'
import type { Service } from '../../service.ts'
import { until } from '../../service.ts'

const OTHER = '60123456780'
/** Test accounts, which have no stock and no money for. */
const [NO_STOCK, NO_MONEY, OVER_LIMIT] = ['60123450045', '60123450043', '60123450464']

let service: Service
let payer: Payer

/** Makes a reseller whose every guard refuses another payment for PHONE, and its key with a highest cost. */
beforeAll(async () => {
  service = (await shareDemo()).service
  const { account, ...first } = await createPayer(service, '20')
  const of = ['--reseller', account]
  await service.warungd('settings', 'set', ...of, '--duplicate-window-seconds', '600')
  await service.warungd('limit', 'set', ...of, '--scope', 'account', '--period', 'day', '--payments', '1')
  const key = await service.warungd<{ key: string; signing_secret: string }>(
    ...['key', 'create', ...of, '--product', 'PREPAID_RELOAD', '--max-amount', '10'],
  )
  const credentials = { account, apiKey: key.key, secretBase64: key.signing_secret }
  await untilKnown(service, credentials)
  payer = payerAt(service, credentials)
  await first.pay(reload())
  await until('the window is known', async () => {
    const answer = await payer.send(reload())
    return answer.text.includes('Possible_Duplicate') ? true : undefined
  })
})

it('a payment with several faults is told the first: key, product, account, amount, quote, highest cost, duplicate, limits, key’s amounts, stock, balance', async () => {
  const both = { quote_id: 'none', max_cost: '1' }
  const steps: [PayBody, number, string][] = [
    [{ product: 'VOLT', account: 'x', amount: 3, ...both }, 41, 'Key_Product_Not_Allowed'],
    [{ account: 'x', amount: 3, ...both }, 52, 'Invalid_Account'],
    [{ account: PHONE, amount: 3, ...both }, 58, 'Invalid_Denomination'],
    [{ account: PHONE, ...both }, 44, 'Quote_Unknown'],
    [{ account: NO_STOCK, ...both }, 44, 'Quote_Unknown'],
    [{ account: NO_MONEY, max_cost: '1' }, 44, 'Cost_Above_Maximum'],
    [{ account: OVER_LIMIT, max_cost: '1' }, 44, 'Cost_Above_Maximum'],
    [{ account: PHONE, max_cost: '1' }, 44, 'Cost_Above_Maximum'],
    [{ account: PHONE }, 54, 'Possible_Duplicate'],
    [{ account: PHONE, allow_duplicate: true }, 54, 'Account_Daily_Limit'],
    [{ account: PHONE, amount: 30 }, 54, 'Account_Daily_Limit'],
    [{ account: OVER_LIMIT, amount: 30 }, 54, 'Duplicate_Or_Daily_Limit'],
    [{ account: OTHER, amount: 30 }, 41, 'Key_Amount_Cap'],
    [{ account: NO_STOCK, amount: 30 }, 41, 'Key_Amount_Cap'],
    [{ account: NO_MONEY, amount: 30 }, 41, 'Key_Amount_Cap'],
    [{ account: NO_STOCK }, 45, 'Out_Of_Stock'],
    [{ account: NO_MONEY }, 43, 'Insufficient_Balance'],
  ]
  for (const [change, code, remarks] of steps) {
    const body = reload(change)
    expectRejection(await payer.send(body), { code, remarks })
    const { refid: _, quote_id: named, ...asked } = body
    // A quote is judged alike, but for what names one and for duplicates, which are its warnings.
    if (named !== undefined || remarks === 'Possible_Duplicate') continue
    const answer = await payer.send(asked, { path: '/v2/quotes' })
    expect(answer.json(), JSON.stringify(asked)).toMatchObject({ data: { statusCode: code, remarks } })
  }
  await payer.pay(reload({ account: OTHER }))
  // Less is left than it costs.
  expectRejection(await payer.send(reload({ account: '60123456781' })), {
    code: 43,
    remarks: 'Insufficient_Balance',
  })
})
