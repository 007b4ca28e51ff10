import { permissionsOf } from '../../accounts/members.rules.ts'
import type { UserRole } from '../../accounts/types.ts'
import type { Invitation } from '../people/invitations.types.ts'
import type { Person, Session } from '../people/people.types.ts'
import { deviceOf } from '../people/user-agents.rules.ts'
import { base32Of } from '../second-factor/totp.rules.ts'
import type { Enrolment, SecondFactor } from '../second-factor/totp.types.ts'
import type { OperatorToken } from '../tokens/tokens.types.ts'

export function sessionView(
  person: Person,
  { hasSecondFactor, csrfToken }: { hasSecondFactor: boolean; csrfToken: string | null },
) {
  const { kind, id, login, email, name, role } = person
  const common = { id: String(id), email, role, two_factor: hasSecondFactor }
  const data =
    kind === 'operator'
      ? { kind, ...common, name }
      : {
          kind,
          ...common,
          username: login,
          permissions: permissionsOf(role as UserRole),
          reseller: { account: person.account, name: person.resellerName },
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
      signed_in_with: session.passkeyId === null ? ('password' as const) : ('passkey' as const),
      created_at: session.createdAt.toISOString(),
      last_seen_at: session.lastSeenAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    })),
  }
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
