import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLive } from '../../api/live.ts'
import type { ReportedDeposit } from '../../api/operator.generated.ts'
import { operatorKey, useOperator } from '../../api/operator.ts'
import { choiceOf, filterOf, SegmentFilter, TextFilter } from '../../shell/filters.tsx'
import { PageLink, useFilters } from '../../shell/navigation.tsx'
import { dayText, momentOfDay, whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { colourOf, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { POSTING } from '../parts/messages.ts'
import { FilterLine, Pages } from '../parts/pages.tsx'
import { PostingDialog } from '../parts/posting-dialog.tsx'
import { useMay } from '../roles.ts'
import { namesOf, StateOf, toneOf, useWords } from '../states.ts'
import { DEPOSITS } from './messages.ts'

/** Which transfers wait to be compared with the bank. */
export function Page() {
  const text = useText(DEPOSITS)
  const posting = useText(POSTING)
  const pages = useText(CONSOLE)
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  useDepositFreshness()
  return (
    <>
      <PageHead
        title={pages.deposits}
        about={text.about}
        actions={
          may('money.write') ? (
            <Button look="primary" icon="plus" onClick={() => setAsking(true)}>
              {posting.newDeposit}
            </Button>
          ) : undefined
        }
      />
      <Panel isFlush>
        <DepositRequests />
      </Panel>
      {isAsking ? <PostingDialog kind="deposit" onClose={() => setAsking(false)} /> : null}
    </>
  )
}

const PAGE_ROWS = 50

/** List of reported transfers, of everybody or of one reseller. */
export function DepositRequests({ account }: { account?: string }) {
  const text = useText(DEPOSITS)
  const states = useWords('deposit')
  const [search] = useFilters()
  const columns = useColumns(account === undefined)
  const state = choiceOf(search, 'state', namesOf('deposit'))
  const reading = useOperator(
    'listDepositRequests',
    {
      query: {
        limit: PAGE_ROWS,
        ...state,
        ...(account === undefined ? filterOf(search, 'account') : { account }),
        ...filterOf(search, 'cursor'),
      },
    },
    { keepsFormer: true },
  )
  const isFiltered = state.state !== undefined || search.account !== undefined
  return (
    <>
      <FilterLine>
        <SegmentFilter
          name="state"
          label={text.state}
          options={namesOf('deposit').map((value) => ({ value, label: states[value] }))}
        />
        {account === undefined ? (
          <span className="push">
            <TextFilter name="account" label={text.account} isFinder />
          </span>
        ) : null}
      </FilterLine>
      <Loaded
        reading={reading}
        bones={6}
        empty={
          <Empty
            icon="wallet"
            title={isFiltered ? text.noneHere : text.none}
            {...(isFiltered ? {} : { about: text.noneAbout })}
          />
        }
      >
        {({ data, cursor, has_more: hasMore }) => (
          <>
            <Table
              caption={text.caption}
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
              linkTo={({ id }) => ({ to: `/operator/deposits/${id}` })}
            />
            <Pages rows={data.length} cursor={cursor} hasMore={hasMore} />
          </>
        )}
      </Loaded>
    </>
  )
}

function useColumns(hasReseller: boolean): readonly Column<ReportedDeposit>[] {
  const text = useText(DEPOSITS)
  const states = useWords('deposit')
  const columns: (Column<ReportedDeposit> | undefined)[] = [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      cell: ({ state }) => <StateOf kind="deposit" state={state} />,
    },
    hasReseller
      ? {
          key: 'reseller',
          head: text.reseller,
          folded: 'name',
          cell: ({ reseller }) => (
            <span className="who2">
              {reseller.name}
              <small className="wide-only">{reseller.account}</small>
            </span>
          ),
        }
      : undefined,
    {
      key: 'reference',
      head: text.reference,
      folded: hasReseller ? 'detail' : 'name',
      className: 'wide-text',
      cell: ({ id, bank_reference: reference, same_reference: same }) => (
        <>
          <PageLink className="mono" to={`/operator/deposits/${id}`}>
            {reference}
          </PageLink>{' '}
          {same.length === 0 ? null : <State tone="warning">{text.again}</State>}
        </>
      ),
    },
    {
      key: 'day',
      head: text.day,
      rank: 2,
      cell: ({ transferred_on: day }) => dayText(momentOfDay(day)),
    },
    {
      key: 'amount',
      head: text.amountMyr,
      isRight: true,
      folded: 'amount',
      cell: ({ amount }) => <Money amount={amount} />,
    },
    {
      key: 'reported',
      head: text.reported(ZONE_NAME),
      folded: 'time',
      className: 'nowrap sub',
      cell: ({ reported_at: at, state }) => (
        <>
          <span className={`pw ${colourOf(toneOf('deposit', state))}`}>{states[state]}</span>
          {whenText(at)}
        </>
      ),
    },
  ]
  return columns.filter((each) => each !== undefined)
}

/** Reads deposit requests again when one is reported, which opens an alert, or decided by a second person. */
export function useDepositFreshness(): void {
  const client = useQueryClient()
  useLive(['alert', 'approval'], () => {
    void client.invalidateQueries({ queryKey: operatorKey('listDepositRequests') })
    void client.invalidateQueries({ queryKey: operatorKey('getDepositRequest') })
  })
}
