import type { Environment } from '../../config.ts'
import { answerFile, fileOf } from '../../http/files.ts'
import { LANDING_PATH } from '../../http/openapi/documentation.ts'
import type { FileOutput, IncomingRequest, Operation } from '../../http/operation.ts'
import { serving } from '../built-files.ts'

const DAY_MS = 86_400_000
/** Validity of security.txt. RFC 9116 asks for less than a year, so that nobody trusts an abandoned file. */
const EXPIRES_DAYS = 180

/** Page made of SECURITY.md: how to report a weakness, and what happens then. */
const POLICY_PATH = `${LANDING_PATH}/project/report-a-weakness`

export type WellKnownOptions = {
  readonly environment: Environment
  /** Called at each request: the service's own address is known only then. */
  readonly baseUrl: () => string
  /** Mail address for reports of weaknesses; undefined: the page about reports is the contact. */
  readonly securityContact: string | undefined
  readonly nowMs: () => number
}

/** Builds the operations for programs that visit any site: /robots.txt and /.well-known/security.txt. */
export function wellKnownOperations(options: WellKnownOptions): Operation[] {
  return [
    serving('/robots.txt', 'Rules for crawlers', (request) =>
      plainText(robots(options.environment), request),
    ),
    serving('/.well-known/security.txt', 'Contact for reports of weaknesses', (request) =>
      plainText(securityText(options), request),
    ),
  ]
}

/** Staging is a copy that nobody should find in place of the real service; in production only the documentation is read. */
function robots(environment: Environment): string {
  const allowed = environment === 'production' ? [LANDING_PATH, '/llms.txt', '/openapi.json'] : []
  return ['User-agent: *', ...allowed.map((path) => `Allow: ${path}`), 'Disallow: /', ''].join('\n')
}

function securityText({ baseUrl, securityContact, nowMs }: WellKnownOptions): string {
  const base = baseUrl()
  const policy = `${base}${POLICY_PATH}`
  // Whole days: the text stays the same for a day, and with it the ETag of caches.
  const expires = new Date((Math.floor(nowMs() / DAY_MS) + EXPIRES_DAYS) * DAY_MS)
  return [
    `Contact: ${securityContact === undefined ? policy : `mailto:${securityContact}`}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en, ms',
    `Canonical: ${base}/.well-known/security.txt`,
    `Policy: ${policy}`,
    '',
  ].join('\n')
}

function plainText(text: string, request: IncomingRequest): FileOutput {
  return answerFile(fileOf(text, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } }), request)
}
