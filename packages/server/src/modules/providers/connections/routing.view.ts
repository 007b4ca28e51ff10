import type { Obstacle, PassedOver, RouteChoice, RouteNote } from './routing.types.ts'

/** The words that follow a provider's code. */
const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  tried: 'was tried',
  stock_not_reserved: 'sells from stock that had to be reserved',
  closed_now: 'is closed at this hour',
  interrupted: 'is interrupted',
}

const PICKS: Readonly<Record<NonNullable<RouteNote['pick']>['by'], string>> = {
  cost: 'the cheapest',
  weight: 'drawn by weight',
}

/** The sentence of a payment's timeline about a choice; null: there is nothing to say about it. */
export function routeText(choice: RouteChoice): string | null {
  switch (choice.kind) {
    case 'none':
      return null
    case 'closed':
      return choice.passedOver.map(passedOverText).join('; ') || null
    case 'chosen':
      return choice.note === null ? null : `${choice.provider.code}: ${noteText(choice.note)}`
  }
}

function noteText({ passedOver, pick }: RouteNote): string {
  const picked = pick === null ? [] : [`${PICKS[pick.by]} of ${pick.among.join(', ')}`]
  return [...passedOver.map(passedOverText), ...picked].join('; ')
}

function passedOverText({ provider, obstacle }: PassedOver): string {
  return `${provider} ${OBSTACLES[obstacle]}`
}
