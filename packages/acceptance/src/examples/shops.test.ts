import { execFile } from 'node:child_process'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { fillAndSubmit } from '../checkout-orders.ts'
import { startTcpProxy } from '../faults/tcp-proxy.ts'
import { send, signed } from '../http.ts'
import type { Payer } from '../payments.ts'
import { createPayer, PHONE, RELOAD_COST, reload, ringgit } from '../payments.ts'
import { makeDirectory, until } from '../service.ts'
import { hasTool, toolPath } from '../tools/installed.ts'
import type { Program } from './programs.ts'
import { accountOf, endPrograms, exampleFile, startProgram } from './programs.ts'

// Examples of shops, run against the real service as their READMEs say.

const DEPOSIT = 100
let demo: Demo

beforeAll(async () => {
  demo = await shareDemo()
})
afterAll(endPrograms)

const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

async function historyOf(payer: Payer): Promise<{ refid: string; status_name: string }[]> {
  const path = `/v2/transactions?date=${today()}&limit=100`
  const answer = await signed(demo.service.baseUrl, payer.credentials, { path })
  return answer.json<{ data: { refid: string; status_name: string }[] }>().data
}

describe('the shop page', () => {
  let payer: Payer
  let baseUrl: string

  beforeAll(async () => {
    payer = await createPayer(demo.service, String(DEPOSIT))
    const shop = startProgram(process.execPath, [exampleFile('shop/server.js')], {
      ...accountOf(demo.service.baseUrl, payer.credentials),
      PORT: '0',
      SHOP_DATA: join(await makeDirectory(), 'orders'),
    })
    const printed = await shop.untilPrinted('open at')
    baseUrl = /http:\S+/.exec(printed)?.[0] ?? ''
  })

  /** Opens a form; returns the id of its order, and the choice with this price. */
  async function openForm(code: string, price = ''): Promise<{ order: string; choice: string }> {
    const { text } = await send({ baseUrl, path: `/products/${code}` })
    const choices = [...text.matchAll(/<option value="([^"]+)"[^>]*>([^<]*)</g)]
    return {
      order: /name="order" value="([^"]+)"/.exec(text)?.[1] ?? '',
      choice: choices.find(([, , label]) => label?.includes(price))?.[1] ?? '',
    }
  }

  function buy(fields: Record<string, string>) {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(fields).toString()
    return send({ baseUrl, method: 'POST', path: '/orders', headers, body })
  }

  it('sells a product of the catalogue once, however often the button is pressed', async () => {
    expect((await send({ baseUrl, path: '/' })).text).toContain('/products/NOVA')
    const { order, choice } = await openForm('NOVA', 'MYR 10.00')
    const fields = { order, product: 'NOVA', 'field.phone': PHONE, 'field.amount': choice }
    const pressed = await Promise.all([buy(fields), buy(fields), buy(fields)])
    for (const { status, headers } of pressed) {
      expect([status, headers.location]).toEqual([303, `/orders/${order}`])
    }
    const page = await until('the order is paid', async () => {
      const { text } = await send({ baseUrl, path: `/orders/${order}` })
      return text.includes('Paid. Thank you!') && text
    })
    expect(page).toContain('Serial number')
    expect(page).not.toContain('http-equiv="refresh"')
    expect(await payer.balance()).toBe(ringgit(DEPOSIT - RELOAD_COST))
  })

  it('asks for a number where the product has no field for the account', async () => {
    const { text } = await send({ baseUrl, path: '/products/PINTEN' })
    expect(text).toContain('name="account"')
    expect((await send({ baseUrl, path: '/products/NOVA' })).text).not.toContain('name="account"')
  })

  it('tells what is wrong with a form in the words of the product, and pays nothing', async () => {
    const before = (await historyOf(payer)).length
    const { order } = await openForm('KITA')
    const answer = await buy({ order, product: 'KITA', 'field.phone': '12', 'field.amount': '<b>' })
    expect(answer.status).toBe(400)
    expect(answer.text.match(/role="alert"/g)).toHaveLength(2)
    expect(answer.text).toContain('&lt;b&gt;')
    expect(await historyOf(payer)).toHaveLength(before)
  })
})

