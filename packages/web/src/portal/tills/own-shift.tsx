import { useState } from 'react'
import type { OwnShift, Shift } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import {
  portalCloseShift,
  portalJoinShift,
  portalMoveCash,
  portalOpenShift,
} from '../../api/portal-acts.generated.ts'
import { useGo } from '../../shell/navigation.tsx'
import { minuteText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import type { FieldWords } from '../../ui/act-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { PortalAct } from '../act.tsx'
import { TILLS } from './messages.ts'

const STALE = ['portalGetOwnShift', 'portalListShifts', 'portalGetShift'] as const

/** Till of this browser with its shift: opened with a float, closed with a count. */
export function OwnShiftPanel() {
  const text = useText(TILLS)
  const reading = usePortal('portalGetOwnShift', {})
  return (
    <Panel title={text.here}>
      <Loaded reading={reading} bones={3}>
        {({ data }) => <Here state={data} />}
      </Loaded>
    </Panel>
  )
}

type Asked = 'open' | 'join' | 'move' | 'close'

function Here({ state }: { state: OwnShift }) {
  const text = useText(TILLS)
  const [asked, ask] = useState<Asked | undefined>(undefined)
  const { till, here, own, is_required: isRequired } = state
  const endAsking = () => ask(undefined)
  const isElsewhere = own !== null && own.id !== here?.id
  return (
    <div className="stack">
      {till === null ? (
        <Note tone="info">{text.noTill}</Note>
      ) : (
        <b className="strong">{text.hereIs(till.name, till.branch.name)}</b>
      )}
      {isRequired && own === null ? <Note tone="warning">{text.required}</Note> : null}
      {own === null ? null : (
        <>
          <p className="mid">
            {isElsewhere ? text.elsewhere(text.hereIs(own.till.name, own.till.branch.name)) : text.inShift}
          </p>
          <ShiftFacts shift={own} />
          <div className="row wrap">
            <Button onClick={() => ask('move')}>{text.move}</Button>
            <Button look="primary" onClick={() => ask('close')}>
              {text.close}
            </Button>
          </div>
        </>
      )}
      {own === null && till !== null && here === null ? (
        <>
          <p className="mid">{text.noShift}</p>
          <span>
            <Button look="primary" disabled={till.is_retired} onClick={() => ask('open')}>
              {text.open}
            </Button>
          </span>
        </>
      ) : null}
      {own === null && here !== null ? (
        <>
          <p className="mid">{text.joinAbout}</p>
          <ShiftFacts shift={here} />
          <span>
            <Button look="primary" onClick={() => ask('join')}>
              {text.join}
            </Button>
          </span>
        </>
      ) : null}
      {asked === 'open' ? <OpenDialog onClose={endAsking} /> : null}
      {asked === 'join' ? (
        <PortalAct
          act={portalJoinShift}
          title={text.joinTitle}
          action={text.join}
          isDangerous={false}
          done={text.joined}
          refresh={STALE}
          onClose={endAsking}
        />
      ) : null}
      {asked === 'move' && own !== null ? <MoveDialog shift={own} onClose={endAsking} /> : null}
      {asked === 'close' && own !== null ? <CloseDialog shift={own} onClose={endAsking} /> : null}
    </div>
  )
}

function ShiftFacts({ shift }: { shift: Shift }) {
  const text = useText(TILLS)
  return (
    <Facts
      isLeft
      facts={[
        { term: text.openedBy, value: shift.opened_by },
        { term: text.openedAt, value: minuteText(shift.opened_at) },
        { term: text.float, value: moneyText(shift.float, 'MYR') },
      ]}
    />
  )
}

const money = (words: Pick<FieldWords, 'label' | 'hint'>): FieldWords => ({
  ...words,
  before: 'MYR',
  inputMode: 'decimal',
})

function OpenDialog({ onClose }: { onClose: () => void }) {
  const text = useText(TILLS)
  return (
    <PortalAct
      act={portalOpenShift}
      fields={{ float: money({ label: text.float, hint: text.floatHint }) }}
      title={text.openTitle}
      action={text.open}
      isDangerous={false}
      done={text.opened}
      refresh={STALE}
      onClose={onClose}
    />
  )
}

function MoveDialog({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const text = useText(TILLS)
  const kinds = ['pay_out', 'pay_in', 'not_cash'] as const
  return (
    <PortalAct
      act={portalMoveCash}
      input={{ params: { id: shift.id } }}
      fields={{
        kind: {
          label: text.moveKind,
          look: 'cards',
          options: kinds.map((value) => ({ value, label: text.kinds[value], about: text.kindAbout[value] })),
        },
        amount: money({ label: text.amount }),
        reason: { label: text.reason },
      }}
      from={{ kind: 'pay_out' }}
      title={text.moveTitle}
      action={text.note}
      isDangerous={false}
      done={text.moved}
      refresh={STALE}
      onClose={onClose}
    />
  )
}

/** Asks for the count of the cash, and then shows the report. What is expected is not told before. */
export function CloseDialog({ shift, onClose }: { shift: Pick<Shift, 'id'>; onClose: () => void }) {
  const text = useText(TILLS)
  const go = useGo()
  return (
    <PortalAct
      act={portalCloseShift}
      input={{ params: { id: shift.id } }}
      fields={{ counted: money({ label: text.counted }) }}
      title={text.closeTitle}
      action={text.close}
      done={text.closedDone}
      refresh={STALE}
      onDone={() => {
        onClose()
        go(`/portal/shifts/${shift.id}`)
      }}
      onClose={onClose}
    >
      <p className="mid">{text.closeAbout}</p>
    </PortalAct>
  )
}
