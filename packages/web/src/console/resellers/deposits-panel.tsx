import type { Reseller } from '../../api/operator.generated.ts'
import { useText } from '../../text/language.ts'
import { Panel } from '../../ui/panel.tsx'
import { DepositRequests } from '../deposits/requests.tsx'
import { WALLET } from './wallet-messages.ts'

/** Transfers that this reseller reported. */
export function DepositsPanel({ reseller }: { reseller: Reseller }) {
  const text = useText(WALLET)
  return (
    <Panel isFlush title={text.deposits}>
      <DepositRequests account={reseller.account} />
    </Panel>
  )
}
