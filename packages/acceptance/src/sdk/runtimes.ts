import { fileURLToPath } from 'node:url'
import { hasTool, toolPath } from '../tools/installed.ts'

// Interpreters of the clients in other languages. Those that this machine lacks are left out (tools/setup.ts).

const clientDir = (name: string) => fileURLToPath(new URL(`../../../../clients/${name}`, import.meta.url))

export type Runtime = {
  readonly name: 'python' | 'php'
  /** Arguments before the script. */
  readonly args: readonly string[]
  /** Folder of the client. */
  readonly dir: string
  readonly driver: string
  /** Script that holds the client to the golden vectors. */
  readonly vectors: string
}

/** Clients in other languages, whether this machine can run them or not. */
export const CLIENTS: readonly Runtime[] = [
  {
    name: 'python',
    // The checkout stays as it is: no compiled files beside the sources.
    args: ['-B'],
    dir: clientDir('python'),
    driver: 'driver.py',
    vectors: 'tests/test_vectors.py',
  },
  {
    name: 'php',
    args: [],
    dir: clientDir('php'),
    driver: 'driver.php',
    vectors: 'tests/vectors.php',
  },
]

export const RUNTIMES: readonly Runtime[] = CLIENTS.filter(({ name }) => hasTool(name))

/** Drivers of the clients in other languages, for the common suite. */
export const RUNTIME_DRIVERS = RUNTIMES.map(({ name, args, dir, driver }) => ({
  name,
  isSdk: true,
  prepare: async () => ({ file: toolPath(name), args: [...args, driver], cwd: dir }),
}))
