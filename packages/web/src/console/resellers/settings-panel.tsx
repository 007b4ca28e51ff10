import { useState } from 'react'
import type { Reseller } from '../../api/operator.generated.ts'
import { operator, operatorKey, useOperator } from '../../api/operator.ts'
import { dateTimeText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../ui/field.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Pick } from '../parts/pick.tsx'
import { ReasonField } from '../parts/reason-dialog.tsx'
import { useMay } from '../roles.ts'
import { RESELLERS } from './messages.ts'
import { PEOPLE } from './people-messages.ts'
import { RESELLER } from './reseller-messages.ts'
import { AccessState } from './state.tsx'

/** Name, address, level and limits of a reseller. */
export function SettingsPanel({ reseller }: { reseller: Reseller }) {
  const text = useText(RESELLER)
  const names = useText(RESELLERS)
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title={text.tabs.settings}
      actions={
        may('resellers.write') ? (
          <Button size="sm" icon="edit" onClick={() => setOpen(true)}>
            {text.changeSettings}
          </Button>
        ) : undefined
      }
    >
      <Facts
        isLeft
        facts={[
          { term: names.name, value: reseller.name },
          { term: names.email, value: reseller.email },
          { term: names.level, value: <span className="mono">{reseller.price_level}</span> },
          { term: names.access, value: <AccessState access={reseller.access} /> },
          { term: text.bearer, value: reseller.topup_requires_api_key ? text.bearerOff : text.bearerOn },
          { term: text.created, value: `${dateTimeText(reseller.created_at)} ${ZONE_NAME}` },
          { term: text.changed, value: `${dateTimeText(reseller.updated_at)} ${ZONE_NAME}` },
        ]}
      />
      {isOpen ? <SettingsDialog reseller={reseller} onClose={() => setOpen(false)} /> : null}
    </Panel>
  )
}

function SettingsDialog({ reseller, onClose }: { reseller: Reseller; onClose: () => void }) {
  const text = useText(RESELLER)
  const names = useText(RESELLERS)
  const people = useText(PEOPLE)
  const levels = useOperator('listLevels', {})
  const [name, setName] = useState(reseller.name)
  const [email, setEmail] = useState(reseller.email)
  const [level, setLevel] = useState(reseller.price_level)
  const [access, setAccess] = useState<'0' | '50'>(reseller.access === 0 ? '0' : '50')
  const [isStrict, setStrict] = useState(reseller.topup_requires_api_key)
  const [reason, setReason] = useState('')
  const wanted = {
    ...(name.trim() === reseller.name ? {} : { name: name.trim() }),
    ...(email.trim() === reseller.email ? {} : { email: email.trim() }),
    ...(level === reseller.price_level ? {} : { price_level: level }),
    ...(access === String(reseller.access) ? {} : { access: access === '0' ? (0 as const) : (50 as const) }),
    ...(isStrict === reseller.topup_requires_api_key ? {} : { topup_requires_api_key: isStrict }),
  }
  const action = useAction({
    act: () =>
      operator.call('updateReseller', {
        params: { account: reseller.account },
        body: { ...wanted, reason: reason.trim() },
      }),
    done: ({ data }) => ('kind' in data ? people.waits : text.settingsDone),
    refresh: [operatorKey('getReseller'), operatorKey('listResellers'), operatorKey('listApprovals')],
    onDone: onClose,
  })
  const { error } = action
  const options = levels.data?.data ?? [{ code: reseller.price_level, name: reseller.price_level }]
  return (
    <ConfirmDialog
      title={text.settingsTitle(reseller.name)}
      isDangerous={false}
      action={text.change}
      isBusy={action.isBusy}
      error={error}
      isReady={Object.keys(wanted).length > 0 && reason.trim() !== ''}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.settingsAbout}</p>
      <div className="two-fields">
        <TextField label={names.name} error={fieldError(error, 'name')} value={name} onValue={setName} />
        <TextField
          label={names.email}
          error={fieldError(error, 'email')}
          type="email"
          value={email}
          onValue={setEmail}
        />
      </div>
      {email.trim() === reseller.email ? null : (
        <p className="mid">
          {people.secondPerson} {text.addressAlone}
        </p>
      )}
      <SelectField
        label={names.level}
        error={fieldError(error, 'price_level')}
        value={level}
        onValue={setLevel}
        options={options.map((each) => ({ value: each.code, label: each.name }))}
      />
      <Pick
        label={names.access}
        value={access}
        onValue={setAccess}
        options={[
          { value: '0', label: names.accesses[0], about: names.accessAbout[0] },
          { value: '50', label: names.accesses[50], about: names.accessAbout[50] },
        ]}
      />
      <Checkbox label={text.bearerLabel} isOn={isStrict} onToggle={setStrict} />
      <ReasonField value={reason} onValue={setReason} error={error} />
    </ConfirmDialog>
  )
}
