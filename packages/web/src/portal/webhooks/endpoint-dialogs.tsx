import { useState } from 'react'
import type { Endpoint } from '../../api/portal.generated.ts'
import { portal, portalKey } from '../../api/portal.ts'
import {
  portalChangeEndpoint,
  portalDeleteEndpoint,
  portalRotateEndpointSecret,
  portalTestEndpoint,
} from '../../api/portal-acts.generated.ts'
import { useGo } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Checkbox, Segment, TextField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PortalAct } from '../act.tsx'
import { WEBHOOKS } from './messages.ts'
import { BALANCE_TYPES, TEST_TYPES } from './streams.ts'

const CHANGED = ['portalListEndpoints', 'portalListDeliveries', 'portalGetChecklist'] as const
const URL_LENGTH_MAX = 2_048

type DialogProps = { readonly endpoint: Endpoint; readonly onClose: () => void }
type SecretProps = DialogProps & { readonly onSecret: (secret: string) => void }

/** Sets where a stream is sent. A new endpoint has a secret, which is shown by `onSecret`. */
export function ConfigureDialog({ endpoint, onClose, onSecret }: SecretProps) {
  const text = useText(WEBHOOKS)
  const { stream } = endpoint
  const [url, setUrl] = useState(endpoint.url)
  const [method, setMethod] = useState<'GET' | 'POST'>(endpoint.method ?? 'POST')
  const [types, setTypes] = useState<readonly string[]>(
    endpoint.is_configured ? endpoint.types : BALANCE_TYPES,
  )
  const hasTypes = stream === 'balance' && endpoint.is_configured
  const action = useAction({
    act: async () => {
      const body = stream === 'callback' ? { url: url.trim(), method } : { url: url.trim() }
      const { data } = await portal.call('portalPutEndpoint', { params: { stream }, body })
      const chosen = BALANCE_TYPES.filter((type) => types.includes(type))
      if (hasTypes && chosen.join() !== endpoint.types.join()) {
        await portal.call('portalChangeEndpoint', { params: { stream }, body: { types: chosen } })
      }
      return data
    },
    done: () => text.saved(text.streams[stream]),
    refresh: CHANGED.map((id) => portalKey(id)),
    onDone: ({ secret }) => (secret === null ? onClose() : onSecret(secret)),
  })
  return (
    <ConfirmDialog
      title={text.configureTitle(text.streams[stream])}
      isDangerous={false}
      action={text.save}
      isBusy={action.isBusy}
      error={action.error}
      isReady={url.trim() !== '' && (!hasTypes || types.length > 0)}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.streamsAbout[stream]}</p>
      <TextField
        label={text.url}
        hint={text.urlHint}
        error={fieldError(action.error, 'url')}
        value={url}
        onValue={setUrl}
        inputMode="url"
        spellCheck={false}
        maxLength={URL_LENGTH_MAX}
      />
      {stream === 'callback' ? (
        <Segment
          label={text.method}
          value={method}
          onValue={setMethod}
          options={[
            { value: 'POST', label: 'POST' },
            { value: 'GET', label: 'GET' },
          ]}
        />
      ) : null}
      {hasTypes ? <TypeChoice types={types} onTypes={setTypes} /> : null}
    </ConfirmDialog>
  )
}

type TypeChoiceProps = {
  readonly types: readonly string[]
  readonly onTypes: (types: readonly string[]) => void
}

function TypeChoice({ types, onTypes }: TypeChoiceProps) {
  const text = useText(WEBHOOKS)
  return (
    <fieldset className="stack tight" aria-label={text.sends}>
      <span className="sub small">{text.sends}</span>
      {BALANCE_TYPES.map((type) => (
        <Checkbox
          key={type}
          label={<span className="mono">{type}</span>}
          isOn={types.includes(type)}
          onToggle={(isOn) => onTypes(isOn ? [...types, type] : types.filter((each) => each !== type))}
        />
      ))}
    </fieldset>
  )
}

const GRACES = ['', '3600', '86400', '604800'] as const

/** Makes a new secret; the old one may sign beside it for a while. */
export function RotateSecretDialog({ endpoint, onClose, onSecret }: SecretProps) {
  const text = useText(WEBHOOKS)
  const { stream } = endpoint
  const hasGrace = stream !== 'balance'
  return (
    <PortalAct
      act={portalRotateEndpointSecret}
      input={{ params: { stream } }}
      title={text.rotateTitle(text.streams[stream])}
      isDangerous={({ grace_seconds: grace }) => grace === ''}
      action={text.rotateSecret}
      refresh={CHANGED}
      onDone={({ data }) => onSecret(data.secret)}
      onClose={onClose}
      from={{ grace_seconds: hasGrace ? '86400' : '' }}
      fields={{
        grace_seconds: hasGrace
          ? {
              label: text.grace,
              options: GRACES.map((value) => ({
                value,
                label: value === '' ? text.atOnce : text.graces[value],
              })),
            }
          : undefined,
      }}
    >
      <p className="mid">{hasGrace ? text.rotateAbout : text.rotateAtOnce}</p>
    </PortalAct>
  )
}

/** Sends a sample, and leads to its delivery. */
export function TestDialog({ endpoint, onClose }: DialogProps) {
  const text = useText(WEBHOOKS)
  const go = useGo()
  const { stream } = endpoint
  const types = TEST_TYPES[stream]
  return (
    <PortalAct
      act={portalTestEndpoint}
      input={{ params: { stream } }}
      title={text.testTitle}
      isDangerous={false}
      action={text.sendTest}
      done={text.testSent}
      refresh={CHANGED}
      onDone={({ data }) => {
        onClose()
        go(`/portal/developers/webhooks/${stream}`, { delivery: data.delivery_id })
      }}
      onClose={onClose}
      from={{ type: types[0] }}
      fields={{ type: { label: text.event, options: types.map((value) => ({ value, label: value })) } }}
    >
      <p className="mid">{text.testAbout}</p>
    </PortalAct>
  )
}

/** Switches a webhook off or on. What happens while it is off is not sent later. */
export function SwitchDialog({ endpoint, onClose }: DialogProps) {
  const text = useText(WEBHOOKS)
  const { stream, enabled } = endpoint
  const name = text.streams[stream]
  return (
    <PortalAct
      act={portalChangeEndpoint}
      input={{ params: { stream } }}
      members={{ enabled: !enabled }}
      title={enabled ? text.switchOffTitle(name) : text.switchOnTitle(name)}
      isDangerous={enabled}
      action={enabled ? text.switchOff : text.switchOn}
      done={enabled ? text.switchedOff(name) : text.switchedOn(name)}
      refresh={CHANGED}
      onClose={onClose}
    >
      <p className="mid">{enabled ? text.switchOffAbout : text.switchOnAbout}</p>
    </PortalAct>
  )
}

/** Removes an endpoint with its secret. */
export function RemoveDialog({ endpoint, onClose }: DialogProps) {
  const text = useText(WEBHOOKS)
  const name = text.streams[endpoint.stream]
  return (
    <PortalAct
      act={portalDeleteEndpoint}
      input={{ params: { stream: endpoint.stream } }}
      title={text.removeTitle(name)}
      keep={text.keep}
      action={text.remove}
      typed={name}
      done={text.removed(name)}
      refresh={CHANGED}
      onClose={onClose}
    >
      <p className="mid">{text.removeAbout}</p>
    </PortalAct>
  )
}
