import { getReseller } from '../../accounts/service.ts'
import type { Addressee } from '../../alerts/mail/preferences.service.ts'
import { changeMail } from '../../alerts/mail/preferences.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import type { OneThreshold, ThresholdAction } from '../../wallet/balance/thresholds.service.ts'
import { changeThresholds } from '../../wallet/balance/thresholds.service.ts'
import type { AuditSettings } from '../access/log.service.ts'
import { logged } from '../access/log.service.ts'

/** Adds a threshold, or takes one away. */
export function changeOwnThresholds(
  settings: AuditSettings,
  caller: MemberCaller,
  action: ThresholdAction,
  amount: string,
): Promise<OneThreshold[]> {
  return logged(settings, caller, action, (tx, database) =>
    changeThresholds(tx, database, caller.reseller, action, amount),
  )
}

/** Switches a kind of mail on or off for one addressee. */
export function changeOwnMail(
  settings: AuditSettings,
  caller: MemberCaller,
  userId: bigint,
  wish: { readonly kind: string; readonly isOn: boolean },
): Promise<Addressee[]> {
  return logged(settings, caller, 'mail.switch', async (tx) =>
    changeMail(tx, await getReseller(tx, caller.reseller.account), userId, wish),
  )
}
