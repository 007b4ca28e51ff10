import type { Runbook } from './runbooks.types.ts'

const TRACE = 'npx warungd payment trace --id ID'
const CLEARED_BY_HAND = 'You clear it: `npx warungd alert clear --id NUMBER`.'

/** Runbooks of the alerts about payments, orders and cases. */
export const PAYMENT_RUNBOOKS = {
  payment_contradiction: {
    subject: 'The id of the payment.',
    cost: 'One payment. Either the reseller paid for something that the customer did not get, or the customer has it and the reseller has the money back. It does not grow.',
    look: [
      {
        text: 'Follow the payment: its end, and the answer that says otherwise.',
        command: TRACE,
      },
      {
        text: 'Read the references of its attempts, which the supplier knows.',
        command: 'npx warungd payment show --reseller ACCOUNT --id ID',
      },
    ],
    act: [
      { text: 'Ask the supplier what became of each reference, and keep the answer in writing.' },
      {
        text: 'If the payment failed here and was carried out there, agree with the reseller that it pays: take the cost with a reason.',
        command: 'npx warungd adjust --reseller ACCOUNT --amount=-RINGGIT --remarks TEXT',
      },
      {
        text: 'If it succeeded here and was not carried out there, void it through a case, or give the cost back.',
        command: 'npx warungd adjust --reseller ACCOUNT --amount RINGGIT --remarks TEXT',
      },
      {
        text: 'If the supplier carried it out twice, ask it to take one back; its settlement file shows both.',
      },
    ],
    clears: CLEARED_BY_HAND,
  },
  payments_stuck: {
    subject: 'The code of the supplier that has the payments.',
    cost: 'The money of the payments is held, and the customers of resellers wait. It grows while the supplier does not answer.',
    look: [
      { text: 'List the payments, longest overdue first.', command: 'npx warungd payment stuck' },
      { text: 'See whether the supplier answers at all.', command: 'npx warungd provider health' },
      { text: 'Follow the oldest one.', command: TRACE },
    ],
    act: [
      { text: 'Ask the supplier what became of each reference, and keep the answer in writing.' },
      {
        text: 'End the payments of which it knows the result, in the back office or here. A failure gives the money back, so be certain.',
        command: 'npx warungd payment resolve --reseller ACCOUNT --id ID --as STATE --reason TEXT',
      },
      {
        text: 'If it answers nothing, send new payments to another supplier.',
        command: 'npx warungd provider disable --code CODE --dry-run',
      },
    ],
    clears: 'By itself within a minute, when no payment at this supplier is past its due time.',
  },
  success_rate_fell: {
    subject:
      'The product, supplier or reseller, with its code: `product NOVA`, `supplier acme`, `reseller 1000012`.',
    cost: 'Sales: the payments fail, and their money goes back.',
    look: [
      {
        text: 'Search the failed payments of the last hour in the back office: do they share a product, a supplier, a reseller or a code?',
      },
      { text: 'See how the suppliers answer.', command: 'npx warungd provider health' },
      {
        text: 'Follow one of them: the supplier says why.',
        command: TRACE,
      },
    ],
    act: [
      {
        text: 'If a supplier fails them, send them to another one,',
        command: 'npx warungd provider disable --code CODE --dry-run',
      },
      {
        text: 'or stop the sale of the product until it works.',
        command: 'npx warungd notice add --product CODE --message TEXT --stops-payments',
      },
      {
        text: 'If one reseller alone has it, tell it the code and what its customers enter wrongly.',
      },
    ],
    clears:
      'By itself, when the share of an hour is less than 10 percentage points below that of the week before. It opens at 20 points with at least 30 payments an hour. With fewer payments it stays until you clear it: `npx warungd alert clear --id NUMBER`.',
  },
  attempt_undecided: {
    subject:
      'The reference of the attempt, such as `W123-1`: the id of the payment, and the number of the attempt.',
    cost: 'At most the price of one order at the supplier, if it carries the order out after all.',
    look: [
      { text: 'Follow the payment.', command: 'npx warungd payment trace --id REFERENCE' },
      { text: 'See whether the supplier answers at all.', command: 'npx warungd provider health' },
    ],
    act: [
      { text: 'Ask the supplier to cancel the order with this reference, or to say what became of it.' },
      {
        text: 'Do nothing in the service: it goes on asking, and records the answer. A payment whose later attempt failed waits for this answer.',
      },
    ],
    clears: 'By itself, when the supplier decides about the attempt.',
  },
  answer_ambiguous: {
    subject: 'The reference of the attempt, such as `W123-1`.',
    cost: 'The payment waits in Processing. If the supplier has two orders with our reference, it may have carried both out.',
    look: [
      { text: 'Follow the payment.', command: 'npx warungd payment trace --id REFERENCE' },
      {
        text: 'Read how the connection takes our order out of a list: a warning names a path that takes it by its position.',
        command: 'npx warungd provider show --code CODE',
      },
    ],
    act: [
      { text: 'Ask the supplier what became of the reference, and keep the answer in writing.' },
      {
        text: 'If the connection takes an element by its position, let it pick ours with `list` (guides/connect-a-supplier.md).',
        command: 'npx warungd provider update --code CODE --file FILE --same-supplier',
      },
      { text: 'If the supplier carried the order out twice, ask it to take one back.' },
    ],
    clears: CLEARED_BY_HAND,
  },
  callback_amount: {
    subject: 'The id of the payment.',
    cost: 'Nothing yet: the callback was not believed, and the supplier is asked. A supplier that charges other amounts costs the difference at every payment.',
    look: [
      { text: 'Follow the payment: the callback, and the answer to the question after it.', command: TRACE },
      {
        text: 'See whether other payments through this supplier have it too.',
        command: 'npx warungd alert list --all --limit 200',
      },
    ],
    act: [
      {
        text: 'If it repeats, compare the amounts of the day with the supplier before more is sold through it.',
        command: 'npx warungd settlement list --provider CODE',
      },
      {
        text: 'Take the supplier out of service while the amounts are disputed.',
        command: 'npx warungd provider disable --code CODE --dry-run',
      },
    ],
    clears: CLEARED_BY_HAND,
  },
  outcome_refused: {
    subject: 'The kind of the answer, and the payment or the void that it is about.',
    cost: 'The payment stays pending for its reseller although the supplier has decided. The answer is safe in memory and in `outcomes/` of the data folder of the node.',
    look: [
      { text: 'Read the error of the database in the text of the alert.', command: 'npx warungd alert list' },
      { text: 'Follow the payment.', command: TRACE },
      { text: 'Check the database and its functions.', command: 'npx warungd doctor' },
    ],
    act: [
      { text: 'Keep the data folder of the node: do not delete the machine, its disk or its container.' },
      {
        text: 'If the error names a missing function or column, a migration has not run. Run it; the answer is tried again within an hour.',
        command: 'npx warungd migrate --dry-run',
      },
      { text: 'Otherwise report the error with the text of the alert. The answer waits.' },
    ],
    clears: 'By itself, when the database takes the answer.',
  },
  outcomes_waiting: {
    subject: 'The machine and the process that keeps the answers.',
    cost: 'Payments stay pending while suppliers have decided. Nothing is lost while the data folder is safe; if it is lost, each supplier must be asked again by hand.',
    look: [
      { text: 'See whether the database answers.', command: 'npx warungd doctor' },
      {
        text: 'Count the answers that wait.',
        command: 'curl -s http://127.0.0.1:9464/metrics | grep warung_outcomes_kept',
      },
    ],
    act: [
      { text: 'Bring the database back: its disk, its connections, its leader.' },
      {
        text: 'Do not delete the data folder. A restart is allowed: the answers are in `outcomes/`, and the next start on this folder submits them.',
      },
      {
        text: 'Then look at the payments that are past their due time.',
        command: 'npx warungd payment stuck',
      },
    ],
    clears: 'By itself, when no answer waits any more.',
  },
  outcome_file: {
    subject: 'The path of the file.',
    cost: 'The payments in that file stay pending until their suppliers are asked. Suppliers that cannot be asked leave them undecided.',
    look: [
      {
        text: 'Read in the text why it cannot be read: the sealing key, the disk, or a newer version that wrote it.',
        command: 'npx warungd alert list',
      },
      { text: 'Check that the master key is the one of this database.', command: 'npx warungd doctor' },
    ],
    act: [
      { text: 'Copy the file to a safe place first.' },
      { text: 'If another version wrote it, start that version on the same data folder.' },
      {
        text: 'If it is broken, compare the payments that are stuck with the records of the suppliers.',
        command: 'npx warungd payment stuck',
      },
      {
        text: 'End each one with what the supplier says.',
        command: 'npx warungd payment resolve --reseller ACCOUNT --id ID --as STATE --reason TEXT',
      },
    ],
    clears: CLEARED_BY_HAND,
  },
  order_stuck: {
    subject: 'The code of the order.',
    cost: 'One customer has paid the shop and waits for the goods.',
    look: [
      { text: 'Read the order, its lines and its error.', command: 'npx warungd order show --order ORDER' },
      {
        text: 'Read the wallet of the reseller: an order waits while the balance is too low.',
        command: 'npx warungd reseller show --reseller ACCOUNT',
      },
    ],
    act: [
      { text: 'Ask the reseller to deposit, if the balance is too low.' },
      {
        text: 'If a payment of the order is stuck, follow it; its refid begins with the code of the order.',
        command: 'npx warungd payment trace --reseller ACCOUNT --refid REFID',
      },
      { text: 'Otherwise look for the code of the order in the log of the nodes.' },
    ],
    clears: 'By itself within a minute after the order moves on.',
  },
  void_contradiction: {
    subject: 'The number of the case.',
    cost: 'One payment: the supplier took it back although the reseller was refused, or the opposite. It does not grow.',
    look: [
      { text: 'Read the case with its messages.', command: 'npx warungd case show --number NUMBER' },
      { text: 'Follow its payment.', command: TRACE },
    ],
    act: [
      { text: 'Ask the supplier which decision holds.' },
      {
        text: 'Settle the difference with the reseller.',
        command: 'npx warungd adjust --reseller ACCOUNT --amount RINGGIT --remarks TEXT',
      },
    ],
    clears: CLEARED_BY_HAND,
  },
  case_waiting: {
    subject: 'The number of the case.',
    cost: 'The trust of one reseller. After its due time it becomes `case_overdue`.',
    look: [{ text: 'Read the case.', command: 'npx warungd case show --number NUMBER' }],
    act: [
      {
        text: 'Take it, so that others see that you have it.',
        command: 'npx warungd case take --number NUMBER',
      },
      {
        text: 'Tell the reseller what happens next.',
        command: 'npx warungd case message --number NUMBER --text TEXT',
      },
    ],
    clears: 'By itself, when the state of the case changes.',
  },
  case_overdue: {
    subject: 'The number of the case.',
    cost: 'A promise to a reseller is broken since the due time.',
    look: [
      { text: 'Read the case.', command: 'npx warungd case show --number NUMBER' },
      { text: 'List the other open cases: is it one, or are all late?', command: 'npx warungd case list' },
    ],
    act: [
      {
        text: 'Decide it: approve a void with the evidence of the supplier,',
        command: 'npx warungd case approve --number NUMBER --evidence TEXT',
      },
      { text: 'or refuse it,', command: 'npx warungd case refuse --number NUMBER --reason TEXT' },
      { text: 'or end a dispute.', command: 'npx warungd case resolve --number NUMBER --message TEXT' },
    ],
    clears: 'By itself, when the case is closed.',
  },
} as const satisfies Record<string, Runbook>
