import type { EventStream, StreamMessage } from '../../../http/streams/event-stream.ts'
import { encodeMessage, encodePosition } from '../../../http/streams/event-stream.ts'
import type { Following, LiveFeeds, LiveRow } from './live.types.ts'

/** Message to open pages. `isFor` says which readers may see it; left out: all of the room. */
export type RoomMessage<Reader> = Pick<StreamMessage, 'event' | 'data'> & {
  readonly isFor?: (reader: Reader) => boolean
}

export type RoomSettings<Reader> = {
  readonly feeds: Pick<LiveFeeds, 'follow' | 'replay'>
  /** Account whose feed the room tells. */
  readonly resellerId: bigint
  /** Turns rows into messages, once for all readers. */
  readonly render: (rows: readonly LiveRow[]) => Promise<readonly RoomMessage<Reader>[]>
  /** Present state that no feed has. It is sent to each reader that joins. `isBack`: the reader was cut off before. */
  readonly greet: (isBack: boolean) => readonly RoomMessage<Reader>[]
  readonly onEmpty: () => void
  readonly onProblem: (error: unknown) => void
}

/** Open pages that receive the same feed. */
export type Room<Reader> = {
  /** Adds a page. `after` is the position at which it was cut off; undefined: it has just read everything. */
  join(stream: EventStream, reader: Reader, after: bigint | undefined): Promise<void>
  leave(stream: EventStream): void
  /** Tells something that no feed holds. */
  publish(messages: readonly RoomMessage<Reader>[]): void
  /** Number of pages. */
  readonly size: number
}

type Page<Reader> = {
  readonly stream: EventStream
  readonly reader: Reader
  /** Messages that wait until the page has received the rows that it missed. */
  held: Buffer[] | undefined
}

/** Limit of batches that wait to be sent. Beyond it the pages get the message to read everything again. */
const WAITING_MAX = 20

const RESET = { event: 'reset', data: { reason: 'lost' } } as const

export function createRoom<Reader>(settings: RoomSettings<Reader>): Room<Reader> {
  const { feeds, resellerId, render, greet, onEmpty, onProblem } = settings
  const pages = new Map<EventStream, Page<Reader>>()
  let following: Promise<Following> | undefined
  let sentPosition = 0n
  let waiting = 0
  let work = Promise.resolve()

  /** Tells batches one after another, because making their messages takes time. */
  function enqueue(rows: readonly LiveRow[]): void {
    waiting += 1
    work = work.then(async () => {
      const messages = waiting > WAITING_MAX ? [RESET] : await render(rows).catch(lost)
      waiting -= 1
      sentPosition = rows.at(-1)?.position ?? sentPosition
      broadcast(messages, sentPosition)
    })
  }

  function lost(error: unknown): readonly RoomMessage<Reader>[] {
    onProblem(error)
    return [RESET]
  }

  function broadcast(messages: readonly RoomMessage<Reader>[], position?: bigint): void {
    if (messages.length === 0) return
    const encoded = messages.map((message) => ({ message, bytes: encodeMessage(message) }))
    for (const page of pages.values()) {
      const bytes = encoded.filter(({ message }) => isFor(message, page)).map((each) => each.bytes)
      if (bytes.length > 0) deliver(page, bytes, position)
    }
  }

  function follow(): Promise<Following> {
    following ??= feeds
      .follow(resellerId, (rows) => enqueue(rows))
      .then((started) => {
        sentPosition = started.position
        return started
      })
      .catch((error: unknown) => {
        following = undefined
        throw error
      })
    return following
  }

  async function join(page: Page<Reader>, after: bigint | undefined): Promise<void> {
    await follow()
    const until = sentPosition
    const missed = after === undefined ? undefined : await feeds.replay(resellerId, after, until)
    const isResumed = missed?.kind === 'rows'
    const messages = missed === undefined ? [] : missed.kind === 'rows' ? await render(missed.rows) : [RESET]
    const hello = { event: 'hello', data: { resumed: isResumed } }
    const position = after !== undefined && isResumed && after > until ? after : until
    welcome(page, [hello, ...messages, ...greet(after !== undefined)], position)
  }

  function leave(stream: EventStream): void {
    if (!pages.delete(stream) || pages.size > 0) return
    const stopped = following
    following = undefined
    stopped?.then(({ stop }) => stop()).catch(() => {})
    onEmpty()
  }

  return {
    async join(stream, reader, after) {
      const page: Page<Reader> = { stream, reader, held: [] }
      pages.set(stream, page)
      try {
        await join(page, after)
      } catch (error) {
        leave(stream)
        throw error
      }
    },
    leave,
    publish: (messages) => broadcast(messages),
    get size() {
      return pages.size
    },
  }
}

function isFor<Reader>(message: RoomMessage<Reader>, { reader }: Page<Reader>): boolean {
  return message.isFor?.(reader) ?? true
}

function deliver<Reader>(page: Page<Reader>, bytes: readonly Buffer[], position: bigint | undefined): void {
  // The position comes last: a page that is cut off in between is told all of it once more.
  const whole = Buffer.concat([...bytes, ...(position === undefined ? [] : [encodePosition(position)])])
  if (page.held === undefined) page.stream.send(whole)
  else page.held.push(whole)
}

/** Sends the first messages, and after them those that were held back until now. */
function welcome<Reader>(
  page: Page<Reader>,
  messages: readonly RoomMessage<Reader>[],
  position: bigint,
): void {
  const seen = messages.filter((message) => isFor(message, page))
  page.stream.send(Buffer.concat([...seen.map(encodeMessage), encodePosition(position)]))
  for (const bytes of page.held ?? []) page.stream.send(bytes)
  page.held = undefined
}
