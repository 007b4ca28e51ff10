import { hkdfSync } from 'node:crypto'
import type { MasterKey } from '../../../lib/secrets/sealing.ts'

const TOKEN_BYTES = 24

/**
 * Makes the token from the master key, so that it is the same on every process and node of a service, and after a
 * restart.
 */
export function mailboxToken([current]: readonly MasterKey[]): string {
  if (current === undefined) throw new Error('there is no master key')
  const bytes = hkdfSync('sha256', current.bytes, '', 'warung mailbox token', TOKEN_BYTES)
  return Buffer.from(bytes).toString('base64url')
}
