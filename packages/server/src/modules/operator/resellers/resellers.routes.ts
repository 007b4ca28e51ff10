import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { resellerView } from '../../accounts/view.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { ApprovalResponse } from '../console/approvals.schemas.ts'
import { grantedOutput } from '../console/approvals.view.ts'
import { pageView } from '../console/pages.rules.ts'
import { rolesFor } from '../console/roles.rules.ts'
import {
  NewResellerBody,
  ResellerBody,
  ResellerListParameters,
  ResellerListResponse,
  ResellerParameters,
  ResellerResponse,
  SECOND_PERSON,
} from './resellers.schemas.ts'
import type { AccountsContext } from './resellers.service.ts'
import { editReseller, getForOperators, listForOperators, openReseller } from './resellers.service.ts'

const TAG = 'Resellers'
const PATH = '/operator/v1/resellers'

export function operatorResellerOperations(
  authenticate: OperatorAuthenticator,
  context: AccountsContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listResellers', summary: 'Resellers, oldest first', tag: TAG },
      schemas: {
        query: ResellerListParameters,
        responses: { 200: ResellerListResponse },
      },
      authenticate: authenticate(...rolesFor('resellers.read')),
      async handle({ query }) {
        return { status: 200, body: pageView(await listForOperators(context, query), resellerView) }
      },
    }),
    operation({
      method: 'POST',
      path: PATH,
      docs: { operationId: 'createReseller', summary: 'Open an account with an empty wallet', tag: TAG },
      schemas: {
        body: NewResellerBody,
        responses: { 201: ResellerResponse },
      },
      also: [409],
      authenticate: authenticate(...rolesFor('resellers.write')),
      async handle({ caller, body }) {
        const { account, name, email, price_level: priceLevel, access, reason } = body
        const input = { account, name, email, priceLevel, access }
        const reseller = await openReseller(context, caller, input, reason)
        return { status: 201, body: { data: resellerView(reseller) } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:account`,
      docs: { operationId: 'getReseller', summary: 'A reseller', tag: TAG },
      schemas: {
        params: ResellerParameters,
        responses: { 200: ResellerResponse },
      },
      authenticate: authenticate(...rolesFor('resellers.read')),
      async handle({ params }) {
        return { status: 200, body: { data: resellerView(await getForOperators(context, params.account)) } }
      },
    }),
    operation({
      method: 'PATCH',
      path: `${PATH}/:account`,
      docs: {
        operationId: 'updateReseller',
        summary: 'Change, suspend or activate a reseller',
        description:
          'Omitted members stay as they are. A suspended reseller keeps its payments and its reads; new payments are refused. ' +
          'A move to another price level is told to the reseller as changes of its catalogue. Another `email` decides who ' +
          `is warned of new logins. ${SECOND_PERSON} Such an \`email\` comes alone: with other changes it is refused (400).`,
        tag: TAG,
      },
      schemas: {
        params: ResellerParameters,
        body: ResellerBody,
        responses: { 200: ResellerResponse, 202: ApprovalResponse },
      },
      authenticate: authenticate(...rolesFor('resellers.write')),
      async handle({ caller, params, body }) {
        const {
          reason,
          price_level: priceLevel,
          topup_requires_api_key: topupRequiresApiKey,
          ...plain
        } = body
        const changes = { ...plain, priceLevel, topupRequiresApiKey }
        const edited = await editReseller(context, caller, params.account, changes, reason)
        return grantedOutput(edited, 200, resellerView)
      },
    }),
  ]
}
