import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { searchResellers } from '../../accounts/public.sql.ts'
import { RESELLER } from '../../accounts/resellers.codec.ts'
import { getReseller } from '../../accounts/service.ts'
import { RESELLER_STATUSES } from '../../accounts/types.ts'
import { editReseller, openReseller } from '../../grants/resellers.acts.ts'
import type { GrantWorld } from '../../grants/types.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { ApprovalResponse } from '../kit/approvals.codec.ts'
import { PAGE_RULES, pageOf, pageView, plainText, SEARCH } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { dataOf, listOf, PAGE_PARAMETERS, ResellerParameters, SECOND_PERSON } from '../kit/schemas.ts'

const TAG = 'Resellers'
const PATH = '/operator/v1/resellers'

const LIST_RULES = {
  ...PAGE_RULES,
  search: SEARCH,
  status: optional(oneOf(RESELLER_STATUSES), null),
  priceLevel: optional(plainText(40), null),
}

const ListParameters = Type.Object({
  search: parameter(LIST_RULES.search, 'The beginning of an account, or a part of a name or an address'),
  status: parameter(LIST_RULES.status, 'Accounts in this state alone'),
  price_level: parameter(LIST_RULES.priceLevel, 'Accounts at this level alone'),
  ...PAGE_PARAMETERS,
})

export function operatorResellerOperations(stage: OperatorStage<GrantWorld>): Operation[] {
  const { authenticate, log } = stage
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listResellers', summary: 'Resellers, oldest first', tag: TAG },
      schemas: { query: ListParameters, responses: { 200: listOf(RESELLER.schema) } },
      authenticate: authenticate(...rolesFor('resellers.read')),
      async handle({ query }) {
        const asked = readFields(LIST_RULES, { ...query, priceLevel: query.price_level })
        const found = await searchResellers(log.database, { ...asked, limit: asked.limit + 1 })
        const page = pageOf(found, asked.limit, ({ account }) => account)
        return { status: 200, body: pageView(page, (each) => RESELLER.encode(each)) }
      },
    }),
    operatorAct(stage, {
      act: openReseller,
      method: 'POST',
      path: PATH,
      permission: 'resellers.write',
      docs: { operationId: 'createReseller', summary: 'Open an account with an empty wallet', tag: TAG },
      body: 'New reseller request',
      status: 201,
      answer: RESELLER.schema,
      also: [409],
      view: (reseller) => RESELLER.encode(reseller),
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:account`,
      docs: { operationId: 'getReseller', summary: 'A reseller', tag: TAG },
      schemas: { params: ResellerParameters, responses: { 200: dataOf(RESELLER.schema) } },
      authenticate: authenticate(...rolesFor('resellers.read')),
      async handle({ params }) {
        const reseller = await getReseller(log.database, params.account)
        return { status: 200, body: { data: RESELLER.encode(reseller) } }
      },
    }),
    operatorAct(stage, {
      act: editReseller,
      method: 'PATCH',
      path: `${PATH}/:account`,
      permission: 'resellers.write',
      docs: {
        operationId: 'updateReseller',
        summary: 'Change, suspend or activate a reseller',
        description:
          'Omitted members stay as they are. A suspended reseller keeps its payments and its reads; new payments are refused. ' +
          'A move to another price level is told to the reseller as changes of its catalogue. Another `email` decides who ' +
          `is warned of new logins. ${SECOND_PERSON} Such an \`email\` comes alone: with other changes it is refused (400).`,
        tag: TAG,
      },
      body: 'Change reseller request',
      answer: RESELLER.schema,
      asked: ApprovalResponse,
      view: (reseller) => RESELLER.encode(reseller),
    }),
  ]
}
