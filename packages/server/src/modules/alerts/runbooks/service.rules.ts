import type { Runbook } from './runbooks.types.ts'

const CLEARED_BY_HAND = 'You clear it: `npx warungd alert clear --id NUMBER`.'
const MAIL_TEST = 'npx warungd mail test --to ADDRESS'

/** Runbooks of the alerts about people, clocks, proxies, mail and the webhook of alerts. */
export const SERVICE_RUNBOOKS = {
  approval_waiting: {
    subject: 'The number of the request.',
    cost: 'A change that somebody needs is not made; the request expires.',
    look: [{ text: 'Read the request and its reason.', command: 'npx warungd approval show --id NUMBER' }],
    act: [
      {
        text: 'Approve it, as somebody who did not ask for it,',
        command: 'npx warungd approval approve --id NUMBER --operator EMAIL --reason TEXT',
      },
      {
        text: 'or refuse it.',
        command: 'npx warungd approval reject --id NUMBER --operator EMAIL --reason TEXT',
      },
    ],
    clears: 'By itself within a minute after the request is decided or has expired.',
  },
  deposit_reported: {
    subject: 'The number of the deposit request.',
    cost: 'A reseller waits for its money, and stops selling when the balance is used up.',
    look: [
      {
        text: 'Open the deposit request in the back office, and compare its slip with the statement of the bank.',
      },
    ],
    act: [
      { text: 'Accept it, or refuse it with a reason; a second operator confirms it.' },
      { text: 'See the requests that wait for a second person.', command: 'npx warungd approval list' },
    ],
    clears: 'By itself, when the request is decided.',
  },
  backup_old: {
    subject: 'The folder of backups.',
    cost: 'Nothing until the disk fails. Then a restore replays the log since the last whole copy, which takes longer every day.',
    look: [
      { text: 'See the copies and their ages.', command: 'npx warungd backup list' },
      { text: 'See why the timer took none.', command: 'journalctl -u warung-backup -n 50' },
    ],
    act: [
      { text: 'Take a copy now, and read its error if it fails.', command: 'npx warungd backup --keep 7' },
      { text: 'Start the timer.', command: 'systemctl enable --now warung-backup.timer' },
      { text: 'Prove the new copy.', command: 'npx warungd backup verify' },
    ],
    clears: 'By itself, within minutes of a whole copy.',
  },
  backup_log_old: {
    subject: 'The folder of backups.',
    cost: 'If the disk of the database fails now, the payments since the last received part of the log are lost to us, and the suppliers have them.',
    look: [
      { text: 'See the age of the log and the rights of the role.', command: 'npx warungd doctor' },
      { text: 'See the room on the disk of the folder.', command: 'df -h' },
      { text: 'See the reason in the log of the service.', command: 'journalctl -u warung -n 200' },
    ],
    act: [
      { text: 'Make room, or give the role the right of replication and the line in `pg_hba.conf`.' },
      {
        text: 'If the server dropped the slot because the folder was behind for too long, take a new copy: the log begins anew.',
        command: 'npx warungd backup --keep 7',
      },
    ],
    clears: 'By itself, when the log has arrived.',
  },
  restore_open: {
    subject: 'The restore.',
    cost: 'Resellers cannot pay with new refids: they get 504 until somebody accepts.',
    look: [
      {
        text: 'See the payments that were taken after the restored moment.',
        command: 'npx warungd restore lost',
      },
      {
        text: 'Ask the suppliers for their lists of the minutes before the stop, and the resellers for theirs.',
      },
    ],
    act: [
      {
        text: 'Free a refid of which the supplier says that nothing was done.',
        command: 'npx warungd restore release --reseller ACCOUNT --refid REFID --reason TEXT',
      },
      {
        text: 'Keep a refid from being paid again that a supplier or reseller names.',
        command: 'npx warungd restore hold --reseller ACCOUNT --refid REFID --reason TEXT',
      },
      { text: 'Accept the restore.', command: 'npx warungd restore accept --reason TEXT' },
    ],
    clears: 'By itself, after the acceptance.',
  },
  database_clock: {
    subject: 'The database.',
    cost: 'For the time of a lease no node takes over the work of another one. Signatures are judged by this clock: a wrong one refuses all clients.',
    look: [
      { text: 'Compare the clocks.', command: 'npx warungd doctor' },
      { text: 'See whether the time service runs, on every machine.', command: 'timedatectl status' },
    ],
    act: [
      {
        text: 'Start the time service on the machine that is wrong.',
        command: 'systemctl restart systemd-timesyncd',
      },
      { text: 'After a machine was suspended, nothing else is to be done.' },
    ],
    clears: CLEARED_BY_HAND,
  },
  untrusted_proxy: {
    subject: 'The setting.',
    cost: 'All clients behind the proxy count as one address: one that is blocked blocks everybody.',
    look: [
      { text: 'Read the address of the proxy in the text of the alert.', command: 'npx warungd alert list' },
      { text: 'See whether the proxy is blocked already.', command: 'npx warungd block list' },
    ],
    act: [
      { text: 'Name the address in `WARUNG_TRUST_PROXY` on every node, and restart the nodes.' },
      { text: 'See the setting as the service reads it.', command: 'npx warungd config' },
      { text: 'Lift the block of the proxy.', command: 'npx warungd block lift --address ADDRESS' },
    ],
    clears: CLEARED_BY_HAND,
  },
  untrusted_forwarding: {
    subject: 'The setting.',
    cost: 'If it is your proxy, the same as `untrusted_proxy`. If it is a client, nothing: its header is not believed.',
    look: [{ text: 'Read the address in the text of the alert.', command: 'npx warungd alert list' }],
    act: [
      { text: 'If it is your proxy, name it in `WARUNG_TRUST_PROXY` on every node.' },
      { text: 'If it is a client, do nothing but clear the alert.' },
    ],
    clears: CLEARED_BY_HAND,
  },
  mail_unreachable: {
    subject: 'The way out of the mails.',
    cost: 'Operators and resellers are told nothing by mail. The mails wait, and are sent later.',
    look: [
      { text: 'Try it; the error of the mail server is shown.', command: MAIL_TEST },
      { text: 'List the mails that wait.', command: 'npx warungd mail list --status waiting' },
    ],
    act: [
      { text: 'Correct `WARUNG_SMTP_URL`, or mend the mail server or the way to it.' },
      { text: 'Try it again.', command: MAIL_TEST },
    ],
    clears: 'By itself, when a mail gets through.',
  },
  mail_given_up: {
    subject: 'The address.',
    cost: 'One person is not told.',
    look: [{ text: 'Read the mail and its error.', command: 'npx warungd mail show --id ID' }],
    act: [
      {
        text: 'Correct the address of the reseller,',
        command: 'npx warungd reseller update --reseller ACCOUNT --email ADDRESS',
      },
      { text: 'or tell the person in another way.' },
    ],
    clears: CLEARED_BY_HAND,
  },
  mail_not_configured: {
    subject: 'The way out of the mails.',
    cost: 'No mail is sent, critical alerts included.',
    look: [{ text: 'See the setting as the service reads it.', command: 'npx warungd config' }],
    act: [
      { text: 'Set `WARUNG_SMTP_URL` on every node, and restart the nodes.' },
      { text: 'Try it.', command: MAIL_TEST },
    ],
    clears: 'By itself, when a node has a mail server.',
  },
  mail_notice_unreadable: {
    subject: 'The account of the reseller.',
    cost: 'One notice is not mailed. The event is in the feed, and webhooks have it.',
    look: [{ text: 'Read the error in the text of the alert.', command: 'npx warungd alert list' }],
    act: [
      { text: 'Tell the reseller what the text says.' },
      { text: 'Report the error: it is a fault of the service.' },
    ],
    clears: CLEARED_BY_HAND,
  },
  mail_copies_limited: {
    subject: 'The account of the reseller.',
    cost: 'Copies of mails about cases are not sent for the rest of the day.',
    look: [{ text: 'See its cases.', command: 'npx warungd case list --reseller ACCOUNT' }],
    act: [{ text: 'Ask the reseller why it names so many addresses. It may be a mistake in its program.' }],
    clears: CLEARED_BY_HAND,
  },
  alert_webhook_failing: {
    subject: 'The setting.',
    cost: 'Alerts reach nobody through the webhook. Critical ones are still mailed, and all are in the list.',
    look: [
      { text: 'Read the error of the receiver in the text of the alert.', command: 'npx warungd alert list' },
      { text: 'See the address as the service reads it.', command: 'npx warungd config' },
    ],
    act: [
      {
        text: 'Mend the receiver, or correct `WARUNG_ALERT_WEBHOOK`. It needs a public address, and answers with 2xx within 10 seconds.',
      },
      { text: 'Alerts are sent again for a day. After that, read the list.' },
    ],
    clears: 'By itself, when the receiver takes an alert.',
  },
} as const satisfies Record<string, Runbook>
