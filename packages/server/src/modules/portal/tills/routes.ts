import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { isSecure } from '../../sessions/session/authentication.service.ts'
import { addBranch, addTill, bindTill, changeBranch, changeTill, putTillSettings } from '../../tills/acts.ts'
import { BRANCH, TILL, TILL_SETTINGS } from '../../tills/codec.ts'
import { tillCookieOf } from '../../tills/rules.ts'
import { listPlaces, readTillSettings } from '../../tills/service.ts'
import { memberAct } from '../access/acts.service.ts'
import { dataOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'

const TAG = 'Tills'
const BRANCHES = '/portal/v1/branches'
const TILLS = '/portal/v1/tills'

/** Operations on the places at which a shop sells. */
export function portalTillOperations({ authenticate, database, log, sessions }: PortalSettings): Operation[] {
  const stage = { authenticate, log, world: undefined }
  return [
    operation({
      method: 'GET',
      path: TILLS,
      docs: {
        operationId: 'portalListTills',
        summary: 'Branches and tills of the shop',
        description: 'Retired ones too: what was sold there goes on naming them.',
        tag: TAG,
      },
      schemas: {
        responses: {
          200: dataOf(
            Type.Object(
              {
                branches: Type.Array(BRANCH.schema),
                tills: Type.Array(TILL.schema),
                settings: TILL_SETTINGS.schema,
              },
              { title: 'Tills' },
            ),
          ),
        },
      },
      authenticate: authenticate('tills.read'),
      async handle({ caller: { reseller } }) {
        const { branches, tills } = await listPlaces(database, reseller.id)
        const settings = await readTillSettings(database, reseller.id)
        const data = {
          branches: branches.map((each) => BRANCH.encode(each)),
          tills: tills.map((each) => TILL.encode(each)),
          settings: TILL_SETTINGS.encode(settings),
        }
        return { status: 200, body: { data } }
      },
    }),
    memberAct(stage, {
      act: addBranch,
      method: 'POST',
      path: BRANCHES,
      permission: 'tills.write',
      docs: {
        operationId: 'portalAddBranch',
        summary: 'Add a branch',
        description: 'A shop has at most 200, with retired ones.',
        tag: TAG,
      },
      body: 'Branch request',
      isStrict: true,
      status: 201,
      answer: BRANCH.schema,
      view: (branch) => BRANCH.encode(branch),
    }),
    memberAct(stage, {
      act: changeBranch,
      method: 'PATCH',
      path: `${BRANCHES}/:id`,
      permission: 'tills.write',
      docs: { operationId: 'portalChangeBranch', summary: 'Rename or retire a branch', tag: TAG },
      body: 'Branch change',
      isStrict: true,
      answer: BRANCH.schema,
      view: (branch) => BRANCH.encode(branch),
    }),
    memberAct(stage, {
      act: addTill,
      method: 'POST',
      path: TILLS,
      permission: 'tills.write',
      docs: {
        operationId: 'portalAddTill',
        summary: 'Add a till to a branch',
        description: 'A shop has at most 1,000, with retired ones.',
        tag: TAG,
      },
      body: 'Till request',
      isStrict: true,
      status: 201,
      answer: TILL.schema,
      view: (till) => TILL.encode(till),
    }),
    memberAct(stage, {
      act: changeTill,
      method: 'PATCH',
      path: `${TILLS}/:id`,
      permission: 'tills.write',
      docs: { operationId: 'portalChangeTill', summary: 'Rename or retire a till', tag: TAG },
      body: 'Till change',
      isStrict: true,
      answer: TILL.schema,
      view: (till) => TILL.encode(till),
    }),
    memberAct(stage, {
      act: bindTill,
      method: 'POST',
      path: `${TILLS}/:id/browser`,
      permission: 'tills.write',
      docs: {
        operationId: 'portalBindTill',
        summary: 'Make this browser the till',
        description:
          'Sets a cookie that people who sign in at this browser can neither read nor choose: shifts are opened at the till ' +
          'of their browser alone. The browser that was this till before is none any more.',
        tag: TAG,
      },
      hasBody: false,
      answer: TILL.schema,
      headers: ({ secret }) => ({ 'Set-Cookie': tillCookieOf(secret, isSecure(sessions.config)) }),
      view: ({ till }) => TILL.encode(till),
    }),
    memberAct(stage, {
      act: putTillSettings,
      method: 'PUT',
      path: '/portal/v1/till-settings',
      permission: 'till_settings.write',
      docs: {
        operationId: 'portalPutTillSettings',
        summary: 'Say whether people sell without a shift',
        description:
          'Where a shift is needed, a payment of a member without one is refused: 403 `shift_required`.',
        tag: TAG,
      },
      body: 'Till settings request',
      isStrict: true,
      answer: TILL_SETTINGS.schema,
      view: (settings) => TILL_SETTINGS.encode(settings),
    }),
  ]
}
