import type { Call, Command } from './command.ts'
import { UsageError } from './command.ts'
import { wholeNumber } from './means.ts'

const DEFAULT_PORT = 3_100
const PORT_MAX = 65_535
const DEFAULT_HOST = '127.0.0.1'

export const simulatorCommand: Command = {
  name: 'simulator',
  summary: "run the providers' simulator as a server of its own, for tests of what providers do wrong",
  details:
    'It takes orders at /orders, and learns at /faults how to treat the next ones: POST {"kind": "drop_after", ' +
    '"count": 1} makes it act and break the connection. A service uses it with WARUNG_SIMULATOR_URL. Anyone who ' +
    'reaches it may do anything with it.',
  options: {
    port: { value: 'PORT', help: `where it listens; 0 picks a free one (default ${DEFAULT_PORT})` },
    host: { value: 'ADDRESS', help: `on which address (default ${DEFAULT_HOST})` },
    books: { value: 'FILE', help: 'keep its books there; without it, it forgets them when it ends' },
  },
  run: (call) => runSimulator(call),
}

/** Runs until `asked` resolves, by a signal if nothing else is said; returns the exit code. */
export async function runSimulator(
  call: Pick<Call, 'find' | 'has'>,
  io: { out(text: string): void; asked: Promise<unknown> } = processIo(),
): Promise<number> {
  const port = portOf(call.find('port'))
  const host = call.find('host') ?? DEFAULT_HOST
  // Loaded here alone: the other commands need none of it.
  const { startSimulatorServer } = await import('../modules/providers/simulator/server.service.ts')
  const server = await startSimulatorServer({ port, host, booksFile: call.find('books') })
  io.out(
    call.has('json') ? `${JSON.stringify({ url: server.url })}\n` : `The simulator is at ${server.url}\n`,
  )
  await io.asked
  await server.close()
  return 0
}

function portOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT
  const port = wholeNumber(text)
  if (!(port <= PORT_MAX)) throw new UsageError(`--port must be a number from 0 to ${PORT_MAX}`)
  return port
}

function processIo() {
  const asked = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
    process.once('SIGHUP', () => resolve())
  })
  return { out: (text: string) => void process.stdout.write(text), asked }
}
