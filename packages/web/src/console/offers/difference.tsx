import type { Proposal } from '../../api/operator.generated.ts'
import { useText } from '../../text/language.ts'
import { OFFERS } from './messages.ts'

type Part = Readonly<Record<string, unknown>> | null

/** Change that a proposal makes: each member before and after, in the supplier's own words and currency. */
export function Difference({ proposal }: { proposal: Proposal }) {
  const text = useText(OFFERS)
  const { kind, before, after } = proposal
  const names = kind === 'new' || kind === 'gone' ? ['face', 'cost'] : Object.keys(after ?? before ?? {})
  const lines = names.flatMap((name) => {
    const [was, is] = [shown(before, name, text.always), shown(after, name, text.always)]
    if (kind === 'closed' || kind === 'reopened') return []
    if (kind === 'new') return is === '' ? [] : [is]
    if (kind === 'gone') return was === '' ? [] : [was]
    return [`${was === '' ? '–' : was} → ${is === '' ? '–' : is}`]
  })
  return <span className="anywhere">{lines.join('; ')}</span>
}

const TEXT_MAX = 80

function shown(part: Part, name: string, always: string): string {
  const value = part?.[name]
  if (value === undefined || value === null) return name === 'hours' && part !== null ? always : ''
  if (typeof value !== 'object') return String(value).slice(0, TEXT_MAX)
  if (isMoney(value)) return `${value.currency} ${value.amount}`
  if (isRange(value)) {
    return `${value.currency} ${value.min === value.max ? value.min : `${value.min}–${value.max}`}`
  }
  return Object.values(value).map(String).join('–').slice(0, TEXT_MAX)
}

function isMoney(value: object): value is { amount: string; currency: string } {
  return 'amount' in value && 'currency' in value
}

function isRange(value: object): value is { currency: string; min: string; max: string } {
  return 'min' in value && 'max' in value && 'currency' in value
}
