import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { EXACT, required } from '../../../lib/input/parameters.ts'
import { formatMoney } from '../../../lib/money.ts'
import { getReseller } from '../../accounts/service.ts'
import { chooseMailLanguage, switchKindOfMail } from '../../alerts/acts.ts'
import { MAIL_KINDS } from '../../alerts/mail/mail.types.ts'
import type { Addressee } from '../../alerts/mail/preferences.service.ts'
import { findMailLanguage, listAddressees, REGISTERED } from '../../alerts/mail/preferences.service.ts'
import type { MailLanguage } from '../../alerts/words/types.ts'
import { MAIL_LANGUAGES } from '../../alerts/words/types.ts'
import { addToThresholds, removeFromThresholds } from '../../wallet/acts.ts'
import type { OneThreshold } from '../../wallet/balance/thresholds.service.ts'
import { listThresholds } from '../../wallet/balance/thresholds.service.ts'
import { memberAct } from '../access/acts.service.ts'
import { dataOf, Instant, listOf, Money } from '../access/schemas.ts'
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

const LANGUAGE_PATH = '/portal/v1/mail-language'

const MAIL_LANGUAGE = resource<{ readonly language: MailLanguage }>()('Mail language', {
  language: [enumOf(MAIL_LANGUAGES, 'Language in which your mails come'), ({ language }) => language],
})

function mailOperations({ authenticate, database, log }: PortalSettings): Operation[] {
  return [
    operation({
      method: 'GET',
      path: LANGUAGE_PATH,
      docs: { operationId: 'portalGetMailLanguage', summary: 'Language of your mails', tag: TAG },
      schemas: { responses: { 200: dataOf(MAIL_LANGUAGE.schema) } },
      authenticate: authenticate('self'),
      async handle({ caller }) {
        const language = await findMailLanguage(database, caller.reseller.id, caller.userId)
        return { status: 200, body: { data: MAIL_LANGUAGE.encode({ language }) } }
      },
    }),
    memberAct(
      { authenticate, log, world: undefined },
      {
        act: chooseMailLanguage,
        method: 'PUT',
        path: LANGUAGE_PATH,
        permission: 'self',
        docs: {
          operationId: 'portalSetMailLanguage',
          summary: 'Choose the language of your mails',
          description: 'Until then it is that of the page on which you accepted the invitation.',
          tag: TAG,
        },
        answer: MAIL_LANGUAGE.schema,
        view: (chosen) => MAIL_LANGUAGE.encode(chosen),
      },
    ),
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
