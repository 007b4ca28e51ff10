import type { ReactNode } from 'react'
import { useState } from 'react'
import { useText } from '../text/language.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { fieldError } from '../ui/problem.tsx'
import { CONSOLE } from './messages.ts'

/** Length of a reason that the API takes. */
export const REASON_LENGTH_MAX = 500

export type ReasonDialogProps = {
  readonly title: ReactNode
  readonly action: string
  readonly isDangerous?: boolean
  readonly isBusy: boolean
  readonly error: unknown
  readonly isReady?: boolean
  /** Effect of the change, and fields of the change beside its reason. */
  readonly children?: ReactNode
  readonly onConfirm: (reason: string) => void
  readonly onClose: () => void
}

/** Asks before a change of the console, and for the reason that the audit log keeps. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { isDangerous = false, isReady = true, children, onConfirm, ...rest } = props
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      {...rest}
      isDangerous={isDangerous}
      isReady={isReady && reason.trim() !== ''}
      onConfirm={() => onConfirm(reason.trim())}
    >
      {children}
      <ReasonField value={reason} onValue={setReason} error={props.error} />
    </ConfirmDialog>
  )
}

/** Reason of a change, for the audit log. */
export function ReasonField(props: { value: string; onValue: (value: string) => void; error: unknown }) {
  const text = useText(CONSOLE)
  return (
    <TextField
      label={text.reason}
      value={props.value}
      onValue={props.onValue}
      error={fieldError(props.error, 'reason')}
      maxLength={REASON_LENGTH_MAX}
      autoComplete="off"
      required
    />
  )
}
