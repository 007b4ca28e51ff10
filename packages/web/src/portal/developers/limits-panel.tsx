import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { LimitsPanel } from '../../limits/panel.tsx'
import { useText } from '../../text/language.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { useMay } from '../session.ts'
import { ACCESS } from './messages.ts'

/** Limits that hold for the account. The shop may add its own, lower than the operator's. */
export function OwnLimitsPanel() {
  const text = useText(ACCESS)
  const mayChange = useMay('limits.write')
  const reading = usePortal('portalGetLimits', {})
  return (
    <Loaded reading={reading} bones={2}>
      {({ data }) => (
        <LimitsPanel
          setBy="reseller"
          limits={data.limits}
          inForce={data.in_force}
          others={{ operator: text.byOperator, reseller: '' }}
          about={text.limitsAbout}
          stale={[portalKey('portalGetLimits')]}
          {...(mayChange && {
            save: (limits) => portal.call('portalPutLimits', { body: { limits: [...limits] } }),
          })}
        />
      )}
    </Loaded>
  )
}
