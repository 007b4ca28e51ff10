import { beforeAll, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import type { ServiceProcess } from '../../service.ts'

let demo: Demo<ServiceProcess>

beforeAll(async () => {
  demo = await shareDemo()
})

type Lookup = { e164: string; country: string; kind: string; is_certain: boolean; products: string[] }

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
      is_certain: false,
    })
    expect(found.products).toEqual(expect.arrayContaining(['NOVA', 'KITA', 'NOVAD']))
    // FD is hidden, OLDONE is not sold, VOLT is for no telephone number.
    for (const code of ['FD', 'OLDONE', 'VOLT']) expect(found.products).not.toContain(code)
  }
})
