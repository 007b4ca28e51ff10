import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { PROVIDER_CODE } from '../../../lib/input/codes.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { optional } from '../../../lib/input/parameters.ts'
import type { CatalogState } from '../../catalog/model/store.types.ts'
import type { SupplyWorld } from '../../margins/routes.acts.ts'
import type { SyncWorld } from '../../offers/acts.ts'
import { acceptProposals, rejectProposals, scheduleSync, syncCatalogue } from '../../offers/acts.ts'
import { ACCEPTED_VIEW, PROPOSAL_VIEW, REJECTED_VIEW, SCHEDULED_VIEW, SYNC_VIEW } from '../../offers/codec.ts'
import { listProposals, listScheduled, listSyncs } from '../../offers/reads.ts'
import { PROPOSAL_KINDS, PROPOSAL_STATES } from '../../offers/types.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { PAGE_RULES, pageOf, pageView } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { listOf, PAGE_PARAMETERS } from '../kit/schemas.ts'
import { AskedResponse } from './catalog.schemas.ts'

const TAG = 'Providers'
const PATH = '/operator/v1/offers'

const SYNC_RULES = { provider: optional(PROVIDER_CODE, null), limit: PAGE_RULES.limit }
const PROPOSAL_RULES = {
  ...PAGE_RULES,
  provider: optional(PROVIDER_CODE, null),
  kind: optional(oneOf(PROPOSAL_KINDS), null),
  state: optional(oneOf(PROPOSAL_STATES), 'open' as const),
}

/** Operations on the lists of suppliers: readings, what they propose, and what becomes of it. */
export function operatorOfferOperations(
  stage: OperatorStage<SupplyWorld & SyncWorld & { readonly held: () => CatalogState }>,
): Operation[] {
  const { authenticate, log, world } = stage
  return [
    operation({
      method: 'GET',
      path: `${PATH}/syncs`,
      docs: {
        operationId: 'listOfferSyncs',
        summary: "Readings of suppliers' lists",
        description: 'The latest first. One that is running shows how far it is.',
        tag: TAG,
      },
      schemas: {
        query: Type.Object({
          provider: parameter(SYNC_RULES.provider, 'Left out: all'),
          limit: PAGE_PARAMETERS.limit,
        }),
        responses: { 200: listOf(SYNC_VIEW.schema) },
      },
      authenticate: authenticate(...rolesFor('offers.read')),
      async handle({ query }) {
        const { provider, limit } = readFields(SYNC_RULES, query)
        const syncs = await listSyncs(log.database, provider, limit)
        return {
          status: 200,
          body: { data: syncs.map((sync) => SYNC_VIEW.encode(sync)), cursor: null, has_more: false },
        }
      },
    }),
    operatorAct(stage, {
      act: syncCatalogue,
      method: 'POST',
      path: `${PATH}/syncs`,
      permission: 'offers.write',
      docs: {
        operationId: 'startOfferSync',
        summary: "Read a supplier's list",
        description:
          'The nodes read it page by page, at the speed that the supplier allows; it becomes proposals, and changes ' +
          'nothing else. The reading that runs already is answered where there is one. 409 `no_catalogue`: the ' +
          'connection does not say how the list is read.',
        tag: TAG,
      },
      body: 'Start reading request',
      status: 202,
      answer: SYNC_VIEW.schema,
      also: [404, 409],
      view: (sync) => SYNC_VIEW.encode(sync),
    }),
    operation({
      method: 'GET',
      path: `${PATH}/schedules`,
      docs: {
        operationId: 'listOfferSchedules',
        summary: 'How often lists are read by themselves',
        tag: TAG,
      },
      schemas: { responses: { 200: listOf(SCHEDULED_VIEW.schema) } },
      authenticate: authenticate(...rolesFor('offers.read')),
      async handle() {
        const scheduled = await listScheduled(log.database)
        const data = scheduled.map((each) => SCHEDULED_VIEW.encode(each))
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operatorAct(stage, {
      act: scheduleSync,
      method: 'PUT',
      path: `${PATH}/schedules/:provider`,
      permission: 'offers.write',
      docs: { operationId: 'setOfferSchedule', summary: 'Say how often a list is read by itself', tag: TAG },
      body: 'Schedule request',
      answer: SCHEDULED_VIEW.schema,
      view: (scheduled) => SCHEDULED_VIEW.encode(scheduled),
    }),
    operation({
      method: 'GET',
      path: `${PATH}/proposals`,
      docs: {
        operationId: 'listOfferProposals',
        summary: "What suppliers' lists propose, beside our prices",
        description:
          'The oldest first. `margin` is what the price level that pays least leaves of the cost as the list has it, ' +
          'in ringgit by the present rate; a new offer shows where it would be sold.',
        tag: TAG,
      },
      schemas: {
        query: Type.Object({
          provider: parameter(PROPOSAL_RULES.provider, 'Left out: all'),
          kind: parameter(PROPOSAL_RULES.kind, 'Left out: all'),
          state: parameter(PROPOSAL_RULES.state, 'open when left out'),
          ...PAGE_PARAMETERS,
        }),
        responses: { 200: listOf(PROPOSAL_VIEW.schema) },
      },
      authenticate: authenticate(...rolesFor('offers.read')),
      async handle({ query }) {
        const { limit, cursor, kind, ...rest } = readFields(PROPOSAL_RULES, query)
        const afterId = cursor === null ? 0n : (parseId(cursor) ?? 0n)
        const filter = { ...rest, kinds: kind === null ? null : [kind], afterId, limit: limit + 1 }
        const found = await listProposals(log.database, filter, world.held())
        const page = pageOf(found, limit, ({ id }) => String(id))
        return { status: 200, body: pageView(page, (proposal) => PROPOSAL_VIEW.encode(proposal)) }
      },
    }),
    operatorAct(stage, {
      act: acceptProposals,
      method: 'POST',
      path: `${PATH}/proposals/accept`,
      permission: 'offers.write',
      docs: {
        operationId: 'acceptOfferProposals',
        summary: 'Take proposals over, by their ids or by a rule',
        description:
          'All of them in one commit: products, options and codes, costs of routes, hours, and what is closed. With ' +
          '`ids`, exactly what was shown: 409 `proposal_changed` where the supplier says something else by now, 409 ' +
          '`proposals_refused` where one cannot be accepted. With `kinds`, at most 500 open ones; `next` continues. ' +
          'Accepting again changes nothing. 202: a price is below a cost, or a cost moves too far, and a second person ' +
          'has to approve it.',
        tag: TAG,
      },
      body: 'Accept proposals request',
      mayRehearse: true,
      answer: ACCEPTED_VIEW.schema,
      asked: AskedResponse,
      also: [404, 409],
      view: (done) => ACCEPTED_VIEW.encode(done),
    }),
    operatorAct(stage, {
      act: rejectProposals,
      method: 'POST',
      path: `${PATH}/proposals/reject`,
      permission: 'offers.write',
      docs: {
        operationId: 'rejectOfferProposals',
        summary: 'Reject proposals, by their ids or by a rule',
        description: 'They come again when the supplier says something else.',
        tag: TAG,
      },
      body: 'Reject proposals request',
      answer: REJECTED_VIEW.schema,
      also: [404, 409],
      view: (done) => REJECTED_VIEW.encode(done),
    }),
  ]
}
