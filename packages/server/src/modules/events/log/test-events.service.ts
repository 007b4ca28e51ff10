import type { Database } from '../../../db/database.ts'
import { invalidFields, RequestError } from '../../../lib/errors.ts'
import type { Balances } from '../../wallet/balance/balances.service.ts'
import { notConfigured } from '../endpoints/endpoints.rules.ts'
import { SAMPLE_TYPES, sampleOf } from '../messages/samples.rules.ts'
import type { Stream } from '../types.ts'
import { closed } from './replay.rules.ts'
import { queueSample } from './test-events.sql.ts'

const PER_MINUTE_MAX = 10

export type TestEvents = {
  /** Sends a sample to the endpoint. It is tried once, and is in the log and not in the feed. */
  send(
    owner: { readonly id: bigint; readonly account: string },
    stream: Stream,
    wanted: { readonly type: unknown; readonly deadlineMs: number },
  ): Promise<{ jobId: string; eventId: string }>
}

export type TestEventsSettings = {
  readonly database: Database
  readonly balances: Pick<Balances, 'get'>
  readonly now: () => Date
}

export function createTestEvents({ database, balances, now }: TestEventsSettings): TestEvents {
  return {
    async send({ id, account }, stream, { type: wanted, deadlineMs }) {
      const type = readType(stream, wanted)
      const at = now()
      const sample = sampleOf(stream, type, { account, now: at, balance: await balances.get(id, deadlineMs) })
      if (sample === undefined) throw new Error(`there is no sample of ${type}`)
      // A transaction, because a single statement whose answer is lost would be reported as one that did nothing.
      const queued = await database.transaction((tx) =>
        queueSample(tx, { resellerId: id, stream, sample, at }, PER_MINUTE_MAX),
      )
      switch (queued.outcome) {
        case 'queued':
          return { jobId: queued.new_id, eventId: queued.event_id }
        case 'limit':
          throw tooMany()
        case 'missing':
          throw notConfigured(stream)
        case 'disabled':
        case 'paused':
          throw closed(queued.outcome)
      }
    },
  }
}

/** Reads the type of a sample; undefined: the stream's usual one. */
function readType(stream: Stream, wanted: unknown): string | undefined {
  const types = SAMPLE_TYPES[stream]
  const type = types.find((each) => each === wanted)
  if (wanted !== undefined && type === undefined) {
    throw invalidFields({ type: [`The type field must be one of ${types.join(', ')}.`] })
  }
  return type
}

function tooMany(): RequestError {
  return new RequestError({
    status: 429,
    code: 'too_many_test_events',
    publicText: `At most ${PER_MINUTE_MAX} test events can be sent in a minute.`,
    headers: { 'Retry-After': '60' },
  })
}
