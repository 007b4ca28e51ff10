import type { LoggedRequest } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { DayFilters, NoneMatch, TextFilter } from '../../shell/filters.tsx'
import type { Search } from '../../shell/navigation.tsx'
import { useFilters } from '../../shell/navigation.tsx'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Segment } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Shape, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { DevelopersHead } from '../developers/tabs.tsx'
import { Marked, PaymentOf, useHelp } from './help.tsx'
import { REQUESTS } from './messages.ts'
import './requests.css'

const PAGE_ROWS = 50

function queryOf({ failed, from, to, error, cursor }: Search) {
  return {
    ...(failed === 'true' ? { failed: true } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(error === undefined ? {} : { error }),
    ...(cursor === undefined ? {} : { cursor }),
    limit: PAGE_ROWS,
  }
}

/** Why was a request refused. */
export function Page() {
  const text = useText(REQUESTS)
  const [search, change] = useFilters()
  const reading = usePortal('portalListRequests', { query: queryOf(search) }, { keepsFormer: true })
  return (
    <>
      <DevelopersHead about={text.about} />
      <Panel isFlush className="requests">
        <FilterBar />
        <Loaded
          reading={reading}
          bones={10}
          empty={
            <NoneMatch
              icon="log"
              title={text.none}
              about={text.noneAbout}
              clear={text.clear}
              filters={NO_FILTERS}
            />
          }
        >
          {({ data, cursor, has_more: hasMore }) => (
            <>
              <Rows requests={data} />
              <Pager
                onNewer={search.cursor === undefined ? undefined : () => change({ cursor: undefined })}
                onOlder={hasMore && cursor !== null ? () => change({ cursor }) : undefined}
              >
                {text.shown(data.length)}
              </Pager>
            </>
          )}
        </Loaded>
      </Panel>
    </>
  )
}

const NO_FILTERS = { failed: undefined, from: undefined, to: undefined, error: undefined, cursor: undefined }

function FilterBar() {
  const text = useText(REQUESTS)
  const [search, change] = useFilters()
  return (
    <div className="dev-bar">
      <Segment
        label={text.which}
        value={search.failed === 'true' ? 'true' : ''}
        onValue={(failed) => change({ failed, cursor: undefined })}
        options={[
          { value: '', label: text.everything },
          {
            value: 'true',
            label: (
              <>
                <Shape tone="bad" isColoured />
                {text.failed}
              </>
            ),
          },
        ]}
      />
      <DayFilters />
      <TextFilter name="error" label={text.error} />
      <span className="push sub small">{text.kept}</span>
    </div>
  )
}

function Rows({ requests }: { requests: readonly LoggedRequest[] }) {
  const text = useText(REQUESTS)
  const columns: readonly Column<LoggedRequest>[] = [
    {
      key: 'time',
      head: text.time,
      folded: 'time',
      className: 'nowrap mid',
      cell: ({ at, skipped, status }) => (
        <>
          <span className="pw">{status}</span>
          {whenText(at)}
          {skipped === 0 ? null : <small className="not-kept">{text.skipped(skipped)}</small>}
        </>
      ),
    },
    {
      key: 'answer',
      head: text.answer,
      folded: 'shape',
      width: 90,
      cell: ({ status, code }) => (
        <>
          <State tone={status >= 400 ? 'bad' : 'ok'}>{status}</State>
          {code === null ? null : <small className="under w">{text.code(code)}</small>}
        </>
      ),
    },
    {
      key: 'operation',
      head: text.operation,
      folded: 'name',
      className: 'nowrap',
      cell: ({ method, route }) => (
        <span className="mono">
          <span className="sub">{method}</span> {route}
        </span>
      ),
    },
    { key: 'cause', head: text.cause, folded: 'detail', cell: (request) => <Cause request={request} /> },
    {
      key: 'refid',
      head: text.refid,
      className: 'cut refid',
      cell: (request) => <PaymentOf request={request} />,
    },
    {
      key: 'ms',
      head: text.ms,
      isRight: true,
      rank: 2,
      className: 'mid',
      cell: ({ duration_ms: ms }) => durationOf(ms),
    },
    { key: 'address', head: text.address, rank: 3, className: 'mid nowrap', cell: ({ address }) => address },
  ]
  return (
    <Table
      caption={text.caption}
      columns={columns}
      rows={requests}
      rowKey={({ id }) => id}
      linkTo={({ id }) => ({ to: `/portal/developers/requests/${id}` })}
    />
  )
}

const EXACT_BELOW_MS = 10

function durationOf(ms: number): string {
  return ms < EXACT_BELOW_MS ? ms.toFixed(1) : countText(ms)
}

/** Code of the error, and what it means; of an answer without a code its message. */
function Cause({ request }: { request: LoggedRequest }) {
  const { cause } = useHelp(request)
  if (request.error === null && cause === null) return <span className="mid cut">{request.message}</span>
  return (
    <span className="who2">
      <span className="mono">{request.error}</span>
      <small className="cut">{cause === null ? request.message : <Marked>{cause}</Marked>}</small>
    </span>
  )
}
