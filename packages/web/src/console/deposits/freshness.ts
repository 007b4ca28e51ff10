import { useQueryClient } from '@tanstack/react-query'
import { useLive } from '../../api/live.ts'
import { operatorKey } from '../../api/operator.ts'

/** Reads deposit requests again when one is reported, which opens an alert, or decided by a second person. */
export function useDepositFreshness(): void {
  const client = useQueryClient()
  useLive(['alert', 'approval'], () => {
    void client.invalidateQueries({ queryKey: operatorKey('listDepositRequests') })
    void client.invalidateQueries({ queryKey: operatorKey('getDepositRequest') })
  })
}
