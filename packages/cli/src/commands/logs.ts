import type { Command, Context } from '../command.ts'
import { flag, text } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { ask, askSecret, UsageError } from '../io.ts'
import { limitOf } from '../lists.ts'
import type { LoggedRequest, PortalSession } from '../portal.ts'
import { openPortal } from '../portal.ts'

const PAUSE_MS = 2_000

export const logs: Command = {
  name: 'logs',
  summary: 'Show the latest requests of the account, and what was wrong with them',
  args: 'tail',
  words: ['tail'],
  options: {
    username: { type: 'string', value: 'NAME', text: 'user of the portal (WARUNG_PORTAL_USERNAME)' },
    failed: { type: 'boolean', text: 'only requests that were refused or went wrong' },
    limit: { type: 'string', value: 'N', text: 'how many to begin with (20, at most 200)' },
    follow: { type: 'boolean', text: 'go on with new requests until interrupted' },
  },
  details: [
    'The log belongs to the portal: it takes a user of the account, not the API key. The password is asked for, or is',
    'in WARUNG_PORTAL_PASSWORD. The session ends with the command.',
  ],
  async run(context) {
    if (context.positionals[0] !== 'tail') throw new UsageError('logs knows tail.')
    const { io, values } = context
    const { profile } = await context.connect()
    const username = text(values, 'username') ?? (io.env.WARUNG_PORTAL_USERNAME || (await ask(io, 'User: ')))
    const password = io.env.WARUNG_PORTAL_PASSWORD || (await askSecret(io, 'Password: '))
    const session = await openPortal(profile.base_url, { username, password }, () => ask(io, 'Code: '))
    try {
      return await tail(context, session)
    } finally {
      await session.close()
    }
  },
}

async function tail({ io, print, values }: Context, session: PortalSession): Promise<number> {
  const isFailedOnly = flag(values, 'failed')
  const limit = Math.min(limitOf(values, 20), 200)
  let newest = 0n
  const show = (rows: readonly LoggedRequest[]) => {
    for (const row of rows.toReversed()) {
      if (BigInt(row.id) <= newest) continue
      newest = BigInt(row.id)
      print.item(row, lineOf(row))
    }
  }
  show(await session.listRequests(limit, isFailedOnly))
  while (flag(values, 'follow') && !io.signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    show(await session.listRequests(200, isFailedOnly))
  }
  return EXIT.ok
}

function lineOf(row: LoggedRequest): string {
  const why = row.error === null ? '' : `  ${row.error}: ${row.remedy ?? row.message ?? ''}`
  return `${row.at}  ${row.status}  ${row.method} ${row.route}  ${Math.round(row.duration_ms)} ms  ${row.request_id}${why}`
}
