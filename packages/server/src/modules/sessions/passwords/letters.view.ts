import { oneLine } from '../../../lib/mail-addresses.ts'
import { mailWords } from '../../alerts/words/rules.ts'
import type { MailLanguage } from '../../alerts/words/types.ts'
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

export function resetLetter(
  settings: LetterSettings,
  person: Person,
  token: string,
  language: MailLanguage = 'en',
): SessionLetter {
  const { kind, login } = person
  const { reset } = mailWords(language)
  return {
    subject: reset.subject,
    body: paragraphs([
      reset.asked(oneLine(login, NAME_LENGTH_MAX)),
      ...tokenInstructions(settings, RESET_PATHS[kind], token, language),
      reset.once,
    ]),
  }
}

/** Letter to a person whom an operator has added: they choose their first password. */
export function welcomeLetter(
  settings: LetterSettings,
  person: Person,
  { invitedBy, company }: Welcome,
  token: string,
  language: MailLanguage = 'en',
): SessionLetter {
  const { kind, login } = person
  const { invitation, portalOf } = mailWords(language)
  const where = company === null ? 'the back office of Warung' : portalOf(companyOf(company, language))
  return {
    subject: oneLine(invitation.subject(where), SUBJECT_LENGTH_MAX),
    body: paragraphs([
      `${invitation.invites(oneLine(invitedBy, NAME_LENGTH_MAX), where)} ${invitation.login(oneLine(login, NAME_LENGTH_MAX))}`,
      invitation.choose,
      ...tokenInstructions(settings, RESET_PATHS[kind], token, language),
      invitation.once,
    ]),
  }
}

export type Company = { readonly account: string; readonly name: string }

export type Welcome = {
  readonly invitedBy: string
  /** null: the back office, which belongs to no reseller. */
  readonly company: Company | null
}

export function companyOf({ account, name }: Company, language: MailLanguage = 'en'): string {
  return `${oneLine(name, NAME_LENGTH_MAX)} ${mailWords(language).account(account)}`
}

export function invitationLetter(
  settings: LetterSettings,
  { account, name, invitedBy }: { account: string; name: string; invitedBy: string },
  token: string,
  language: MailLanguage = 'en',
): SessionLetter {
  const { invitation, portalOf } = mailWords(language)
  const reseller = companyOf({ account, name }, language)
  return {
    subject: oneLine(invitation.subject(reseller), SUBJECT_LENGTH_MAX),
    body: paragraphs([
      invitation.invites(oneLine(invitedBy, NAME_LENGTH_MAX), portalOf(reseller)),
      ...tokenInstructions(settings, INVITATION_PATHS, token, language),
      invitation.once,
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
  language: MailLanguage = 'en',
): string[] {
  const words = mailWords(language)
  const at = (base: string, path: string) => `${base.replace(/\/$/, '')}/${path}`
  const base = dashboardUrl ?? publicUrl
  const link = base === undefined ? [] : [at(base, `${page}#${token}`)]
  return [...link, words.token(token), words.forPrograms(at(publicUrl ?? '', request))]
}

export function paragraphs(texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`
}
