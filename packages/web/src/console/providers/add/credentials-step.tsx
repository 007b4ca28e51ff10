import { useState } from 'react'
import type {
  ApprovalResponse,
  GetProviderResponse,
  PackOfAProvider,
  SupplierPackWithItsPage,
  UpgradeOfAPackResponse,
} from '../../../api/operator.generated.ts'
import { operator, operatorKey, useOperator } from '../../../api/operator.ts'
import { useGo } from '../../../shell/navigation.tsx'
import { useText } from '../../../text/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, TextField } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Markdown } from '../../../ui/markdown.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { ActionProblem, fieldError } from '../../../ui/problem.tsx'
import { Note } from '../../../ui/state.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { ReasonField } from '../../parts/act.tsx'
import { ADD } from './messages.ts'
import type { Filled } from './rules.ts'
import { ADDING, changedSettings, isTestMode, settingOf } from './rules.ts'

/** Connects a new provider: its settings and secrets, beside the guide. */
export function ConnectStep({ pack: name }: { pack: string }) {
  const reading = useOperator('getSupplierPack', { params: { name } })
  return <Loaded reading={reading}>{({ data }) => <ConnectForm pack={data} />}</Loaded>
}

function ConnectForm({ pack }: { pack: SupplierPackWithItsPage }) {
  const text = useText(ADD)
  const go = useGo()
  const [code, setCode] = useState(pack.pack)
  const [name, setName] = useState('')
  const [filled, setFilled] = useState<Filled>({
    values: {},
    secrets: {},
    isTest: hasTestMode(pack),
    reason: '',
  })
  const action = useAction({
    act: () =>
      operator.call('addProvider', {
        body: {
          pack: pack.pack,
          code: code.trim(),
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          settings: changedSettings(pack, filled),
          secrets: { ...filled.secrets },
          reason: filled.reason.trim(),
        },
      }),
    done: () => text.connected,
    refresh: [operatorKey('listProviders'), operatorKey('getProvider')],
    onDone: ({ data }) => go(ADDING, { provider: data.code, step: 'prove' }),
  })
  return (
    <Form
      pack={pack}
      filled={filled}
      onFilled={setFilled}
      isReady={code.trim() !== '' && pack.secrets.every((each) => filled.secrets[each.name])}
      action={action}
      label={text.connect}
    >
      <div className="grid c2">
        <TextField
          label={text.code}
          hint={text.codeHint}
          error={fieldError(action.error, 'code')}
          value={code}
          onValue={setCode}
          maxLength={50}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          label={text.name}
          hint={text.nameHint}
          error={fieldError(action.error, 'name')}
          value={name}
          onValue={setName}
          maxLength={100}
          autoComplete="off"
        />
      </div>
    </Form>
  )
}

type Upgraded = UpgradeOfAPackResponse | ApprovalResponse

/** Changes the settings and secrets of a provider that was made of a pack. */
export function SettingsStep({ provider: { code, pack: name } }: { provider: GetProviderResponse['data'] }) {
  const pack = useOperator('getSupplierPack', { params: { name: name ?? '' } }, { isEnabled: name !== null })
  const own = useOperator('getProviderPack', { params: { code } }, { isEnabled: name !== null })
  return (
    <Loaded reading={pack}>
      {({ data }) => (
        <Loaded reading={own}>{({ data: present }) => <SettingsForm pack={data} present={present} />}</Loaded>
      )}
    </Loaded>
  )
}

function SettingsForm({ pack, present }: { pack: SupplierPackWithItsPage; present: PackOfAProvider }) {
  const text = useText(ADD)
  const go = useGo()
  const { provider: code, settings } = present
  const [filled, setFilled] = useState<Filled>({
    values: settings ?? {},
    secrets: {},
    isTest: isTestMode(pack, settings ?? {}),
    reason: '',
  })
  const action = useAction<void, Upgraded>({
    act: () => {
      const secrets = Object.fromEntries(Object.entries(filled.secrets).filter(([, value]) => value !== ''))
      return operator.call('upgradeProvider', {
        params: { code },
        body: {
          settings: Object.fromEntries(
            pack.settings.map((each) => [each.name, settingOf(pack, filled, each)]),
          ),
          ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
          reason: filled.reason.trim(),
        },
      })
    },
    done: (answer) => ('provider' in answer.data ? text.changed : text.asked),
    refresh: (['getProvider', 'getProviderPack', 'listApprovals'] as const).map((id) => operatorKey(id)),
    onDone: () => go(ADDING, { provider: code, step: 'prove' }),
  })
  return (
    <Form
      pack={pack}
      filled={filled}
      onFilled={setFilled}
      isReady
      isKept
      action={action}
      label={text.change}
    />
  )
}

