import { permissionsOf } from '../../accounts/members.rules.ts'
import type { UserRole } from '../../accounts/types.ts'
import type { Invitation } from '../people/invitations.types.ts'
import type { Person, Session, SessionTill } from '../people/people.types.ts'
import { deviceOf } from '../people/user-agents.rules.ts'
import { base32Of } from '../second-factor/totp.rules.ts'
import type { Enrolment, SecondFactor } from '../second-factor/totp.types.ts'
import type { OperatorToken } from '../tokens/tokens.types.ts'

type SessionState = {
  readonly hasSecondFactor: boolean
  readonly csrfToken: string | null
  readonly isByPin: boolean
  readonly till: SessionTill | undefined
}

export function sessionView(person: Person, { hasSecondFactor, csrfToken, isByPin, till }: SessionState) {
  const { kind, id, login, email, name } = person
  const role = isByPin ? 'cashier' : person.role
  const common = { id: String(id), email, role, two_factor: hasSecondFactor }
  const data =
    kind === 'operator'
      ? { kind, ...common, name }
      : {
          kind,
          ...common,
          username: login,
          permissions: permissionsOf({ role: role as UserRole, isByPin }),
          reseller: { account: person.account, name: person.resellerName },
          is_by_pin: isByPin,
          shared_till: till === undefined ? null : { name: till.name, idle_seconds: till.idleSeconds },
        }
  return { data, csrf_token: csrfToken }
}

export function sessionListView(sessions: readonly Session[], currentId: string) {
  return {
    data: sessions.map((session) => ({
      id: String(session.id),
      is_current: `session:${session.id}` === currentId,
      address: session.address,
      user_agent: session.userAgent,
      device: deviceOf(session.userAgent),
      signed_in_with: wayOf(session),
      created_at: session.createdAt.toISOString(),
      last_seen_at: session.lastSeenAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    })),
  }
}

function wayOf({ isByPin, passkeyId }: Session) {
  if (isByPin) return 'pin' as const
  return passkeyId === null ? ('password' as const) : ('passkey' as const)
}

export function factorView({ confirmedAt, recoveryCodesLeft }: SecondFactor) {
  return {
    data: {
      enabled: confirmedAt !== null,
      confirmed_at: confirmedAt?.toISOString() ?? null,
      recovery_codes_left: recoveryCodesLeft,
    },
  }
}

export function enrolmentView({ secret, uri }: Enrolment) {
  return { data: { secret: base32Of(secret), otpauth_uri: uri } }
}

export function invitationView(invitation: Invitation) {
  return {
    id: String(invitation.id),
    email: invitation.email,
    role: invitation.role,
    state: invitation.state,
    created_at: invitation.createdAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
  }
}

export function tokenView(token: OperatorToken) {
  return {
    id: String(token.id),
    label: token.label,
    role: token.role,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    revoked_at: token.revokedAt?.toISOString() ?? null,
  }
}
