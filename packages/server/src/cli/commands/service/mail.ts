import { MAIL_ADDRESS } from '../../../lib/mail-addresses.ts'
import { getUserByName } from '../../../modules/accounts/service.ts'
import { switchKindOfMail } from '../../../modules/alerts/acts.ts'
import { listMails, sendTestMail } from '../../../modules/alerts/mail/mail.service.ts'
import { findMail } from '../../../modules/alerts/mail/mail.sql.ts'
import type { Mail } from '../../../modules/alerts/mail/mail.types.ts'
import { MAIL_KINDS, MAIL_STATUSES } from '../../../modules/alerts/mail/mail.types.ts'
import { openMail } from '../../../modules/alerts/mail/outbox.service.ts'
import type { Addressee } from '../../../modules/alerts/mail/preferences.service.ts'
import { listAddressees } from '../../../modules/alerts/mail/preferences.service.ts'
import { chooseTransport } from '../../../modules/alerts/mail/smtp.service.ts'
import { namesOfMail } from '../../../outbound/purposes.ts'
import type { Call, Command, Output } from '../../command.ts'
import { RESELLER_OPTION, UsageError } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { openReseller, readId, readLimit, readOption } from '../../options.ts'
import { formatTable } from '../../text.ts'

export const mailCommands: readonly Command[] = [
  {
    name: 'mail list',
    summary: 'list mails with their states, newest first',
    options: {
      status: { value: 'STATUS', help: `only these: ${MAIL_STATUSES.join(', ')}` },
      limit: { value: 'NUMBER', help: 'at most this many, 1 to 1000 (default 50)' },
    },
    async run(call) {
      const limit = readLimit(call, 50)
      const { database } = await call.runtime()
      const mails = (await listMails(database, { limit, status: call.find('status') })).map(mailView)
      const columns = mails.map(({ id, created_at, status, recipient, subject, attempts, error }) => ({
        id,
        created_at,
        status,
        recipient,
        subject,
        attempts,
        error,
      }))
      return { json: { mails }, text: formatTable(columns, 'There are no mails.') }
    },
  },
  {
    name: 'mail show',
    summary: 'show one mail that staging has kept instead of sending it',
    options: { id: { value: 'ID', help: 'as `mail list` shows it', required: true } },
    run: showKept,
  },
  {
    name: 'mail test',
    summary: "send a test mail now, and print the mail server's answer",
    options: { to: { value: 'ADDRESS', help: "the recipient's address", required: true } },
    run: sendTest,
  },
  {
    name: 'mail preferences',
    summary: 'show which members of an account get which mails',
    options: { reseller: RESELLER_OPTION },
    async run(call) {
      const { accounts, reseller } = await openReseller(call)
      return showAddressees(reseller.account, await listAddressees(accounts.database, reseller))
    },
  },
  actCommand({
    name: 'mail switch',
    summary: 'switch a kind of mail on or off for one member, or for the registered address',
    details:
      'Without --user the registered address is meant, which is always told of a low balance and of cases. At first ' +
      'everything is on for the registered address and for admins, and off for viewers.',
    act: switchKindOfMail,
    without: ['account', 'memberId', 'on'],
    options: {
      reseller: RESELLER_OPTION,
      user: { value: 'NAME', help: 'a member; left out: the registered address', names: 'user' },
      kind: { value: 'KIND', help: MAIL_KINDS.join(', '), required: true },
      to: { value: 'on|off', help: 'the new state', required: true },
    },
    async input(call) {
      const [to, username] = [call.text('to'), call.find('user')]
      if (to !== 'on' && to !== 'off') throw new UsageError('--to: must be on or off')
      const { accounts, reseller } = await openReseller(call)
      const user =
        username === undefined ? null : await getUserByName(accounts.database, reseller.id, username)
      return { account: reseller.account, member_id: user && String(user.id), on: to === 'on' }
    },
    world: () => undefined,
    show: (addressees, call) => showAddressees(call.text('reseller'), addressees),
  }),
]

/**
 * Shows a kept mail, in staging alone: elsewhere a mail belongs to its recipient, and may have a link that resets a
 * password.
 */
async function showKept(call: Call): Promise<Output> {
  const id = readId(call, 'id')
  const { database, vault, config } = await call.runtime()
  if (config.environment !== 'staging' || config.mail.smtpUrl !== undefined) {
    throw new UsageError('mails are kept to be read only in staging without WARUNG_SMTP_URL')
  }
  const found = await findMail(database, id)
  if (found === undefined) throw new UsageError(`--id: there is no mail ${id}`)
  const mail = await openMail(vault, found)
  const text = `To: ${mail.recipient}\nSubject: ${mail.subject}\n\n${mail.body.trim()}`
  return { json: { ...mailView(mail), body: mail.body }, text }
}

async function sendTest(call: Call): Promise<Output> {
  const to = readOption('to', MAIL_ADDRESS, call.text('to'))
  const { database, config } = await call.runtime()
  const transport = chooseTransport({
    environment: config.environment,
    ...config.mail,
    ca: config.outbound.authority?.pem,
    names: namesOfMail(config.outbound.nameServers),
  })
  const result = await sendTestMail(database, transport, to)
  if (result.kind !== 'sent') {
    const json = { to, sent: false, result: result.kind, reason: result.reason }
    return { json, text: `Not sent: ${result.reason}`, code: 1 }
  }
  const how =
    config.mail.smtpUrl === undefined
      ? 'It is kept, and `warungd mail list` shows it.'
      : 'The mail server took it.'
  return { json: { to, sent: true, result: 'sent', reason: '' }, text: how }
}

function showAddressees(account: string, addressees: readonly Addressee[]): Output {
  const views = addressees.map(({ name, address, role, isOn }) => ({
    user: name === '' ? null : name,
    address,
    role,
    ...Object.fromEntries(MAIL_KINDS.map((kind) => [kind, isOn[kind] ? 'on' : 'off'])),
  }))
  const columns = views.map((view) => ({ ...view, user: view.user ?? '(registered address)' }))
  return { json: { account, preferences: views }, text: formatTable(columns, '') }
}

function mailView(mail: Mail) {
  return {
    id: String(mail.id),
    kind: mail.kind,
    recipient: mail.recipient,
    subject: mail.subject,
    status: mail.status,
    attempts: mail.attempts,
    error: mail.error,
    created_at: mail.createdAt.toISOString(),
    finished_at: mail.finishedAt?.toISOString() ?? null,
  }
}
