const ANSWERED_MIN = 0.5

/** Tells whether a provider answers at least half of its orders. The overview and the list of providers call it well by this. */
export function answersEnough({
  orders,
  answered,
}: {
  readonly orders: number
  readonly answered: number
}): boolean {
  return answered >= ANSWERED_MIN * orders
}
