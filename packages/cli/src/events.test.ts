import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@warung/sdk'
import { expect, it } from 'vitest'
import type { Context } from './command.ts'
import { events, newestSequence } from './commands/events.ts'

/** Feed whose newest event has this number; the oldest that is kept may be any. */
function feedTo(newest: number, asked: number[]): Client {
  const listEvents = async ({ after = 0 }: { after?: number } = {}) => {
    asked.push(after)
    return { data: after < newest ? [{ sequence: after + 1 }] : [], next: after, has_more: false }
  }
  return { listEvents } as unknown as Client
}

it.each([0, 1, 2, 3, 4, 5, 1_000, 1_234_567])(
  'the newest event is found without reading all: %i',
  async (newest) => {
    const asked: number[] = []
    expect(await newestSequence(feedTo(newest, asked))).toBe(newest)
    expect(asked.length).toBeLessThan(50)
  },
)

it('a follower that ends before the first event goes on from where it began', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'warung-cursor-'))
  const file = join(folder, 'cursor')
  const starts: unknown[] = []
  const follow = async (newest: number) => {
    const followEvents: Client['followEvents'] = async ({ store }) => void starts.push(await store.load())
    const client = { ...feedTo(newest, []), followEvents }
    const values = { follow: true, 'cursor-file': file }
    await events.run({
      io: { note: () => {} },
      values,
      connect: async () => ({ client }),
    } as unknown as Context)
  }
  await follow(10)
  await follow(15)
  expect(starts).toEqual([10, 10])
  expect(await readFile(file, 'utf8')).toBe('10\n')
  await rm(folder, { recursive: true })
})
