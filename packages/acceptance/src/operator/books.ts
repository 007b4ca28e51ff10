import { describe, expect, it } from 'vitest'
import type { Answer } from '../http.ts'
import { send } from '../http.ts'
import type { Payer } from '../payments.ts'
import { reload } from '../payments.ts'
import { dataOf, openShop, walk } from '../portal/members.ts'
import type { Browser } from '../portal/people.ts'
import type { Service } from '../service.ts'

const COOKIES = { operator: 'warung_operator', portal: 'warung_member' } as const

/** Uploads a file as a page does: the body is the file. */
function upload(
  { baseUrl }: { readonly baseUrl: string },
  { side, secret, csrfToken }: Browser,
  path: string,
  file: string,
  type = 'text/csv',
): Promise<Answer> {
  const headers = { Cookie: `${COOKIES[side]}=${secret}`, 'X-CSRF-Token': csrfToken, 'Content-Type': type }
  return send({ baseUrl, method: 'POST', path: `/${side}/v1${path}`, body: file, headers })
}

/** Returns yyyy-MM-dd by GMT+8. */
export function today(): string {
  return new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
}

/** Tests a reseller's books, for a test file that has a service with the demo's catalog. */
export function describeBooks(
  where: () => { readonly service: Service; readonly finance: Browser; readonly payer: Payer },
): void {
  describe('a reseller’s books', () => {
    it('are shown day by day and as files, to finance and to the reseller alike', async () => {
      const { service, finance } = where()
      const shop = await openShop(service, '100')
      const { account } = shop.payer
      const sold = await shop.payer.untilStatus(reload(), 'Succesful')
      const month = today().slice(0, 7)
      const own = `/resellers/${account}`
      const shown = await finance.get(`${own}/statement/days?month=${month}`)
      expect(dataOf(shown)).toMatchObject({
        account,
        month,
        opening: '0.00',
        closing: '90.30',
        is_closed: false,
        totals: { deposit: { count: 1, amount: '100.00' }, payment: { count: 1, amount: '-9.70' } },
        days: [{ day: today(), first_entry: '1', last_entry: '2', closing: '90.30', closed_at: null }],
      })
      expect((await shop.viewer.get('/statement/days')).json()).toEqual(shown.json())
      const entries = await walk(finance, `/wallets/${account}/entries`, 1)
      expect(entries.map(({ number, kind, amount }) => [number, kind, amount])).toEqual([
        ['2', 'payment', '-9.70'],
        ['1', 'deposit', '100.00'],
      ])
      const { refid, transaction_id: trxid } = sold
      expect(entries[0]).toMatchObject({ payment_id: trxid, refid, trxid })
      expect(entries[1]).toMatchObject({ refid: null, trxid: null })
      expect(await walk(finance, `/wallets/${account}/entries?type=refund`, 9)).toEqual([])
      const csv = await finance.get(`${own}/statement/month.csv?month=${month}`)
      expect(csv.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' })
      expect(csv.text).toMatch(/^record,date,id,type,count,amount,balance,text\r\naccount,/)
      expect(csv.text.split('\r\n').filter((line) => line.startsWith('entry,'))).toHaveLength(2)
      expect((await shop.viewer.get(`/statement/month.csv?month=${month}`)).text).toBe(csv.text)
      for (const [browser, path] of [
        [finance, `${own}/statement/month.pdf`],
        [shop.viewer, '/statement/month.pdf'],
      ] as const) {
        const pdf = await browser.get(path)
        expect(pdf.headers['content-type']).toBe('application/pdf')
        expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
      }
      const query = `/reconciliations?from=${today()}&to=${today()}`
      const file = `refid,amount,status\n${sold.refid},10.00,Succesful\nnobody-knows,1,Succesful\n`
      const compared = await upload(service, finance, own + query, file)
      expect(dataOf(compared)).toMatchObject({
        lines: 2,
        payments: 1,
        agreed: 1,
        differences_total: 1,
        differences: [{ kind: 'missing_here', cause: 'never_received', line: 3, refid: 'nobody-knows' }],
      })
      expect((await upload(service, shop.viewer, query, file)).json()).toEqual(compared.json())
      expect((await upload(service, finance, own + query, 'no,headings\n')).status).toBe(400)
      expect((await upload(service, finance, own + query, file, 'application/json')).status).toBe(415)
    })

    it('the books of an unknown reseller and of an impossible month are not found, and the closings are told', async () => {
      const { service, finance, payer } = where()
      expect((await finance.get('/resellers/9999999/statement/days')).status).toBe(404)
      expect(
        (await finance.get(`/resellers/${payer.account}/statement/month.pdf?month=2026-13`)).status,
      ).toBe(400)
      expect(
        (await upload(service, finance, `/resellers/${payer.account}/reconciliations`, 'refid')).status,
      ).toBe(400)
      expect(dataOf(await finance.get('/closings'))).toMatchObject({
        last_day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        behind: expect.any(Array),
        wallets: expect.any(Number),
      })
    })
  })
}
