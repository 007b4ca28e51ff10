import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { orNull } from '../../../http/schemas.ts'
import { EXACT, required } from '../../../lib/input/parameters.ts'
import { formatMoney } from '../../../lib/money.ts'
import { getReseller } from '../../accounts/service.ts'
import { switchKindOfMail } from '../../alerts/acts.ts'
import { MAIL_KINDS } from '../../alerts/mail/mail.types.ts'
import type { Addressee } from '../../alerts/mail/preferences.service.ts'
import { listAddressees, REGISTERED } from '../../alerts/mail/preferences.service.ts'
import { addToThresholds, removeFromThresholds } from '../../wallet/acts.ts'
import type { OneThreshold } from '../../wallet/balance/thresholds.service.ts'
import { listThresholds } from '../../wallet/balance/thresholds.service.ts'
import { memberAct } from '../access/acts.service.ts'
import { Instant, listOf, Money } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'

const TAG = 'Alerts'
const THRESHOLDS_PATH = '/portal/v1/thresholds'

const THRESHOLD = resource<OneThreshold>()(undefined, {
  amount: [Money, ({ amount }) => formatMoney(amount)],
  updated_at: [Instant, ({ at }) => at.toISOString()],
})
const Thresholds = Type.Array(THRESHOLD.schema)
const thresholdsView = (thresholds: readonly OneThreshold[]) =>
  thresholds.map((each) => THRESHOLD.encode(each))

/** Operations on who is told what by mail. */
export function portalAlertOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database, log } = settings
  const stage = { authenticate, log, world: undefined }
  return [
    operation({
      method: 'GET',
      path: THRESHOLDS_PATH,
      docs: {
        operationId: 'portalListThresholds',
        summary: 'Balances under which a mail is sent, highest first',
        tag: TAG,
      },
      schemas: { responses: { 200: listOf(THRESHOLD.schema) } },
      authenticate: authenticate('team.read'),
      async handle({ caller }) {
        const thresholds = await listThresholds(database, caller.reseller.id)
        return { status: 200, body: { data: thresholdsView(thresholds) } }
      },
    }),
    memberAct(stage, {
      act: addToThresholds,
      method: 'POST',
      path: THRESHOLDS_PATH,
      permission: 'team.write',
      docs: { operationId: 'portalAddThreshold', summary: 'Add a threshold', tag: TAG },
      answer: Thresholds,
      view: thresholdsView,
    }),
    memberAct(stage, {
      act: removeFromThresholds,
      method: 'DELETE',
      path: THRESHOLDS_PATH,
      permission: 'team.write',
      docs: { operationId: 'portalRemoveThreshold', summary: 'Take a threshold away', tag: TAG },
      hasBody: false,
      query: Type.Object({ amount: parameter(required('amount', EXACT), 'The threshold to be taken away') }),
      answer: Thresholds,
      view: thresholdsView,
    }),
    ...mailOperations(settings),
  ]
}

const MAILS_PATH = '/portal/v1/mail-preferences'

const ADDRESSEE = resource<Addressee>()('Addressee', {
  member_id: [
    orNull(Type.String(), "null: the account's registered address"),
    ({ userId }) => (userId === REGISTERED ? null : String(userId)),
  ],
  name: [Type.String(), ({ name }) => name],
  address: [Type.String(), ({ address }) => address],
  role: [Type.String(), ({ role }) => role],
  mails: [
    Type.Object(Object.fromEntries(MAIL_KINDS.map((kind) => [kind, Type.Boolean()]))),
    ({ isOn }) => isOn,
  ],
})
const addresseesView = (addressees: readonly Addressee[]) => addressees.map((each) => ADDRESSEE.encode(each))

function mailOperations({ authenticate, database, log }: PortalSettings): Operation[] {
  return [
    operation({
      method: 'GET',
      path: MAILS_PATH,
      docs: {
        operationId: 'portalListMailPreferences',
        summary: 'Show which members get which mails',
        tag: TAG,
      },
      schemas: { responses: { 200: listOf(ADDRESSEE.schema) } },
      authenticate: authenticate('team.read'),
      async handle({ caller }) {
        const owner = await getReseller(database, caller.reseller.account)
        return { status: 200, body: { data: addresseesView(await listAddressees(database, owner)) } }
      },
    }),
    memberAct(
      { authenticate, log, world: undefined },
      {
        act: switchKindOfMail,
        method: 'PATCH',
        path: MAILS_PATH,
        permission: 'team.write',
        docs: {
          operationId: 'portalSwitchMail',
          summary: 'Switch a kind of mail on or off for somebody',
          description: 'The registered address is always told of a low balance and of cases.',
          tag: TAG,
        },
        answer: Type.Array(ADDRESSEE.schema),
        view: addresseesView,
      },
    ),
  ]
}
