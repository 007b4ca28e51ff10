import { useState } from 'react'
import type { PortalEvent } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { useMay } from '../session.ts'
import { EVENTS } from './messages.ts'
import { DevelopersHead } from './tabs.tsx'

const PAGE_ROWS = 50

/** Everything that happened to the account, in order. */
export function Page() {
  const text = useText(EVENTS)
  return (
    <>
      <DevelopersHead about={text.about} />
      <div className="grid">
        <FeedPanel />
        <ProgramPanel />
      </div>
    </>
  )
}

/** Reads the page of the address, or the newest one. */
function useFeedPage() {
  const [search] = useFilters()
  const [after, before] = [sequenceOf(search.after), sequenceOf(search.before)]
  const place = before === undefined && after !== undefined ? { after } : { before: before ?? 0 }
  return usePortal('portalListEvents', { query: { ...place, limit: PAGE_ROWS } }, { keepsFormer: true })
}

function sequenceOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function FeedPanel() {
  const text = useText(EVENTS)
  const [search, change] = useFilters()
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const reading = useFeedPage()
  const events = [...(reading.data?.data ?? [])].reverse()
  const types = [...new Set(events.map(({ type }) => type))].sort()
  const shown = search.type === undefined ? events : events.filter(({ type }) => type === search.type)
  return (
    <Panel isFlush>
      <div className="dev-bar">
        <label className={`chip${search.type === undefined ? '' : ' on'}`} title={text.typesOfPage}>
          <span className="sub">{text.types}</span>
          <select value={search.type ?? ''} onChange={(event) => change({ type: event.target.value })}>
            <option value="">{text.anyType}</option>
            {(search.type === undefined || types.includes(search.type) ? types : [search.type, ...types]).map(
              (type) => (
                <option key={type} value={type}>
                  {type}
                </option>
              ),
            )}
          </select>
        </label>
        <span className="push">
          <Button
            size="sm"
            onClick={() => change({ after: undefined, before: undefined })}
            disabled={search.after === undefined && search.before === undefined}
          >
            {text.newest}
          </Button>
        </span>
      </div>
      <Loaded reading={reading} bones={10}>
        {({ next, previous, latest, has_more: hasMore, data }) =>
          data.length === 0 ? (
            <Empty icon="bell" title={text.none} about={text.noneAbout} />
          ) : (
            <div className="dev-grid">
              <div>
                <Events events={shown} chosen={chosen} onChoose={setChosen} />
                <Pager
                  onNewer={hasMore ? () => change({ after: String(next), before: undefined }) : undefined}
                  onOlder={
                    previous === null
                      ? undefined
                      : () => change({ after: undefined, before: String(previous) })
                  }
                >
                  {text.shown(shown.length, countText(latest))}
                </Pager>
              </div>
              <EventDetails event={events.find(({ id }) => id === chosen)} />
            </div>
          )
        }
      </Loaded>
    </Panel>
  )
}

type EventsProps = {
  readonly events: readonly PortalEvent[]
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
}

function Events({ events, chosen, onChoose }: EventsProps) {
  const text = useText(EVENTS)
  const columns: readonly Column<PortalEvent>[] = [
    {
      key: 'type',
      head: text.type,
      folded: 'name',
      cell: ({ type }) => <b className="mid-weight">{type}</b>,
    },
    { key: 'id', head: text.id, folded: 'detail', cell: ({ id }) => <span className="mono">{id}</span> },
    {
      key: 'sequence',
      head: text.sequence,
      isRight: true,
      folded: 'amount',
      cell: ({ sequence }) => countText(sequence),
    },
    {
      key: 'time',
      head: text.time,
      isRight: true,
      folded: 'time',
      className: 'nowrap',
      cell: ({ created_at: at }) => whenText(at),
    },
  ]
  if (events.length === 0) return <Empty icon="bell" title={text.noneOfType} />
  return (
    <Table
      caption={text.caption}
      columns={columns}
      rows={events}
      rowKey={({ id }) => id}
      onOpen={({ id }) => onChoose(id)}
      rowClass={({ id }) => (id === chosen ? 'is-on' : undefined)}
    />
  )
}

function EventDetails({ event }: { event: PortalEvent | undefined }) {
  const text = useText(EVENTS)
  const mayChange = useMay('developers.write')
  if (event === undefined) {
    return (
      <aside className="det" aria-label={text.details}>
        <p className="sub small">{text.pick}</p>
      </aside>
    )
  }
  const json = JSON.stringify(event, null, 2)
  return (
    <aside className="det" aria-label={text.details}>
      <div className="row">
        <b>{event.type}</b>
        <CopyButton value={json} />
      </div>
      {mayChange ? null : <p className="sub small">{text.masked}</p>}
      <pre className="code wrap">{json}</pre>
    </aside>
  )
}

function ProgramPanel() {
  const text = useText(EVENTS)
  return (
    <Panel title={text.program}>
      <p className="mid dev-text">{text.programAbout}</p>
      <pre className="code wrap">{`GET ${location.origin}/v2/events?after=0&limit=100

${EXAMPLE}`}</pre>
    </Panel>
  )
}

/** Answer of the feed, in its form. */
const EXAMPLE = `{
  "data": [{ "sequence": 1, "id": "evt_…_1", "type": "payment.accepted", "created_at": "…", "data": { … } }],
  "next": 1,
  "has_more": false
}`