type FormProps = {
  readonly pack: SupplierPackWithItsPage
  readonly filled: Filled
  readonly onFilled: (filled: Filled) => void
  readonly isReady: boolean
  /** True: a secret that is left empty stays as it is. */
  readonly isKept?: boolean
  readonly action: { readonly run: () => void; readonly isBusy: boolean; readonly error: unknown }
  readonly label: string
  readonly children?: React.ReactNode
}

function hasTestMode({ test_mode: { settings } }: Pick<SupplierPackWithItsPage, 'test_mode'>): boolean {
  return Object.keys(settings).length > 0
}

function Form({ pack, filled, onFilled, isReady, isKept = false, action, label, children }: FormProps) {
  const text = useText(ADD)
  const isWhole =
    isReady &&
    filled.reason.trim() !== '' &&
    pack.settings.every((each) => settingOf(pack, filled, each) !== '')
  return (
    <div className="rg">
      <Panel title={text.credentials}>
        <form
          className="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (isWhole && !action.isBusy) action.run()
          }}
        >
          {children}
          <Note tone="info">
            <b>{text.testMode}.</b> {pack.test_mode.says}.
          </Note>
          {hasTestMode(pack) ? (
            <Checkbox
              label={text.isTest}
              isOn={filled.isTest}
              onToggle={(isTest) => onFilled({ ...filled, isTest })}
            />
          ) : null}
          <Settings pack={pack} filled={filled} onFilled={onFilled} error={action.error} />
          {pack.secrets.map(({ name, label: secret, help }) => (
            <TextField
              key={name}
              label={secret}
              hint={isKept ? `${help}. ${text.keepSecret}` : help}
              error={fieldError(action.error, `secrets.${name}`)}
              type="password"
              autoComplete="new-password"
              value={filled.secrets[name] ?? ''}
              onValue={(value) => onFilled({ ...filled, secrets: { ...filled.secrets, [name]: value } })}
            />
          ))}
          <p className="small sub">{text.secretsAbout}</p>
          <ReasonField
            value={filled.reason}
            onValue={(reason) => onFilled({ ...filled, reason })}
            error={action.error}
          />
          <ActionProblem error={action.error} />
          <p>
            <Button type="submit" look="primary" disabled={!isWhole} isBusy={action.isBusy}>
              {label}
            </Button>
          </p>
        </form>
      </Panel>
      <Panel title={text.guide}>
        <Markdown text={pack.guide} />
      </Panel>
    </div>
  )
}

function Settings({
  pack,
  filled,
  onFilled,
  error,
}: Pick<FormProps, 'pack' | 'filled' | 'onFilled'> & { readonly error: unknown }) {
  const text = useText(ADD)
  return pack.settings.map((setting) => {
    const { name, label, help, type } = setting
    const isFixed = filled.isTest && Object.hasOwn(pack.test_mode.settings, name)
    const value = settingOf(pack, filled, setting)
    const change = (next: string) => onFilled({ ...filled, values: { ...filled.values, [name]: next } })
    if (type === 'boolean') {
      return (
        <Checkbox
          key={name}
          label={`${label}: ${help}`}
          isOn={value === 'true'}
          isDisabled={isFixed}
          onToggle={(isOn) => change(String(isOn))}
        />
      )
    }
    return (
      <TextField
        key={name}
        label={label}
        hint={help}
        aside={isFixed ? <span className="sub small">{text.fixed}</span> : undefined}
        error={fieldError(error, `settings.${name}`)}
        value={value}
        onValue={change}
        disabled={isFixed}
        maxLength={500}
        inputMode={type === 'number' ? 'decimal' : undefined}
        autoComplete="off"
        spellCheck={false}
      />
    )
  })
}
