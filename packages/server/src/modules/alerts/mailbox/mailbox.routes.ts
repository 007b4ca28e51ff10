import { Type } from 'typebox'
import type { Queryable } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { isForwarded } from '../../../http/intake/forwarding.ts'
import type { Answer, Authenticated, IncomingRequest, Operation } from '../../../http/operation.ts'
import { anyone, operation } from '../../../http/operation.ts'
import { PAGE_POLICY } from '../../../http/reference/style.ts'
import { bareHost } from '../../../lib/addresses.ts'
import { RequestError } from '../../../lib/errors.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { isLoopback, isThisMachine } from '../mail/mail.rules.ts'
import { listMails } from '../mail/mail.service.ts'
import { findMail } from '../mail/mail.sql.ts'
import { openMail } from '../mail/outbox.service.ts'
import { cookieOfMailbox, opensMailbox } from './mailbox.service.ts'
import { mailboxPage, mailPage } from './mailbox.view.ts'

const Page = Type.String({ contentMediaType: 'text/html', description: 'The page' })

const SHOWN_MAX = 200

/** Pages with staging's mails, for the person who started the service and has the link that it printed. */
export function mailboxOperations(database: Queryable, vault: Vault, token: string): Operation[] {
  const authenticate = authenticateTokenHolder(token)
  const answer = (page: string) => answerWith(page, cookieOfMailbox(token))
  return [
    operation({
      method: 'GET',
      path: '/mailbox',
      docs: {
        operationId: 'getMailbox',
        summary: 'Mails kept instead of sent',
        tag: 'Service',
        hidden: true,
      },
      schemas: { responses: { 200: Page } },
      authenticate,
      answersHead: true,
      async handle() {
        const mails = await listMails(database, { limit: SHOWN_MAX })
        return answer(mailboxPage(mails, SHOWN_MAX))
      },
    }),
    operation({
      method: 'GET',
      path: '/mailbox/:id',
      docs: { operationId: 'getMail', summary: 'One of them', tag: 'Service', hidden: true },
      schemas: { params: Type.Object({ id: Type.String() }), responses: { 200: Page } },
      authenticate,
      answersHead: true,
      async handle({ params }) {
        const id = parseId(params.id)
        const mail = id === undefined ? undefined : await findMail(database, id)
        if (mail === undefined) throw unknown()
        return answer(mailPage(await openMail(vault, mail)))
      },
    }),
  ]
}

/**
 * Admits the holder of the token, on this machine only. A mail can hold a link that resets an operator's password, and
 * a plain `proxy_pass` makes every stranger look like this machine: the address alone proves nothing.
 */
function authenticateTokenHolder(token: string): (request: IncomingRequest) => Authenticated<undefined> {
  return (request) => {
    if (!isLoopback(request.address) || isForwarded(request.headers) || !isThisMachine(hostOf(request)))
      throw unknown()
    const { rawQuery, headers } = request
    if (!opensMailbox(token, { rawQuery, cookies: String(headers.cookie ?? '') })) throw tokenRequired()
    return anyone(request)
  }
}

/**
 * Host that the request names. It is checked because the page of a stranger may use a name that leads to this machine.
 */
function hostOf({ headers }: IncomingRequest): string {
  const url = `http://${String(headers.host ?? '')}/`
  return URL.canParse(url) ? bareHost(new URL(url).hostname) : ''
}

function unknown(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is nothing here.' })
}

function tokenRequired(): RequestError {
  return new RequestError({
    status: 403,
    code: 'mailbox_token_required',
    publicText: 'Open the mailbox with the whole link that the service printed when it started.',
  })
}

/** Answers with a page and the cookie, so that the links between the pages need no token. */
function answerWith(page: string, cookie: string): Answer<Buffer> {
  return {
    status: 200,
    body: Buffer.from(page, 'utf8'),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': PAGE_POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'Set-Cookie': cookie,
    },
  }
}
