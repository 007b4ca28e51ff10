import { useState } from 'react'
import type { Branch, Till } from '../../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import {
  portalAddBranch,
  portalAddTill,
  portalBindTill,
  portalChangeBranch,
  portalChangeTill,
} from '../../api/portal-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { State } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PortalAct } from '../act.tsx'
import { useMay } from '../session.ts'
import { TILLS } from './messages.ts'

const STALE = ['portalListTills', 'portalGetOwnShift', 'portalListShifts'] as const

type Asked =
  | { readonly kind: 'branch' }
  | { readonly kind: 'till' | 'change branch'; readonly branch: Branch }
  | { readonly kind: 'change till' | 'bind'; readonly till: Till }

/** Branches of the shop with their tills, and whether people sell without a shift. */
export function PlacesPanel() {
  const text = useText(TILLS)
  const reading = usePortal('portalListTills', {})
  const mayChange = useMay('tills.write')
  const [asked, ask] = useState<Asked | undefined>(undefined)
  return (
    <Panel
      isFlush
      title={text.places}
      about={text.placesAbout}
      actions={
        mayChange ? (
          <Button size="sm" icon="plus" onClick={() => ask({ kind: 'branch' })}>
            {text.addBranch}
          </Button>
        ) : null
      }
    >
      <Loaded reading={reading} bones={4}>
        {({ data: { branches, tills, settings } }) => (
          <>
            {branches.length === 0 ? <p className="in sub">{text.noPlaces}</p> : null}
            <ul className="list">
              {branches.flatMap((branch) => [
                <BranchLine key={branch.id} branch={branch} onAsk={mayChange ? ask : undefined} />,
                ...tills
                  .filter((till) => till.branch_id === branch.id)
                  .map((till) => (
                    <TillLine key={`till ${till.id}`} till={till} onAsk={mayChange ? ask : undefined} />
                  )),
              ])}
            </ul>
            <RequiresShift isOn={settings.requires_shift} />
          </>
        )}
      </Loaded>
      {asked === undefined ? null : <PlaceDialog asked={asked} onClose={() => ask(undefined)} />}
    </Panel>
  )
}

type Asking = { readonly onAsk: ((asked: Asked) => void) | undefined }

function BranchLine({ branch, onAsk }: Asking & { readonly branch: Branch }) {
  const text = useText(TILLS)
  return (
    <li className="row wrap">
      <span className="t">
        <b className="strong">{branch.name}</b>{' '}
        {branch.is_retired ? <State tone="off">{text.retired}</State> : null}
      </span>
      {onAsk === undefined ? null : (
        <span className="row">
          {branch.is_retired ? null : (
            <Button
              size="sm"
              aria-label={`${text.addTill}: ${branch.name}`}
              onClick={() => onAsk({ kind: 'till', branch })}
            >
              {text.addTill}
            </Button>
          )}
          <Button
            size="sm"
            aria-label={`${text.change}: ${branch.name}`}
            onClick={() => onAsk({ kind: 'change branch', branch })}
          >
            {text.change}
          </Button>
        </span>
      )}
    </li>
  )
}

function TillLine({ till, onAsk }: Asking & { readonly till: Till }) {
  const text = useText(TILLS)
  const tone = till.is_retired ? 'off' : till.has_browser ? 'ok' : 'wait'
  return (
    <li className="row wrap">
      <span className="t">
        {till.name}
        <small>
          <State tone={tone}>
            {till.is_retired ? text.retired : till.has_browser ? text.hasBrowser : text.hasNone}
          </State>
        </small>
      </span>
      {onAsk === undefined ? null : (
        <span className="row">
          {till.is_retired ? null : (
            <Button
              size="sm"
              aria-label={`${text.bind}: ${till.name}`}
              onClick={() => onAsk({ kind: 'bind', till })}
            >
              {text.bind}
            </Button>
          )}
          <Button
            size="sm"
            aria-label={`${text.change}: ${till.name}`}
            onClick={() => onAsk({ kind: 'change till', till })}
          >
            {text.change}
          </Button>
        </span>
      )}
    </li>
  )
}

function RequiresShift({ isOn }: { isOn: boolean }) {
  const text = useText(TILLS)
  const mayChange = useMay('till_settings.write')
  const action = useAction<boolean>({
    act: (on) => portal.call('portalPutTillSettings', { body: { requires_shift: on } }),
    done: (_, on) => (on ? text.requiresOn : text.requiresOff),
    refresh: [portalKey('portalListTills'), portalKey('portalGetOwnShift')],
  })
  return (
    <div className="in">
      <div className="row">
        <Switch
          label={text.requires}
          isOn={isOn}
          isDisabled={!mayChange || action.isBusy}
          onToggle={(on) => action.run(on)}
        />
        <span aria-hidden="true">{text.requires}</span>
      </div>
      <ActionProblem error={action.error} />
    </div>
  )
}

function PlaceDialog({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const text = useText(TILLS)
  const shared = { isDangerous: false, action: text.save, done: text.saved, refresh: STALE, onClose } as const
  switch (asked.kind) {
    case 'branch':
      return (
        <PortalAct
          {...shared}
          act={portalAddBranch}
          fields={{ name: { label: text.name, hint: text.nameHint } }}
          title={text.addBranch}
        />
      )
    case 'till':
      return (
        <PortalAct
          {...shared}
          act={portalAddTill}
          fields={{ name: { label: text.name, hint: text.tillHint } }}
          members={{ branch_id: asked.branch.id }}
          title={text.addTillTo(asked.branch.name)}
        />
      )
    case 'change branch':
      return (
        <PortalAct
          {...shared}
          isChange
          act={portalChangeBranch}
          input={{ params: { id: asked.branch.id } }}
          from={asked.branch}
          fields={{ name: { label: text.name }, is_retired: { label: text.retired } }}
          title={text.renameTitle(asked.branch.name)}
        />
      )
    case 'change till':
      return (
        <PortalAct
          {...shared}
          isChange
          act={portalChangeTill}
          input={{ params: { id: asked.till.id } }}
          from={asked.till}
          fields={{ name: { label: text.name }, is_retired: { label: text.retired } }}
          title={text.renameTitle(asked.till.name)}
        />
      )
    case 'bind':
      return (
        <PortalAct
          {...shared}
          act={portalBindTill}
          input={{ params: { id: asked.till.id } }}
          title={text.bindTitle(asked.till.name)}
          action={text.bind}
          done={text.bound}
        >
          <p className="mid">{text.bindAbout}</p>
        </PortalAct>
      )
  }
}
