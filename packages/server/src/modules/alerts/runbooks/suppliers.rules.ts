import type { Runbook } from './runbooks.types.ts'

const BY_ITSELF_SOON = 'With its cause.'

/** Runbooks of the alerts about prices, suppliers, floats and stock. */
export const SUPPLIER_RUNBOOKS = {
  sold_below_cost: {
    subject: 'The product.',
    cost: 'The difference between cost and price, at every sale.',
    look: [
      { text: 'Its prices:', command: 'npx warungd catalog show --product CODE' },
      { text: 'Its routes’ costs:', command: 'npx warungd route list --product CODE' },
    ],
    act: [
      {
        text: 'Correct the price,',
        command: 'npx warungd catalog price --level CODE --product CODE --percentage FACTOR --dry-run',
      },
      {
        text: 'or the route’s cost,',
        command: 'npx warungd route set --product CODE --provider CODE --cost COST --dry-run',
      },
      {
        text: 'or stop the sale meanwhile.',
        command: 'npx warungd notice add --product CODE --message TEXT --stops-payments',
      },
    ],
    clears: BY_ITSELF_SOON,
  },
  price_without_route: {
    subject: 'The product.',
    cost: 'Sales: every payment is refused with 44.',
    look: [
      {
        text: 'Is a route disabled?',
        command: 'npx warungd route list --product CODE',
      },
      { text: 'Is its supplier disabled?', command: 'npx warungd provider list' },
    ],
    act: [
      {
        text: 'Set a route,',
        command: 'npx warungd route set --product CODE --provider CODE --cost COST',
      },
      { text: 'or enable the supplier,', command: 'npx warungd provider enable --code CODE' },
      {
        text: 'or take the price away.',
        command: 'npx warungd catalog price --level CODE --product CODE --none',
      },
    ],
    clears: BY_ITSELF_SOON,
  },
  route_without_price: {
    subject: 'The product.',
    cost: 'Sales that nobody can make.',
    look: [{ text: 'Its price levels:', command: 'npx warungd catalog show --product CODE' }],
    act: [
      {
        text: 'Set a price,',
        command: 'npx warungd catalog price --level CODE --product CODE --percentage FACTOR',
      },
      { text: 'or remove the route.', command: 'npx warungd route remove --product CODE --provider CODE' },
    ],
    clears: BY_ITSELF_SOON,
  },
  supplier_silent: {
    subject: 'The supplier.',
    cost: 'Every payment to it waits, its money held.',
    look: [
      { text: 'How it answered lately:', command: 'npx warungd provider health' },
      { text: 'Which products have another route?', command: 'npx warungd route list --provider CODE' },
    ],
    act: [
      { text: 'Call the supplier.' },
      {
        text: 'Meanwhile pay through another one,',
        command: 'npx warungd provider disable --code CODE --dry-run',
      },
      {
        text: 'or stop what only it has.',
        command: 'npx warungd notice add --product CODE --message TEXT --stops-payments',
      },
      { text: 'Leave the payments that wait: the service asks, and never sends them again.' },
    ],
    clears: 'When it answers half of the orders of 15 minutes, is disabled, or had no order for a day.',
  },
  float_low: {
    subject: 'The supplier.',
    cost: 'Once used up, payments fail or cost more elsewhere.',
    look: [
      { text: 'The float, its threshold, how long it lasts:', command: 'npx warungd provider float' },
      { text: 'Which products have another route?', command: 'npx warungd route list --provider CODE' },
    ],
    act: [
      { text: 'Top up the float.' },
      {
        text: 'If that takes too long, pay through another supplier.',
        command: 'npx warungd provider disable --code CODE --dry-run',
      },
      {
        text: 'A wrong threshold:',
        command: 'npx warungd provider update --code CODE --float-alert AMOUNT',
      },
    ],
    clears: 'When the float is above the threshold; it is asked every minute.',
  },
  float_forecast: {
    subject: 'The supplier.',
    cost: 'Nothing yet; then `float_low`.',
    look: [{ text: 'The float, and how long it lasts:', command: 'npx warungd provider float' }],
    act: [{ text: 'Plan a top up before that time.' }],
    clears: 'When the float lasts long enough.',
  },
  float_unread: {
    subject: 'The supplier.',
    cost: 'You do not see the float. The supplier may be out of order.',
    look: [
      { text: 'The last error:', command: 'npx warungd provider float' },
      { text: 'Are orders answered?', command: 'npx warungd provider health' },
      { text: 'Ask the supplier now.', command: 'npx warungd provider test --code CODE' },
    ],
    act: [
      { text: 'Read the float on the supplier’s pages; top it up if low.' },
      {
        text: 'Changed credentials: give the new ones.',
        command: 'npx warungd provider update --code CODE --secrets-stdin',
      },
    ],
    clears: 'When the supplier reports an amount.',
  },
  stock_low: {
    subject: 'Product and denomination.',
    cost: 'Nothing yet; then `stock_out`.',
    look: [
      { text: 'What is left:', command: 'npx warungd stock list' },
      { text: 'The last batches:', command: 'npx warungd stock batches' },
    ],
    act: [
      {
        text: 'Load another batch.',
        command: 'npx warungd stock load --product CODE --denomination AMOUNT --file FILE',
      },
      {
        text: 'A level that is too high:',
        command: 'npx warungd stock level --product CODE --denomination AMOUNT --min NUMBER',
      },
    ],
    clears: BY_ITSELF_SOON,
  },
  stock_out: {
    subject: 'Product and denomination.',
    cost: 'Sales: payments are refused, or cost more elsewhere.',
    look: [
      { text: 'What is left:', command: 'npx warungd stock list' },
      {
        text: 'Is there another route?',
        command: 'npx warungd route list --product CODE',
      },
    ],
    act: [
      {
        text: 'Load another batch.',
        command: 'npx warungd stock load --product CODE --denomination AMOUNT --file FILE',
      },
      {
        text: 'Meanwhile tell resellers.',
        command: 'npx warungd notice add --product CODE --message TEXT',
      },
    ],
    clears: BY_ITSELF_SOON,
  },
  catalogue_pattern: {
    subject: 'The catalogue.',
    cost: 'Nothing: the pattern works in bounded time, but integrators’ tools may not run it.',
    look: [{ text: 'The fields, in the text:', command: 'npx warungd alert list' }],
    act: [
      { text: 'Export the catalogue,', command: 'npx warungd catalog export --file FILE' },
      { text: 'change the patterns,' },
      {
        text: 'read the difference, and import it.',
        command: 'npx warungd catalog import --file FILE --dry-run',
      },
    ],
    clears: 'At a node’s next start after the change.',
  },
} as const satisfies Record<string, Runbook>
