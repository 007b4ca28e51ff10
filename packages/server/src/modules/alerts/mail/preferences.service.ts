import type { Queryable, Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { BOOLEAN, oneOf, readFields } from '../../../lib/input/fields.ts'
import { distinctAddresses } from '../../../lib/mail-addresses.ts'
import { listUsers } from '../../accounts/service.ts'
import type { Reseller, User } from '../../accounts/types.ts'
import type { MailLanguage } from '../words/types.ts'
import type { MailKind } from './mail.types.ts'
import { MAIL_KINDS } from './mail.types.ts'
import type { AddresseeRole } from './preferences.rules.ts'
import { isOnByDefault, mayBeSwitched } from './preferences.rules.ts'
import { listLanguageRows, listPreferenceRows, upsertLanguage, upsertPreference } from './preferences.sql.ts'

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
  /** Language of the mails: the addressee's own, else that of the first owner who chose one, else English. */
  readonly language: MailLanguage
}

type Owner = Pick<Reseller, 'id' | 'email'>

/** Lists the registered address first, then every active member. */
export async function listAddressees(connection: Queryable, owner: Owner): Promise<Addressee[]> {
  const members = await activeMembers(connection, owner.id)
  const switched = await listPreferenceRows(connection, owner.id)
  const chosen = await listLanguageRows(connection, owner.id)
  const withSwitches = (who: Omit<Addressee, 'isOn' | 'language'>): Addressee => {
    const isOn = (kind: MailKind) =>
      (mayBeSwitched(who.role, kind)
        ? switched.find((each) => each.userId === who.userId && each.kind === kind)?.isOn
        : undefined) ?? isOnByDefault(who.role, kind)
    return {
      ...who,
      language: languageOf(chosen, members, who.userId),
      isOn: {
        'balance.low': isOn('balance.low'),
        deposit: isOn('deposit'),
        delivery: isOn('delivery'),
        case: isOn('case'),
        schedule: isOn('schedule'),
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

async function activeMembers(connection: Queryable, resellerId: bigint): Promise<User[]> {
  return (await listUsers(connection, resellerId)).filter(({ status }) => status === 'active')
}

export type Recipient = Pick<Addressee, 'address' | 'language'>

/** Lists each address once, in the language of the first who has it, however many members share it. */
export async function listRecipients(
  connection: Queryable,
  owner: Owner,
  kind: MailKind,
): Promise<Recipient[]> {
  const recipients = (await listAddressees(connection, owner)).filter(({ isOn }) => isOn[kind])
  return distinctAddresses(recipients.map(({ address }) => address)).flatMap((address) => {
    const first = recipients.find((each) => each.address === address)
    return first === undefined ? [] : [{ address, language: first.language }]
  })
}

type Languages = ReadonlyMap<bigint, MailLanguage>

function languageOf(
  chosen: Languages,
  members: readonly Pick<User, 'id' | 'role'>[],
  userId: bigint,
): MailLanguage {
  const owner = members.find(({ id, role }) => role === 'admin' && chosen.has(id))
  return chosen.get(userId) ?? (owner && chosen.get(owner.id)) ?? 'en'
}

/** Returns the language of the mails to a member, or to REGISTERED. */
export async function findMailLanguage(
  connection: Queryable,
  resellerId: bigint,
  userId: bigint,
): Promise<MailLanguage> {
  const chosen = await listLanguageRows(connection, resellerId)
  return chosen.get(userId) ?? languageOf(chosen, await activeMembers(connection, resellerId), userId)
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

/** Keeps the language that a new member reads. */
export function rememberLanguage(
  tx: Tx,
  resellerId: bigint,
  userId: bigint,
  language: MailLanguage,
): Promise<void> {
  return upsertLanguage(tx, resellerId, { userId, language })
}
