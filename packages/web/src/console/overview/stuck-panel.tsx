import type { OperatorOverview } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StuckTable } from '../payments/stuck-table.tsx'
import { OVERVIEW } from './messages.ts'

/** Payments past their due time whose outcome is unknown, the longest waiting first. */
export function StuckPanel({ stuck }: { stuck: NonNullable<OperatorOverview['stuck']> }) {
  const text = useText(OVERVIEW)
  return (
    <Panel
      isFlush
      title={text.stuck}
      count={stuck.payments || undefined}
      about={
        stuck.payments === 0 ? undefined : (
          <span className="wide-only">
            <Money amount={stuck.cost} currency="MYR" /> {text.held}
          </span>
        )
      }
      actions={
        <PageLink className="link" to="/operator/stuck">
          {text.all}
        </PageLink>
      }
    >
      {stuck.first.length === 0 ? (
        <p className="in sub small">{text.stuckNoneAbout}</p>
      ) : (
        <StuckTable payments={stuck.first} />
      )}
    </Panel>
  )
}
