import { useState } from 'react'
import type { GetProviderResponse } from '../../../api/operator.generated.ts'
import { useOperator } from '../../../api/operator.ts'
import { PageLink } from '../../../shell/navigation.tsx'
import { useText } from '../../../text/language.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Note } from '../../../ui/state.tsx'
import { PROVIDERS } from '../messages.ts'
import { RouteDialog } from '../route-dialog.tsx'
import { RoutesPanel } from '../routes-panel.tsx'
import { SwitchDialog } from '../switch-dialog.tsx'
import { ADD } from './messages.ts'
import { codesOf } from './rules.ts'

/** Leads products to the supplier, and has it switched on. */
export function RoutesStep({ provider }: { provider: GetProviderResponse['data'] }) {
  const text = useText(ADD)
  const providers = useText(PROVIDERS)
  const [isSwitching, setSwitching] = useState(false)
  return (
    <div className="stack">
      <UnroutedPanel provider={provider} />
      <RoutesPanel code={provider.code} />
      <Panel title={text.live}>
        <div className="stack">
          {provider.enabled ? (
            <Note tone="ok">{text.isOn}</Note>
          ) : (
            <Note tone="off">
              <b>{text.isOff}</b> {provider.needs_second_person ? text.second : null}
            </Note>
          )}
          <p className="mid">{text.liveAbout}</p>
          <p className="row">
            {provider.enabled ? null : (
              <Button look="primary" icon="plug" onClick={() => setSwitching(true)}>
                {providers.switchOn}
              </Button>
            )}
            <PageLink className={buttonClass({})} to={`/operator/providers/${provider.code}`}>
              {text.page}
            </PageLink>
          </p>
        </div>
      </Panel>
      {isSwitching ? <SwitchDialog provider={provider} onClose={() => setSwitching(false)} /> : null}
    </div>
  )
}

function UnroutedPanel({ provider: { code, config } }: { provider: GetProviderResponse['data'] }) {
  const text = useText(ADD)
  const reading = useOperator('listRoutes', {})
  const [product, setProduct] = useState<string | undefined>(undefined)
  const coded = [...new Set(codesOf(config?.products).map((each) => each.product))]
  return (
    <Panel title={text.unrouted} about={text.unroutedAbout}>
      <Loaded reading={reading} bones={1}>
        {({ data }) => {
          const led = new Set(data.filter((route) => route.provider === code).map((route) => route.product))
          const left = coded.filter((each) => !led.has(each))
          return left.length === 0 ? (
            <p className="sub small">{coded.length === 0 ? text.noCodes : text.allRouted}</p>
          ) : (
            <div className="row wrap">
              {left.map((each) => (
                <Button key={each} size="sm" icon="plus" onClick={() => setProduct(each)}>
                  {text.routeOf(each)}
                </Button>
              ))}
            </div>
          )
        }}
      </Loaded>
      {product === undefined ? null : (
        <RouteDialog
          provider={code}
          product={product}
          route={undefined}
          onClose={() => setProduct(undefined)}
        />
      )}
    </Panel>
  )
}
