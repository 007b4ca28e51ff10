import type { PortalOperations } from '../../api/portal.ts'
import type { PaymentStatus } from '../payments/status.tsx'

export type Order = PortalOperations['portalGetOrder']['answer']['data']

/** True while the order can be cancelled, and times out. */
export function isOpen(status: Order['status']): boolean {
  return status === 'draft' || status === 'awaiting_payment'
}

type Unit = Order['items'][number]['transactions'][number]

const REFUNDED_CODE = 53

/** State of one unit in the portal's own words. The wire's spelling is for programs. */
export function unitStatus({
  status_name: name,
  status_code: code,
  error,
}: Pick<Unit, 'status_name' | 'status_code' | 'error'>): PaymentStatus {
  if (name === 'Succesful') return 'successful'
  if (name === 'Failed') return code === REFUNDED_CODE ? 'refunded' : 'failed'
  return error === null ? 'pending' : 'failed'
}
