import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ScheduleRequestWithProof } from '../../api/portal.generated.ts'
import { portal, portalKey } from '../../api/portal.ts'
import { isoDayFromToday } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { Note } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PART_LINES_MAX } from './lines.ts'
import { BULK } from './messages.ts'
import type { Row } from './outcomes.ts'
import { repeatOf } from './outcomes.ts'
import { SCHEDULES } from './schedule-messages.ts'
import type { Bulk } from './use-bulk.ts'

type Every = ScheduleRequestWithProof['every']
const INTERVALS: readonly Every[] = ['once', 'week', 'month']
/** Last day of every month. */
const DAYS_OF_ALL_MONTHS = 28

/** Asks when the ready lines are paid by the service, and which sum a run may take at most. */
export function ScheduleDialog({ bulk, onClose }: { bulk: Bulk; onClose: () => void }) {
  const text = useText(SCHEDULES)
  const bulkText = useText(BULK)
  const [every, setEvery] = useState<Every>('once')
  const [day, setDay] = useState(isoDayFromToday(1))
  const [clock, setClock] = useState('09:00')
  const [withRepeats, setWithRepeats] = useState(false)
  const [isConfirmed, setConfirmed] = useState(false)
  const ready = bulk.rows.filter(({ state, preview }) => state === 'ready' && preview.cost !== null)
  const repeats = ready.filter((row) => repeatOf(row) !== undefined).length
  const wanted = withRepeats ? ready : ready.filter((row) => repeatOf(row) === undefined)
  const most = useMost(wanted)
  const making = useAction({
    act: () => portal.call('portalScheduleBatch', { body: requestOf(wanted) }),
    done: () => text.done,
    refresh: [portalKey('portalListSchedules')],
    onDone: () => {
      onClose()
      bulk.forget()
    },
  })
  const requestOf = (rows: readonly Row[]): ScheduleRequestWithProof => ({
    name: bulk.name,
    every,
    first_at: `${day}T${clock}:00+08:00`,
    repeats: withRepeats ? 'pay' : 'skip',
    max_cost: most ?? '0',
    lines: rows.map(scheduledLine),
  })
  const isTooLong = wanted.length > PART_LINES_MAX
  return (
    <ConfirmDialog
      title={text.title(countText(wanted.length))}
      action={text.schedule}
      keep={text.notNow}
      isDangerous={false}
      isBusy={making.isBusy}
      isReady={
        wanted.length > 0 && !isTooLong && most !== undefined && isConfirmed && day !== '' && clock !== ''
      }
      error={making.error}
      onClose={onClose}
      onConfirm={() => making.run()}
    >
      <div className="stack">
        <p className="mid">{text.about}</p>
        {isTooLong ? <Note tone="warning">{text.tooMany}</Note> : null}
        <SelectField
          label={text.every}
          value={every}
          onValue={(value) => setEvery(value as Every)}
          options={INTERVALS.map((value) => ({ value, label: text.intervals[value] }))}
          hint={every === 'month' && Number(day.slice(-2)) > DAYS_OF_ALL_MONTHS ? text.lastDay : undefined}
        />
        <div className="row wrap">
          <TextField label={text.day} type="date" min={isoDayFromToday(0)} value={day} onValue={setDay} />
          <TextField label={text.clock} type="time" value={clock} onValue={setClock} />
        </div>
        {repeats === 0 ? null : (
          <>
            <Note tone="warning">{bulkText.repeats(countText(repeats))}</Note>
            <Checkbox label={bulkText.withRepeats} isOn={withRepeats} onToggle={setWithRepeats} />
          </>
        )}
        <p>
          {text.most} <b>{most === undefined ? '…' : <Money amount={most} currency="MYR" />}</b>
        </p>
        <Checkbox label={text.confirm} isOn={isConfirmed} onToggle={setConfirmed} />
      </div>
    </ConfirmDialog>
  )
}

/** Sum of what the lines cost, as the service says it; undefined: it is not known yet. */
function useMost(rows: readonly Row[]): string | undefined {
  const lines = rows.map(({ line }) => line)
  // Under a name of its own, no line counts as paid before.
  const [batch] = useState(() => crypto.randomUUID())
  const reading = useQuery({
    queryKey: ['schedule-sum', lines],
    enabled: lines.length > 0 && lines.length <= PART_LINES_MAX,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () =>
      (await portal.call('portalPreviewBulk', { body: { lines, batch } })).data.totals.by_status.ready.cost,
  })
  return reading.data
}

function scheduledLine({ line, preview }: Row): ScheduleRequestWithProof['lines'][number] {
  const { product, account, amount, extras = {}, remarks, reference } = line
  return {
    line: line.line,
    product,
    account,
    amount,
    subproduct_code: extras.subproduct_code ?? null,
    biller_code: extras.biller_code ?? null,
    ref2: extras.ref2 ?? null,
    ic_number: extras.ic_number ?? null,
    remarks: remarks ?? null,
    reference: reference ?? null,
    cost: preview.cost ?? '0',
  }
}
