import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renewSoon } from './renewal.ts'

let client: QueryClient

beforeEach(() => {
  vi.stubGlobal('window', globalThis)
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
})
afterEach(() => {
  client.clear()
  vi.unstubAllGlobals()
})

/** Shows a read on a page, and returns the number of its answers. */
async function show(name: string): Promise<() => number> {
  let reads = 0
  const queryFn = () => {
    reads += 1
    return Promise.resolve(reads)
  }
  new QueryObserver(client, { queryKey: [name], queryFn }).subscribe(() => {})
  await expect.poll(() => client.getQueryData([name])).toBe(1)
  return () => reads
}

it('an event that says what a read has already renews nothing; one that says something else renews it once', async () => {
  const [known, changed] = [await show('known'), await show('changed')]
  renewSoon(client, ['known'], (answer) => answer !== 1)
  for (let times = 0; times < 3; times += 1) renewSoon(client, ['changed'], (answer) => answer !== 2)
  await expect.poll(changed).toBe(2)
  expect(known()).toBe(1)
})

it('a renewal without a condition stays, whichever event comes first', async () => {
  const [first, last] = [await show('first'), await show('last')]
  renewSoon(client, ['first'])
  renewSoon(client, ['first'], () => false)
  renewSoon(client, ['last'], () => false)
  renewSoon(client, ['last'])
  await expect.poll(() => [first(), last()]).toEqual([2, 2])
})
