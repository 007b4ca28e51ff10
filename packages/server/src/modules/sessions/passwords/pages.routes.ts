import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { anyone, operation } from '../../../http/operation.ts'
import { INVITATION_PATHS, RESET_PATHS } from './letters.view.ts'
import type { TokenPage } from './pages.view.ts'
import { TOKEN_PAGE_POLICY, tokenPage } from './pages.view.ts'

const Page = Type.String({ contentMediaType: 'text/html', description: 'The page' })

const NEW_PASSWORD: Omit<TokenPage, 'request'> = {
  title: 'Choose a password',
  intro: 'Choose a new password for Warung. Every session ends, and the link works once.',
  asksUsername: false,
  done: 'The password is set. You can sign in with it now.',
}

const PAGES: Readonly<Record<string, { readonly operationId: string; readonly page: TokenPage }>> = {
  [RESET_PATHS.operator.page]: {
    operationId: 'getOperatorPasswordPage',
    page: { ...NEW_PASSWORD, request: '/operator/v1/password-reset/confirm' },
  },
  [RESET_PATHS.member.page]: {
    operationId: 'getPortalPasswordPage',
    page: { ...NEW_PASSWORD, request: '/portal/v1/password-reset/confirm' },
  },
  [INVITATION_PATHS.page]: {
    operationId: 'getInvitationPage',
    page: {
      title: 'Accept the invitation',
      intro: 'Choose the name and the password with which you will sign in to the portal.',
      request: '/portal/v1/invitations/accept',
      asksUsername: true,
      done: 'Welcome. You can sign in to the portal now.',
    },
  },
}

/** Pages to which the links of invitation and password mails lead. */
export function tokenPageOperations(): Operation[] {
  return Object.entries(PAGES).map(([path, { operationId, page }]) => {
    const body = Buffer.from(tokenPage(page), 'utf8')
    return operation({
      method: 'GET',
      path: `/${path}`,
      dialect: 'common',
      docs: { operationId, summary: page.title, tag: 'Service', hidden: true },
      schemas: { responses: { 200: Page } },
      authenticate: anyone,
      answersHead: true,
      handle: async () => ({
        status: 200,
        body,
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': TOKEN_PAGE_POLICY,
          'Referrer-Policy': 'no-referrer',
          'Cache-Control': 'no-store',
        },
      }),
    })
  })
}
