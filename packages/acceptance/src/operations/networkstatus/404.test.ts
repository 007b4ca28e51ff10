import { beforeAll, expect, it } from 'vitest'
import type { Demo, Reader } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { expectProblem } from '../../edge.ts'

let demo: Demo

beforeAll(async () => {
  demo = await shareDemo()
})

async function expectUnknown(reader: Reader, product: string): Promise<void> {
  const answer = await reader.get(`/v2/networkstatus?product=${product}`)
  expectProblem(answer, 404)
  expect(answer.json()).toEqual({ message: 'Product not found.', errors: {} })
}

it.each(['NOBODY', 'nova', 'NOVA%20', '__proto__', 'toString'])('%s does not exist', async (product) => {
  await expectUnknown(demo.first, product)
})

it('a product that is off for everybody, or not for this account, is as one that does not exist', async () => {
  await expectUnknown(demo.first, 'OLDONE')
  await expectUnknown(demo.second, 'FD')
})
