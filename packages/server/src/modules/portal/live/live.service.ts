import type { Answer, Encoded } from '../../../http/operation.ts'
import type { EventStream } from '../../../http/streams/event-stream.ts'
import type { LiveFeeds, LiveRow } from '../../events/live/live.types.ts'
import type { Room, RoomMessage } from '../../events/live/room.service.ts'
import { createRoom } from '../../events/live/room.service.ts'
import { listSummaries } from '../../payments/read/summaries.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import type { SessionStreams } from '../../sessions/session/streams.service.ts'
import { maySee, resellerOf } from '../access/access.service.ts'
import type { PortalSettings } from '../access/types.ts'
import { listInterruptions } from '../payments/overview.service.ts'
import { paymentSummaryView } from '../payments/summaries.view.ts'
import { changesOf } from './live.rules.ts'
import { changeMessages, interruptionsView } from './live.view.ts'

/** Dependencies of live pages. */
export type PortalLiveSettings = Pick<PortalSettings, 'database' | 'directory' | 'catalog' | 'network'> & {
  readonly live: {
    readonly feeds: LiveFeeds
    readonly members: SessionStreams
    readonly onProblem: (error: unknown) => void
  }
}

export type PortalLive = {
  /** Opens the stream of one page. `after`: the position at which the page was cut off. */
  open(caller: MemberCaller, after: bigint | undefined): Promise<Answer<Encoded>>
}

/** Limit of payments that a batch names. More are told as a number: the page reads its list again. */
const PAYMENTS_MAX = 50
/** Interval at which interruptions are compared, for accounts with open pages. */
const INTERRUPTIONS_EVERY_MS = 2_000

type Account = MemberCaller['reseller']
type Message = RoomMessage<MemberCaller>
type Open = { readonly room: Room<MemberCaller>; readonly account: Account; interrupted: string }

/** One room for each account with open pages. */
export function createPortalLive(settings: PortalLiveSettings): PortalLive {
  const { feeds, members, onProblem } = settings.live
  const rooms = new Map<bigint, Open>()
  let timer: NodeJS.Timeout | undefined

  function roomOf(account: Account): Open {
    const known = rooms.get(account.id)
    if (known !== undefined) return known
    const room = createRoom<MemberCaller>({
      feeds,
      resellerId: account.id,
      render: (rows) => render(settings, account, rows),
      greet: () => interruptionMessages(settings, account),
      onEmpty() {
        rooms.delete(account.id)
        if (rooms.size === 0) clearInterval(timer)
      },
      onProblem,
    })
    const open = { room, account, interrupted: interruptionKey(interruptionMessages(settings, account)) }
    if (rooms.size === 0) timer = setInterval(publishInterruptions, INTERRUPTIONS_EVERY_MS).unref()
    rooms.set(account.id, open)
    return open
  }

  function publishInterruptions(): void {
    for (const open of rooms.values()) {
      const messages = interruptionMessages(settings, open.account)
      const key = interruptionKey(messages)
      if (messages.length === 0 || key === open.interrupted) continue
      open.interrupted = key
      open.room.publish(messages)
    }
  }

  return {
    async open(caller, after) {
      let leave = (_: EventStream) => {}
      const stream: EventStream = members.open(caller, () => leave(stream))
      const { room } = roomOf(caller.reseller)
      leave = room.leave
      try {
        await room.join(stream, caller, after)
      } catch (error) {
        stream.end()
        throw error
      }
      return stream.output
    },
  }
}

async function render(
  { database }: PortalLiveSettings,
  { id }: Account,
  rows: readonly LiveRow[],
): Promise<Message[]> {
  const changes = changesOf(rows)
  const { paymentIds } = changes
  const others = changeMessages(changes)
  if (paymentIds.length > PAYMENTS_MAX) {
    return [{ event: 'payments', data: { changed: paymentIds.length } }, ...others]
  }
  const payments = await listSummaries(database, id, paymentIds)
  return [
    ...payments.map((each) => ({
      event: 'payment',
      data: paymentSummaryView(each),
      isFor: (caller: MemberCaller) => maySee(caller, each),
    })),
    ...others,
  ]
}

/** Tells which products do not work now. A node that is out of date tells nothing. */
function interruptionMessages(settings: PortalLiveSettings, { id }: Account): Message[] {
  try {
    const reseller = resellerOf(settings, { reseller: { id } })
    return [{ event: 'network', data: interruptionsView(listInterruptions(settings, reseller)) }]
  } catch {
    return []
  }
}

function interruptionKey(messages: readonly Message[]): string {
  return JSON.stringify(messages.map(({ data }) => data))
}
