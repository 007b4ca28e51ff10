import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { arch, platform } from 'node:os'
import type { TestProject } from 'vitest/node'

/** Browser of the tests: a program, and the arguments that it needs. */
export type Chromium = { readonly executable: string; readonly args: readonly string[] }

declare module 'vitest' {
  export interface ProvidedContext {
    /** null: no browser was found, and the tests that need one do not run. */
    chromium: Chromium | null
  }
}

/** Programs in the order of preference: the headless shell does the same work in half the time. */
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Chromium's sandbox does not work for root; nothing here loads a page of another host. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Sets up vitest globally: finds a browser, or says loudly that there is none and how to get one. */
export default async function provideChromium(project: TestProject): Promise<void> {
  const found = findInstalled() ?? (await findCarried())
  project.provide('chromium', found ?? null)
  if (found === undefined) process.stderr.write(NOTICE)
}

function findInstalled(): Chromium | undefined {
  const paths = [...COMMANDS.map(pathOf), ...PLACES].filter((path) => path !== undefined && existsSync(path))
  return paths[0] === undefined ? undefined : { executable: paths[0], args: ARGS }
}

function pathOf(command: string): string | undefined {
  try {
    return execFileSync('which', [command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/**
 * Chromium that npm carries, for Linux on x64 only. Its own arguments are for tiny machines: in a single process the
 * end of one page can end the browser, and without web security a page would not be tested as users have it.
 */
async function findCarried(): Promise<Chromium | undefined> {
  if (platform() !== 'linux' || arch() !== 'x64') return undefined
  try {
    const { default: carried } = await import('@sparticuz/chromium')
    return { executable: await carried.executablePath(), args: ARGS }
  } catch {
    return undefined
  }
}

const NOTICE = `
######################################################################
#  NO BROWSER: the tests of the dashboard in a browser do NOT run.   #
#  Install one:  apt-get install -y chromium   (or Google Chrome)    #
######################################################################
`
