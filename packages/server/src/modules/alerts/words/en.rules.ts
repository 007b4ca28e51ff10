import type { MailWords } from './types.ts'

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

export const ENGLISH: MailWords = {
  account: (account) => `(account ${account})`,
  facts: {
    balance: 'Balance',
    threshold: 'Threshold',
    time: 'Time',
    lasts: 'Lasts',
    amount: 'Amount',
    entry: 'Statement entry',
    bankReference: 'Bank reference',
    reason: 'Reason',
    depositRequest: 'Deposit request',
    sentTo: 'Sent to',
    error: 'Error',
    failingSince: 'Failing since',
    request: 'Request',
    reference: 'Reference',
    state: 'State',
    message: 'Message',
    runOf: 'Run of',
    lines: 'Lines',
    unpaid: 'Not paid',
    cost: 'Cost',
  },
  forecast(days, perDay) {
    const rate = `at the present rate of ${perDay} a day`
    if (days === undefined) return `more than a year ${rate}`
    if (days === 0) return `less than a day ${rate}`
    return `about ${days} ${days === 1 ? 'day' : 'days'} ${rate}`
  },
  low: {
    subject: (threshold, balance) => `Balance below ${threshold}: ${balance} left`,
    happened: (whose, threshold) => `The balance of ${whose} fell below ${threshold}.`,
    earlier: (count) => `It also fell below it ${times(count)} within the hour before.`,
    todo: 'Top up to keep selling: a payment that costs more than the balance is refused.',
  },
  deposit: {
    subject: (amount) => `Deposit of ${amount} received`,
    happened: (whose) => `A deposit was added to the balance of ${whose}.`,
    earlier: (count) =>
      `Deposits were also received ${times(count)} within the hour before; the statement lists them all.`,
    todo: 'Nothing needs to be done.',
  },
  refused: {
    subject: (amount) => `Deposit request of ${amount} refused`,
    happened: (whose) => `A transfer that ${whose} reported was not added to the balance.`,
    earlier: (count) => `Deposit requests were also refused ${times(count)} within the hour before.`,
    todo: 'Compare the reason with your bank statement, and report the transfer again when that mends it.',
  },
  streams: {
    callback: 'Transaction callbacks',
    catalog: 'Catalog webhooks',
    balance: 'Balance webhooks',
    other: 'Webhooks',
  },
  failed: {
    subject: (stream) => `${stream} cannot be delivered`,
    happened: (whose, stream) => `${stream} of ${whose} cannot be delivered to your server.`,
    todo:
      'Check that your server answers with a 2xx status. Deliveries that failed stay in the delivery log and can be ' +
      'replayed. While they go on failing, this mail comes at most once a day.',
  },
  paused: {
    subject: (stream) => `${stream} are paused`,
    happened: (whose, stream) => `${stream} of ${whose} are paused: nothing was received for days.`,
    todo:
      'Repair your server, then send it a test event, set its URL again or switch the webhook on again: each of them ' +
      'ends the pause. Events of that time are in the delivery log and can be replayed.',
  },
  news: {
    subject: (number, state) => `Case ${number} is ${state}`,
    happened: (whose, number) => `There is news about case ${number} of ${whose}.`,
    todo: 'Name the number of the case when you write about it.',
  },
  kinds: { dispute: 'dispute', void: 'void' },
  states: { open: 'open', in_progress: 'in progress', resolved: 'resolved', refused: 'refused' },
  schedule: {
    named: (name) => `Scheduled payments ${name}`,
    unnamed: 'Scheduled payments',
    ran: {
      subject: (name, paid, lines) => `${name}: ${paid} of ${lines} paid`,
      happened: (whose, name, paid, lines) =>
        `${name} of ${whose} were run: ${paid} of ${lines} lines are paid.`,
      todo: 'The page Bulk has the result of each line.',
    },
    stopped: {
      subject: (name) => `${name} stopped`,
      happened: (whose, name, reason) => `${name} of ${whose} have stopped: ${reason}.`,
      todo: 'Nothing more is paid until somebody goes on with it on the page Bulk. What was paid stays paid, and is not paid twice.',
    },
    reasons: {
      member: 'whoever scheduled it was removed, or may not pay files any more',
      account: 'the account is suspended or may not pay',
      not_allowed:
        'the account takes payments by API key alone, or not from the address at which it was scheduled',
      balance: 'the balance was too low',
      limit: 'a limit was reached',
      product: 'a product is no longer for sale as it was',
      price: 'a line costs more than when it was scheduled',
      unavailable: 'a line could not be paid for an hour',
      late: 'its time was missed by a day',
    },
    earlier: (times) => `There was such news within the hour before: ${times} times.`,
  },
  token: (token) => `Token: ${token}`,
  forPrograms: (request) => `For programs: POST ${request}, as JSON.`,
  reset: {
    subject: 'A new password for Warung',
    asked: (login) => `Somebody asked for a new password for ${login}.`,
    once: 'It works once, within 30 minutes. If it was not you, nothing needs to be done: the password stays as it is.',
  },
  portalOf: (company) => `the portal of ${company}`,
  invitation: {
    subject: (where) => `Invitation to ${where}`,
    invites: (who, where) => `${who} invites you to ${where}.`,
    login: (login) => `Your name there is ${login}.`,
    choose: 'Choose a password with this token.',
    once: 'It works once, within 7 days. If you do not know what this is about, nothing needs to be done.',
  },
}
