import { useState } from 'react'
import type { SharedTills } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { closeSharedTill, endPinLocks, openSharedTill } from '../../api/portal-acts.generated.ts'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { actionHead, Table } from '../../ui/table.tsx'
import { PortalAct } from '../act.tsx'
import { useMay } from '../session.ts'
import { SHARED_TILLS } from './messages.ts'

type Till = SharedTills['data'][number]
type Asked = { readonly what: 'open' } | { readonly what: 'close' | 'unlock'; readonly till: Till }

const IDLE_SECONDS = 120
const REFRESH = ['listSharedTills', 'getPortalSession'] as const

/** Browsers at which members take over by PIN. */
export function SharedTillsPanel() {
  const text = useText(SHARED_TILLS)
  const reading = usePortal('listSharedTills', {})
  const mayChange = useMay('shared_tills.write')
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  const columns = useColumns(setAsked)
  const close = () => setAsked(undefined)
  return (
    <Panel
      title={text.tills}
      about={`${text.tillsAbout} · ${ZONE_NAME}`}
      isFlush
      actions={
        mayChange ? (
          <Button size="sm" onClick={() => setAsked({ what: 'open' })}>
            {text.open}
          </Button>
        ) : undefined
      }
    >
      <Loaded
        reading={reading}
        bones={2}
        empty={<Empty icon="lock" title={text.noTills} about={text.noTillsAbout} />}
      >
        {({ data }) => <Table caption={text.tills} columns={columns} rows={data} rowKey={({ id }) => id} />}
      </Loaded>
      {asked === undefined ? null : <TillDialog asked={asked} onClose={close} />}
    </Panel>
  )
}

function TillDialog({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const text = useText(SHARED_TILLS)
  if (asked.what === 'open') {
    return (
      <PortalAct
        act={openSharedTill}
        title={text.open}
        action={text.open}
        isDangerous={false}
        from={{ idle_seconds: IDLE_SECONDS }}
        fields={{ name: { label: text.tillName }, idle_seconds: { label: text.idle } }}
        done={({ data }) => text.opened(data.name)}
        refresh={REFRESH}
        onClose={onClose}
      >
        <p className="mid">{text.openAbout}</p>
      </PortalAct>
    )
  }
  const { id, name } = asked.till
  const common = { input: { params: { id } }, refresh: REFRESH, onClose } as const
  if (asked.what === 'unlock') {
    return (
      <PortalAct
        {...common}
        act={endPinLocks}
        title={text.unlockTitle(name)}
        action={text.unlock}
        isDangerous={false}
        done={text.unlocked(name)}
      >
        <p className="mid">{text.unlockAbout}</p>
      </PortalAct>
    )
  }
  return (
    <PortalAct
      {...common}
      act={closeSharedTill}
      title={text.closeTitle(name)}
      action={text.close}
      keep={text.keepTill}
      done={text.closed(name)}
    >
      <p className="mid">{text.closeAbout}</p>
    </PortalAct>
  )
}

function useColumns(onAsk: (asked: Asked) => void): readonly Column<Till>[] {
  const text = useText(SHARED_TILLS)
  const mayChange = useMay('shared_tills.write')
  const isLocked = (till: Till) => till.is_locked || till.locked.length > 0
  const columns: Column<Till>[] = [
    {
      key: 'name',
      head: text.name,
      folded: 'name',
      cell: (till) => (
        <>
          <b className="strong">{till.name}</b>{' '}
          {till.is_this ? <span className="tag">{text.thisBrowser}</span> : null}
        </>
      ),
    },
    { key: 'by', head: text.openedBy, folded: 'detail', cell: ({ opened_by: by }) => by },
    {
      key: 'locked',
      head: text.lockedPeople,
      cell: (till) => (till.is_locked ? text.everybody : till.locked.join(', ') || text.none),
    },
    { key: 'used', head: text.lastUsed, folded: 'time', cell: (till) => whenText(till.last_used_at) },
  ]
  if (!mayChange) return columns
  return [
    ...columns,
    {
      ...actionHead(text.change),
      cell: (till) => (
        <span className="row tight">
          {isLocked(till) ? (
            <Button
              size="sm"
              aria-label={`${text.unlock}: ${till.name}`}
              onClick={() => onAsk({ what: 'unlock', till })}
            >
              {text.unlock}
            </Button>
          ) : null}
          <Button
            size="sm"
            look="danger-quiet"
            aria-label={`${text.close}: ${till.name}`}
            onClick={() => onAsk({ what: 'close', till })}
          >
            {text.close}
          </Button>
        </span>
      ),
    },
  ]
}
