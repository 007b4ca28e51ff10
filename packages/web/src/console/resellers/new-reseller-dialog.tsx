import { useState } from 'react'
import { operator, operatorKey, useOperator } from '../../api/operator.ts'
import { useGo } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Pick } from '../parts/pick.tsx'
import { ReasonField } from '../parts/reason-dialog.tsx'
import { RESELLERS } from './messages.ts'

export function NewResellerDialog({ onClose }: { onClose: () => void }) {
  const text = useText(RESELLERS)
  const go = useGo()
  const levels = useOperator('listLevels', {})
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [level, setLevel] = useState('')
  const [account, setAccount] = useState('')
  const [access, setAccess] = useState<'0' | '50'>('0')
  const [reason, setReason] = useState('')
  const action = useAction({
    act: () =>
      operator.call('createReseller', {
        body: {
          name: name.trim(),
          email: email.trim(),
          price_level: level,
          access: access === '0' ? 0 : 50,
          reason: reason.trim(),
          ...(account.trim() === '' ? {} : { account: account.trim() }),
        },
      }),
    done: ({ data }) => text.made(data.name, data.account),
    refresh: [operatorKey('listResellers')],
    onDone: ({ data }) => go(`/operator/resellers/${data.account}`),
  })
  const { error } = action
  return (
    <ConfirmDialog
      title={text.addTitle}
      isDangerous={false}
      action={text.make}
      isBusy={action.isBusy}
      error={error}
      isReady={[name, email, level, reason].every((each) => each.trim() !== '')}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <TextField label={text.name} error={fieldError(error, 'name')} value={name} onValue={setName} />
      <TextField
        label={text.email}
        error={fieldError(error, 'email')}
        type="email"
        value={email}
        onValue={setEmail}
      />
      <div className="two-fields">
        <SelectField
          label={text.level}
          error={fieldError(error, 'price_level')}
          placeholder={text.chooseLevel}
          value={level}
          onValue={setLevel}
          options={(levels.data?.data ?? []).map((each) => ({ value: each.code, label: each.name }))}
        />
        <TextField
          label={text.account}
          hint={text.accountHint}
          error={fieldError(error, 'account')}
          inputMode="numeric"
          value={account}
          onValue={setAccount}
        />
      </div>
      <Pick
        label={text.access}
        value={access}
        onValue={setAccess}
        options={[
          { value: '0', label: text.accesses[0], about: text.accessAbout[0] },
          { value: '50', label: text.accesses[50], about: text.accessAbout[50] },
        ]}
      />
      <ReasonField value={reason} onValue={setReason} error={error} />
    </ConfirmDialog>
  )
}
