import { oneLine } from '../../../lib/mail-addresses.ts'
import type { Person } from '../people/people.types.ts'
import type { SessionSettings, SessionsOptions } from '../people/settings.types.ts'

/** Addresses for links; both undefined: the mail names the token and the request alone. */
export type LetterSettings = Pick<SessionSettings, 'dashboardUrl' | 'publicUrl'>

/** Falls back to the address at which this process listens. */
export function letterSettings({
  config,
  baseUrl,
}: Pick<SessionsOptions, 'config' | 'baseUrl'>): LetterSettings {
  return { dashboardUrl: config.dashboardUrl, publicUrl: config.publicUrl ?? baseUrl?.() }
}

export type SessionLetter = { readonly subject: string; readonly body: string }

const SUBJECT_LENGTH_MAX = 150
const NAME_LENGTH_MAX = 100

export function resetLetter(settings: LetterSettings, person: Person, token: string): SessionLetter {
  const { kind, login } = person
  return {
    subject: 'A new password for Warung',
    body: paragraphs([
      `Somebody asked for a new password for ${oneLine(login, NAME_LENGTH_MAX)}.`,
      ...tokenInstructions(settings, RESET_PATHS[kind], token),
      'It works once, within 30 minutes. If it was not you, nothing needs to be done: the password stays as it is.',
    ]),
  }
}

/** Letter to a person whom an operator has added: they choose their first password. */
export function welcomeLetter(
  settings: LetterSettings,
  person: Person,
  { invitedBy, company }: Welcome,
  token: string,
): SessionLetter {
  const { kind, login } = person
  const where = company === null ? 'the back office of Warung' : `the portal of ${companyOf(company)}`
  return {
    subject: oneLine(`Invitation to ${where}`, SUBJECT_LENGTH_MAX),
    body: paragraphs([
      `${oneLine(invitedBy, NAME_LENGTH_MAX)} invites you to ${where}. Your name there is ${oneLine(login, NAME_LENGTH_MAX)}.`,
      'Choose a password with this token.',
      ...tokenInstructions(settings, RESET_PATHS[kind], token),
      'It works once, within 7 days. If you do not know what this is about, nothing needs to be done.',
    ]),
  }
}

export type Company = { readonly account: string; readonly name: string }

export type Welcome = {
  readonly invitedBy: string
  /** null: the back office, which belongs to no reseller. */
  readonly company: Company | null
}

export function companyOf({ account, name }: Company): string {
  return `${oneLine(name, NAME_LENGTH_MAX)} (account ${account})`
}

export function invitationLetter(
  settings: LetterSettings,
  { account, name, invitedBy }: { account: string; name: string; invitedBy: string },
  token: string,
): SessionLetter {
  const reseller = companyOf({ account, name })
  return {
    subject: oneLine(`Invitation to ${reseller}`, SUBJECT_LENGTH_MAX),
    body: paragraphs([
      `${oneLine(invitedBy, NAME_LENGTH_MAX)} invites you to the portal of ${reseller}.`,
      ...tokenInstructions(settings, INVITATION_PATHS, token),
      'It works once, within 7 days. If you do not know what this is about, nothing needs to be done.',
    ]),
  }
}

/** Page for people, and the operation for programs. */
type Paths = { readonly page: string; readonly request: string }

export const RESET_PATHS: Readonly<Record<Person['kind'], Paths>> = {
  operator: {
    page: 'operator/reset-password',
    request: 'operator/v1/password-reset/confirm with token and password',
  },
  member: {
    page: 'portal/reset-password',
    request: 'portal/v1/password-reset/confirm with token and password',
  },
}
export const INVITATION_PATHS: Paths = {
  page: 'portal/invitation',
  request: 'portal/v1/invitations/accept with token, username and password',
}

/**
 * Lines of a mail that say where to use the token: a link to the page, which the dashboard or the service itself
 * answers, and the request for programs. A token after the # is sent to no server and appears in no log.
 */
export function tokenInstructions(
  { dashboardUrl, publicUrl }: LetterSettings,
  { page, request }: Paths,
  token: string,
): string[] {
  const at = (base: string, path: string) => `${base.replace(/\/$/, '')}/${path}`
  const base = dashboardUrl ?? publicUrl
  const link = base === undefined ? [] : [at(base, `${page}#${token}`)]
  return [...link, `Token: ${token}`, `For programs: POST ${at(publicUrl ?? '', request)}, as JSON.`]
}

export function paragraphs(texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`
}
