import type { Runbook } from './runbooks.types.ts'

const TRACE = 'npx warungd payment trace --id ID'
/** `alert clear`, as the head of the page says. */
const CLEARED_BY_HAND = 'By hand.'

/** Runbooks of the alerts about payments, orders and cases. */
export const PAYMENT_RUNBOOKS = {
  payment_contradiction: {
    subject: 'The payment.',
    cost: 'One payment: the reseller paid for goods that did not come, or has goods and money. It does not grow.',
    look: [
      {
        text: 'Its end, and the answer against it:',
        command: TRACE,
      },
      {
        text: 'The references of its attempts:',
        command: 'npx warungd payment show --reseller ACCOUNT --id ID',
      },
    ],
    act: [
      { text: 'Ask the supplier about each reference, in writing.' },
      {
        text: 'Failed here, carried out there: take the cost, agreed with the reseller.',
        command: 'npx warungd adjust --reseller ACCOUNT --amount=-RINGGIT --remarks TEXT',
      },
      {
        text: 'Succeeded here, not carried out there: void it through a case, or give the cost back.',
        command: 'npx warungd adjust --reseller ACCOUNT --amount RINGGIT --remarks TEXT',
      },
      {
        text: 'Carried out twice: ask the supplier to take one back.',
      },
    ],
    clears: CLEARED_BY_HAND,
  },
  payments_stuck: {
    subject: 'The supplier.',
    cost: 'The money is held, customers wait, and it grows.',
    look: [
      { text: 'Longest overdue first:', command: 'npx warungd payment stuck' },
      { text: 'Does the supplier answer?', command: 'npx warungd provider health' },
      { text: 'The oldest one:', command: TRACE },
    ],
    act: [
      { text: 'Ask the supplier about each reference, in writing.' },
      {
        text: 'End those it knows. A failure gives the money back, so be certain.',
        command: 'npx warungd payment resolve --reseller ACCOUNT --id ID --as STATE --reason TEXT',
      },
      {
        text: 'If it answers nothing, pay through another supplier.',
        command: 'npx warungd provider disable --code CODE --dry-run',
      },
    ],
    clears: 'When no payment there is past its due time.',
  },
  success_rate_fell: {
    subject: '`product NOVA`, `supplier acme` or `reseller 1000012`.',
    cost: 'Sales: the money of failed payments goes back.',
    look: [
      {
        text: 'Search the failures of the last hour in the back office: what do they share?',
      },
      { text: 'Do the suppliers answer?', command: 'npx warungd provider health' },
      {
        text: 'The reason of one:',
        command: TRACE,
      },
    ],
    act: [
      {
        text: 'A supplier fails them: use another one,',
        command: 'npx warungd provider disable --code CODE --dry-run',
      },
      {
        text: 'or stop the product.',
        command: 'npx warungd notice add --product CODE --message TEXT --stops-payments',
      },
      {
        text: 'One reseller alone has it: tell it the code.',
      },
    ],
    clears:
      'When the share of an hour is within 10 points of the week before (it opens at 20, with at least 30 payments an hour). With fewer payments: by hand.',
  },
  attempt_undecided: {
    subject: 'The attempt, such as `W123-1`.',
    cost: 'At most one order, if the supplier carries it out after all.',
    look: [
      { text: 'The payment:', command: 'npx warungd payment trace --id REFERENCE' },
      { text: 'Does the supplier answer?', command: 'npx warungd provider health' },
    ],
    act: [
      { text: 'Ask the supplier to cancel it, or what became of it.' },
      {
        text: 'Change nothing: the service goes on asking. A payment whose later attempt failed waits for this answer.',
      },
    ],
    clears: 'When the supplier decides.',
  },
  answer_ambiguous: {
    subject: 'The attempt, such as `W123-1`.',
    cost: 'The payment waits. Two orders with our reference may both have been carried out.',
    look: [
      { text: 'The payment:', command: 'npx warungd payment trace --id REFERENCE' },
      {
        text: 'How the connection finds our order:',
        command: 'npx warungd provider show --code CODE',
      },
    ],
    act: [
      { text: 'Ask the supplier about the reference, in writing.' },
      {
        text: 'If it takes an element by position, let it pick ours with `list` (guides/connect-a-supplier.md).',
        command: 'npx warungd provider update --code CODE --file FILE --same-supplier',
      },
      { text: 'Carried out twice: ask the supplier to take one back.' },
    ],
    clears: CLEARED_BY_HAND,
  },
  callback_amount: {
    subject: 'The payment.',
    cost: 'Nothing yet: the callback was not believed. If it repeats, the difference every time.',
    look: [
      { text: 'The callback, and the answer to our question:', command: TRACE },
      {
        text: 'Do other payments have it?',
        command: 'npx warungd alert list --all --limit 200',
      },
    ],
    act: [
      {
        text: 'If it repeats, compare the day’s amounts.',
        command: 'npx warungd settlement list --provider CODE',
      },
      {
        text: 'Stop the supplier while amounts are disputed.',
        command: 'npx warungd provider disable --code CODE --dry-run',
      },
    ],
    clears: CLEARED_BY_HAND,
  },
  outcome_refused: {
    subject: 'The kind of the answer, and its payment or void.',
    cost: 'The payment stays pending although the supplier has decided. The answer is safe in `outcomes/` of the data folder.',
    look: [
      { text: 'The database’s error, in the text:', command: 'npx warungd alert list' },
      { text: 'The payment:', command: TRACE },
      { text: 'The database:', command: 'npx warungd doctor' },
    ],
    act: [
      { text: 'Keep the node’s data folder, disk and container.' },
      {
        text: 'A missing function or column: run the migration. The answer is tried again within an hour.',
        command: 'npx warungd migrate --dry-run',
      },
      { text: 'Otherwise report the error. The answer waits.' },
    ],
    clears: 'When the database takes the answer.',
  },
  outcomes_waiting: {
    subject: 'The machine and its process.',
    cost: 'Payments stay pending. Nothing is lost while the data folder is safe; otherwise ask each supplier by hand.',
    look: [
      { text: 'Does the database answer?', command: 'npx warungd doctor' },
      {
        text: 'How many wait?',
        command: 'curl -s http://127.0.0.1:9464/metrics | grep warung_outcomes_kept',
      },
    ],
    act: [
      { text: 'Bring the database back: disk, connections, leader.' },
      {
        text: 'Do not delete the data folder. A restart is allowed: the next start submits `outcomes/`.',
      },
      {
        text: 'Then see what is overdue.',
        command: 'npx warungd payment stuck',
      },
    ],
    clears: 'When no answer waits.',
  },
  outcome_file: {
    subject: 'The file.',
    cost: 'Its payments stay pending until their suppliers are asked; those that cannot be asked stay undecided.',
    look: [
      {
        text: 'Why: the sealing key, the disk, or a newer version?',
        command: 'npx warungd alert list',
      },
      { text: 'Is the master key this database’s?', command: 'npx warungd doctor' },
    ],
    act: [
      { text: 'Copy the file to a safe place.' },
      { text: 'Another version wrote it: start that version on the same folder.' },
      {
        text: 'Broken: compare what is stuck with the suppliers’ records,',
        command: 'npx warungd payment stuck',
      },
      {
        text: 'and end each one as the supplier says.',
        command: 'npx warungd payment resolve --reseller ACCOUNT --id ID --as STATE --reason TEXT',
      },
    ],
    clears: CLEARED_BY_HAND,
  },
  order_stuck: {
    subject: 'The order.',
    cost: 'One customer has paid the shop and waits.',
    look: [
      { text: 'Its lines and its error:', command: 'npx warungd order show --order ORDER' },
      {
        text: 'The reseller’s balance:',
        command: 'npx warungd reseller show --reseller ACCOUNT',
      },
    ],
    act: [
      { text: 'Too low a balance: ask the reseller to deposit.' },
      {
        text: 'A stuck payment: follow it; its refid begins with the order’s code.',
        command: 'npx warungd payment trace --reseller ACCOUNT --refid REFID',
      },
      { text: 'Otherwise search the nodes’ log for the code.' },
    ],
    clears: 'When the order moves on.',
  },
  void_contradiction: {
    subject: 'The case.',
    cost: 'One payment: taken back although refused, or the opposite. It does not grow.',
    look: [
      { text: 'The case:', command: 'npx warungd case show --number NUMBER' },
      { text: 'Its payment:', command: TRACE },
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
    subject: 'The case.',
    cost: 'One reseller’s trust. Later it becomes `case_overdue`.',
    look: [{ text: 'The case:', command: 'npx warungd case show --number NUMBER' }],
    act: [
      {
        text: 'Take it.',
        command: 'npx warungd case take --number NUMBER',
      },
      {
        text: 'Tell the reseller what comes next.',
        command: 'npx warungd case message --number NUMBER --text TEXT',
      },
    ],
    clears: 'When its state changes.',
  },
  case_overdue: {
    subject: 'The case.',
    cost: 'A promise to a reseller is broken.',
    look: [
      { text: 'The case:', command: 'npx warungd case show --number NUMBER' },
      { text: 'Are others late?', command: 'npx warungd case list' },
    ],
    act: [
      {
        text: 'Approve a void with the supplier’s evidence,',
        command: 'npx warungd case approve --number NUMBER --evidence TEXT',
      },
      { text: 'or refuse it,', command: 'npx warungd case refuse --number NUMBER --reason TEXT' },
      { text: 'or end a dispute.', command: 'npx warungd case resolve --number NUMBER --message TEXT' },
    ],
    clears: 'When the case is closed.',
  },
} as const satisfies Record<string, Runbook>
