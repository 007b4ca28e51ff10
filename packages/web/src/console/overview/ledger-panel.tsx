import type { OperatorOverview } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { dateTimeText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, grouped } from '../../text/numbers.ts'
import { Figure } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Pill } from '../../ui/state.tsx'
import { OVERVIEW } from './messages.ts'

/** The last proof of the books. */
export function LedgerPanel({ ledger }: { ledger: NonNullable<OperatorOverview['ledger']> }) {
  const text = useText(OVERVIEW)
  const { last, running_since: running } = ledger
  return (
    <Panel
      title={text.ledger}
      actions={
        <>
          {last === null || last.is_whole === null ? null : (
            <Pill small tone={last.is_whole ? 'ok' : 'critical'}>
              {last.is_whole ? text.whole : text.broken}
            </Pill>
          )}
          <PageLink className="link" to="/operator/ledger">
            {text.all}
          </PageLink>
        </>
      }
    >
      {last === null ? <p className="sub small">{text.notProved}</p> : <LastProof {...last} />}
      {running === null ? null : (
        <p className="sub small">
          {text.proving} {text.runningSince(whenText(running))}
        </p>
      )}
    </Panel>
  )
}

type Proof = NonNullable<NonNullable<OperatorOverview['ledger']>['last']>

function LastProof({ is_whole: isWhole, wallets, entries, total, finished_at: finished, trouble }: Proof) {
  const text = useText(OVERVIEW)
  return (
    <>
      {total === null ? null : <Figure size="xl" amount={total} currency="MYR" />}
      <p className="sub small">
        {trouble ?? (isWhole ? text.allAccounts : text.sumWrong)}{' '}
        {wallets === null || entries === null ? null : text.wallets(countText(wallets), grouped(entries))}
      </p>
      {finished === null ? null : <p className="sub small">{text.finished(dateTimeText(finished))}</p>}
    </>
  )
}
