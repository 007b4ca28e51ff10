import { useOperator } from '../../api/operator.ts'
import { createReseller } from '../../api/operator-acts.generated.ts'
import { useGo } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { RESELLERS } from './messages.ts'

export function NewResellerDialog({ onClose }: { onClose: () => void }) {
  const text = useText(RESELLERS)
  const go = useGo()
  const levels = useOperator('listLevels', {})
  return (
    <ConsoleAct
      act={createReseller}
      title={text.addTitle}
      action={text.make}
      done={({ data }) => text.made(data.name, data.account)}
      refresh={['listResellers']}
      onDone={({ data }) => go(`/operator/resellers/${data.account}`)}
      onClose={onClose}
      from={{ access: 0 }}
      fields={{
        name: { label: text.name },
        email: { label: text.email, type: 'email' },
        price_level: {
          label: text.level,
          placeholder: text.chooseLevel,
          options: (levels.data?.data ?? []).map(({ code, name }) => ({ value: code, label: name })),
          isHalf: true,
        },
        account: { label: text.account, hint: text.accountHint, inputMode: 'numeric' },
        access: { label: text.access, look: 'cards', options: accessOptions(text) },
      }}
    />
  )
}

type Words = ReturnType<typeof useText<(typeof RESELLERS)['en']>>

/** Choices of what a reseller may do. */
export function accessOptions({ accesses, accessAbout }: Pick<Words, 'accesses' | 'accessAbout'>) {
  return ([0, 50] as const).map((access) => ({
    value: String(access),
    label: accesses[access],
    about: accessAbout[access],
  }))
}
