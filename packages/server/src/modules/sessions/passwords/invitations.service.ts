import type { Queryable, Tx } from '../../../db/database.ts'
import { assert, RequestError } from '../../../lib/errors.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import { MAIL_ADDRESS } from '../../../lib/mail-addresses.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import { findResellerWithId } from '../../accounts/public.sql.ts'
import { createUser, within } from '../../accounts/service.ts'
import type { Reseller, User } from '../../accounts/types.ts'
import { USER_ROLES } from '../../accounts/types.ts'
import { queueSecretMail } from '../../alerts/mail/outbox.service.ts'
import { findMailLanguage, rememberLanguage } from '../../alerts/mail/preferences.service.ts'
import type { MailLanguage } from '../../alerts/words/types.ts'
import { appendAudit, audited } from '../../audit/service.ts'
import { admitAttempt } from '../../auth/attempts.service.ts'
import type { Invitation } from '../people/invitations.types.ts'
import { askerOf } from '../people/proof.service.ts'
import {
  INVITATION_LIFETIME_SECONDS,
  INVITATIONS_MAX,
  INVITATIONS_PER_ADDRESS_MAX,
  INVITATIONS_PER_DAY_MAX,
  newSecret,
} from '../people/rules.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import type { MemberCaller } from '../people/types.ts'
import {
  countInvitations,
  insertInvitation,
  listInvitationRows,
  listInvitedSince,
  lockInvitations,
  markAccepted,
  revokeInvitationRow,
  takeInvitation,
} from './invitations.sql.ts'
import { invitationLetter, letterSettings } from './letters.view.ts'
import { accountsOf, invalidToken } from './passwords.service.ts'

const RULES = { email: MAIL_ADDRESS, role: oneOf(USER_ROLES) }

const SHOWN_MAX = 200

/** Invites an address. The person who gets the mail becomes a member with that role. */
export function invite(
  options: SessionsOptions,
  caller: MemberCaller,
  input: { email: string; role: string },
): Promise<Invitation> {
  const { email, role } = readFields(RULES, input)
  const { reseller } = caller
  const act = { caller, action: 'invitation.create', reason: 'a new member' }
  return audited(options.audit, act, async (tx) => {
    await refuseTooMany(tx, reseller.id, email)
    const token = newSecret('wiv_')
    const invitation = await insertInvitation(tx, {
      resellerId: reseller.id,
      digest: digestOf(token),
      email,
      role,
      invitedBy: caller.userId,
      lifetimeSeconds: INVITATION_LIFETIME_SECONDS,
    })
    const letter = invitationLetter(
      letterSettings(options),
      { ...reseller, invitedBy: caller.username },
      token,
      await findMailLanguage(tx, reseller.id, caller.userId),
    )
    const mail = { ...letter, resellerId: reseller.id, kind: 'invitation', recipient: email }
    await queueSecretMail(tx, options.vault, mail)
    const target = targetOf(reseller.account, invitation.id)
    return { target, before: null, after: { email, role }, result: invitation }
  })
}

export function listInvitations(connection: Queryable, resellerId: bigint): Promise<Invitation[]> {
  return listInvitationRows(connection, resellerId, SHOWN_MAX)
}

/** Lists the user and everybody who became a member since then by invitations that go back to the user. */
export function listInvitedBy(
  tx: Tx,
  resellerId: bigint,
  since: { userId: bigint; since: Date },
): Promise<bigint[]> {
  return listInvitedSince(tx, resellerId, since)
}

export function revokeInvitation(options: SessionsOptions, caller: MemberCaller, id: bigint): Promise<void> {
  const act = { caller, action: 'invitation.revoke', reason: 'no longer wanted' }
  return audited(options.audit, act, async (tx) => {
    const invitation = await revokeInvitationRow(tx, caller.reseller.id, id)
    if (invitation === undefined) {
      throw new RequestError({
        status: 404,
        code: 'not_found',
        publicText: 'There is no such open invitation.',
      })
    }
    const { email, role } = invitation
    const target = targetOf(caller.reseller.account, id)
    return { target, before: { email, role }, after: null, result: undefined }
  })
}

export type Accepted = { readonly user: User; readonly reseller: Reseller }

/** Accepts an invitation, once. An invalid name or password leaves the invitation open. */
export async function acceptInvitation(
  options: SessionsOptions,
  request: {
    token: string
    username: string
    password: string
    address: string
    /** Language of the page, which becomes that of the member's mails; undefined: English, or none of ours. */
    language?: MailLanguage | undefined
  },
): Promise<Accepted> {
  const { database, audit } = options
  const { token, username, password, address, language } = request
  await admitAttempt(database, address)
  return database.transaction(async (tx) => {
    const taken = await takeInvitation(tx, digestOf(token))
    if (taken === undefined) throw invalidToken()
    const { email, role, resellerId } = taken
    const asker = askerOf({ kind: 'member', resellerId, id: taken.id })
    const user = await createUser(within(tx, { ...accountsOf(options), asker }), resellerId, {
      username,
      password,
      email,
      role,
    })
    await markAccepted(tx, taken, user.id)
    if (language !== undefined) await rememberLanguage(tx, resellerId, user.id, language)
    const reseller = await findResellerWithId(tx, resellerId)
    assert(reseller !== undefined, 'an invitation has its reseller')
    const caller = {
      kind: 'member',
      userId: user.id,
      username: user.username,
      credentialId: `invitation:${taken.id}`,
      address,
    } as const
    const after = { username: user.username, email, role }
    const done = { target: targetOf(reseller.account, taken.id), before: null, after }
    await appendAudit(
      tx,
      audit,
      { caller, action: 'invitation.accept', reason: 'by the token that was mailed' },
      done,
    )
    return { user, reseller }
  })
}

function targetOf(account: string, id: bigint) {
  return { kind: 'invitation', id: `${account}/${id}` }
}

async function refuseTooMany(tx: Tx, resellerId: bigint, email: string): Promise<void> {
  await lockInvitations(tx, resellerId, email)
  const { open, ofReseller, ofAddress } = await countInvitations(tx, resellerId, email)
  if (open >= INVITATIONS_MAX) throw tooManyOpen()
  if (ofReseller >= INVITATIONS_PER_DAY_MAX || ofAddress >= INVITATIONS_PER_ADDRESS_MAX) throw tooManyToday()
}

function tooManyToday(): RequestError {
  return new RequestError({
    status: 429,
    code: 'too_many_requests',
    publicText: `An account invites at most ${INVITATIONS_PER_DAY_MAX} a day, and an address is invited at most ${INVITATIONS_PER_ADDRESS_MAX} times a day.`,
    headers: { 'Retry-After': '3600' },
  })
}

function tooManyOpen(): RequestError {
  return new RequestError({
    status: 409,
    code: 'limit_reached',
    publicText: `There are ${INVITATIONS_MAX} open invitations already; revoke one first.`,
  })
}
