import { useState } from 'react'
import type { OperatorTokenRequestWithProof } from '../../api/operator.generated.ts'
import { operator, operatorKey } from '../../api/operator.ts'
import { isAboutField } from '../../people/field-problems.ts'
import { ProofFields, proofBody, useProof } from '../../people/proof-fields.tsx'
import { SHELL } from '../../shell/messages.ts'
import { useText } from '../../text/language.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useSignedIn } from '../session.ts'
import { ROLES } from './roles.ts'
import { TOKENS } from './tokens-messages.ts'

type Role = OperatorTokenRequestWithProof['role']

const DAYS_USUAL = '90'

export type NewTokenDialogProps = {
  readonly onClose: () => void
  readonly onMade: (secret: string) => void
}

/** Makes a token. It can do no more than its maker. */
export function NewTokenDialog({ onClose, onMade }: NewTokenDialogProps) {
  const text = useText(TOKENS)
  const shell = useText(SHELL)
  const { role: ownRole, two_factor: asksCode } = useSignedIn()
  const proof = useProof(asksCode)
  const [label, setLabel] = useState('')
  const [role, setRole] = useState<Role>('read_only')
  const [days, setDays] = useState(DAYS_USUAL)
  const action = useAction({
    act: () =>
      operator.call('createOperatorToken', {
        body: { label: label.trim(), role, expires_in_days: Number(days), ...proofBody(proof) },
      }),
    refresh: [operatorKey('listOperatorTokens')],
    onDone: ({ data }) => onMade(data.token),
  })
  const offered = ROLES.filter((each) => ownRole === 'admin' || each === ownRole || each === 'read_only')
  return (
    <ConfirmDialog
      title={text.create}
      isDangerous={false}
      action={text.create}
      isBusy={action.isBusy}
      isReady={proof.isReady && label.trim() !== '' && /^\d{1,3}$/.test(days)}
      error={isAboutField(action.error, 'label', 'expires_in_days', 'password', 'code') ? null : action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.about}</p>
      <TextField
        label={text.label}
        hint={text.labelHint}
        value={label}
        onValue={setLabel}
        maxLength={100}
        autoComplete="off"
        error={fieldError(action.error, 'label')}
      />
      <SelectField
        label={text.role}
        value={role}
        onValue={(next) => setRole(next as Role)}
        options={offered.map((each) => ({ value: each, label: shell.roles[each] }))}
      />
      <TextField
        label={text.days}
        hint={text.daysHint}
        value={days}
        onValue={setDays}
        inputMode="numeric"
        error={fieldError(action.error, 'expires_in_days')}
      />
      <ProofFields proof={proof} error={action.error} />
    </ConfirmDialog>
  )
}
