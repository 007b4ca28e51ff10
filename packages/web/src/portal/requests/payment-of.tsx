import type { LoggedRequest } from '../../api/portal.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'

/** Reference of the payment that was asked for; it leads to the payment where one was made. */
export function PaymentOf({
  request: { refid, payment_id: id },
}: {
  request: Pick<LoggedRequest, 'refid' | 'payment_id'>
}) {
  if (refid === null) return null
  const name = <span className="mono">{refid}</span>
  return id === null ? (
    name
  ) : (
    <PageLink className="link" to={`/portal/payments/${id}`}>
      {name}
    </PageLink>
  )
}
