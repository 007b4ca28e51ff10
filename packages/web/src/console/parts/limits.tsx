import { operator, operatorKey, useOperator } from '../../api/operator.ts'
import { LimitsPanel } from '../../limits/panel.tsx'
import { useText } from '../../text/language.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { useMay } from '../roles.ts'
import { useReasonWords } from './act.tsx'
import { PARTS } from './messages.ts'

/** Limits of the payments of one reseller. Those of its level hold as well, where it has none of its own. */
export function ResellerLimits({
  reseller: { account },
}: {
  readonly reseller: { readonly account: string }
}) {
  const text = useText(PARTS)
  const may = useMay()
  const reason = useReasonWords()
  const params = { account }
  const reading = useOperator('getResellerLimits', { params })
  return (
    <Loaded reading={reading} bones={3}>
      {({ data }) => (
        <LimitsPanel
          setBy="operator"
          limits={data.limits}
          inForce={data.in_force}
          others={{ operator: text.limitOfLevel, reseller: text.limitOfReseller }}
          about={text.limitsOfReseller}
          reason={reason}
          stale={[operatorKey('getResellerLimits')]}
          {...(may('limits.write') && {
            save: (limits, why) =>
              operator.call('putResellerLimits', { params, body: { limits: [...limits], reason: why } }),
          })}
        />
      )}
    </Loaded>
  )
}

/** Limits of the payments of each reseller of a level. */
export function LevelLimits({ code }: { readonly code: string }) {
  const text = useText(PARTS)
  const may = useMay()
  const reason = useReasonWords()
  const params = { code }
  const reading = useOperator('getLevelLimits', { params })
  return (
    <Loaded reading={reading} bones={2}>
      {({ data }) => (
        <LimitsPanel
          setBy="operator"
          limits={data.limits}
          inForce={[]}
          others={{ operator: '', reseller: '' }}
          about={text.limitsOfLevel}
          reason={reason}
          stale={[operatorKey('getLevelLimits')]}
          {...(may('limits.write') && {
            save: (limits, why) =>
              operator.call('putLevelLimits', { params, body: { limits: [...limits], reason: why } }),
          })}
        />
      )}
    </Loaded>
  )
}
