import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Fragment, useEffect, useState } from 'react'
import type { AnswerOf, InputOf } from '../api/client.ts'
import { ApiProblem } from '../api/errors.ts'
import { useText } from '../text/language.ts'
import type { Bounds, FieldWords, Typed } from './act-field.tsx'
import { ActField } from './act-field.tsx'
import { ConfirmDialog } from './dialog.tsx'
import { UI } from './messages.ts'
import { fieldError } from './problem.tsx'
import type { UiText } from './problem-text.ts'
import { useAction } from './use-action.ts'

/** Operation that changes something, with the fields of its body. */
type Act<Id> = { readonly id: Id; readonly fields: Readonly<Record<string, Bounds>> }

export type Values = Readonly<Record<string, Typed>>
/** Property of a dialog, perhaps one that follows what is typed, or how the service refused it. */
type Following<T> = T | ((values: Values, error: unknown) => T)

type BodyOf<O> = O extends { body: unknown } ? Exclude<O['body'], undefined | string> : never
type Named<O, T> = { readonly [Name in keyof BodyOf<O>]?: T | undefined }
type Elsewhere<O> = Omit<InputOf<O>, 'body'>
export type FieldTable = Readonly<Record<string, FieldWords | undefined>>

export type ActProps<Operations, Id extends keyof Operations & string> = {
  readonly act: Act<Id>
  /** Fields that are drawn, in their order. */
  readonly fields?: Following<Named<Operations[Id], FieldWords>>
  /** Values that the fields show at first. */
  readonly from?: Named<Operations[Id], unknown>
  /** True: only what differs from `from` is sent, and something has to. */
  readonly isChange?: boolean
  /** Members of the body that are not asked for. */
  readonly members?: Following<Partial<BodyOf<Operations[Id]>>>
  readonly isReady?: Following<boolean>
  readonly title: ReactNode
  /** Effect of the act: what is lost, and what is not. */
  readonly children?: Following<ReactNode>
  readonly action: string
  readonly keep?: string
  readonly isDangerous?: Following<boolean>
  readonly typed?: string
  /** Says what was done. */
  readonly done?: string | ((answer: AnswerOf<Operations[Id]>, values: Values) => ReactNode)
  /** Reads that the act made old. */
  readonly refresh?: readonly (keyof Operations & string)[]
  /** Called in place of closing. */
  readonly onDone?: (answer: AnswerOf<Operations[Id]>, values: Values) => void
  readonly onClose: () => void
} & (Record<string, never> extends Elsewhere<Operations[Id]>
  ? { readonly input?: Elsewhere<Operations[Id]> }
  : { readonly input: Elsewhere<Operations[Id]> })

/** The same properties, whatever the operation: how they belong together is known where the dialog is opened. */
export type ActDialogProps = {
  readonly act: Act<string>
  readonly fields?: Following<FieldTable | undefined>
  readonly from?: Readonly<Record<string, unknown>>
  readonly isChange?: boolean
  readonly members?: Following<Readonly<Record<string, unknown>>>
  readonly isReady?: Following<boolean>
  readonly title: ReactNode
  readonly children?: Following<ReactNode>
  readonly action: string
  readonly keep?: string
  readonly isDangerous?: Following<boolean>
  readonly typed?: string
  readonly input?: object
  readonly done?: string | ((answer: unknown, values: Values) => ReactNode)
  readonly onDone?: (answer: unknown, values: Values) => void
  readonly onClose: () => void
  readonly send: (input: object) => Promise<unknown>
  readonly stale: readonly QueryKey[]
}

/**
 * Dialog of one act: its fields as the API declares them, what it does, and the answer. A refusal stands below the
 * fields, and at each field that it is about.
 */
