import type { Tx } from '../../db/database.ts'
import { distinctAddresses, isMailAddress } from '../../lib/mail-addresses.ts'
import { digestOf } from '../../lib/secrets/digests.ts'
import { listOperators, listUsers } from '../accounts/service.ts'
import { queueSecretMail } from '../alerts/mail/outbox.service.ts'
import { letterSettings } from '../sessions/passwords/letters.view.ts'
import { newSecret } from '../sessions/people/rules.ts'
import type { Asked, DoneNews } from './letters.view.ts'
import { askedLetter, doneLetter } from './letters.view.ts'
import { STOP_LIFETIME_DAYS } from './rules.ts'
import { insertStop } from './stops.sql.ts'
import type { Company, Grant, GrantWorld } from './types.ts'

/**
 * Lists the addresses that are told about a grant: the registered address of the reseller and its active admins, or the
 * admins among the operators. Read it before the grant is carried out, so that nobody who gains by it is among them.
 */
export async function listWatchers(
  tx: Tx,
  company: Company | null,
  { sessions }: GrantWorld,
): Promise<string[]> {
  const people = company === null ? await listOperators(tx) : await listUsers(tx, company.id)
  const refusesDemo = sessions.config.environment === 'production'
  const admins = people.filter(
    (each) =>
      each.role === 'admin' && each.status === 'active' && !('demo' in each && each.demo && refusesDemo),
  )
  const addresses = admins.map(({ email }) => email)
  return distinctAddresses(company === null ? addresses : [company.email, ...addresses]).filter(isMailAddress)
}

/** Mails that a grant was asked for, with links that stop it. */
export async function mailAsked(
  context: GrantWorld,
  tx: Tx,
  approvalId: bigint,
  asked: Asked,
): Promise<void> {
  const { grant } = asked
  for (const recipient of await listWatchers(tx, grant.company, context)) {
    const token = await stopTokenFor(tx, grant, approvalId, recipient)
    await queue(context, tx, grant, {
      ...askedLetter(letterSettings(context.sessions), asked, token),
      recipient,
    })
  }
}

/** Mails that a grant was carried out. Without an approval there is no link: nobody but its doer is named by it. */
export async function mailDone(
  context: GrantWorld,
  tx: Tx,
  approvalId: bigint | null,
  news: DoneNews,
  recipients: readonly string[],
): Promise<void> {
  const { grant } = news
  for (const recipient of recipients) {
    const token = approvalId === null ? null : await stopTokenFor(tx, grant, approvalId, recipient)
    await queue(context, tx, grant, {
      ...doneLetter(letterSettings(context.sessions), news, token),
      recipient,
    })
  }
}

/** Makes a link for a reseller. Operators have none: they refuse and disable in the back office. */
async function stopTokenFor(
  tx: Tx,
  { company }: Grant,
  approvalId: bigint,
  recipient: string,
): Promise<string | null> {
  if (company === null) return null
  const token = newSecret('wst_')
  await insertStop(tx, { digest: digestOf(token), approvalId, recipient }, STOP_LIFETIME_DAYS)
  return token
}

function queue(
  { sessions }: GrantWorld,
  tx: Tx,
  { company }: Grant,
  mail: { readonly subject: string; readonly body: string; readonly recipient: string },
): Promise<void> {
  return queueSecretMail(tx, sessions.vault, { ...mail, resellerId: company?.id ?? null, kind: 'access' })
}
