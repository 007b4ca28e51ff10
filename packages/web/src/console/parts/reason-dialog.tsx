import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useText } from '../../text/language.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextAreaField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PARTS } from './messages.ts'

/** Length of a reason that the API takes. */
const REASON_LENGTH_MAX = 500

export type ReasonFieldProps = {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error?: unknown
  /** Label of the reason where it is read by somebody else than the audit log's readers. */
  readonly label?: string | undefined
  readonly hint?: string | undefined
}

/** Reason of a change, for the audit log. */
export function ReasonField({ value, onValue, error, label, hint }: ReasonFieldProps) {
  const text = useText(PARTS)
  return (
    <TextAreaField
      label={label ?? text.reason}
      hint={hint ?? text.reasonHint}
      error={fieldError(error, 'reason')}
      value={value}
      onValue={onValue}
      rows={2}
      maxLength={REASON_LENGTH_MAX}
    />
  )
}

type Question = {
  readonly title: ReactNode
  /** Effect of the change, and fields of the change beside its reason. */
  readonly children?: ReactNode
  /** Verb of the question. */
  readonly action: string
  readonly keep?: string | undefined
  readonly isDangerous?: boolean
  readonly typed?: string | undefined
  readonly reasonLabel?: string | undefined
  readonly reasonHint?: string | undefined
  readonly onClose: () => void
}

export type ReasonDialogProps = Question & {
  readonly isBusy: boolean
  readonly error: unknown
  readonly isReady?: boolean
  readonly onConfirm: (reason: string) => void
}

/** Asks before a change of the console, and for the reason that the audit log keeps. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { isDangerous = false, isReady = true, keep, typed, children, error } = props
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      title={props.title}
      action={props.action}
      isDangerous={isDangerous}
      isBusy={props.isBusy}
      error={error}
      isReady={isReady && reason.trim() !== ''}
      onConfirm={() => props.onConfirm(reason.trim())}
      onClose={props.onClose}
      {...(keep === undefined ? {} : { keep })}
      {...(typed === undefined ? {} : { typed })}
    >
      {children}
      <ReasonField
        value={reason}
        onValue={setReason}
        error={error}
        label={props.reasonLabel}
        hint={props.reasonHint}
      />
    </ConfirmDialog>
  )
}

export type ReasonActionDialogProps = Question & {
  readonly act: (reason: string) => Promise<unknown>
  readonly done: string
  readonly refresh: readonly QueryKey[]
}

/** Asks for the reason of a change, makes the change, and says that it was made. */
export function ReasonActionDialog({ act, done, refresh, ...question }: ReasonActionDialogProps) {
  const change = useAction({ act, done: () => done, refresh, onDone: question.onClose })
  return <ReasonDialog {...question} isBusy={change.isBusy} error={change.error} onConfirm={change.run} />
}
