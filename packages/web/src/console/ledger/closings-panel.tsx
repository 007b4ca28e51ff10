import type { Closings } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { dateTimeText, dayText, momentOfDay, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { PARTS } from '../parts/messages.ts'
import { LEDGER } from './messages.ts'

/** Are the books of every day closed. */
export function ClosingsPanel() {
  const text = useText(LEDGER)
  const reading = useOperator('getClosings', {})
  return (
    <Panel isFlush title={text.closings} about={text.closingsAbout}>
      <Loaded reading={reading} bones={4}>
        {({ data }) => <Content closings={data} />}
      </Loaded>
    </Panel>
  )
}

function Content({ closings }: { closings: Closings }) {
  const text = useText(LEDGER)
  const parts = useText(PARTS)
  const day = dayText(momentOfDay(closings.last_day))
  return (
    <>
      <div className="in proof">
        <State tone={closings.is_current ? 'ok' : 'warning'}>
          {closings.is_current ? text.closedUpTo(day) : text.behind(closings.behind_total, closings.wallets)}
        </State>
        <Facts
          facts={[
            { term: text.walletsCount, value: countText(closings.wallets) },
            { term: text.lastDay, value: day },
            {
              term: text.lastClosed(ZONE_NAME),
              value: closings.last_closed_at === null ? parts.never : dateTimeText(closings.last_closed_at),
            },
          ]}
        />
      </div>
      {closings.behind.length === 0 ? null : (
        <Table
          caption={text.behindCaption}
          rows={closings.behind}
          rowKey={({ account }) => account}
          columns={[
            {
              key: 'reseller',
              head: text.reseller,
              folded: 'name',
              cell: ({ account, name }) => (
                <PageLink className="link" to={`/operator/resellers/${account}`}>
                  {name}
                </PageLink>
              ),
            },
            {
              key: 'day',
              head: text.firstOpen,
              isRight: true,
              folded: 'amount',
              cell: ({ day: first }) => dayText(momentOfDay(first)),
            },
          ]}
        />
      )}
    </>
  )
}
