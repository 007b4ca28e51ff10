import { oneLine } from '../../lib/mail-addresses.ts'
import type { Person } from './people.types.ts'
import type { SessionSettings } from './settings.types.ts'

export type SessionLetter = { readonly subject: string; readonly body: string }

const SUBJECT_LENGTH_MAX = 150
const NAME_LENGTH_MAX = 100

export function resetLetter(settings: SessionSettings, person: Person, token: string): SessionLetter {
  const { kind, login } = person
  return {
    subject: 'A new password for Warung',
    body: paragraphs([
      `Somebody asked for a new password for ${oneLine(login, NAME_LENGTH_MAX)}.`,
      ...waysIn(settings, `${kind === 'operator' ? 'operator' : 'portal'}/reset-password`, token),
      'It works once, within 30 minutes. If it was not you, nothing needs to be done: the password stays as it is.',
    ]),
  }
}

export function invitationLetter(
  settings: SessionSettings,
  { account, name, invitedBy }: { account: string; name: string; invitedBy: string },
  token: string,
): SessionLetter {
  const reseller = `${oneLine(name, NAME_LENGTH_MAX)} (account ${account})`
  return {
    subject: oneLine(`Invitation to ${reseller}`, SUBJECT_LENGTH_MAX),
    body: paragraphs([
      `${oneLine(invitedBy, NAME_LENGTH_MAX)} invites you to the portal of ${reseller}.`,
      ...waysIn(settings, 'portal/invitation', token),
      'It works once, within 7 days. If you do not know what this is about, nothing needs to be done.',
    ]),
  }
}

/** Behind the # it is sent to no server, and stands in no log. */
function waysIn({ dashboardUrl, publicUrl }: SessionSettings, path: string, token: string): string[] {
  const base = dashboardUrl ?? publicUrl
  const link = base === undefined ? [] : [`${base.replace(/\/$/, '')}/${path}#${token}`]
  return [...link, `Token: ${token}`]
}

function paragraphs(texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`
}
