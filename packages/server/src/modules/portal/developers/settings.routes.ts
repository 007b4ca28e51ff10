import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { SETTINGS } from '../../accounts/resellers.codec.ts'
import { getReseller } from '../../accounts/service.ts'
import type { Reseller } from '../../accounts/types.ts'
import { changeSettings } from '../../grants/resellers.acts.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { accessStage, memberAct } from '../access/acts.service.ts'
import { dataOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'

const TAG = 'Account'
const PATH = '/portal/v1/settings'

export function portalSettingsOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database } = settings
  const view = (reseller: Reseller, { address }: MemberCaller) =>
    SETTINGS.encode(reseller, { ...settings, address })
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'portalGetSettings', summary: 'The account and its settings', tag: TAG },
      schemas: { responses: { 200: dataOf(SETTINGS.schema) } },
      authenticate: authenticate('developers.read'),
      async handle({ caller }) {
        const reseller = await getReseller(database, caller.reseller.account)
        return { status: 200, body: { data: view(reseller, caller) } }
      },
    }),
    memberAct(accessStage(settings), {
      act: changeSettings,
      method: 'PATCH',
      path: PATH,
      permission: 'developers.write',
      docs: { operationId: 'portalChangeSettings', summary: 'Change what may pay', tag: TAG },
      answer: SETTINGS.schema,
      view,
    }),
  ]
}
