import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLive } from '../../api/live.ts'
import type { CurrencyRate } from '../../api/operator.generated.ts'
import { operatorKey, useOperator } from '../../api/operator.ts'
import { requestRate } from '../../api/operator-acts.generated.ts'
import { choiceOf, filterOf, SegmentFilter, TextFilter } from '../../shell/filters.tsx'
import { useFilters } from '../../shell/navigation.tsx'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { actionHead, Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { FilterLine, Pages } from '../parts/pages.tsx'
import { useMay } from '../roles.ts'
import { namesOf, StateOf, useWords } from '../states.ts'
import { RATES } from './messages.ts'

type Asked = Partial<Pick<CurrencyRate, 'currency' | 'rate'>>

/** Rates of currencies in ringgit, with their history. */
export function Page() {
  const text = useText(RATES)
  const pages = useText(CONSOLE)
  const states = useWords('rate')
  const may = useMay()
  const client = useQueryClient()
  useLive(['approval'], () => void client.invalidateQueries({ queryKey: operatorKey('listRates') }))
  const [search] = useFilters()
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  const columns = useColumns(setAsked)
  const reading = useOperator(
    'listRates',
    {
      query: {
        limit: PAGE_ROWS,
        ...choiceOf(search, 'state', namesOf('rate')),
        ...filterOf(search, 'currency', 'cursor'),
      },
    },
    { keepsFormer: true },
  )
  return (
    <>
      <PageHead
        title={pages.rates}
        about={text.about}
        actions={
          may('rates.write') ? (
            <Button look="primary" icon="plus" onClick={() => setAsked({})}>
              {text.set}
            </Button>
          ) : undefined
        }
      />
      <Panel isFlush>
        <FilterLine>
          <SegmentFilter
            name="state"
            label={text.state}
            options={namesOf('rate').map((value) => ({ value, label: states[value] }))}
          />
          <span className="push">
            <TextFilter name="currency" label={text.currency} isFinder />
          </span>
        </FilterLine>
        <Loaded
          reading={reading}
          bones={4}
          empty={<Empty icon="coin" title={text.isNone} about={text.noneAbout} />}
        >
          {({ data, cursor, has_more: hasMore }) => (
            <>
              <Table caption={text.caption} columns={columns} rows={data} rowKey={({ id }) => id} />
              <Pages rows={data.length} cursor={cursor} hasMore={hasMore} />
            </>
          )}
        </Loaded>
      </Panel>
      {asked === undefined ? null : <RateDialog from={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

const PAGE_ROWS = 50

function RateDialog({ from, onClose }: { from: Asked; onClose: () => void }) {
  const text = useText(RATES)
  return (
    <ConsoleAct
      act={requestRate}
      title={text.setTitle}
      action={text.ask}
      asked={text.asked}
      refresh={['listRates']}
      from={from}
      fields={({ currency }) => ({
        currency: { label: text.currency, hint: text.currencyHint, isHalf: true },
        rate: {
          label: /^[A-Z]{3}$/.test(String(currency)) ? text.worth(String(currency)) : text.rate,
          hint: text.rateHint,
          inputMode: 'decimal',
        },
        from: { label: text.since(ZONE_NAME), hint: text.fromHint, type: 'datetime-local' },
      })}
      onClose={onClose}
    >
      <p className="mid">{text.setAbout}</p>
    </ConsoleAct>
  )
}

function useColumns(onAnew: (rate: Asked) => void): readonly Column<CurrencyRate>[] {
  const text = useText(RATES)
  const may = useMay()
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 130,
      cell: ({ state }) => <StateOf kind="rate" state={state} />,
    },
    {
      key: 'currency',
      head: text.currency,
      folded: 'name',
      cell: ({ currency }) => <span className="mono">{currency}</span>,
    },
    { key: 'rate', head: text.rate, isRight: true, folded: 'amount', cell: ({ rate }) => rate },
    {
      key: 'from',
      head: text.since(ZONE_NAME),
      folded: 'time',
      className: 'nowrap',
      cell: ({ from }) => whenText(from),
    },
    {
      key: 'reason',
      head: text.why,
      folded: 'detail',
      className: 'wide-text',
      cell: ({ reason }) => reason,
    },
    {
      key: 'who',
      head: text.who,
      rank: 2,
      cell: ({ set_by: by, approved_by: second }) => (
        <span className="who2">
          {by}
          <small>{second ?? text.machine}</small>
        </span>
      ),
    },
    ...(may('rates.write')
      ? [
          {
            ...actionHead(text.again),
            cell: ({ currency, rate, state }: CurrencyRate) =>
              state === 'in_force' ? (
                <Button
                  size="sm"
                  aria-label={`${text.again}: ${currency}`}
                  onClick={() => onAnew({ currency, rate })}
                >
                  {text.again}
                </Button>
              ) : null,
          },
        ]
      : []),
  ]
}
