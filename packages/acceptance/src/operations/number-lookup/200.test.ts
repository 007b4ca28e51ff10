import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import { signed } from '../../http.ts'
import { createPayer, reload } from '../../payments.ts'
import type { ServiceProcess } from '../../service.ts'
import { until } from '../../service.ts'
import type { Credentials } from '../../signing.ts'

let demo: Demo<ServiceProcess>

beforeAll(async () => {
  demo = await shareDemo()
})

type Lookup = {
  operator: { code: string; name: string } | null
  source: string | null
} & { e164: string; country: string; kind: string; is_certain: boolean; products: string[] }

async function lookUp(account: string): Promise<Lookup> {
  const answer = await demo.first.get(`/v2/number-lookup?account=${encodeURIComponent(account)}`)
  expect(answer.status, answer.text).toBe(200)
  expectEdgeHeaders(answer)
  const { data } = answer.json<{ data: Lookup & { account: string } }>()
  expect(data.account).toBe(account)
  return data
}

it('a number is the same however it is written, and its prefix is a guess', async () => {
  const spelled = ['0123456789', '012-345 6789', '+60 (0)12-345 6789', '60123456789']
  for (const found of await Promise.all(spelled.map(lookUp))) {
    expect(found).toMatchObject({
      e164: '+60123456789',
      country: 'MY',
      kind: 'mobile',
      operator: { code: 'NOVA', name: 'Nova' },
      source: 'prefix',
      is_certain: false,
    })
    expect(found.products.slice(0, 4)).toEqual(['NOVA', 'NOVAD', 'NOVAMY', 'NOVAPOST'])
    expect(found.products).toEqual(expect.arrayContaining(['KITA', 'KITAD']))
    // FD is hidden, OLDONE is not sold, VOLT is for no telephone number.
    for (const code of ['FD', 'OLDONE', 'VOLT']) expect(found.products).not.toContain(code)
  }
})

it('an operator that is not known is no error: all mobile products are for the number', async () => {
  const [unassigned, fixed, abroad] = await Promise.all(
    ['0151234567', '03 1234 5678', '+6591234567'].map(lookUp),
  )
  expect(unassigned).toMatchObject({ kind: 'mobile', operator: null, source: null, is_certain: false })
  expect(unassigned?.products).toEqual(expect.arrayContaining(['NOVA', 'KITA']))
  expect(fixed).toMatchObject({ kind: 'fixed', operator: null, products: [] })
  expect(abroad).toMatchObject({ country: 'SG', kind: 'unknown', products: [] })
})

it('a success of the account itself is certain, and nobody else learns of it', async () => {
  const payer = await createPayer(demo.service, '100')
  const account = '60131234567'
  const lookUpAs = (credentials: Credentials) =>
    signed(demo.service.baseUrl, credentials, { path: `/v2/number-lookup?account=${account}` })
  await payer.untilStatus(reload({ product: 'NOVA', account: '013-123 4567', amount: 10 }), 'Succesful')
  expect((await lookUpAs(payer.credentials)).json()).toMatchObject({
    data: { operator: { code: 'NOVA' }, source: 'history', is_certain: true },
  })
  expect((await lookUpAs(demo.first.credentials)).json()).toMatchObject({
    data: { operator: { code: 'KITA' }, source: 'prefix', is_certain: false },
  })
})

it('a plan that an operator puts is used within seconds, and an empty one gives the service’s own back', async () => {
  const operators = [{ code: 'SIGMA', name: 'Sigma', aliases: [], products: [] }]
  const range = { prefix: '9', kind: 'mobile', digits_min: 8, digits_max: 8, operator: 'SIGMA' }
  const plan = { country: 'SG', trunk: '', source: 'A test', as_of: '2026-01-01', operators, ranges: [range] }
  const put = async (ranges: object[]) => {
    const file = join(await mkdtemp(join(tmpdir(), 'plan-')), 'plan.json')
    await writeFile(file, JSON.stringify({ plans: [{ ...plan, ranges }] }))
    await demo.service.warungd('number-plan', 'import', file)
  }
  await put([range])
  await until('the plan is used', async () => (await lookUp('+65 9123 4567')).operator?.code === 'SIGMA')
  await put([])
  await until('the plan is gone', async () => (await lookUp('+65 9123 4567')).operator === null)
})

it('a ported number is what a supplier says, not what its prefix says', async () => {
  expect(await lookUp('012-999 0000')).toMatchObject({
    operator: { code: 'KITA', name: 'Kita' },
    source: 'supplier',
    is_certain: true,
  })
})
