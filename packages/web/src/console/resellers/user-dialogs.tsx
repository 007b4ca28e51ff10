import type { ResellerUser } from '../../api/operator.generated.ts'
import { createResellerUser, updateResellerUser } from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import type { FieldWords } from '../../ui/act-field.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { PEOPLE } from './people-messages.ts'

const CHANGED = ['listResellerUsers', 'listApprovals'] as const

function useRoleWords(): FieldWords {
  const text = useText(PEOPLE)
  return {
    label: text.role,
    look: 'cards',
    options: (['admin', 'viewer'] as const).map((role) => ({
      value: role,
      label: text.roles[role],
      about: text.roleAbout[role],
    })),
  }
}

export function NewUserDialog({ account, onClose }: { account: string; onClose: () => void }) {
  const text = useText(PEOPLE)
  const role = useRoleWords()
  return (
    <ConsoleAct
      act={createResellerUser}
      input={{ params: { account } }}
      title={text.addTitle}
      action={text.add}
      done={(_, { username }) => text.added(String(username).trim())}
      asked={text.waits}
      refresh={CHANGED}
      onClose={onClose}
      from={{ role: 'admin' }}
      fields={{
        username: { label: text.username },
        email: { label: text.email, hint: text.emailHint, type: 'email' },
        role,
      }}
    >
      <p className="mid">{text.secondPerson}</p>
    </ConsoleAct>
  )
}

type ChangeUserProps = { account: string; user: ResellerUser; onClose: () => void }

/** Changes a user's role, or keeps the user out. */
export function ChangeUserDialog({ account, user, onClose }: ChangeUserProps) {
  const text = useText(PEOPLE)
  const roleWords = useRoleWords()
  return (
    <ConsoleAct
      isChange
      act={updateResellerUser}
      input={{ params: { account, username: user.username } }}
      title={text.changeTitle(user.username)}
      action={text.change}
      isDangerous={({ status }) => status === 'disabled' && user.status === 'active'}
      done={text.changed(user.username)}
      asked={text.waits}
      refresh={CHANGED}
      onClose={onClose}
      from={{ role: user.role, status: user.status }}
      fields={{
        role: roleWords,
        status: {
          label: text.state,
          look: 'cards',
          options: [
            { value: 'active', label: text.states.active, about: text.activeAbout },
            { value: 'disabled', label: text.states.disabled, about: text.keptOutAbout },
          ],
        },
      }}
    >
      {({ role, status }) =>
        (role === 'admin' && user.role !== 'admin') || (status === 'active' && user.status !== 'active') ? (
          <p className="mid">{text.secondPerson}</p>
        ) : null
      }
    </ConsoleAct>
  )
}
