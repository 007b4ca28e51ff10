import type { Provider } from '../../api/operator.generated.ts'
import { useText } from '../../text/language.ts'
import type { Tone } from '../../ui/state.tsx'
import { Pill, State } from '../../ui/state.tsx'
import { answersEnough } from './answers.ts'
import { PROVIDERS } from './messages.ts'

export type BreakerState = Provider['health'][number]['state']

export const BREAKER_TONES: Readonly<Record<BreakerState, Tone>> = {
  closed: 'ok',
  open: 'bad',
  half_open: 'wait',
}

/** State of a provider over all nodes: the worst of them, with how many. */
function useProviderState({ enabled, health }: Pick<Provider, 'enabled' | 'health'>) {
  const text = useText(PROVIDERS)
  if (!enabled) return { tone: 'off' as const, word: text.states.off }
  const open = health.filter(({ state }) => state === 'open').length
  if (open > 0) return { tone: 'bad' as const, word: text.openOn(open, health.length) }
  if (health.some(({ state }) => state === 'half_open')) {
    return { tone: 'wait' as const, word: text.states.half_open }
  }
  const sum = (name: 'orders' | 'answered') => health.reduce((total, each) => total + each[name], 0)
  if (!answersEnough({ orders: sum('orders'), answered: sum('answered') })) {
    return { tone: 'bad' as const, word: text.states.silent }
  }
  return { tone: 'ok' as const, word: text.states.closed }
}

export function ProviderState({ provider }: { provider: Pick<Provider, 'enabled' | 'health'> }) {
  const { tone, word } = useProviderState(provider)
  return <State tone={tone}>{word}</State>
}

export function ProviderPill({ provider }: { provider: Pick<Provider, 'enabled' | 'health'> }) {
  const { tone, word } = useProviderState(provider)
  return <Pill tone={tone}>{word}</Pill>
}
