import type { AddressBlock } from '../../auth/addresses.types.ts'

export function blockView({ address, blockedAt, blockedUntil, requests }: AddressBlock) {
  return {
    address,
    blocked_at: blockedAt.toISOString(),
    blocked_until: blockedUntil.toISOString(),
    requests: String(requests),
  }
}
