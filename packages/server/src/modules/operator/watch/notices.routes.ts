import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { rolesFor } from '../console/roles.rules.ts'
import {
  EndNoticeBody,
  NewNoticeBody,
  NoticeListParameters,
  NoticeListResponse,
  NoticeParameters,
  NoticeResponse,
} from './notices.schemas.ts'
import type { NoticesContext } from './notices.service.ts'
import { closeNotice, listNoticesForOperators, postNotice } from './notices.service.ts'
import { noticeView } from './notices.view.ts'

const TAG = 'Network'
const PATH = '/operator/v1/notices'

export function operatorNoticeOperations(
  authenticate: OperatorAuthenticator,
  context: NoticesContext,
): Operation[] {
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
        query: NoticeListParameters,
        responses: { 200: NoticeListResponse },
      },
      authenticate: authenticate(...rolesFor('notices.read')),
      async handle({ query }) {
        const notices = await listNoticesForOperators(context, query)
        const data = notices.map((notice) => noticeView(notice, context.nowMs()))
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'POST',
      path: PATH,
      docs: {
        operationId: 'createNotice',
        summary: 'Say that a product, a category or a provider does not work',
        description:
          'Its products are shown as interrupted on every node within seconds; those of a provider when no other one ' +
          'fulfils them. With `stops_payments` new payments are refused meanwhile.',
        tag: TAG,
      },
      schemas: {
        body: NewNoticeBody,
        responses: { 201: NoticeResponse },
      },
      also: [409],
      authenticate: authenticate(...rolesFor('notices.write')),
      async handle({ caller, body: { reason, ...input } }) {
        const notice = await postNotice(context, caller, input, reason)
        return { status: 201, body: { data: noticeView(notice, context.nowMs()) } }
      },
    }),
    operation({
      method: 'POST',
      path: `${PATH}/:id/end`,
      docs: { operationId: 'endNotice', summary: 'End a notice now, whatever end it had', tag: TAG },
      schemas: {
        params: NoticeParameters,
        body: EndNoticeBody,
        responses: { 200: NoticeResponse },
      },
      authenticate: authenticate(...rolesFor('notices.write')),
      async handle({ caller, params, body }) {
        const notice = await closeNotice(context, caller, params.id, body.reason)
        return { status: 200, body: { data: noticeView(notice, context.nowMs()) } }
      },
    }),
  ]
}
