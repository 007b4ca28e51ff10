import { useState } from 'react'
import type { ChangeThatWaitsForApproval, Route, SetRouteResponse } from '../../api/operator.generated.ts'
import { operator, operatorKey } from '../../api/operator.ts'
import { removeRoute } from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { Checkbox, TextAreaField, TextField } from '../../ui/field.tsx'
import { Facts } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { isWaiting, MeasuredDialog, WaitingDialog } from '../catalog/comparison.tsx'
import { ConsoleAct, ReasonField } from '../parts/act.tsx'
import { PROVIDERS } from './messages.ts'

type RouteDialogProps = {
  readonly provider: string
  /** Route that is changed; undefined for a new one. */
  readonly route: Route | undefined
  /** Product of a new route. */
  readonly product?: string
  readonly onClose: () => void
}

const NUMBER = /^\d{1,4}$/

/** Leads a product to a provider, or changes how. The service measures the cost against the prices first. */
export function RouteDialog({ provider, route, product = '', onClose }: RouteDialogProps) {
  const text = useText(PROVIDERS)
  const [fields, setFields] = useState(() => fieldsOf(route, product))
  const change = (changes: Partial<Fields>) => setFields({ ...fields, ...changes })
  const isFilled =
    fields.product.trim() !== '' &&
    NUMBER.test(fields.priority) &&
    (fields.weight === '' || NUMBER.test(fields.weight)) &&
    fields.reason.trim() !== ''
  return (
    <MeasuredDialog<SetRouteResponse['data']>
      title={route === undefined ? text.newRoute : text.routeTitle(route.product)}
      isFilled={isFilled}
      call={(isDry, acceptsLoss) =>
        operator.call('setRoute', {
          params: { product: fields.product.trim(), provider },
          body: {
            ...bodyOf(fields),
            ...(isDry ? { dry_run: true } : {}),
            ...(acceptsLoss ? { accept_loss: true } : {}),
          },
        })
      }
      measured={(measured) => <MeasuredRoute measured={measured} />}
      saved={text.routeSaved}
      refresh={STALE.map((id) => operatorKey(id))}
      onClose={onClose}
      form={<RouteFields fields={fields} isNew={route === undefined} onChange={change} />}
    />
  )
}

export const STALE = ['listRoutes', 'listMargins', 'listApprovals', 'listProviders'] as const

type Fields = {
  readonly product: string
  readonly priority: string
  readonly weight: string
  readonly cost: string
  readonly windows: string
  readonly enabled: boolean
  readonly reason: string
}

function fieldsOf(route: Route | undefined, product: string): Fields {
  return {
    product: route?.product ?? product,
    priority: String(route?.priority ?? 1),
    weight: route === undefined ? '100' : route.weight === null ? '' : String(route.weight),
    cost: route?.cost ?? '',
    windows: (route?.windows ?? []).join('\n'),
    enabled: route?.enabled ?? true,
    reason: '',
  }
}

function bodyOf({ priority, weight, cost, windows, enabled, reason }: Fields) {
  return {
    priority: Number(priority),
    weight: weight === '' ? null : Number(weight),
    cost: cost.trim() === '' ? null : cost.trim(),
    windows: windows
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    enabled,
    reason: reason.trim(),
  }
}

type RouteFieldsProps = { fields: Fields; isNew: boolean; onChange: (changes: Partial<Fields>) => void }

function RouteFields({ fields, isNew, onChange }: RouteFieldsProps) {
  const text = useText(PROVIDERS)
  return (
    <>
      {isNew ? (
        <TextField
          label={text.product}
          hint={text.productHint}
          value={fields.product}
          maxLength={50}
          autoComplete="off"
          onValue={(product) => onChange({ product })}
        />
      ) : null}
      <div className="grid c2">
        <TextField
          label={text.priority}
          hint={text.priorityHint}
          inputMode="numeric"
          value={fields.priority}
          onValue={(priority) => onChange({ priority })}
        />
        <TextField
          label={text.weight}
          hint={text.weightHint}
          inputMode="numeric"
          value={fields.weight}
          onValue={(weight) => onChange({ weight })}
        />
      </div>
      <TextField
        label={text.cost}
        hint={text.costHint}
        value={fields.cost}
        maxLength={20}
        onValue={(cost) => onChange({ cost })}
      />
      <TextAreaField
        label={text.windowsLabel}
        hint={text.windowsHint}
        rows={2}
        value={fields.windows}
        onValue={(windows) => onChange({ windows })}
      />
      <Checkbox label={text.isOn} isOn={fields.enabled} onToggle={(enabled) => onChange({ enabled })} />
      <ReasonField value={fields.reason} onValue={(reason) => onChange({ reason })} />
    </>
  )
}

function MeasuredRoute({ measured }: { measured: SetRouteResponse['data'] }) {
  const text = useText(PROVIDERS)
  return (
    <Facts
      facts={[
        { term: text.product, value: <span className="mono">{measured.product}</span> },
        { term: text.priority, value: measured.priority },
        { term: text.weight, value: measured.weight ?? text.byCost },
        { term: text.cost, value: measured.cost ?? text.noCost },
        { term: text.open, value: measured.windows.length === 0 ? text.always : measured.windows.join(', ') },
        { term: text.state, value: measured.enabled ? text.states.closed : text.states.off },
      ]}
    />
  )
}

type RemoveRouteDialogProps = {
  readonly route: Route
  /** False: nobody delivers the product without this route. */
  readonly hasTaker: boolean
  readonly onClose: () => void
}

/** Removes a route, after saying whether anybody else delivers. */
export function RemoveRouteDialog({ route, hasTaker, onClose }: RemoveRouteDialogProps) {
  const text = useText(PROVIDERS)
  const [waiting, setWaiting] = useState<ChangeThatWaitsForApproval | undefined>(undefined)
  const title = text.removeTitle(route.product)
  if (waiting !== undefined) return <WaitingDialog title={title} waiting={waiting} onClose={onClose} />
  return (
    <ConsoleAct
      isDangerous
      act={removeRoute}
      input={{ params: { product: route.product, provider: route.provider } }}
      title={title}
      action={text.remove}
      keep={text.keep}
      done={text.removed}
      refresh={STALE}
      onDone={(answer) => (isWaiting(answer) ? setWaiting(answer) : onClose())}
      onClose={onClose}
      fields={{ to_any: hasTaker || route.product === '*' ? undefined : { label: text.toAny } }}
    >
      {hasTaker ? (
        <p className="mid">{text.removeAbout}</p>
      ) : (
        <Note tone="critical">{text.removeNobody}</Note>
      )}
    </ConsoleAct>
  )
}
