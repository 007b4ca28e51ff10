import { formatMoney } from '../../../lib/money.ts'
import type { User } from '../../accounts/types.ts'
import type { Addressee } from '../../alerts/mail/preferences.service.ts'
import { REGISTERED } from '../../alerts/mail/preferences.service.ts'
import type { Standing } from '../../sessions/people/standings.service.ts'
import type { OneThreshold } from '../../wallet/balance/thresholds.service.ts'

export function memberView(user: User, self: bigint, standing: Standing) {
  return {
    id: String(user.id),
    username: user.username,
    email: user.email,
    role: user.role,
    status: user.status,
    is_self: user.id === self,
    two_factor: standing.secondFactorAt !== null,
    last_seen_at: standing.lastSeenAt?.toISOString() ?? null,
    created_at: user.createdAt.toISOString(),
  }
}

export function thresholdsView(thresholds: readonly OneThreshold[]) {
  return thresholds.map(({ amount, at }) => ({ amount: formatMoney(amount), updated_at: at.toISOString() }))
}

export function addresseesView(addressees: readonly Addressee[]) {
  return addressees.map(({ userId, name, address, role, isOn }) => ({
    member_id: userId === REGISTERED ? null : String(userId),
    name,
    address,
    role,
    mails: isOn,
  }))
}
