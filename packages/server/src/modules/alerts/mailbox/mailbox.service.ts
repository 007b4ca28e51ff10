import { hkdfSync } from 'node:crypto'
import type { MasterKey } from '../../../lib/secrets/sealing.ts'

const TOKEN_BYTES = 24

/** The same on every process and node of one service, and after a restart: it is made from the master key. */
export function mailboxToken([current]: readonly MasterKey[]): string {
  if (current === undefined) throw new Error('there is no master key')
  const bytes = hkdfSync('sha256', current.bytes, '', 'warung mailbox token', TOKEN_BYTES)
  return Buffer.from(bytes).toString('base64url')
}
