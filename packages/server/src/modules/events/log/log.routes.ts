import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { Authenticator } from '../../auth/service.ts'
import { masksFor } from '../../payments/core/masks.service.ts'
import type { Hook } from '../endpoints/endpoints.schemas.ts'
import { HOOKS } from '../endpoints/endpoints.schemas.ts'
import { readLogParameters } from './log.rules.ts'
import { AttemptsResponse, DeliveryRecord, JobParams, LogParameters, LogResponse } from './log.schemas.ts'
import type { DeliveryLog } from './log.service.ts'
import { attemptsView, deliveryView, logPageView } from './log.view.ts'

export function logOperations(authenticate: Authenticator, log: DeliveryLog): Operation[] {
  return HOOKS.flatMap((hook) => [
    listOperation(authenticate, log, hook),
    getOperation(authenticate, log, hook),
    attemptsOperation(authenticate, log, hook),
  ])
}

function listOperation(authenticate: Authenticator, log: DeliveryLog, hook: Hook): Operation {
  const { stream, base, name, tag } = hook
  return operation({
    method: 'GET',
    path: `${base}/deliveries`,
    docs: {
      operationId: `list${name}Deliveries`,
      summary: 'Show a delivery and its result',
      description:
        'Newest first. A page continues where the one before ended, whatever has arrived meanwhile. Callbacks that ' +
        'a later state of their payment made needless are not shown.',
      tag,
    },
    schemas: {
      query: LogParameters,
      responses: { 200: LogResponse },
    },
    authenticate: authenticate('read'),
    async handle({ caller, query }) {
      const page = await log.list(caller.reseller.id, stream, readLogParameters(query))
      return { status: 200, body: logPageView(page, masksFor(caller)) }
    },
  })
}

function getOperation(authenticate: Authenticator, log: DeliveryLog, hook: Hook): Operation {
  const { stream, base, name, tag } = hook
  return operation({
    method: 'GET',
    path: `${base}/deliveries/:jobId`,
    docs: { operationId: `get${name}Delivery`, summary: 'One delivery', tag },
    schemas: { params: JobParams, responses: { 200: DeliveryRecord } },
    authenticate: authenticate('read'),
    async handle({ caller, params }) {
      const delivery = await log.get(caller.reseller.id, stream, params.jobId)
      return { status: 200, body: deliveryView(delivery, masksFor(caller)) }
    },
  })
}

function attemptsOperation(authenticate: Authenticator, log: DeliveryLog, hook: Hook): Operation {
  const { stream, base, name, tag } = hook
  return operation({
    method: 'GET',
    path: `${base}/deliveries/:jobId/attempts`,
    docs: { operationId: `list${name}Attempts`, summary: 'Every attempt of a delivery, oldest first', tag },
    schemas: { params: JobParams, responses: { 200: AttemptsResponse } },
    authenticate: authenticate('read'),
    async handle({ caller, params }) {
      const attempts = await log.getAttempts(caller.reseller.id, stream, params.jobId)
      return { status: 200, body: attemptsView(attempts) }
    },
  })
}
