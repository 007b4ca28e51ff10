import { execFileSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Names of the languages whose clients are tested. */
    runtimes: readonly string[]
  }
}

type Wanted = {
  readonly name: string
  readonly command: string
  /** Fails if the version is too old. */
  readonly probe: readonly string[]
  readonly install: string
}

const WANTED: readonly Wanted[] = [
  {
    name: 'python',
    command: 'python3',
    probe: ['-c', 'import sys, ssl; sys.exit(sys.version_info < (3, 9))'],
    install: 'apt-get install -y python3',
  },
  {
    name: 'php',
    command: 'php',
    probe: ['-r', 'exit(PHP_VERSION_ID < 80100 ? 1 : 0);'],
    install: 'apt-get install -y php-cli',
  },
]

/** Sets up vitest globally: finds the interpreters of the clients, or says loudly that one is missing. */
export default function provideRuntimes(project: TestProject): void {
  const found = WANTED.filter(isThere)
  project.provide(
    'runtimes',
    found.map(({ name }) => name),
  )
  for (const missing of WANTED.filter((each) => !found.includes(each))) {
    process.stderr.write(noticeOf(missing))
  }
}

function isThere({ command, probe }: Wanted): boolean {
  try {
    execFileSync(command, [...probe], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function noticeOf({ name, install }: Wanted): string {
  const edge = '#'.repeat(70)
  const line = (text: string) => `#  ${text.padEnd(66)}#`
  const lines = [
    `NO ${name.toUpperCase()}: the tests of the ${name} client do NOT run.`,
    `Install it:  ${install}`,
  ]
  return ['', edge, ...lines.map(line), edge, ''].join('\n')
}
