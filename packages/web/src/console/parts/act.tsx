import type { AnswerOf } from '../../api/client.ts'
import type { OperatorOperations } from '../../api/operator.ts'
import { operator, operatorKey } from '../../api/operator.ts'
import { useText } from '../../text/language.ts'
import type { ActDialogProps, ActProps, FieldTable, Values } from '../../ui/act-dialog.tsx'
import { ActDialog } from '../../ui/act-dialog.tsx'
import type { FieldWords } from '../../ui/act-field.tsx'
import { TextAreaField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { say } from '../../ui/toast.tsx'
import { PARTS } from './messages.ts'

type Id = keyof OperatorOperations & string
type Answer<I extends Id> = AnswerOf<OperatorOperations[I]>

type ConsoleActProps<I extends Id> = ActProps<OperatorOperations, I> & {
  /** Says that a second person decides. The toast leads to the request. */
  readonly asked?: string | ((answer: Answer<I>) => string)
}

/** Dialog of one act of the console. Each asks for the reason that the audit log keeps. */
export function ConsoleAct<I extends Id>(props: ConsoleActProps<I>) {
  const { act, asked, done, fields, onDone, onClose } = props
  const reason = useReasonWords()
  const withReason = (values: Values, error: unknown) => {
    const table = (typeof fields === 'function' ? fields(values, error) : fields) as FieldTable | undefined
    return 'reason' in act.fields && table?.reason === undefined ? { ...table, reason } : table
  }
  const close = (answer: Answer<I>, values: Values) => {
    const id = requestOf(answer)
    if (id !== undefined && asked !== undefined) {
      say(<Asked id={id} said={typeof asked === 'function' ? asked(answer) : asked} />, 'wait')
    }
    if (onDone === undefined || (id !== undefined && asked !== undefined)) onClose()
    else onDone(answer, values)
  }
  const sayDone = (answer: Answer<I>, values: Values) => {
    if (requestOf(answer) !== undefined) return undefined
    return typeof done === 'function' ? done(answer, values) : done
  }
  const drawn = {
    isDangerous: false,
    ...props,
    fields: withReason,
    done: sayDone,
    onDone: close,
  } as unknown as ActDialogProps
  return (
    <ActDialog
      {...drawn}
      send={(input) => operator.call(act.id, input as never)}
      stale={(props.refresh ?? []).map((id) => operatorKey(id))}
    />
  )
}

/** Words of the reason of an act. */
export function useReasonWords(): FieldWords {
  const text = useText(PARTS)
  return { label: text.reason, hint: text.reasonHint, rows: 2, isNeeded: true }
}

/** Id of the request when a second person decides: the answer is the request, or names it. */
function requestOf(answer: unknown): string | undefined {
  const data = (answer as { data?: { id?: string; approval?: { id: string } } } | null)?.data
  if (data === undefined) return undefined
  return 'command' in data ? data.id : data.approval?.id
}

function Asked({ id, said }: { id: string; said: string }) {
  const text = useText(PARTS)
  return (
    <>
      {said}{' '}
      <a className="link" href={`/operator/approvals/${encodeURIComponent(id)}`}>
        {text.seeApproval}
      </a>
    </>
  )
}

/** Length of a reason that the API takes. */
const REASON_LENGTH_MAX = 500

type ReasonFieldProps = {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error?: unknown
}

/** Reason of a change that is not made in a dialog of its own. */
export function ReasonField({ value, onValue, error }: ReasonFieldProps) {
  const text = useText(PARTS)
  return (
    <TextAreaField
      label={text.reason}
      hint={text.reasonHint}
      error={fieldError(error, 'reason')}
      value={value}
      onValue={onValue}
      rows={2}
      maxLength={REASON_LENGTH_MAX}
    />
  )
}

/** Three steps of a change that two persons make: who acts now, and who next. */
export function Hands({
  label,
  now,
  steps,
}: {
  label: string
  now: 1 | 2 | 3
  steps: readonly [string, string, string]
}) {
  return (
    <div className="hands" role="img" aria-label={label}>
      {steps.map((step, index) => (
        <div key={step} className={index + 1 === now ? 'c now' : 'c'}>
          <b>{index + 1}</b>
          {step}
        </div>
      ))}
    </div>
  )
}