describe('the shop with the hosted checkout', () => {
  let payer: Payer
  let baseUrl: string

  beforeAll(async () => {
    payer = await createPayer(demo.service, String(DEPOSIT))
    const shop = startProgram(process.execPath, [exampleFile('checkout/server.js')], {
      ...accountOf(demo.service.baseUrl, payer.credentials),
      PORT: '0',
      SHOP_DATA: join(await makeDirectory(), 'carts'),
    })
    baseUrl = /http:\S+/.exec(await shop.untilPrinted('open at'))?.[0] ?? ''
  })

  const see = (path: string) => send({ baseUrl, path })

  /** Opens a basket; returns its path, and the order as the page names it. */
  async function openBasket() {
    const path = (await send({ baseUrl, method: 'POST', path: '/carts' })).headers.location ?? ''
    const page = await see(path)
    const [, id = ''] = /order="([^"]+)"/.exec(page.text) ?? []
    const [, token = ''] = /token="([^"]+)"/.exec(page.text) ?? []
    return { path, page, order: { order_id: id, client_token: token } }
  }

  it('shows the form of one order on its own page, under a policy that names the service alone', async () => {
    const { path, page, order } = await openBasket()
    expect(page.text).toContain(`src="${demo.service.baseUrl}/checkout/warung-checkout.js"`)
    expect(page.headers['content-security-policy']).toContain(`script-src ${demo.service.baseUrl};`)
    expect(page.headers['content-security-policy']).not.toContain('unsafe')
    expect((await see(path)).text).toContain(order.order_id)
    // The address of the return is not believed: the basket is not submitted.
    const forged = await see(`${path}/pay?order_id=${order.order_id}&status=awaiting_payment`)
    expect([forged.status, forged.headers.location]).toEqual([303, path])
    const form = await send({
      baseUrl: demo.service.baseUrl,
      path: `/checkout/v1/orders/${order.order_id}`,
      headers: { Authorization: `Bearer ${order.client_token}`, Origin: baseUrl },
    })
    expect([form.status, form.headers['access-control-allow-origin']]).toEqual([200, baseUrl])
  })

  it('takes the money once, confirms once, and shows what the customer bought', async () => {
    const { path, order } = await openBasket()
    await fillAndSubmit(demo.service.baseUrl, order)
    expect((await see(`${path}/pay`)).text).toContain('MYR 10.00')
    const pay = () => send({ baseUrl, method: 'POST', path: `${path}/pay` })
    for (const { status, headers } of await Promise.all([pay(), pay()])) {
      expect([status, headers.location]).toEqual([303, `${path}/result`])
    }
    const page = await until('the order is completed', async () => {
      const { text } = await see(`${path}/result`)
      return text.includes('Everything is done.') && text
    })
    expect(page).toMatch(/serial number/)
    expect(page).not.toContain('http-equiv="refresh"')
    expect(await payer.balance()).toBe(ringgit(DEPOSIT - RELOAD_COST))
  })

  it('says how much the customer gets back when it did not work', async () => {
    const { path, order } = await openBasket()
    await fillAndSubmit(demo.service.baseUrl, order, '60123450048')
    await send({ baseUrl, method: 'POST', path: `${path}/pay` })
    const page = await until('the order has failed', async () => {
      const { text } = await see(`${path}/result`)
      return text.includes('It did not work.') && text
    })
    expect(page).toContain('You get MYR 10.00 back.')
  })

  it('gives everything back when the order ended while the customer paid', async () => {
    const { path, order } = await openBasket()
    expect((await see(`${path}/result`)).headers.location).toBe(path)
    await fillAndSubmit(demo.service.baseUrl, order)
    await send({ baseUrl, method: 'POST', path: `${path}/pay` })
    const cancelled = await signed(demo.service.baseUrl, payer.credentials, {
      method: 'POST',
      path: `/v2/orders/${order.order_id}/cancel`,
      json: {},
    })
    expect(cancelled.status).toBe(200)
    const { text } = await see(`${path}/result`)
    expect(text).toContain('The order was cancelled.')
    expect(text).toContain('You get MYR 10.00 back.')
  })

  it('tells its customer nothing of its own wallet when it cannot confirm', async () => {
    const { path, order } = await openBasket()
    await fillAndSubmit(demo.service.baseUrl, order, PHONE, '100.00')
    await send({ baseUrl, method: 'POST', path: `${path}/pay` })
    const { text } = await see(`${path}/result`)
    expect(text).toContain('We have your payment, and look after your order.')
    expect(text).not.toMatch(/wallet|balance|cost/i)
  })
})

