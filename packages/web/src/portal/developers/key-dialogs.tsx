import { useState } from 'react'
import type { APIKey, NewAPIKey } from '../../api/portal.generated.ts'
import { portal, portalKey } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { keyName } from './key-names.ts'
import { KEYS } from './messages.ts'
import { PasswordField } from './password-field.tsx'

type Scope = APIKey['scopes'][number]

const SCOPES: readonly Scope[] = ['read', 'pay', 'support', 'configure']
const LABEL_LENGTH_MAX = 100
const REFRESH = [portalKey('portalListKeys'), portalKey('portalGetChecklist')]

type MadeProps = { readonly onMade: (key: NewAPIKey) => void; readonly onClose: () => void }

/** Makes a key; its secret is shown by `onMade`. */
export function MakeKeyDialog({ onMade, onClose }: MadeProps) {
  const text = useText(KEYS)
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPES)
  const [password, setPassword] = useState('')
  const action = useAction({
    act: () =>
      portal.call('portalCreateKey', { body: { password, label: label.trim(), scopes: [...scopes] } }),
    refresh: REFRESH,
    onDone: ({ data }) => onMade(data),
  })
  return (
    <ConfirmDialog
      title={text.makeTitle}
      isDangerous={false}
      action={text.make1}
      isBusy={action.isBusy}
      error={action.error}
      isReady={password !== '' && scopes.length > 0}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <TextField
        label={text.name}
        hint={text.nameHint}
        error={fieldError(action.error, 'label')}
        value={label}
        onValue={setLabel}
        maxLength={LABEL_LENGTH_MAX}
      />
      <fieldset className="stack tight" aria-label={text.scopesLabel}>
        <span className="sub small">{text.scopesLabel}</span>
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={
              <>
                <b>{text.scopes[scope]}</b> <span className="sub">{text.scopesAbout[scope]}</span>
              </>
            }
            isOn={scopes.includes(scope)}
            onToggle={(isOn) =>
              setScopes(SCOPES.filter((each) => (each === scope ? isOn : scopes.includes(each))))
            }
          />
        ))}
      </fieldset>
      <PasswordField label={text.password} hint={text.passwordHint} value={password} onValue={setPassword} />
    </ConfirmDialog>
  )
}

const GRACES = ['0', '3600', '86400', '604800'] as const
type Grace = (typeof GRACES)[number]

/** Replaces a key by a new one; both work during the grace period. */
export function RotateKeyDialog({ apiKey, onMade, onClose }: MadeProps & { readonly apiKey: APIKey }) {
  const text = useText(KEYS)
  const [grace, setGrace] = useState<Grace>('86400')
  const [password, setPassword] = useState('')
  const action = useAction({
    act: () =>
      portal.call('portalRotateKey', {
        params: { id: apiKey.id },
        body: { password, grace_seconds: Number(grace) },
      }),
    refresh: REFRESH,
    onDone: ({ data }) => onMade(data),
  })
  return (
    <ConfirmDialog
      title={text.rotateTitle(keyName(apiKey))}
      isDangerous={false}
      action={text.rotateDo}
      isBusy={action.isBusy}
      error={action.error}
      isReady={password !== ''}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.rotateAbout}</p>
      <SelectField
        label={text.grace}
        value={grace}
        onValue={(value) => setGrace(value as Grace)}
        options={GRACES.map((value) => ({ value, label: text.graces[value] }))}
      />
      <PasswordField label={text.password} value={password} onValue={setPassword} />
    </ConfirmDialog>
  )
}

/** Ends a key at once and for ever. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: APIKey; onClose: () => void }) {
  const text = useText(KEYS)
  const [password, setPassword] = useState('')
  const name = keyName(apiKey)
  const action = useAction({
    act: () => portal.call('portalRevokeKey', { params: { id: apiKey.id }, body: { password } }),
    done: () => text.revoked(name),
    refresh: REFRESH,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.revokeTitle(name)}
      keep={text.keep}
      action={text.revokeDo}
      typed={name}
      isBusy={action.isBusy}
      error={action.error}
      isReady={password !== ''}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.revokeAbout}</p>
      <PasswordField label={text.password} value={password} onValue={setPassword} />
    </ConfirmDialog>
  )
}
