import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useText } from '../../text/language.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextAreaField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PARTS } from './messages.ts'

const REASON_LENGTH_MAX = 500

export type ReasonFieldProps = {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error?: unknown
  readonly label?: string
  readonly hint?: string
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

export type ReasonDialogProps = {
  readonly title: ReactNode
  readonly children?: ReactNode
  /** Verb of the question. */
  readonly action: string
  readonly keep?: string
  readonly isDangerous?: boolean
  readonly typed?: string
  /** Label of the reason where it is read by somebody else than the audit log's readers. */
  readonly reasonLabel?: string
  readonly reasonHint?: string
  readonly act: (reason: string) => Promise<unknown>
  readonly done: string
  readonly refresh: readonly QueryKey[]
  readonly onClose: () => void
}

/** Asks for the reason of a change, makes the change, and says that it was made. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, children, action, keep, isDangerous = false, typed, act, done, refresh, onClose } = props
  const [reason, setReason] = useState('')
  const change = useAction({
    act: () => act(reason.trim()),
    done: () => done,
    refresh,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={title}
      action={action}
      isDangerous={isDangerous}
      isBusy={change.isBusy}
      error={change.error}
      isReady={reason.trim() !== ''}
      onConfirm={() => change.run()}
      onClose={onClose}
      {...(keep === undefined ? {} : { keep })}
      {...(typed === undefined ? {} : { typed })}
    >
      {children}
      <ReasonField
        value={reason}
        onValue={setReason}
        error={change.error}
        {...(props.reasonLabel === undefined ? {} : { label: props.reasonLabel })}
        {...(props.reasonHint === undefined ? {} : { hint: props.reasonHint })}
      />
    </ConfirmDialog>
  )
}
