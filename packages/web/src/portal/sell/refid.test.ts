import { expect, it } from 'vitest'
import { newRefid } from './refid.ts'

it('a sale has a refid of its own that the API takes', () => {
  const refids = new Set(Array.from({ length: 100 }, newRefid))
  expect(refids.size).toBe(100)
  for (const refid of refids) expect(refid.length).toBeLessThanOrEqual(50)
})