export function ActDialog(props: ActDialogProps) {
  const { act, from = {}, isChange = false, done } = props
  const text = useText(UI)
  const [values, setValues] = useState<Values>(() => startOf(act, from))
  const action = useAction({
    act: (body: Readonly<Record<string, unknown>>) => props.send({ ...props.input, ...bodyOf(act, body) }),
    done: (answer) => (typeof done === 'function' ? done(answer, values) : done),
    refresh: props.stale,
    onDone: (answer) => (props.onDone === undefined ? props.onClose() : props.onDone(answer, values)),
  })
  const { error } = action
  useEffect(() => {
    if (error !== null) document.querySelector<HTMLElement>('dialog[open] [aria-invalid="true"]')?.focus()
  }, [error])
  const follow = <T,>(value: Following<T>): T =>
    typeof value === 'function' ? (value as (values: Values, error: unknown) => T)(values, error) : value
  const drawn = drawnOf(act, follow(props.fields) ?? {}, values, text)
  const given = Object.fromEntries(
    drawn
      .filter(({ sent }) => sent !== undefined)
      .filter(({ name, sent }) => !isChange || sent !== from[name])
      .map(({ name, sent }) => [name, sent]),
  )
  const isFilled = drawn.every((each) => each.complaint === undefined && isEnough(each, isChange))
  const isOther = !isChange || Object.keys(given).some((name) => name !== 'reason')
  return (
    <ConfirmDialog
      title={props.title}
      action={props.action}
      isDangerous={follow(props.isDangerous) ?? true}
      isBusy={action.isBusy}
      error={error}
      isReady={isFilled && isOther && (follow(props.isReady) ?? true)}
      onConfirm={() => action.run({ ...given, ...follow(props.members) })}
      onClose={props.onClose}
      {...(props.keep === undefined ? {} : { keep: props.keep })}
      {...(props.typed === undefined ? {} : { typed: props.typed })}
    >
      {follow(props.children)}
      {rowsOf(drawn).map((row) => (
        <Row key={row[0]?.name}>
          {row.map(({ name, bounds, words, value, complaint }) => (
            <Fragment key={name}>
              <ActField
                bounds={bounds}
                words={words}
                value={value}
                error={complaint ?? errorOf(error, name)}
                onValue={(next, others) => setValues((former) => ({ ...former, ...others, [name]: next }))}
              />
              {words.below}
            </Fragment>
          ))}
        </Row>
      ))}
    </ConfirmDialog>
  )
}

type Drawn = {
  readonly name: string
  readonly bounds: Bounds
  readonly words: FieldWords
  readonly value: Typed
  /** Value as the body carries it; undefined: it is left out. */
  readonly sent: unknown
  readonly complaint: string | undefined
}

function startOf({ fields }: Act<string>, from: Readonly<Record<string, unknown>>): Values {
  const startValue = ({ type, choices }: Bounds, value: unknown): Typed => {
    if (Array.isArray(value)) return value
    if (type === 'boolean' && choices === undefined) return value === true
    return value === undefined || value === null ? '' : String(value)
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, bounds]) => [name, startValue(bounds, from[name])]),
  )
}

/** Body of a request; an operation without fields has none. */
function bodyOf({ fields }: Act<string>, body: Readonly<Record<string, unknown>>) {
  return Object.keys(fields).length === 0 ? {} : { body }
}

function drawnOf({ fields }: Act<string>, table: FieldTable, values: Values, text: UiText): readonly Drawn[] {
  return Object.entries(table).flatMap(([name, words]) => {
    const bounds = fields[name]
    const value = values[name]
    if (words === undefined || bounds === undefined || value === undefined) return []
    return [
      {
        name,
        bounds,
        words,
        value,
        sent: sentOf(bounds, words, value),
        complaint: complaintOf(bounds, words, value, text),
      },
    ]
  })
}

/** Day and time of a field are meant in GMT+8. */
const ZONE = ':00+08:00'

function sentOf({ type, choices }: Bounds, words: FieldWords, value: Typed): unknown {
  if (typeof value !== 'string' || words.type === 'password') return value
  const text = value.trim()
  if (choices !== undefined) return choices.find((each) => String(each) === text)
  if (text === '') return undefined
  if (words.type === 'datetime-local') return text + ZONE
  return type === 'integer' || type === 'number' ? Number(text) : text
}

function complaintOf(bounds: Bounds, words: FieldWords, value: Typed, text: UiText): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const { type, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = bounds
  if (type !== 'integer') return words.check?.(value)
  const number = /^\d+$/.test(value.trim()) ? Number(value) : Number.NaN
  return number >= minimum && number <= maximum ? undefined : text.complaints.wholeNumber(minimum, maximum)
}

function isEnough({ bounds, words, value }: Drawn, isChange: boolean): boolean {
  if (typeof value === 'boolean') return value || words.isNeeded !== true
  const isWanted = words.isNeeded ?? (bounds.isRequired === true || isChange)
  return !isWanted || (typeof value === 'string' ? value.trim() : value).length > 0
}

/** Complaint of the service about a field. A wrong password is told below the fields, in the reader's language. */
function errorOf(error: unknown, name: string): string | undefined {
  return error instanceof ApiProblem && error.code === 'wrong_password' ? undefined : fieldError(error, name)
}

/** Rows of fields: a field of half the width stands beside the next one. */
function rowsOf(drawn: readonly Drawn[]): readonly (readonly Drawn[])[] {
  const rows: Drawn[][] = []
  for (const each of drawn) {
    const last = rows.at(-1)
    if (last?.length === 1 && last[0]?.words.isHalf) last.push(each)
    else rows.push([each])
  }
  return rows
}

function Row({ children }: { children: readonly ReactNode[] }) {
  return children.length === 1 ? children : <div className="two-fields">{children}</div>
}
