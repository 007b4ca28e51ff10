import type { Runbook } from './runbooks.types.ts'

const BY_ITSELF_SOON = 'By itself within a minute after the cause is gone.'

/** Runbooks of the alerts about prices, suppliers, floats and stock. */
export const SUPPLIER_RUNBOOKS = {
  sold_below_cost: {
    subject: 'The code of the product.',
    cost: 'Money at every sale of the product: the difference between the cost and the price.',
    look: [
      { text: 'Read the prices of the product.', command: 'npx warungd catalog show --product CODE' },
      { text: 'Read the costs of its routes.', command: 'npx warungd route list --product CODE' },
    ],
    act: [
      {
        text: 'Correct the price,',
        command: 'npx warungd catalog price --level CODE --product CODE --percentage FACTOR --dry-run',
      },
      {
        text: 'or correct the cost of the route, if the supplier really takes less,',
        command: 'npx warungd route set --product CODE --provider CODE --cost COST --dry-run',
      },
      {
        text: 'or stop the sale until it is clear which of them is wrong.',
        command: 'npx warungd notice add --product CODE --message TEXT --stops-payments',
      },
    ],
    clears: BY_ITSELF_SOON,
  },
  price_without_route: {
    subject: 'The code of the product.',
    cost: 'Sales: every payment for the product is refused with code 44.',
    look: [
      {
        text: 'See whether it has a route that is disabled.',
        command: 'npx warungd route list --product CODE',
      },
      { text: 'See whether its supplier is disabled.', command: 'npx warungd provider list' },
    ],
    act: [
      {
        text: 'Set a route,',
        command: 'npx warungd route set --product CODE --provider CODE --cost COST',
      },
      { text: 'or enable the supplier,', command: 'npx warungd provider enable --code CODE' },
      {
        text: 'or take the price away, if the product is not sold any more.',
        command: 'npx warungd catalog price --level CODE --product CODE --none',
      },
    ],
    clears: BY_ITSELF_SOON,
  },
  route_without_price: {
    subject: 'The code of the product.',
    cost: 'Nothing but the sales that nobody can make.',
    look: [
      { text: 'Read the price levels of the product.', command: 'npx warungd catalog show --product CODE' },
    ],
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
    subject: 'The code of the supplier.',
    cost: 'Every payment to it waits without a result, and its money is held.',
    look: [
      { text: 'Read how it answered lately.', command: 'npx warungd provider health' },
      { text: 'See which products have another route.', command: 'npx warungd route list --provider CODE' },
    ],
    act: [
      { text: 'Call the supplier.' },
      {
        text: 'Until it answers, send payments to another supplier,',
        command: 'npx warungd provider disable --code CODE --dry-run',
      },
      {
        text: 'or stop the sale of products that only it has.',
        command: 'npx warungd notice add --product CODE --message TEXT --stops-payments',
      },
      { text: 'Leave the payments that wait: the service asks about them, and never sends them again.' },
    ],
    clears:
      'By itself, when it answers at least half of the orders of the last 15 minutes, is disabled, or had no order for a day.',
  },
  float_low: {
    subject: 'The code of the supplier.',
    cost: 'When the float is used up, payments through this supplier fail, or go to another one that costs more.',
    look: [
      { text: 'Read the float, its threshold and how long it lasts.', command: 'npx warungd provider float' },
      { text: 'See which products have another route.', command: 'npx warungd route list --provider CODE' },
    ],
    act: [
      { text: 'Top up the float at the supplier.' },
      {
        text: 'If the top up takes longer than the float lasts, send payments to another supplier.',
        command: 'npx warungd provider disable --code CODE --dry-run',
      },
      {
        text: 'If the threshold is wrong, change it.',
        command: 'npx warungd provider update --code CODE --float-alert AMOUNT',
      },
    ],
    clears: 'By itself, when the supplier reports an amount above the threshold; it is asked once a minute.',
  },
  float_forecast: {
    subject: 'The code of the supplier.',
    cost: 'Nothing yet. At the present rate it becomes `float_low`, and then failed payments.',
    look: [{ text: 'Read the float and how long it lasts.', command: 'npx warungd provider float' }],
    act: [{ text: 'Plan a top up before the time that the list shows.' }],
    clears: 'By itself, when the float lasts long enough at the present rate.',
  },
  float_unread: {
    subject: 'The code of the supplier.',
    cost: 'You do not see the float. The supplier may also be out of order.',
    look: [
      { text: 'Read the error of the last question.', command: 'npx warungd provider float' },
      { text: 'See whether orders are answered.', command: 'npx warungd provider health' },
      { text: 'Ask the supplier now.', command: 'npx warungd provider test --code CODE' },
    ],
    act: [
      { text: 'Read the float on the pages of the supplier, and top it up if it is low.' },
      {
        text: 'If the credentials have changed, give the new ones.',
        command: 'npx warungd provider update --code CODE --secrets-stdin',
      },
    ],
    clears: 'By itself, when the supplier reports an amount.',
  },
  stock_low: {
    subject: 'The product and the denomination.',
    cost: 'Nothing yet. It becomes `stock_out`.',
    look: [
      { text: 'Read what is left of every denomination.', command: 'npx warungd stock list' },
      { text: 'See when the last batches came.', command: 'npx warungd stock batches' },
    ],
    act: [
      {
        text: 'Load another batch.',
        command: 'npx warungd stock load --product CODE --denomination AMOUNT --file FILE',
      },
      {
        text: 'If the level is too high, change it.',
        command: 'npx warungd stock level --product CODE --denomination AMOUNT --min NUMBER',
      },
    ],
    clears: BY_ITSELF_SOON,
  },
  stock_out: {
    subject: 'The product and the denomination.',
    cost: 'Sales: payments for the denomination are refused, or go to another supplier that costs more.',
    look: [
      { text: 'Read what is left.', command: 'npx warungd stock list' },
      {
        text: 'See whether the product has another route.',
        command: 'npx warungd route list --product CODE',
      },
    ],
    act: [
      {
        text: 'Load another batch.',
        command: 'npx warungd stock load --product CODE --denomination AMOUNT --file FILE',
      },
      {
        text: 'Until it comes, tell resellers.',
        command: 'npx warungd notice add --product CODE --message TEXT',
      },
    ],
    clears: BY_ITSELF_SOON,
  },
  catalogue_pattern: {
    subject: 'The catalogue.',
    cost: 'Nothing: the pattern works, within bounded time. Integrators get a pattern that their own tools may not run.',
    look: [{ text: 'Read the fields in the text of the alert.', command: 'npx warungd alert list' }],
    act: [
      { text: 'Write the catalogue to a file,', command: 'npx warungd catalog export --file FILE' },
      { text: 'change the patterns,' },
      {
        text: 'and see the difference before you import it.',
        command: 'npx warungd catalog import --file FILE --dry-run',
      },
    ],
    clears: 'By itself at the next start of a node after the pattern was changed.',
  },
} as const satisfies Record<string, Runbook>
