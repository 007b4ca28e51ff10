import type { Runbook } from './runbooks.types.ts'

/** `alert clear`, as the head of the page says. */
const CLEARED_BY_HAND = 'By hand.'
const MAIL_TEST = 'npx warungd mail test --to ADDRESS'

/** Runbooks of the alerts about people, clocks, proxies, mail and the webhook of alerts. */
export const SERVICE_RUNBOOKS = {
  approval_waiting: {
    subject: 'The request.',
    cost: 'A change is not made; the request expires.',
    look: [{ text: 'The request and its reason:', command: 'npx warungd approval show --id NUMBER' }],
    act: [
      {
        text: 'Approve it, as somebody who did not ask,',
        command: 'npx warungd approval approve --id NUMBER --operator EMAIL --reason TEXT',
      },
      {
        text: 'or refuse it.',
        command: 'npx warungd approval reject --id NUMBER --operator EMAIL --reason TEXT',
      },
    ],
    clears: 'When it is decided or expired.',
  },
  deposit_reported: {
    subject: 'The deposit request.',
    cost: 'A reseller waits, and stops selling when the balance is used up.',
    look: [
      {
        text: 'Open it in the back office, and compare the slip with the bank’s statement.',
      },
    ],
    act: [
      { text: 'Accept or refuse it; a second operator confirms.' },
      { text: 'What waits for a second person:', command: 'npx warungd approval list' },
    ],
    clears: 'When the request is decided.',
  },
  backup_old: {
    subject: 'The folder of backups.',
    cost: 'Nothing until the disk fails; then a longer restore every day.',
    look: [
      { text: 'The copies and their ages:', command: 'npx warungd backup list' },
      { text: 'Why the timer took none:', command: 'journalctl -u warung-backup -n 50' },
    ],
    act: [
      { text: 'Take a copy now.', command: 'npx warungd backup --keep 7' },
      { text: 'Start the timer.', command: 'systemctl enable --now warung-backup.timer' },
      { text: 'Prove the new copy.', command: 'npx warungd backup verify' },
    ],
    clears: 'After a whole copy.',
  },
  backup_log_old: {
    subject: 'The folder of backups.',
    cost: 'If the database’s disk fails now, we lose the payments since the last received log; the suppliers have them.',
    look: [
      { text: 'The log’s age and the role’s rights:', command: 'npx warungd doctor' },
      { text: 'Room in the folder:', command: 'df -h' },
      { text: 'The reason:', command: 'journalctl -u warung -n 200' },
    ],
    act: [
      { text: 'Make room, or give the role replication and its line in `pg_hba.conf`.' },
      {
        text: 'A dropped slot: take a new copy; the log begins anew.',
        command: 'npx warungd backup --keep 7',
      },
    ],
    clears: 'When the log has arrived.',
  },
  restore_open: {
    subject: 'The restore.',
    cost: 'New refids get 504 until somebody accepts.',
    look: [
      {
        text: 'Payments after the restored moment:',
        command: 'npx warungd restore lost',
      },
      {
        text: 'Ask suppliers and resellers for their lists of the last minutes.',
      },
    ],
    act: [
      {
        text: 'Nothing was done: free the refid.',
        command: 'npx warungd restore release --reseller ACCOUNT --refid REFID --reason TEXT',
      },
      {
        text: 'Somebody names a refid: keep it from being paid again.',
        command: 'npx warungd restore hold --reseller ACCOUNT --refid REFID --reason TEXT',
      },
      { text: 'Accept the restore.', command: 'npx warungd restore accept --reason TEXT' },
    ],
    clears: 'After the acceptance.',
  },
  database_clock: {
    subject: 'The database.',
    cost: 'For a lease’s time no node takes over another’s work. A wrong clock refuses all signatures.',
    look: [
      { text: 'Compare the clocks.', command: 'npx warungd doctor' },
      { text: 'The time service, on every machine:', command: 'timedatectl status' },
    ],
    act: [
      {
        text: 'Start it where it is wrong.',
        command: 'systemctl restart systemd-timesyncd',
      },
      { text: 'After a machine was suspended nothing else is needed.' },
    ],
    clears: CLEARED_BY_HAND,
  },
  untrusted_proxy: {
    subject: 'The setting.',
    cost: 'All clients behind the proxy count as one: one block blocks everybody.',
    look: [
      { text: 'The proxy’s address, in the text:', command: 'npx warungd alert list' },
      { text: 'Is it blocked already?', command: 'npx warungd block list' },
    ],
    act: [
      { text: 'Name it in `WARUNG_TRUST_PROXY` on every node, and restart.' },
      { text: 'The setting in force:', command: 'npx warungd config' },
      { text: 'Lift the block.', command: 'npx warungd block lift --address ADDRESS' },
    ],
    clears: CLEARED_BY_HAND,
  },
  untrusted_forwarding: {
    subject: 'The setting.',
    cost: 'Your proxy: as `untrusted_proxy`. A client: nothing, its header is not believed.',
    look: [{ text: 'The address, in the text:', command: 'npx warungd alert list' }],
    act: [
      { text: 'Your proxy: name it in `WARUNG_TRUST_PROXY` on every node.' },
      { text: 'A client: clear the alert.' },
    ],
    clears: CLEARED_BY_HAND,
  },
  mail_unreachable: {
    subject: 'The mail server.',
    cost: 'Nobody is told by mail. Mails wait, and are sent later.',
    look: [
      { text: 'Try it; the error is shown.', command: MAIL_TEST },
      { text: 'The mails that wait:', command: 'npx warungd mail list --status waiting' },
    ],
    act: [
      { text: 'Correct `WARUNG_SMTP_URL`, or mend the mail server.' },
      { text: 'Try again.', command: MAIL_TEST },
    ],
    clears: 'When a mail gets through.',
  },
  mail_given_up: {
    subject: 'The address.',
    cost: 'One person is not told.',
    look: [{ text: 'The mail and its error:', command: 'npx warungd mail show --id ID' }],
    act: [
      {
        text: 'Correct the reseller’s address,',
        command: 'npx warungd reseller update --reseller ACCOUNT --email ADDRESS',
      },
      { text: 'or tell the person otherwise.' },
    ],
    clears: CLEARED_BY_HAND,
  },
  mail_not_configured: {
    subject: 'The mail server.',
    cost: 'No mail is sent, critical alerts included.',
    look: [{ text: 'The setting in force:', command: 'npx warungd config' }],
    act: [
      { text: 'Set `WARUNG_SMTP_URL` on every node, and restart.' },
      { text: 'Try it.', command: MAIL_TEST },
    ],
    clears: 'When a node has a mail server.',
  },
  mail_notice_unreadable: {
    subject: 'The reseller.',
    cost: 'One notice is not mailed; feed and webhooks have it.',
    look: [{ text: 'The error, in the text:', command: 'npx warungd alert list' }],
    act: [
      { text: 'Tell the reseller what it says.' },
      { text: 'Report the error: it is a fault of the service.' },
    ],
    clears: CLEARED_BY_HAND,
  },
  mail_copies_limited: {
    subject: 'The reseller.',
    cost: 'Copies of mails about cases are not sent today.',
    look: [{ text: 'Its cases:', command: 'npx warungd case list --reseller ACCOUNT' }],
    act: [{ text: 'Ask the reseller why it names so many addresses.' }],
    clears: CLEARED_BY_HAND,
  },
  alert_webhook_failing: {
    subject: 'The setting.',
    cost: 'The webhook reaches nobody. Critical alerts are still mailed, and all are listed.',
    look: [
      { text: 'The receiver’s error, in the text:', command: 'npx warungd alert list' },
      { text: 'The address in force:', command: 'npx warungd config' },
    ],
    act: [
      {
        text: 'Mend the receiver, or `WARUNG_ALERT_WEBHOOK`: a public address that answers 2xx within 10 seconds.',
      },
      { text: 'Alerts are sent again for a day; then read the list.' },
    ],
    clears: 'When the receiver takes an alert.',
  },
} as const satisfies Record<string, Runbook>
