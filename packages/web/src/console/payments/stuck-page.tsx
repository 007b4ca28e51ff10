import { useOperator } from '../../api/operator.ts'
import { useText } from '../../text/language.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { CONSOLE } from '../messages.ts'
import { PAYMENTS } from './messages.ts'
import { StuckTable } from './stuck-table.tsx'
import { PaymentTabs } from './tabs.tsx'
import './payments.css'

const ROWS_MAX = 500

/** Payments that only a person can end. */
export function Page() {
  const text = useText(PAYMENTS)
  const pages = useText(CONSOLE)
  const reading = useOperator('listStuckPayments', { query: { limit: ROWS_MAX } })
  return (
    <>
      <PageHead
        title={pages.payments}
        about={text.stuckAbout}
        actions={<span className="live">{text.live}</span>}
      />
      <PaymentTabs current="stuck" />
      <Panel isFlush className="payments">
        <Loaded
          reading={reading}
          bones={8}
          empty={<Empty icon="check" title={text.stuckNone} about={text.stuckNoneAbout} />}
        >
          {({ data, has_more: hasMore }) => (
            <>
              <StuckTable payments={data} />
              <div className="foot-row">
                <span>
                  {text.stuckShown(data.length)} {hasMore ? text.stuckMore : null}
                </span>
              </div>
            </>
          )}
        </Loaded>
      </Panel>
    </>
  )
}
