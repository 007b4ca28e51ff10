import type { Operator } from '../../api/operator.generated.ts'
import { createOperator, updateOperator, vouchForOperator } from '../../api/operator-acts.generated.ts'
import { SHELL } from '../../shell/messages.ts'
import { useText } from '../../text/language.ts'
import type { FieldWords, Typed } from '../../ui/act-field.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { OPERATORS } from './people-messages.ts'
import { ROLES } from './roles.ts'

type Props = { readonly operator: Operator; readonly onClose: () => void }

const CHANGED = ['listOperators', 'listApprovals'] as const

function useRoleWords(): (role: Typed | undefined) => FieldWords {
  const text = useText(OPERATORS)
  const shell = useText(SHELL)
  const options = ROLES.map((each) => ({ value: each, label: shell.roles[each] }))
  return (role) => {
    const chosen = ROLES.find((each) => each === role)
    return { label: text.role, hint: chosen === undefined ? undefined : text.roleAbout[chosen], options }
  }
}

/** Lets an operator in. No password is given out: a mail with a link lets them choose one. */
export function NewOperatorDialog({ onClose }: { onClose: () => void }) {
  const text = useText(OPERATORS)
  const roleWords = useRoleWords()
  return (
    <ConsoleAct
      act={createOperator}
      title={text.create}
      action={text.create}
      done={(_, { email }) => text.created(String(email).trim())}
      asked={text.waits}
      refresh={CHANGED}
      onClose={onClose}
      from={{ role: 'read_only' }}
      fields={({ role }) => ({
        email: { label: text.email, type: 'email', inputMode: 'email' },
        name: { label: text.name },
        role: roleWords(role),
      })}
    >
      <p className="mid">
        {text.createAbout} {text.secondAdmin}
      </p>
    </ConsoleAct>
  )
}

/** Changes what an operator may do, or keeps one out. */
export function ChangeOperatorDialog({ operator, onClose }: Props) {
  const text = useText(OPERATORS)
  const roleWords = useRoleWords()
  return (
    <ConsoleAct
      isChange
      act={updateOperator}
      input={{ params: { id: operator.id } }}
      title={text.changeTitle(operator.name)}
      action={text.change}
      isDangerous={({ status }) => status === 'disabled' && operator.status === 'active'}
      done={text.changed(operator.name)}
      asked={text.waits}
      refresh={CHANGED}
      onClose={onClose}
      from={operator}
      fields={({ role }) => ({
        role: roleWords(role),
        status: {
          label: text.state,
          look: 'segment',
          options: (['active', 'disabled'] as const).map((value) => ({ value, label: text.statuses[value] })),
        },
      })}
    >
      {({ role, status }) => (
        <p className="mid">
          {text.changeAbout} {role === operator.role && status === operator.status ? null : text.secondAdmin}
        </p>
      )}
    </ConsoleAct>
  )
}

/** Says that an operator is a person of their own, so that they count as a second person. */
export function VouchDialog({ operator, onClose }: Props) {
  const text = useText(OPERATORS)
  return (
    <ConsoleAct
      act={vouchForOperator}
      input={{ params: { id: operator.id } }}
      title={text.vouchTitle(operator.name)}
      action={text.vouch}
      done={text.vouched(operator.name)}
      refresh={CHANGED}
      onClose={onClose}
    >
      <p className="mid">{text.vouchAbout}</p>
    </ConsoleAct>
  )
}
