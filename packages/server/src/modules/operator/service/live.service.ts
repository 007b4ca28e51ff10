import type { Answer, Encoded } from '../../../http/operation.ts'
import type { EventStream } from '../../../http/streams/event-stream.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { ChangedPayments, LiveFeeds } from '../../events/live/live.types.ts'
import { HOUSE } from '../../events/live/live.types.ts'
import type { RoomMessage } from '../../events/live/room.service.ts'
import { createRoom } from '../../events/live/room.service.ts'
import { stateOf } from '../../payments/core/states.rules.ts'
import type { Providers } from '../../providers/registry.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { SessionStreams } from '../../sessions/session/streams.service.ts'
import type { HouseChange, LiveReader } from './live.rules.ts'
import { houseChanges, mayRead, readersWith } from './live.rules.ts'

export type OperatorLiveSettings = {
  readonly feeds: LiveFeeds
  readonly operators: SessionStreams
  readonly providers: Pick<Providers, 'list' | 'healthOf' | 'takesOrders'>
  readonly countStuck: () => Promise<number>
  readonly onProblem: (error: unknown) => void
}

export type OperatorLive = {
  /** Opens the stream of one page. `after`: the position at which the page was cut off. */
  open(caller: OperatorCaller, after: bigint | undefined): Promise<Answer<Encoded>>
}

/** Interval at which figures that no feed holds are compared, while pages are open. */
const FIGURES_EVERY_MS = 2_000

type Message = RoomMessage<LiveReader>

/** Told to pages that were cut off: which payments changed meanwhile is not repeated. */
const PAYMENTS_MISSED: Message = {
  event: 'payments',
  data: changedPaymentsView({ payments: new Map(), isPartial: true }),
  isFor: readersWith('payments.read'),
}

/** One room for all operators: each is told what their role may read. */
export function createOperatorLive(settings: OperatorLiveSettings): OperatorLive {
  const { feeds, operators, onProblem } = settings
  let watching: { readonly stopPayments: () => void; readonly figureSchedule: Schedule } | undefined
  let figures: readonly Figure[] = []

  const room = createRoom<LiveReader>({
    feeds,
    resellerId: HOUSE,
    render: async (rows) =>
      houseChanges(rows).map((change) => ({
        event: change.subject,
        data: houseView(change),
        isFor: (reader) => mayRead(reader, change),
      })),
    greet: (isBack) => [...figures.map(({ message }) => message), ...(isBack ? [PAYMENTS_MISSED] : [])],
    onEmpty() {
      watching?.stopPayments()
      void watching?.figureSchedule.stop()
      watching = undefined
      figures = []
    },
    onProblem,
  })

  async function publishFigures(): Promise<void> {
    const known = figures
    figures = await readFigures(settings)
    room.publish(changedSince(known, figures))
  }

  /** Begins to watch with the first page. */
  function watch(): void {
    watching ??= {
      stopPayments: feeds.followPayments((changed) =>
        room.publish([
          { event: 'payments', data: changedPaymentsView(changed), isFor: readersWith('payments.read') },
        ]),
      ),
      figureSchedule: repeat(FIGURES_EVERY_MS, publishFigures, onProblem),
    }
  }

  return {
    async open(caller, after) {
      const stream: EventStream = operators.open(caller, () => room.leave(stream))
      try {
        if (figures.length === 0) figures = await readFigures(settings)
        await room.join(stream, caller, after)
      } catch (error) {
        stream.end()
        throw error
      }
      // The page may have gone meanwhile.
      if (room.size > 0) watch()
      return stream.output
    },
  }
}

/** State that no feed holds. It is told when its key changes. */
type Figure = { readonly message: Message; readonly key: string }

function changedSince(known: readonly Figure[], fresh: readonly Figure[]): Message[] {
  const keys = new Map(known.map(({ message, key }) => [message.event, key]))
  return fresh.filter(({ message, key }) => keys.get(message.event) !== key).map(({ message }) => message)
}

async function readFigures({ countStuck, providers }: OperatorLiveSettings): Promise<Figure[]> {
  const states = providers.list().map(({ code }) => ({
    code,
    state: providers.healthOf(code).state,
    takes_orders: providers.takesOrders(code),
  }))
  const figure = (event: string, data: object, isFor: Message['isFor']): Figure => ({
    message: { event, data, ...(isFor && { isFor }) },
    key: JSON.stringify(data),
  })
  return [
    figure('stuck', { count: await countStuck() }, readersWith('payments.read')),
    figure('providers', { providers: states }, readersWith('providers.read')),
  ]
}

function houseView({ subject, change, data, at }: HouseChange) {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : '')
  const when = at.toISOString()
  switch (subject) {
    case 'alert':
      return {
        change,
        id: text('id'),
        kind: text('kind'),
        subject: text('subject'),
        severity: text('severity'),
        at: when,
      }
    case 'approval':
      return { change, id: text('id'), kind: text('kind'), state: text('state'), at: when }
    case 'case':
      return { number: text('number'), kind: text('kind'), state: text('state'), at: when }
    case 'ledger':
      return { change, id: text('id'), at: when }
  }
}

function changedPaymentsView({ payments, isPartial }: ChangedPayments) {
  return {
    changed: [...payments].map(([id, code]) => ({ id: String(id), code, state: stateOf(code) })),
    more: isPartial,
  }
}
