import { expect, it } from 'vitest'
import { invitationLetter, resetLetter, welcomeLetter } from './letters.view.ts'

const SETTINGS = {
  environment: 'production',
  publicUrl: 'https://api.example.com/',
  dashboardUrl: undefined,
  operatorSecondFactor: 'required',
} as const
const WITH_DASHBOARD = { ...SETTINGS, dashboardUrl: 'https://dashboard.example.com' }
const MEMBER = { kind: 'member', resellerId: 7n, id: 1n, login: 'siti', email: 'siti@example.com' } as never
const OPERATOR = { kind: 'operator', resellerId: 0n, id: 1n, login: 'op@example.com', email: '' } as never
const SHOP = { account: '1234567', name: 'Kedai Pos' }

it('an invitation to a company names who invites, the company, the name to sign in with and the 7 days', () => {
  const { subject, body } = welcomeLetter(
    SETTINGS,
    MEMBER,
    { invitedBy: 'ops@house.example', company: SHOP },
    'wpr_x',
  )
  expect(subject).toBe('Invitation to the portal of Kedai Pos (account 1234567)')
  expect(body).toContain('ops@house.example invites you to the portal of Kedai Pos (account 1234567).')
  expect(body).toContain('Your name there is siti.')
  expect(body).toContain('within 7 days')
  expect(body).not.toMatch(/30 minutes|asked for a new password/)
})

it('an invitation of an operator names the back office', () => {
  const { subject, body } = welcomeLetter(
    SETTINGS,
    OPERATOR,
    { invitedBy: 'boss@house.example', company: null },
    'wpr_x',
  )
  expect(subject).toBe('Invitation to the back office of Warung')
  expect(body).toContain('boss@house.example invites you')
  expect(body).toContain('POST https://api.example.com/operator/v1/password-reset/confirm')
})

it('a mail has a link to the dashboard or, without one, to the service, and always the request that works', () => {
  const invited = { ...SHOP, invitedBy: 'siti' }
  for (const [letter, page, request] of [
    [resetLetter, 'portal/reset-password', 'portal/v1/password-reset/confirm'],
    [invitationLetter, 'portal/invitation', 'portal/v1/invitations/accept'],
  ] as const) {
    const bodyFor = (settings: typeof SETTINGS | typeof WITH_DASHBOARD) =>
      letter === resetLetter
        ? resetLetter(settings, MEMBER, 'w_token').body
        : invitationLetter(settings, invited, 'w_token').body
    expect(bodyFor(SETTINGS)).toContain(`https://api.example.com/${page}#w_token`)
    expect(bodyFor(WITH_DASHBOARD)).toContain(`https://dashboard.example.com/${page}#w_token`)
    for (const settings of [SETTINGS, WITH_DASHBOARD]) {
      expect(bodyFor(settings)).toContain('\nToken: w_token\n')
      expect(bodyFor(settings)).toContain(`POST https://api.example.com/${request}`)
    }
  }
})

it('a letter in another language has the same name, link and token', () => {
  for (const language of ['ms', 'id', 'zh', 'ta'] as const) {
    const { subject, body } = resetLetter(SETTINGS, MEMBER, 'w_token', language)
    expect(subject).not.toBe(resetLetter(SETTINGS, MEMBER, 'w_token').subject)
    for (const part of ['siti', 'https://api.example.com/portal/reset-password#w_token', 'POST https://'])
      expect(body, language).toContain(part)
    const invited = invitationLetter(SETTINGS, { ...SHOP, invitedBy: 'ali' }, 'w_token', language)
    for (const part of ['ali', 'Kedai Pos', '1234567', 'w_token']) expect(invited.body).toContain(part)
  }
})
