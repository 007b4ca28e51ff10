import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Client, Event } from '@warung/sdk'
import type { Command, Context } from '../command.ts'
import { flag, text } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { UsageError } from '../io.ts'
import { limitOf, numberOf, takeUpTo } from '../lists.ts'
import { printable } from '../output.ts'

export const events: Command = {
  name: 'events',
  summary: 'List the events of the account, or follow them',
  options: {
    after: { type: 'string', value: 'N', text: 'only events after this number' },
    limit: { type: 'string', value: 'N', text: 'at most so many (100); not with --follow' },
    follow: { type: 'boolean', text: 'go on with new events until interrupted' },
    'cursor-file': { type: 'string', value: 'FILE', text: 'with --follow: remember the last event there' },
  },
  details: ['With --follow and without --after it begins with the events that happen from now on.'],
  async run(context) {
    const after = numberOf(context.values, 'after')
    const file = text(context.values, 'cursor-file')
    const saved = file === undefined ? undefined : await readCursor(file)
    const { client } = await context.connect()
    if (flag(context.values, 'follow')) return follow(context, client, after ?? saved, file)
    const found = await takeUpTo(context.io, client.events({ after }), limitOf(context.values, 100))
    context.print.list(found, (event) => ({
      sequence: event.sequence,
      at: event.created_at,
      type: event.type,
      about: subjectOf(event),
      id: event.id,
    }))
    return EXIT.ok
  },
}

async function follow(
  { io, print }: Context,
  client: Client,
  after: number | undefined,
  file: string | undefined,
): Promise<number> {
  const start = after ?? (await newestSequence(client))
  // Saved before the first event: events that come while the command is away are not skipped by its next start.
  if (file !== undefined) await writeCursor(file, start)
  io.note(`following the feed after event ${start}; Ctrl-C ends\n`)
  await client.followEvents({
    store: {
      load: () => start,
      save: (sequence) => (file === undefined ? undefined : writeCursor(file, sequence)),
    },
    handle: (event) => print.item(event, lineOf(event)),
    signal: io.signal,
    pauseMs: 1_000,
  })
  return EXIT.ok
}

/**
 * Returns the number of the newest event. The feed has no question for it, so it is searched for: a page after a number
 * is empty from the newest event on. An account with a million events costs some forty questions.
 */
export async function newestSequence(client: Client): Promise<number> {
  const isEnd = async (after: number) => (await client.listEvents({ after, limit: 1 })).data.length === 0
  let low = 0
  let high = 1
  if (await isEnd(low)) return low
  while (!(await isEnd(high))) {
    low = high
    high *= 2
  }
  // There are events after `low`, and none after `high`.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await isEnd(middle)) high = middle
    else low = middle
  }
  return high
}

/** Reads a saved cursor; undefined: there is no file yet. A file of something else would begin anew, and lose events. */
async function readCursor(file: string): Promise<number | undefined> {
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found === undefined) return undefined
  if (!/^\d+$/.test(found.trim())) throw new UsageError(`${file} holds no cursor.`)
  return Number(found)
}

async function writeCursor(file: string, sequence: number): Promise<void> {
  await writeFile(`${file}.new`, `${sequence}\n`)
  await rename(`${file}.new`, file)
}

export function lineOf(event: Event): string {
  return `${event.sequence}  ${event.created_at}  ${event.type}  ${subjectOf(event)}`
}

function subjectOf({ data }: Event): string {
  const { refid, id, number, amount, status } = data as Readonly<Record<string, unknown>>
  const parts = [refid ?? id ?? number, status, amount]
  return parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => printable(part as string))
    .join(' ')
}
