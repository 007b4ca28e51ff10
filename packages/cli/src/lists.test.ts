import { expect, it } from 'vitest'
import { takeUpTo } from './lists.ts'

it('a list that was interrupted is not taken for the whole', async () => {
  const end = new AbortController()
  async function* pages() {
    yield 1
    end.abort()
    yield 2
    yield 3
  }
  const io = { note: () => {}, signal: end.signal }
  await expect(takeUpTo(io, pages(), 10)).rejects.toThrow('Interrupted')
  await expect(takeUpTo(io, pages(), 1)).resolves.toEqual([1])
})
