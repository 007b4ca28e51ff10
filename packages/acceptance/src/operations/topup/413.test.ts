import { beforeAll, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { expectProblem } from '../../edge.ts'
import type { Payer } from '../../payments.ts'
import { createPayer, reload } from '../../payments.ts'

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '9.70')
})

it('a body of 10 MiB and a byte is too large, and pays for nothing', async () => {
  const body = reload()
  const text = JSON.stringify(body).padEnd(10 * 1_048_576 + 1, ' ')
  const answer = await payer.send(undefined, { body: text, headers: { 'Content-Type': 'application/json' } })
  expectProblem(answer, 413)
  expect(await payer.balance()).toBe(9.7)
  expect((await payer.pay(body)).status).toBe('Accepted')
})
