import type { FormEvent, MouseEvent, ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { useText } from '../text/language.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy.tsx'
import { Checkbox, TextField } from './field.tsx'
import { UI } from './messages.ts'
import { ActionProblem } from './problem.tsx'
import type { Tone } from './state.tsx'
import { Shape } from './state.tsx'

export type DialogProps = {
  readonly title: ReactNode
  readonly tone?: Tone
  readonly onClose: () => void
  readonly children: ReactNode
  readonly footer?: ReactNode
  readonly isWide?: boolean
  /** Called when the form is submitted with Enter or its main button. */
  readonly onSubmit?: () => void
}

/** Modal dialog. It is mounted while it is open; the browser keeps the focus inside and gives it back afterwards. */
export function Dialog({ title, tone, onClose, children, footer, isWide = false, onSubmit }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  const click = (event: MouseEvent) => {
    // A double click is one: its second half could meet what the first has brought, such as "Save" after "Preview".
    if (event.detail > 1 && isSubmit(event.target)) event.preventDefault()
  }
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      className={isWide ? 'wide' : undefined}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: it only holds back second halves of double clicks. */}
      <form className="dlg" onSubmit={submit} onClick={click} noValidate>
        <header>
          {tone === undefined ? null : <Shape tone={tone} isColoured />}
          <h2 id={titleId}>{title}</h2>
        </header>
        <div className="in">{children}</div>
        {footer === undefined ? null : <footer>{footer}</footer>}
      </form>
    </dialog>
  )
}

function isSubmit(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button[type="submit"]') !== null
}

type ConfirmDialogProps = {
  /** The question. */
  readonly title: ReactNode
  /** Says what is lost, and what is not. */
  readonly children: ReactNode
  /** Verb of the question. */
  readonly action: string
  /** Safe way out, such as "Keep the key". */
  readonly keep?: string
  readonly isDangerous?: boolean
  /** Name that must be typed before something that cannot be taken back. */
  readonly typed?: string
  readonly isBusy: boolean
  readonly error: unknown
  /** False while the dialog's own fields are not filled. */
  readonly isReady?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before a change. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, keep, isDangerous = true, typed, isBusy, error, isReady = true } = props
  const text = useText(UI)
  const [entered, setEntered] = useState('')
  const isAllowed = isReady && (typed === undefined || entered.trim() === typed)
  const confirm = () => {
    if (isAllowed && !isBusy) props.onConfirm()
  }
  return (
    <Dialog
      title={title}
      {...(isDangerous ? { tone: 'critical' as const } : {})}
      onClose={props.onClose}
      onSubmit={confirm}
      footer={
        <>
          <Button onClick={props.onClose}>{keep ?? text.cancel}</Button>
          <Button
            type="submit"
            look={isDangerous ? 'danger' : 'primary'}
            disabled={!isAllowed}
            isBusy={isBusy}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
      {typed === undefined ? null : (
        <TextField
          label={
            <>
              {text.typeToConfirm} <span className="mono">{typed}</span>
            </>
          }
          value={entered}
          onValue={setEntered}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <ActionProblem error={error} />
    </Dialog>
  )
}

type SecretDialogProps = {
  readonly title: ReactNode
  readonly about?: ReactNode
  /** Values that are on the screen this one time. */
  readonly secrets: readonly { readonly label: string; readonly value: string }[]
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** Shows secrets once. It closes only after the reader says that they are kept. */
export function SecretDialog({ title, about, secrets, onClose, children }: SecretDialogProps) {
  const text = useText(UI)
  const [isKept, setKept] = useState(false)
  const close = () => {
    if (isKept) onClose()
  }
  return (
    <Dialog
      title={title}
      onClose={close}
      onSubmit={close}
      isWide={children !== undefined}
      footer={
        <Button type="submit" look="primary" disabled={!isKept}>
          {text.done}
        </Button>
      }
    >
      <p className="mid">
        {text.shownOnce} {about}
      </p>
      {secrets.map(({ label, value }) => (
        <div className="field" key={label}>
          <span className="l">{label}</span>
          <div className="input secret">
            <span className="mono cut">{value}</span>
            <CopyButton value={value} />
          </div>
        </div>
      ))}
      {children}
      <Checkbox label={text.kept} isOn={isKept} onToggle={setKept} />
    </Dialog>
  )
}
