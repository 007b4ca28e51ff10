import type { PaymentStatus } from '../payments/status.tsx'
import type { Order } from './state.tsx'

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
