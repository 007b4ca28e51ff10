import type { Queryable } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { BOOLEAN, oneOf, readFields } from '../../../lib/input/fields.ts'
import { distinctAddresses } from '../../../lib/mail-addresses.ts'
import { listUsers } from '../../accounts/service.ts'
import type { Reseller } from '../../accounts/types.ts'
import type { MailKind } from './mail.types.ts'
import { MAIL_KINDS } from './mail.types.ts'
import type { AddresseeRole } from './preferences.rules.ts'
import { isOnByDefault, mayBeSwitched } from './preferences.rules.ts'
import { listPreferenceRows, upsertPreference } from './preferences.sql.ts'

/** Id of the account's registered address, used in place of a member's id. */
export const REGISTERED = 0n

/** Person or address that may get mails. */
export type Addressee = {
  /** REGISTERED, or a member's id. */
  readonly userId: bigint
  readonly name: string
  readonly address: string
  readonly role: AddresseeRole
  readonly isOn: Readonly<Record<MailKind, boolean>>
}

type Owner = Pick<Reseller, 'id' | 'email'>

/** Lists the registered address first, then every active member. */
export async function listAddressees(connection: Queryable, owner: Owner): Promise<Addressee[]> {
  const members = (await listUsers(connection, owner.id)).filter(({ status }) => status === 'active')
  const switched = await listPreferenceRows(connection, owner.id)
  const withSwitches = (who: Omit<Addressee, 'isOn'>): Addressee => {
    const isOn = (kind: MailKind) =>
      (mayBeSwitched(who.role, kind)
        ? switched.find((each) => each.userId === who.userId && each.kind === kind)?.isOn
        : undefined) ?? isOnByDefault(who.role)
    return {
      ...who,
      isOn: {
        'balance.low': isOn('balance.low'),
        deposit: isOn('deposit'),
        delivery: isOn('delivery'),
        case: isOn('case'),
      },
    }
  }
  return [
    withSwitches({ userId: REGISTERED, name: '', address: owner.email, role: 'registered' }),
    ...members.map(({ id, username, email, role }) =>
      withSwitches({ userId: id, name: username, address: email, role }),
    ),
  ]
}

/** Lists each address once, however many members share it. */
export async function listRecipients(connection: Queryable, owner: Owner, kind: MailKind): Promise<string[]> {
  const recipients = (await listAddressees(connection, owner)).filter(({ isOn }) => isOn[kind])
  return distinctAddresses(recipients.map(({ address }) => address))
}

const SWITCH_RULES = { kind: oneOf(MAIL_KINDS), isOn: BOOLEAN }

/** Switches one kind for the registered address or one member. Returns the preferences of all addressees afterwards. */
export async function switchMail(
  connection: Queryable,
  owner: Owner,
  userId: bigint,
  wish: { kind: string; isOn: boolean },
): Promise<Addressee[]> {
  const { kind, isOn } = readFields(SWITCH_RULES, wish)
  const addressee = (await listAddressees(connection, owner)).find((each) => each.userId === userId)
  if (addressee === undefined) {
    throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such member.' })
  }
  if (!mayBeSwitched(addressee.role, kind) && !isOn) {
    throw new RequestError({
      status: 409,
      code: 'always_on',
      publicText: "The account's registered address always gets mails about a low balance and about cases.",
      fields: { kind: ['cannot be switched off for the registered address'] },
    })
  }
  await upsertPreference(connection, owner.id, { userId, kind, isOn })
  return listAddressees(connection, owner)
}
