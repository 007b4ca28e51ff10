import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SimulatorServer } from './server.service.ts'
import { startSimulatorServer } from './server.service.ts'

let server: SimulatorServer
let nowMs: number

beforeEach(async () => {
  server = await startSimulatorServer({ port: 0, host: '127.0.0.1', nowMs: () => nowMs })
})

afterEach(() => server.close())

async function order(reference: string, account: string, at: string): Promise<void> {
  nowMs = Date.parse(at)
  const body = JSON.stringify({ reference, product: 'NOVA', account, amount: '10.5' })
  await fetch(`${server.url}/orders`, { method: 'POST', body })
}

it('the settlement file lists a day of GMT+8, each order once, as it stands', async () => {
  await order('before', '60198765432', '2026-11-13T15:59:59Z')
  await order('good', '60198765432', '2026-11-13T16:00:00Z')
  await order('good', '60198765432', '2026-11-13T16:00:01Z')
  await order('bad', '60123450048', '2026-11-14T02:00:00Z')
  await order('void', '60123454001', '2026-11-14T03:00:00Z')
  await fetch(`${server.url}/voids/void`, { method: 'POST' })
  await order('odd', 'a,"b"', '2026-11-14T04:00:00Z')
  await order('late', '60123451030', '2026-11-14T15:59:59Z')
  await order('after', '60198765432', '2026-11-14T16:00:00Z')
  nowMs = Date.parse('2026-11-14T16:00:10Z')
  const answer = await fetch(`${server.url}/settlement?day=2026-11-14`)
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv/)
  expect((await answer.text()).split('\r\n')).toEqual([
    'reference,product,account,amount,state,time',
    'good,NOVA,60198765432,10.50,SUCCESS,2026-11-14 00:00:00',
    'bad,NOVA,60123450048,10.50,FAILED,2026-11-14 10:00:00',
    'void,NOVA,60123454001,10.50,VOIDED,2026-11-14 11:00:00',
    'odd,NOVA,"a,""b""",10.50,SUCCESS,2026-11-14 12:00:00',
    'late,NOVA,60123451030,10.50,PENDING,2026-11-14 23:59:59',
    '',
  ])
})

it.each(['', '2026-02-30', 'yesterday'])('there is none of the day %j', async (day) => {
  expect((await fetch(`${server.url}/settlement?day=${day}`)).status).toBe(400)
})