describe.runIf(hasTool('python'))('the kiosk', () => {
  let payer: Payer
  let journal: string

  const entries = async () =>
    (await readFile(journal, 'utf8'))
      .trim()
      .split('\n')
      .filter((line) => !line.endsWith('torn'))
      .map((line) => JSON.parse(line) as { refid: string; status: string; cost?: number })

  function start(baseUrl: string): Program {
    return startProgram(toolPath('python'), ['-B', exampleFile('kiosk/kiosk.py')], {
      ...accountOf(baseUrl, payer.credentials),
      KIOSK_JOURNAL: journal,
      KIOSK_HURRY: '1',
    })
  }

  it('pays each sale once through a power cut and a network that is away', async () => {
    payer = await createPayer(demo.service, String(DEPOSIT))
    journal = join(await makeDirectory(), 'journal.jsonl')
    const { hostname: host, port } = new URL(demo.service.baseUrl)
    const proxy = await startTcpProxy({ host, port: Number(port) })
    const baseUrl = `http://127.0.0.1:${proxy.port}`

    const first = start(baseUrl)
    await first.untilPrinted('ready')
    proxy.pause('to_client')
    first.type(`${PHONE} 10`)
    await until('the payment is made', async () => proxy.holds('to_client', 'transaction_id'))
    await first.cutPower()
    proxy.cut()
    proxy.resume('to_client')
    // The power was cut in the middle of the next line.
    await appendFile(journal, '{"refid": "torn')

    const second = start(baseUrl)
    const taken = (await entries())[0]?.refid ?? ''
    await second.untilPrinted(`going on with ${taken}`)
    await second.untilPrinted(new RegExp(`Succesful ${taken}[\\s\\S]*ready`))
    proxy.refuse()
    second.type(`${PHONE} 20`)
    await second.untilPrinted(/asking again/)
    proxy.accept()
    await until('both sales have an end', async () => second.output().match(/^Succesful/gm)?.length === 2)
    expect(await second.end()).toBe(0)
    await proxy.close()

    const sales = await entries()
    expect(sales.map(({ status }) => status)).toEqual(['Taken', 'Succesful', 'Taken', 'Succesful'])
    expect((await historyOf(payer)).map(({ status_name: status }) => status)).toEqual([
      'Successful',
      'Successful',
    ])
    const cost = sales.reduce((sum, sale) => sum + (sale.cost ?? 0), 0)
    expect(await payer.balance()).toBe(ringgit(DEPOSIT - cost))
  })
})

describe('the reconciliation', () => {
  it('agrees with right records, and names every difference of wrong ones', async () => {
    const payer = await createPayer(demo.service, String(DEPOSIT))
    const records = join(await makeDirectory(), 'records.jsonl')
    const paid = reload()
    const failed = reload({ account: '60123450048' })
    await payer.untilStatus(paid, 'Succesful')
    await payer.untilStatus(failed, 'Failed')
    const reconcile = () =>
      new Promise<{ code: number; text: string }>((resolve) => {
        const args = [exampleFile('reconcile/reconcile.js'), '--records', records]
        const env = { PATH: process.env.PATH, ...accountOf(demo.service.baseUrl, payer.credentials) }
        execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
        )
      })
    const line = (refid: unknown, status: string, amount = 10, day?: string) =>
      `${JSON.stringify({ refid, status, amount, day })}\n`
    const right = [
      line(paid.refid, 'Taken'),
      line(paid.refid, 'Succesful'),
      line(failed.refid, 'Failed'),
      line('rejected', 'Rejected'),
      line('not-sent-yet', 'Taken'),
      line('of-another-day', 'Taken', 10, '2026-01-01'),
      line('of-another-day', 'Succesful'),
    ]
    await writeFile(records, right.join(''))
    expect(await reconcile()).toMatchObject({ code: 0, text: expect.stringContaining('everything agrees') })

    await appendFile(records, line(paid.refid, 'Failed', 20) + line('invented', 'Succesful'))
    const found = await reconcile()
    expect(found.code).toBe(1)
    expect(found.text).toContain(`${paid.refid} is Failed in the records and Successful at the service`)
    expect(found.text).toContain(`${paid.refid} has the amount 20 in the records and 10.00 at the service`)
    expect(found.text).toContain('invented is Succesful in the records and unknown to the service')
    expect(found.text).toContain('3 differences')

    await writeFile(records, line(failed.refid, 'Failed'))
    expect((await reconcile()).text).toContain(
      `${paid.refid} is Successful at the service and not in the records`,
    )
  })
})
