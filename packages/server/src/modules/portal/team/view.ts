import { formatMoney } from '../../../lib/money.ts'
import type { Addressee } from '../../alerts/mail/preferences.service.ts'
import { REGISTERED } from '../../alerts/mail/preferences.service.ts'
import type { OneThreshold } from '../../wallet/balance/thresholds.service.ts'

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
