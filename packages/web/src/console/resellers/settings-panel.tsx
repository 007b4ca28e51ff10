import { useState } from 'react'
import type { Reseller } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { createReseller, updateReseller } from '../../api/operator-acts.generated.ts'
import { useGo } from '../../shell/navigation.tsx'
import { dateTimeText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { useMay } from '../roles.ts'
import { RESELLER, RESELLERS } from './messages.ts'
import { RESELLER_PEOPLE } from './people-messages.ts'

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
          { term: text.repeats, value: text.seconds(reseller.duplicate_window_seconds) },
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
  const people = useText(RESELLER_PEOPLE)
  const levels = useOperator('listLevels', {})
  const options = levels.data?.data ?? [{ code: reseller.price_level, name: reseller.price_level }]
  return (
    <ConsoleAct
      isChange
      act={updateReseller}
      input={{ params: { account: reseller.account } }}
      title={text.settingsTitle(reseller.name)}
      action={text.change}
      done={text.settingsDone}
      asked={people.waits}
      refresh={['getReseller', 'listResellers', 'listApprovals']}
      onClose={onClose}
      from={reseller}
      fields={({ email }) => ({
        name: { label: names.name },
        email: {
          label: names.email,
          type: 'email',
          below:
            email === reseller.email ? null : (
              <p className="mid">
                {people.secondPerson} {text.addressAlone}
              </p>
            ),
        },
        price_level: {
          label: names.level,
          options: options.map(({ code, name }) => ({ value: code, label: name })),
        },
        access: { label: names.access, look: 'cards', options: accessOptions(names) },
        topup_requires_api_key: { label: text.bearerLabel },
        duplicate_window_seconds: { label: text.repeatsLabel },
      })}
    >
      <p className="mid">{text.settingsAbout}</p>
    </ConsoleAct>
  )
}

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
function accessOptions({ accesses, accessAbout }: Pick<Words, 'accesses' | 'accessAbout'>) {
  return ([0, 50] as const).map((access) => ({
    value: String(access),
    label: accesses[access],
    about: accessAbout[access],
  }))
}

export function AccessState({ access }: Pick<Reseller, 'access'>) {
  const text = useText(RESELLERS)
  return access === 0 ? <span>{text.accesses[0]}</span> : <State tone="off">{text.accesses[50]}</State>
}
