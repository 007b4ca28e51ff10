import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { count, FLAG, optional } from '../../../lib/input/parameters.ts'
import { closeAlert } from '../../alerts/acts.ts'
import { ALERT } from '../../alerts/core/alerts.codec.ts'
import { listAlerts } from '../../alerts/core/service.ts'
import { BLOCK, liftAddressBlock } from '../../auth/acts.ts'
import { listBlockedAddresses } from '../../auth/addresses.service.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { listOf } from '../kit/schemas.ts'

const ALERTS_PATH = '/operator/v1/alerts'
const ALERTS_MAX = 1_000
const LIST_RULES = { limit: optional(count(1, ALERTS_MAX), 100), withCleared: optional(FLAG, false) }

export function operatorAlertOperations(stage: OperatorStage<unknown>): Operation[] {
  const { authenticate, log } = stage
  const tag = 'Alerts'
  return [
    operation({
      method: 'GET',
      path: ALERTS_PATH,
      docs: { operationId: 'listAlerts', summary: 'List alerts, newest first', tag },
      schemas: {
        query: Type.Object({
          limit: parameter(LIST_RULES.limit, 'Alerts of the list'),
          with_cleared: parameter(LIST_RULES.withCleared, 'true: also those that were seen to'),
        }),
        responses: { 200: listOf(ALERT.schema) },
      },
      authenticate: authenticate(...rolesFor('alerts.read')),
      async handle({ query: { limit, with_cleared: withCleared } }) {
        const alerts = await listAlerts(log.database, readFields(LIST_RULES, { limit, withCleared }))
        const data = alerts.map((alert) => ALERT.encode(alert))
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operatorAct(stage, {
      act: closeAlert,
      method: 'POST',
      path: `${ALERTS_PATH}/:id/clear`,
      permission: 'alerts.write',
      docs: {
        operationId: 'clearAlert',
        summary: 'Clear an alert',
        description: 'Clear it when its cause is mended; if the cause remains, a new one is raised.',
        tag,
      },
      body: 'Reason request',
      answer: ALERT.schema,
      view: (alert) => ALERT.encode(alert),
    }),
  ]
}

const BLOCKS_PATH = '/operator/v1/blocks'

export function operatorBlockOperations(stage: OperatorStage<unknown>): Operation[] {
  const { authenticate, log } = stage
  const tag = 'Blocks'
  return [
    operation({
      method: 'GET',
      path: BLOCKS_PATH,
      docs: {
        operationId: 'listBlocks',
        summary: 'Blocked addresses, newest first',
        description: 'Addresses that are blocked for exceeding the rate limit, newest first.',
        tag,
      },
      schemas: { responses: { 200: listOf(BLOCK.schema) } },
      authenticate: authenticate(...rolesFor('blocks.read')),
      async handle() {
        const blocks = await listBlockedAddresses(log.database)
        const data = blocks.map((block) => BLOCK.encode(block))
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operatorAct(stage, {
      act: liftAddressBlock,
      method: 'POST',
      path: `${BLOCKS_PATH}/lift`,
      permission: 'blocks.write',
      docs: {
        operationId: 'liftBlock',
        summary: 'Lift the block of an address',
        description: 'Let a blocked address in again, on every node within a second.',
        tag,
      },
      body: 'Lift block request',
      answer: BLOCK.schema,
      note: 'The block that was lifted',
      also: [404],
      view: (block) => BLOCK.encode(block),
    }),
  ]
}
