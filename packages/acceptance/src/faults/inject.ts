import type { Load } from './clients.ts'
import type { FaultyNode, Trap } from './nodes.ts'
import { startPersistently } from './nodes.ts'
import type { WorldEvent } from './records.ts'
import type { Fault, LinkName, Place, Planned } from './schedule.ts'
import { describeFault } from './schedule.ts'
import type { Direction, TcpProxy } from './tcp-proxy.ts'
import type { World } from './world.ts'

/** Time in which a node must get to the place of its trap; else the trap is taken away. */
const TRAP_MS = 5_000
const SLOW_MS = 700
/** Time after a lost answer in which nobody is reached, so that a repetition at once finds nobody either. */
const AWAY_MS = 150

export type Injector = {
  readonly events: WorldEvent[]
  /** Carries out the plan; resolves when the last fault is over. */
  run(plan: readonly Planned[], isStopped: () => boolean): Promise<void>
  /** Removes every fault that is left. */
  heal(): Promise<void>
}

export function createInjector(world: World, load: Pick<Load, 'burst'>): Injector {
  const events: WorldEvent[] = []
  const running = new Set<Promise<void>>()

  function note(atMs: number, fault: Fault, ending = ''): void {
    const text = `${describeFault(fault)}${ending}`
    events.push({ atMs, untilMs: world.nowMs(), kind: fault.kind, text })
  }

  function begin({ fault, forMs }: Planned): void {
    const atMs = world.nowMs()
    const done: Promise<void> = inject(world, load, fault, forMs)
      .then(
        (isDone) => isDone && note(atMs, fault),
        (error: unknown) => note(atMs, fault, `: ${String(error)}`),
      )
      .then(() => void running.delete(done))
    running.add(done)
  }

  return {
    events,
    async run(plan, isStopped) {
      const startedMs = world.nowMs()
      for (const planned of plan) {
        await pause(Math.max(0, startedMs + planned.atMs - world.nowMs()))
        if (isStopped()) break
        begin(planned)
      }
      while (running.size > 0) await Promise.all(running)
    },
    async heal() {
      for (const link of linksOf(world)) {
        link.accept()
        link.resume('to_server')
        link.resume('to_client')
      }
      for (const { simulator } of world.suppliers) await simulator.clearFaults()
      for (const path of world.paths) await world.receiver.answer(path, 200)
      for (const node of world.nodes) {
        node.signal('SIGCONT')
        await node.moveClock(0)
        // One that ended by itself is named by the comparison, which needs the node.
        if (!node.isRunning()) await startPersistently(node)
      }
    },
  }
}

function linksOf({ nodes, suppliers, receiverLink }: World): TcpProxy[] {
  return [
    ...nodes.flatMap(({ clientLink, databaseLink }) => [clientLink, databaseLink]),
    ...suppliers.map(({ link }) => link),
    receiverLink,
  ]
}

/** Carries out one fault until it is over. False: it could not be, because another one has the node. */
async function inject(
  world: World,
  load: Pick<Load, 'burst'>,
  fault: Fault,
  forMs: number,
): Promise<boolean> {
  switch (fault.kind) {
    case 'kill':
    case 'freeze':
    case 'suspend':
      return halt(world, fault, forMs)
    case 'restart_database':
      await world.restartDatabase()
      return true
    case 'cut':
    case 'refuse':
    case 'hold':
    case 'lose_answers':
      await disturb(linkAt(world, fault.link, fault.at), fault, forMs)
      return true
    case 'supplier':
    case 'supplier_callback': {
      const { simulator } = world.suppliers[fault.at] as World['suppliers'][number]
      const { fault: kind, count } = fault
      const on = fault.kind === 'supplier' ? { on: fault.on } : {}
      await simulator.fault({ kind, count, ...on, ...(kind === 'slow' && { delay_ms: SLOW_MS }) })
      return true
    }
    case 'receiver':
      for (const path of world.paths) await world.receiver.answer(path, fault.status)
      await pause(forMs)
      for (const path of world.paths) await world.receiver.answer(path, 200)
      return true
    case 'burst':
      load.burst(fault.payments)
      return true
    case 'database_clock':
      await world.moveDatabaseClock(fault.seconds)
      return true
    case 'node_clock':
      return moveNodeClock(world, fault.node, fault.seconds, forMs)
  }
}

function linkAt({ nodes, suppliers, receiverLink }: World, link: LinkName, at: number): TcpProxy {
  if (link === 'receiver') return receiverLink
  if (link === 'supplier') return (suppliers[at] as World['suppliers'][number]).link
  const node = nodes[at] as FaultyNode
  return link === 'client' ? node.clientLink : node.databaseLink
}

async function disturb(
  link: TcpProxy,
  fault: Extract<Fault, { link: LinkName }>,
  forMs: number,
): Promise<void> {
  if (fault.kind === 'cut') link.cut()
  if (fault.kind === 'refuse') {
    link.refuse()
    await pause(forMs)
    link.accept()
  }
  if (fault.kind === 'hold') {
    const direction: Direction = fault.direction === 'there' ? 'to_server' : 'to_client'
    link.pause(direction)
    await pause(forMs)
    link.resume(direction)
  }
  if (fault.kind === 'lose_answers') {
    // The question arrives and is acted on; its answer is lost, and the next connection too.
    link.pause('to_client')
    await pause(forMs)
    link.refuse()
    link.resume('to_client')
    await pause(AWAY_MS)
    link.accept()
  }
}

/** Kills or freezes a node, now or when it gets to the place. */
async function halt(
  { nodes }: World,
  { kind, node: at, place }: Extract<Fault, { kind: 'kill' | 'freeze' | 'suspend' }>,
  forMs: number,
): Promise<boolean> {
  const node = nodes[at] as FaultyNode
  if (node.isTaken || !node.isRunning()) return false
  node.isTaken = true
  try {
    if (kind === 'suspend') await node.setSuspending(true)
    if (place !== undefined && !(await halts(node, place, kind === 'kill' ? 'SIGKILL' : 'SIGSTOP')))
      return false
    if (kind !== 'kill') {
      node.signal('SIGSTOP')
      await pause(forMs)
      node.signal('SIGCONT')
      if (!node.isRunning()) await startPersistently(node)
      return true
    }
    await node.kill()
    await pause(forMs)
    await startPersistently(node)
    return true
  } finally {
    if (kind === 'suspend') await node.setSuspending(false)
    node.isTaken = false
  }
}

/** Waits until the node halts at a place. False: it did not get there in time, and goes on without a trap. */
async function halts(node: FaultyNode, place: Place, signal: Trap['signal']): Promise<boolean> {
  await node.setTrap({ ...place, signal })
  await node.untilHalted(TRAP_MS)
  await node.setTrap(undefined)
  return node.untilHalted(0)
}

async function moveNodeClock({ nodes }: World, at: number, seconds: number, forMs: number): Promise<boolean> {
  const node = nodes[at] as FaultyNode
  await node.moveClock(seconds * 1_000)
  await pause(forMs)
  await node.moveClock(0)
  return true
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
