import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'

type Place = { readonly resellerId: bigint; readonly scheduleId: bigint; readonly line: number }

/** Seals the identity number of a scheduled line, bound to its place. */
export function sealScheduled(vault: Vault, place: Place, icNumber: string | null): Buffer | null {
  return icNumber === null ? null : vault.seal(contextOf(place), Buffer.from(icNumber, 'utf8'))
}

export async function openScheduled(
  vault: Vault,
  place: Place,
  sealed: Buffer | null,
): Promise<string | null> {
  if (sealed === null) return null
  return withFreshKeys(vault, () => vault.open(contextOf(place), sealed).toString('utf8'))
}

function contextOf({ resellerId, scheduleId, line }: Place): string {
  return `schedule_input:${resellerId}:${scheduleId}:${line}`
}
