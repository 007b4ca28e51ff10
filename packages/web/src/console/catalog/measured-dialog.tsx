import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ChangeThatWaitsForApproval, PricesBesideSupplierCosts } from '../../api/operator.generated.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { UI } from '../../ui/messages.ts'
import { ActionProblem } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ComparisonPanel, Consent, isWaiting, WaitingNote } from './comparison.tsx'
import { REVIEW } from './review-messages.ts'

type Compared = { readonly comparison: PricesBesideSupplierCosts }
type Answer<Data> = { data: Data } | ChangeThatWaitsForApproval

export type MeasuredDialogProps<Data extends Compared> = {
  readonly title: string
  /** Fields of the change, with its reason. */
  readonly form: ReactNode
  /** False while a field is not filled. */
  readonly isFilled: boolean
  /** Sends the change; dry: the service measures it and changes nothing. */
  readonly call: (isDry: boolean, acceptsLoss: boolean) => Promise<Answer<Data>>
  /** Shows the measured change, above its prices and costs. */
  readonly measured: (data: Data) => ReactNode
  readonly saved: string
  readonly refresh: readonly QueryKey[]
  readonly onClose: () => void
}

/** Change in two steps: the service measures it, then the operator makes it, with a tick where it costs money. */
export function MeasuredDialog<Data extends Compared>(props: MeasuredDialogProps<Data>) {
  const { title, form, isFilled, call, measured: showMeasured, saved, refresh, onClose } = props
  const [hasConsent, setConsent] = useState(false)
  const [measured, setMeasured] = useState<Data | undefined>(undefined)
  const [waiting, setWaiting] = useState<ChangeThatWaitsForApproval | undefined>(undefined)
  const preview = useAction({
    act: () => call(true, false),
    onDone: (answer) => {
      if (!isWaiting(answer)) setMeasured(answer.data)
    },
  })
  const save = useAction({
    act: () => call(false, hasConsent),
    done: (answer) => (isWaiting(answer) ? undefined : saved),
    refresh,
    onDone: (answer) => (isWaiting(answer) ? setWaiting(answer) : onClose()),
  })
  const isReady = measured !== undefined && (measured.comparison.findings_total === 0 || hasConsent)
  const submit = () => {
    if (waiting !== undefined) onClose()
    else if (measured === undefined) {
      if (isFilled && !preview.isBusy) preview.run()
    } else if (isReady && !save.isBusy) save.run()
  }
  const step = waiting !== undefined ? 'waiting' : measured === undefined ? 'form' : 'measured'
  return (
    <Dialog
      title={title}
      isWide
      onClose={onClose}
      onSubmit={submit}
      footer={
        <Footer
          step={step}
          isReady={step === 'form' ? isFilled : isReady}
          isBusy={preview.isBusy || save.isBusy}
          isDangerous={measured !== undefined && measured.comparison.findings_total > 0}
          onBack={() => setMeasured(undefined)}
          onClose={onClose}
        />
      }
    >
      {waiting !== undefined ? (
        <WaitingNote waiting={waiting} />
      ) : measured !== undefined ? (
        <>
          {showMeasured(measured)}
          <ComparisonPanel comparison={measured.comparison} />
          <Consent comparison={measured.comparison} isGiven={hasConsent} onGiven={setConsent} />
          <ActionProblem error={save.error} />
        </>
      ) : (
        <>
          {form}
          <ActionProblem error={preview.error} />
        </>
      )}
    </Dialog>
  )
}

type FooterProps = {
  step: 'form' | 'measured' | 'waiting'
  isReady: boolean
  isBusy: boolean
  isDangerous: boolean
  onBack: () => void
  onClose: () => void
}

function Footer({ step, isReady, isBusy, isDangerous, onBack, onClose }: FooterProps) {
  const text = useText(REVIEW)
  const ui = useText(UI)
  if (step === 'waiting') return <Button onClick={onClose}>{ui.close}</Button>
  return (
    <>
      <Button onClick={onClose}>{ui.cancel}</Button>
      {step === 'measured' ? <Button onClick={onBack}>{text.back}</Button> : null}
      <Button type="submit" look={isDangerous ? 'danger' : 'primary'} disabled={!isReady} isBusy={isBusy}>
        {step === 'form' ? text.preview : text.save}
      </Button>
    </>
  )
}
