import type { ErrorStatus } from '../../../lib/errors.ts'
import { invalidFields, RequestError } from '../../../lib/errors.ts'
import type { Guidance } from '../../../lib/guidance.ts'

/** Reasons why nothing is sent to an endpoint now. */
export type ClosedState = 'missing' | 'disabled' | 'paused'

/** Reasons why one delivery is not replayed. gone: the record of its event is no longer kept. */
export type ReplayRefusal = 'not_found' | 'not_failed' | 'gone' | 'limit'

/** Result of one request to send a failed delivery again. */
export type ReplayResult =
  | {
      readonly kind: 'replayed'
      /** Id as the caller wrote it. */
      readonly jobId: string
      readonly newJobId: string
      readonly eventId: string
    }
  | { readonly kind: ReplayRefusal; readonly jobId: string }

export const REPLAYS_MAX = 3
export const BULK_MAX = 50
const ID_LENGTH_MAX = 200

/** Error code in a bulk answer, its text, and the HTTP status of a single replay. */
export type RefusalTexts = Guidance & {
  readonly error: string
  readonly message: string
  readonly status: ErrorStatus
}

export const REFUSALS: Readonly<Record<ReplayRefusal, RefusalTexts>> = {
  not_found: {
    error: 'not_found',
    message: 'There is no such delivery.',
    status: 404,
    cause: 'No delivery of this stream has the id.',
    remedy: 'Take ids from the delivery log of the same stream.',
    retry: 'after_change',
  },
  // Bulk answers say not_found, as for an unknown delivery; the text and the status of a single replay say more.
  gone: {
    error: 'not_found',
    message: 'The subject of the delivery is no longer kept.',
    status: 409,
    cause: 'The delivery was about a catalogue change that is no longer kept.',
    remedy: 'Fetch the catalogue and the options anew.',
    retry: 'never',
  },
  not_failed: {
    error: 'not_failed',
    message: 'Only failed deliveries can be replayed.',
    status: 409,
    cause: 'The delivery has arrived, or is still being tried.',
    remedy: 'Replay it after it has failed. `status=failed` lists those.',
    retry: 'after_change',
  },
  limit: {
    error: 'replay_limit_exceeded',
    message: `The event was replayed ${REPLAYS_MAX} times, which is the limit.`,
    status: 429,
    cause: 'The event was replayed three times already, by whomever.',
    remedy: 'Read the event from the feed: `GET /v2/events`.',
    retry: 'never',
  },
}

export function refused(refusal: ReplayRefusal): RequestError {
  const { error, message, status } = REFUSALS[refusal]
  return new RequestError({ status, code: error, publicText: message })
}

const CLOSED: Readonly<Record<ClosedState, string>> = {
  missing: 'There is no endpoint to send to: configure one first.',
  disabled: 'The endpoint is disabled: enable it first.',
  paused: 'The endpoint is paused: enable it, change it or send it a test event first.',
}

export function closed(state: ClosedState): RequestError {
  return new RequestError({ status: 409, code: `endpoint_${state}`, publicText: CLOSED[state] })
}

/** Accepts ids of any form: an id that no delivery has is answered like any unknown one. */
export function readJobIds(value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.length >= 1 && value.length <= BULK_MAX
  if (!isList || !value.every((each) => typeof each === 'string' && each.length <= ID_LENGTH_MAX)) {
    throw invalidFields({
      job_ids: [`The job_ids field must be a list of 1 to ${BULK_MAX} ids of deliveries.`],
    })
  }
  return value
}
