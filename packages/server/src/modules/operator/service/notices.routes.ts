import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { FLAG, optional } from '../../../lib/input/parameters.ts'
import type { NoticeWorld } from '../../network/acts.ts'
import { closeNotice, createNotice } from '../../network/acts.ts'
import { NOTICE } from '../../network/notices.codec.ts'
import { listNotices } from '../../network/notices.service.ts'
import type { Notice } from '../../network/types.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { listOf } from '../kit/schemas.ts'

const TAG = 'Network'
const PATH = '/operator/v1/notices'
const LIST_MAX = 1_000
const LIST_RULES = { all: optional(FLAG, false) }

type NoticeStage = OperatorStage<NoticeWorld & { readonly nowMs: () => number }>

export function operatorNoticeOperations(stage: NoticeStage): Operation[] {
  const { authenticate, log, world } = stage
  const view = (notice: Notice) => NOTICE.encode(notice, world.nowMs())
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'listNotices',
        summary: 'Notices to come and in force, newest first',
        tag: TAG,
      },
      schemas: {
        query: Type.Object({ all: parameter(LIST_RULES.all, 'true: also those that are over') }),
        responses: { 200: listOf(NOTICE.schema) },
      },
      authenticate: authenticate(...rolesFor('notices.read')),
      async handle({ query }) {
        const { all: includeOver } = readFields(LIST_RULES, query)
        const notices = await listNotices(log.database, { includeOver, limit: LIST_MAX })
        return { status: 200, body: { data: notices.map(view), cursor: null, has_more: false } }
      },
    }),
    operatorAct(stage, {
      act: createNotice,
      method: 'POST',
      path: PATH,
      permission: 'notices.write',
      docs: {
        operationId: 'createNotice',
        summary: 'Say that a product, a category or a provider does not work',
        description:
          'Its products are shown as interrupted on every node within seconds; those of a provider when no other one ' +
          'fulfils them. With `stops_payments` new payments are refused meanwhile.',
        tag: TAG,
      },
      body: 'New notice request',
      without: ['createdBy'],
      status: 201,
      answer: NOTICE.schema,
      also: [409],
      view,
    }),
    operatorAct(stage, {
      act: closeNotice,
      method: 'POST',
      path: `${PATH}/:id/end`,
      permission: 'notices.write',
      docs: { operationId: 'endNotice', summary: 'End a notice now, whatever end it had', tag: TAG },
      body: 'Reason request',
      answer: NOTICE.schema,
      view,
    }),
  ]
}
