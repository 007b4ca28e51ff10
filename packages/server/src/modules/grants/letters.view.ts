import { oneLine } from '../../lib/mail-addresses.ts'
import type { ApprovalCommand, DeciderName } from '../approvals/types.ts'
import type { LetterSettings, SessionLetter } from '../sessions/passwords/letters.view.ts'
import { companyOf, paragraphs, tokenInstructions } from '../sessions/passwords/letters.view.ts'
import { STOP_LIFETIME_DAYS } from './rules.ts'
import type { Grant } from './types.ts'

const SUBJECT_LENGTH_MAX = 150
const NAME_LENGTH_MAX = 254
const REASON_LENGTH_MAX = 500

/** Page for people, and the operation for programs. */
export const STOP_PATHS = { page: 'portal/stop', request: 'portal/v1/approvals/stop with token' }

export type Asked = { readonly grant: Grant; readonly by: string; readonly reason: string }

/** Letter about a request that waits for a second person. */
export function askedLetter(settings: LetterSettings, { grant, by, reason }: Asked, token: string | null) {
  const { company } = grant
  const second =
    company === null
      ? 'Another admin has to approve it in the back office within 3 days.'
      : `Another operator, or an admin of ${companyOf(company)} in the portal under Team, has to approve it within 3 days.`
  return letterOf(`Asked for: ${sentenceOf(grant)}`, [
    `${oneLine(by, NAME_LENGTH_MAX)}, an operator of Warung, asks to ${sentenceOf(grant)}.`,
    `Reason: ${oneLine(reason, REASON_LENGTH_MAX)}`,
    `Nothing has changed yet. ${second}`,
    ...(token === null
      ? ['If you did not expect this, refuse it in the back office.']
      : stopInstructions(settings, token)),
  ])
}

export type DoneNews = {
  readonly grant: Grant
  /** Operator who asked, or the person at the machine. */
  readonly by: string
  /** null: no second person was needed. */
  readonly approvedBy: Pick<DeciderName, 'name'> | null
}

/** Letter about a change that was carried out. */
export function doneLetter(settings: LetterSettings, news: DoneNews, token: string | null): SessionLetter {
  const { grant, by, approvedBy } = news
  return letterOf(`Done: ${sentenceOf(grant)}`, [
    `This was done: ${sentenceOf(grant)}.`,
    [
      `By: ${oneLine(by, NAME_LENGTH_MAX)}`,
      ...(approvedBy === null ? [] : [`Approved by: ${oneLine(approvedBy.name, NAME_LENGTH_MAX)}`]),
    ].join('\n'),
    ...(token === null ? [without(grant)] : stopInstructions(settings, token)),
  ])
}

function without({ company }: Grant): string {
  return company === null
    ? 'If you did not expect this, disable the operator in the back office, and ask the others who did it.'
    : 'If you did not expect this, disable the login in the portal under Team, end API keys that you do not know, and ask the operator of the service at once.'
}

function stopInstructions(settings: LetterSettings, token: string): string[] {
  return [
    'If you did not expect this, stop it with this link. It needs no password.',
    ...tokenInstructions(settings, STOP_PATHS, token),
    `The link works for ${STOP_LIFETIME_DAYS} days. When the change has been carried out, it is undone: a login is disabled, its sessions and the API keys that it made end; a registered address becomes the former one again.`,
  ]
}

/** Names what a grant does, as the end of "asks to …". */
export function sentenceOf({ kind, command, company }: Grant): string {
  const of = (name: string) => oneLine(command[name] ?? '', NAME_LENGTH_MAX)
  const where = company === null ? 'the back office of Warung' : companyOf(company)
  switch (kind) {
    case 'user_create':
      return `let ${of('username')} (${of('email')}) into the portal of ${where} as ${of('role')}`
    case 'user_change':
      return `let ${of('username')} (${of('email')}) of ${where} ${widened(command)}`
    case 'reseller_email':
      return `change the registered address of ${where} from ${of('from')} to ${of('email')}`
    case 'operator_create':
      return `let ${of('name')} (${of('email')}) into ${where} as ${of('role')}`
    case 'operator_change':
      return `let ${of('name')} (${of('email')}) in ${where} ${widened(command)}`
    case 'password':
      return `give ${of('name')} of ${where} a new password`
    case 'two_factor':
      return `remove the second factor and the passkeys of ${of('name')} of ${where}`
    case 'api_key':
      return `make an API key of ${where}`
  }
}

function widened({ role, status }: ApprovalCommand): string {
  const parts = [
    ...(status === 'active' ? ['sign in again'] : []),
    ...(role ? [`have the role ${role}`] : []),
  ]
  return parts.join(' and ')
}

function letterOf(subject: string, texts: readonly string[]): SessionLetter {
  return { subject: oneLine(subject, SUBJECT_LENGTH_MAX), body: paragraphs(texts) }
}
