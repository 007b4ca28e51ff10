import type { Overview } from '../../api/portal.generated.ts'
import type { Search } from '../../shell/navigation.tsx'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { Shape } from '../../ui/state.tsx'
import type { AttentionLines } from './attention-messages.ts'
import { ATTENTION } from './attention-messages.ts'
import { OVERVIEW } from './messages.ts'

type Item = Overview['attention'][number]

const TONES: Readonly<Record<Item['severity'], Tone>> = {
  critical: 'critical',
  warning: 'warning',
  info: 'info',
}

/** Things that wait for a person, each with its one next step. */
export function AttentionPanel({ attention }: { attention: readonly Item[] }) {
  const text = useText(OVERVIEW)
  const lines: AttentionLines = useText(ATTENTION)
  return (
    <Panel isFlush className="att" title={text.attention} count={attention.length || undefined}>
      {attention.length === 0 ? (
        <Empty icon="check" title={text.nothingNeeded} about={text.nothingNeededAbout} />
      ) : (
        <ul className="list">
          {attention.map((item) => {
            const { to, search } = placeOf(item.target)
            return (
              <li key={`${item.kind} ${item.subject}`}>
                <Shape tone={TONES[item.severity]} isColoured />
                <div className="t">
                  <b className={item.severity === 'info' ? 'mid-weight' : 'strong'}>
                    {lines[item.kind]?.(item) ?? item.text}
                  </b>
                  {item.subject === null ? null : <small>{item.subject}</small>}
                </div>
                <PageLink className={buttonClass({ size: 'sm' })} to={to} search={search}>
                  {text.targets[item.target.page]}
                </PageLink>
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}

type Place = { readonly to: string; readonly search?: Search }

/** Page of an item: the API names a place, and the page's address is ours. */
function placeOf(target: Item['target']): Place {
  switch (target.page) {
    case 'account':
      return { to: '/portal/account' }
    case 'deposits':
      return { to: '/portal/deposits' }
    case 'endpoint':
      return { to: `/portal/developers/webhooks/${target.stream}` }
    case 'payments':
      return { to: '/portal/payments', search: target.filter }
    case 'cases':
      return { to: '/portal/cases', search: { state: target.states.join(',') } }
    case 'catalogue':
      return { to: '/portal/catalogue', search: { at_loss: 'true' } }
    case 'keys':
      return { to: '/portal/developers/keys' }
  }
}
