import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useLive } from '../../api/live.ts'
import type { DepositReport } from '../../api/portal.generated.ts'
import { portalKey, usePortal } from '../../api/portal.ts'
import { SegmentFilter } from '../../shell/filters.tsx'
import { useFilters, useGo } from '../../shell/navigation.tsx'
import { dayText, momentOfDay, whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { colourOf } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { PORTAL } from '../messages.ts'
import { useMay } from '../session.ts'
import { namesOf, StateOf, toneOf, useWords } from '../states.ts'
import { DetailsDialog, ReportDialog } from './dialogs.tsx'
import { DEPOSITS } from './messages.ts'
import './deposits.css'

const PAGE_ROWS = 50

/** Has finance seen my transfer, and is it in the wallet. */
export function Page() {
  const text = useText(DEPOSITS)
  const states = useWords('deposit')
  const pages = useText(PORTAL)
  const mayReport = useMay('deposits.write')
  const client = useQueryClient()
  const [, change] = useFilters()
  const [isReporting, setReporting] = useState(false)
  useLive(['balance', 'deposit'], () => {
    void client.invalidateQueries({ queryKey: portalKey('portalListDepositRequests') })
    void client.invalidateQueries({ queryKey: portalKey('portalGetDepositRequest') })
  })
  const report = mayReport ? (
    <Button look="primary" icon="plus" onClick={() => setReporting(true)}>
      {text.report}
    </Button>
  ) : undefined
  return (
    <>
      <PageHead title={pages.deposits} about={text.about} actions={report} />
      <Panel isFlush>
        <div className="state-bar">
          <SegmentFilter
            name="state"
            label={text.state}
            options={namesOf('deposit').map((value) => ({
              value,
              label: states[value],
              tone: toneOf('deposit', value),
            }))}
          />
        </div>
        <Reports action={report} />
      </Panel>
      {isReporting ? null : <Opened />}
      {isReporting ? (
        <ReportDialog
          onClose={() => setReporting(false)}
          onReported={(id) => {
            setReporting(false)
            change({ state: undefined, cursor: undefined, request: id })
          }}
        />
      ) : null}
    </>
  )
}

function Reports({ action }: { action: ReactNode }) {
  const text = useText(DEPOSITS)
  const [search] = useFilters()
  const { pathname } = useLocation()
  const go = useGo()
  const columns = useColumns()
  const state = namesOf('deposit').find((each) => each === search.state)
  const reading = usePortal(
    'portalListDepositRequests',
    {
      query: {
        limit: PAGE_ROWS,
        ...(state === undefined ? {} : { state }),
        ...(search.cursor === undefined ? {} : { cursor: search.cursor }),
      },
    },
    { keepsFormer: true },
  )
  return (
    <Loaded
      reading={reading}
      bones={6}
      empty={
        <Empty
          icon="wallet"
          title={state === undefined ? text.none : text.noneHere}
          {...(state === undefined ? { about: text.noneAbout, action } : {})}
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
            linkTo={({ id }) => ({ to: pathname, search: { ...search, request: id }, isBeside: true })}
          />
          <Pager
            onNewer={search.cursor === undefined ? undefined : () => history.back()}
            onOlder={hasMore && cursor !== null ? () => go(pathname, { ...search, cursor }) : undefined}
          >
            {text.shown(data.length)}
          </Pager>
        </>
      )}
    </Loaded>
  )
}

/** Transfer that the address names, wherever it stands in the list. */
function Opened() {
  const [{ request }, change] = useFilters()
  const reading = usePortal(
    'portalGetDepositRequest',
    { params: { id: request ?? '' } },
    { isEnabled: request !== undefined },
  )
  if (request === undefined || reading.data === undefined) return null
  return (
    <DetailsDialog key={request} report={reading.data.data} onClose={() => change({ request: undefined })} />
  )
}

function useColumns(): readonly Column<DepositReport>[] {
  const states = useWords('deposit')
  const text = useText(DEPOSITS)
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      cell: ({ state }) => <StateOf kind="deposit" state={state} />,
    },
    {
      key: 'reference',
      head: text.reference,
      folded: 'name',
      className: 'cut reference',
      cell: ({ bank_reference: reference }) => <span className="mono">{reference}</span>,
    },
    {
      key: 'day',
      head: text.day,
      folded: 'detail',
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
      head: text.reportedAt(ZONE_NAME),
      folded: 'time',
      className: 'nowrap sub',
      cell: ({ reported_at: at, state }) => (
        <>
          <span className={`pw ${colourOf(toneOf('deposit', state))}`}>{states[state]}</span>
          {whenText(at)}
        </>
      ),
    },
    { key: 'by', head: text.by, rank: 2, cell: ({ reported_by: by }) => by },
  ]
}
