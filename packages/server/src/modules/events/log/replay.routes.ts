import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { Authenticator } from '../../auth/service.ts'
import type { Hook } from '../endpoints/endpoints.schemas.ts'
import { HOOKS } from '../endpoints/endpoints.schemas.ts'
import { JobParams } from './log.schemas.ts'
import {
  BulkReplayBody,
  BulkReplayResponse,
  bulkReplayView,
  ReplayResponse,
  replayView,
} from './replay.codec.ts'
import { BULK_MAX, REPLAYS_MAX } from './replay.rules.ts'
import type { Replays } from './replay.service.ts'

const LIMITS = `It goes to the present URL with the present secret and the same event id, at most ${REPLAYS_MAX} times per event.`

export function replayOperations(authenticate: Authenticator, replays: Replays): Operation[] {
  return HOOKS.flatMap((hook) => [
    replayOperation(authenticate, replays, hook),
    bulkReplayOperation(authenticate, replays, hook),
  ])
}

function replayOperation(authenticate: Authenticator, replays: Replays, hook: Hook): Operation {
  const { stream, base, name, tag } = hook
  return operation({
    method: 'POST',
    path: `${base}/deliveries/:jobId/replay`,
    docs: {
      operationId: `replay${name}Delivery`,
      summary: 'Send a failed delivery again',
      description: `${LIMITS} 409: it has not failed, what it told of is no longer kept, or there is no enabled endpoint to send it to.`,
      tag,
    },
    schemas: {
      params: JobParams,
      responses: { 200: ReplayResponse },
    },
    also: [409, 429],
    authenticate: authenticate('configure'),
    async handle({ caller, params }) {
      const replayed = await replays.replay(caller.reseller.id, stream, params.jobId)
      return { status: 200, body: replayView(replayed) }
    },
  })
}

function bulkReplayOperation(authenticate: Authenticator, replays: Replays, hook: Hook): Operation {
  const { stream, base, name, tag } = hook
  return operation({
    method: 'POST',
    path: `${base}/deliveries/replay-bulk`,
    docs: {
      operationId: `replay${name}Deliveries`,
      summary: `Send up to ${BULK_MAX} failed deliveries again`,
      description: `${LIMITS} 409: there is no enabled endpoint to send to, and nothing was replayed.`,
      tag,
    },
    schemas: {
      body: BulkReplayBody,
      responses: { 200: BulkReplayResponse },
    },
    also: [409],
    authenticate: authenticate('configure'),
    async handle({ caller, body }) {
      const results = await replays.replayMany(caller.reseller.id, stream, body.job_ids)
      return { status: 200, body: bulkReplayView(results) }
    },
  })
}
