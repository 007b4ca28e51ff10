import { useState } from 'react'
import type { Schedule } from '../../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { minuteText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { SCHEDULES } from './schedule-messages.ts'

const TONES = { active: 'info', paying: 'wait', stopped: 'bad', ended: 'ok' } as const satisfies Record<
  string,
  Tone
>

type Asked = { readonly kind: 'stop' | 'go on'; readonly schedule: Schedule }

/** Files that the service pays at their times, and what stands against those that have stopped. */
export function SchedulesPanel({ mayChange }: { mayChange: boolean }) {
  const text = useText(SCHEDULES)
  const reading = usePortal('portalListSchedules', {})
  const [asked, setAsked] = useState<Asked | null>(null)
  const columns = useColumns(mayChange, setAsked)
  const schedules = reading.data?.data ?? []
  if (schedules.length === 0) return null
  return (
    <Panel isFlush title={text.list} about={text.listAbout}>
      <div className="scroll-x">
        <Table caption={text.list} columns={columns} rows={schedules} rowKey={({ id }) => id} />
      </div>
      {asked?.kind === 'stop' ? (
        <StopDialog schedule={asked.schedule} onClose={() => setAsked(null)} />
      ) : null}
      {asked?.kind === 'go on' ? (
        <GoOnDialog schedule={asked.schedule} onClose={() => setAsked(null)} />
      ) : null}
    </Panel>
  )
}

function nameOf({ name, first_at: at }: Schedule): string {
  return name === '' ? minuteText(at) : name
}

function useColumns(mayChange: boolean, ask: (asked: Asked) => void): readonly Column<Schedule>[] {
  const text = useText(SCHEDULES)
  const actions: Column<Schedule> = {
    key: 'actions',
    head: text.actions,
    isRight: true,
    cell: (schedule) => {
      if (schedule.state === 'ended') return null
      const isActive = schedule.state === 'active'
      return (
        <Button
          size="sm"
          aria-label={(isActive ? text.stopOf : text.goOnOf)(nameOf(schedule))}
          onClick={() => ask({ kind: isActive ? 'stop' : 'go on', schedule })}
        >
          {isActive ? text.stop : text.goOn}
        </Button>
      )
    },
  }
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      cell: ({ state, reason, batch_id: batch }) => {
        const shown = state === 'active' && batch !== null ? 'paying' : state
        return (
          <>
            <State tone={TONES[shown]}>{text.states[shown]}</State>
            {reason === null ? null : <small className="under">{text.reasons[reason]}</small>}
          </>
        )
      },
    },
    { key: 'name', head: text.name, folded: 'name', className: 'cut', cell: (schedule) => nameOf(schedule) },
    {
      key: 'next',
      head: text.next,
      folded: 'time',
      cell: ({ run_at: at, every }) => (
        <>
          {at === null ? '–' : minuteText(at)} <span className="sub">{text.intervals[every]}</span>
        </>
      ),
    },
    { key: 'lines', head: text.lines, isRight: true, rank: 2, cell: ({ lines }) => countText(lines) },
    {
      key: 'most',
      head: text.atMost,
      isRight: true,
      folded: 'amount',
      cell: ({ max_cost: most }) => <Money amount={most} />,
    },
    ...(mayChange ? [{ ...actions, folded: 'detail' as const }] : []),
  ]
}

type OneProps = { readonly schedule: Schedule; readonly onClose: () => void }

function StopDialog({ schedule, onClose }: OneProps) {
  const text = useText(SCHEDULES)
  const stopping = useAction({
    act: () => portal.call('portalStopSchedule', { params: { id: schedule.id } }),
    refresh: [portalKey('portalListSchedules')],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.stopTitle(nameOf(schedule))}
      action={text.stop}
      keep={text.notNow}
      isBusy={stopping.isBusy}
      error={stopping.error}
      onClose={onClose}
      onConfirm={() => stopping.run()}
    >
      <p className="mid">{text.stopAbout}</p>
    </ConfirmDialog>
  )
}

type From = 'here' | 'next'

function GoOnDialog({ schedule, onClose }: OneProps) {
  const text = useText(SCHEDULES)
  const [from, setFrom] = useState<From>('here')
  const froms: readonly From[] = schedule.every === 'once' ? ['here'] : ['here', 'next']
  const goingOn = useAction({
    act: () => portal.call('portalResumeSchedule', { params: { id: schedule.id }, body: { from } }),
    refresh: [portalKey('portalListSchedules')],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.goOnTitle(nameOf(schedule))}
      action={text.goOn}
      keep={text.notNow}
      isDangerous={false}
      isBusy={goingOn.isBusy}
      error={goingOn.error}
      onClose={onClose}
      onConfirm={() => goingOn.run()}
    >
      <div className="stack">
        <p className="mid">{text.goOnAbout}</p>
        <SelectField
          label={text.from}
          value={from}
          onValue={(value) => setFrom(value as From)}
          options={froms.map((value) => ({ value, label: text.froms[value] }))}
        />
      </div>
    </ConfirmDialog>
  )
}
