import { useState } from 'react'
import type { ChangeThatWaitsForApproval, Proposal } from '../../api/operator.generated.ts'
import {
  acceptOfferProposals,
  rejectOfferProposals,
  setOfferSchedule,
  startOfferSync,
} from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { SelectField } from '../../ui/field.tsx'
import { isWaiting, WaitingDialog } from '../catalog/comparison.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { OFFERS } from './messages.ts'

export const KINDS = [
  'new',
  'cost_changed',
  'gone',
  'closed',
  'reopened',
  'hours_changed',
  'changed',
] as const
export type Kind = (typeof KINDS)[number]

const REFRESH = ['listOfferProposals', 'listApprovals', 'listRoutes', 'listMargins'] as const

type Chosen = {
  readonly provider: string
  readonly proposals: readonly Proposal[]
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Accepts the proposals that are chosen, as they are shown. */
export function AcceptDialog({ provider, proposals, onDone, onClose }: Chosen) {
  const text = useText(OFFERS)
  const [waiting, setWaiting] = useState<ChangeThatWaitsForApproval | undefined>(undefined)
  const title = text.acceptTitle(proposals.length)
  if (waiting !== undefined) return <WaitingDialog title={title} waiting={waiting} onClose={onDone} />
  const hasNew = proposals.some(({ kind }) => kind === 'new')
  return (
    <ConsoleAct
      act={acceptOfferProposals}
      members={{ provider, ids: proposals.map(({ id }) => id) }}
      fields={hasNew ? newFields(text) : {}}
      title={title}
      action={text.accept}
      done={(answer) => (isWaiting(answer) ? undefined : doneText(text, answer.data))}
      refresh={REFRESH}
      onDone={(answer) => (isWaiting(answer) ? setWaiting(answer) : onDone())}
      onClose={onClose}
    >
      <p className="mid">{text.acceptAbout}</p>
    </ConsoleAct>
  )
}

type Text = ReturnType<typeof useText<(typeof OFFERS)['en']>>

function newFields(text: Text) {
  return {
    product: { label: text.into, hint: text.intoHint },
    category: { label: text.category, hint: text.categoryHint },
  }
}

function doneText(text: Text, data: { accepted: number; refused: readonly unknown[] }): string {
  return text.accepted(data.accepted, data.refused.length)
}

/** Accepts all open proposals of a kind, costs perhaps up to a rise. */
export function RuleDialog({ provider, onDone, onClose }: Omit<Chosen, 'proposals'>) {
  const text = useText(OFFERS)
  const [kind, setKind] = useState<Kind>('cost_changed')
  const [waiting, setWaiting] = useState<ChangeThatWaitsForApproval | undefined>(undefined)
  const title = text.ruleTitle(provider)
  if (waiting !== undefined) return <WaitingDialog title={title} waiting={waiting} onClose={onDone} />
  return (
    <ConsoleAct
      act={acceptOfferProposals}
      members={{ provider, kinds: [kind] }}
      fields={
        kind === 'cost_changed'
          ? { cost_up_to: { label: text.costUpTo, hint: text.costUpToHint, inputMode: 'numeric' } }
          : kind === 'new'
            ? newFields(text)
            : {}
      }
      title={title}
      action={text.accept}
      done={(answer) => (isWaiting(answer) ? undefined : doneText(text, answer.data))}
      refresh={REFRESH}
      onDone={(answer) => (isWaiting(answer) ? setWaiting(answer) : onDone())}
      onClose={onClose}
    >
      <p className="mid">{text.ruleAbout}</p>
      <SelectField
        label={text.ruleKind}
        value={kind}
        onValue={(value) => setKind(KINDS.find((each) => each === value) ?? 'cost_changed')}
        options={KINDS.map((value) => ({ value, label: text.kinds[value] }))}
      />
    </ConsoleAct>
  )
}

export function RejectDialog({ provider, proposals, onDone, onClose }: Chosen) {
  const text = useText(OFFERS)
  return (
    <ConsoleAct
      act={rejectOfferProposals}
      members={{ provider, ids: proposals.map(({ id }) => id) }}
      title={text.rejectTitle(proposals.length)}
      action={text.reject}
      done={(answer) => text.rejected(answer.data.rejected)}
      refresh={REFRESH}
      onDone={onDone}
      onClose={onClose}
    >
      <p className="mid">{text.rejectAbout}</p>
    </ConsoleAct>
  )
}

export function ReadDialog({ provider, onClose }: { provider: string | undefined; onClose: () => void }) {
  const text = useText(OFFERS)
  return (
    <ConsoleAct
      act={startOfferSync}
      fields={{ provider: { label: text.provider } }}
      from={{ provider }}
      title={text.readTitle}
      action={text.read}
      isDangerous={false}
      done={text.reading}
      refresh={['listOfferSyncs']}
      onClose={onClose}
    >
      <p className="mid">{text.readAbout}</p>
    </ConsoleAct>
  )
}

export function ScheduleDialog({ provider, onClose }: { provider: string; onClose: () => void }) {
  const text = useText(OFFERS)
  return (
    <ConsoleAct
      act={setOfferSchedule}
      input={{ params: { provider } }}
      fields={{ every_hours: { label: text.everyHours, inputMode: 'numeric' } }}
      title={text.scheduleTitle(provider)}
      action={text.schedule}
      done={text.scheduled}
      refresh={['listOfferSchedules']}
      onClose={onClose}
    />
  )
}
