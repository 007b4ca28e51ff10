import type { Client } from '@warung/sdk'
import { expect, it } from 'vitest'
import { newestSequence } from './commands/events.ts'

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
