import { useState } from 'react'
import type { LedgerProof } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { beginLedgerProof } from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { useMay } from '../roles.ts'
import { ClosingsPanel } from './closings-panel.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { LEDGER } from './messages.ts'
import { BreaksPanel, ProofPanel } from './proof-panel.tsx'
import './ledger.css'

/** Is every ringgit accounted for. */
export function Page() {
  const text = useText(LEDGER)
  const pages = useText(CONSOLE)
  const may = useMay()
  const reading = useOperator('listLedgerProofs', {})
  const proofs = reading.data?.data ?? []
  const isRunning = proofs.some(({ finished_at: at }) => at === null)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <PageHead
        title={pages.ledger}
        about={text.about}
        actions={
          may('ledger.verify') ? (
            <Button look="primary" icon="check" disabled={isRunning} onClick={() => setAsking(true)}>
              {proofs.length === 0 ? text.proveFirst : text.prove}
            </Button>
          ) : undefined
        }
      />
      <div className="grid c75">
        <Loaded reading={reading} bones={10}>
          {({ data }) => <Proofs proofs={data} />}
        </Loaded>
        <ClosingsPanel />
      </div>
      {isAsking ? (
        <ConsoleAct
          act={beginLedgerProof}
          title={text.proveTitle}
          action={text.proveFirst}
          done={text.begun}
          refresh={['listLedgerProofs', 'getOperatorOverview']}
          onClose={() => setAsking(false)}
        >
          <p className="mid">{text.proveAbout}</p>
        </ConsoleAct>
      ) : null}
    </>
  )
}

function Proofs({ proofs }: { proofs: readonly LedgerProof[] }) {
  const text = useText(LEDGER)
  const [latest, ...earlier] = proofs
  if (latest === undefined) {
    return (
      <Panel>
        <Empty icon="book" title={text.never} about={text.neverAbout} />
      </Panel>
    )
  }
  return (
    <div className="grid">
      <ProofPanel proof={latest} />
      <BreaksPanel proof={latest} />
      {earlier.length === 0 ? null : <HistoryPanel proofs={earlier} />}
    </div>
  )
}
