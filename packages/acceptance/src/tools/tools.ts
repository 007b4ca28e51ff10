import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

// Programs that some tests need and `npm ci` does not bring: interpreters, compilers, curl. Tests that need one run where
// it is installed; where it is not, the run says so loudly.

const run = promisify(execFile)

export type Tool = {
  readonly name: string
  /** Program, found on the search path. */
  readonly command: string
  /** Arguments with which it prints its version. */
  readonly versionArgs: readonly string[]
  readonly atLeast: readonly [major: number, minor: number]
  /** Tests that do not run without it. */
  readonly needed: string
  readonly install: string
}

/** Folders in which tools are looked for before PATH, written as PATH is. */
const FOLDERS_SETTING = 'WARUNG_TEST_TOOLS'
const RUNTIMES_INSTALL = `npm install --prefix ~/warung-tools bun deno; export ${FOLDERS_SETTING}=~/warung-tools`

export const TOOLS = [
  {
    name: 'python',
    command: 'python3',
    versionArgs: ['--version'],
    atLeast: [3, 9],
    needed: 'the Python client, the kiosk, and the examples in Python',
    install: 'apt-get install -y python3',
  },
  {
    name: 'php',
    command: 'php',
    versionArgs: ['--version'],
    atLeast: [8, 1],
    needed: 'the PHP client, and the examples in PHP',
    install: 'apt-get install -y php-cli',
  },
  {
    name: 'curl',
    command: 'curl',
    versionArgs: ['--version'],
    atLeast: [7, 0],
    needed: 'the examples for the shell',
    install: 'apt-get install -y curl',
  },
  {
    name: 'openssl',
    command: 'openssl',
    versionArgs: ['version'],
    atLeast: [1, 0],
    needed: 'the examples for the shell',
    install: 'apt-get install -y openssl',
  },
  {
    name: 'promtool',
    command: 'promtool',
    versionArgs: ['--version'],
    atLeast: [2, 42],
    needed: 'the configuration and the rules of Prometheus',
    install: 'apt-get install -y prometheus',
  },
  {
    name: 'nginx',
    command: 'nginx',
    versionArgs: ['-v'],
    atLeast: [1, 18],
    needed: 'the configuration of nginx in front of the service',
    install: 'apt-get install -y nginx-light',
  },
  {
    name: 'caddy',
    command: 'caddy',
    versionArgs: ['version'],
    atLeast: [2, 4],
    needed: 'the configuration of Caddy in front of the service',
    install: 'apt-get install -y caddy',
  },
  {
    name: 'systemd',
    command: 'systemd-analyze',
    versionArgs: ['--version'],
    atLeast: [245, 0],
    needed: 'the check of the systemd unit',
    install: 'apt-get install -y systemd',
  },
  {
    name: 'java',
    command: 'javac',
    versionArgs: ['-version'],
    atLeast: [16, 0],
    needed: 'the examples in Java',
    install: 'apt-get install -y default-jdk-headless',
  },
  {
    name: 'go',
    command: 'go',
    versionArgs: ['version'],
    atLeast: [1, 18],
    needed: 'the examples in Go',
    install: 'apt-get install -y golang-go',
  },
  {
    name: 'bun',
    command: 'bun',
    versionArgs: ['--version'],
    atLeast: [1, 4],
    needed: 'the service and the TypeScript client on Bun',
    install: RUNTIMES_INSTALL,
  },
  {
    name: 'deno',
    command: 'deno',
    versionArgs: ['--version'],
    atLeast: [2, 0],
    needed: 'the TypeScript client on Deno',
    install: RUNTIMES_INSTALL,
  },
] as const satisfies readonly Tool[]

export type ToolName = (typeof TOOLS)[number]['name']

/** Returns the folders that are searched, in the form of PATH. Packages that npm installed have theirs below them. */
export function searchPath(env: NodeJS.ProcessEnv): string {
  const given = (env[FOLDERS_SETTING] ?? '').split(delimiter).filter((folder) => folder !== '')
  const below = given.flatMap((folder) => [folder, join(folder, 'bin'), join(folder, 'node_modules', '.bin')])
  return [...below, env.PATH ?? ''].join(delimiter)
}

/** Finds the tools that are installed and new enough; returns their paths by name. */
export async function findTools(
  tools: readonly Tool[],
  env: NodeJS.ProcessEnv,
): Promise<Record<string, string>> {
  const found = await Promise.all(tools.map(async (tool) => [tool.name, await findTool(tool, env)] as const))
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

async function findTool(tool: Tool, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const paths = searchPath(env)
    .split(delimiter)
    .map((folder) => join(folder, tool.command))
  for (const path of paths.filter(isProgram)) if (await isNewEnough(tool, path, env)) return path
  return undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

async function isNewEnough(
  { versionArgs, atLeast }: Tool,
  path: string,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  try {
    // Some compilers print their version to stderr.
    const { stdout, stderr } = await run(path, [...versionArgs], { env })
    const [, major = '', minor = '0'] = /(\d+)(?:\.(\d+))?/.exec(stdout + stderr) ?? []
    const [wantedMajor, wantedMinor] = atLeast
    return Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor)
  } catch {
    return false
  }
}

/** Returns the notice about missing tools: the tests that do not run, and how to get the tool. Empty: none is missing. */
export function noticeOf(missing: readonly Tool[]): string {
  if (missing.length === 0) return ''
  const lines = [
    'NOT INSTALLED, or too old. The tests that need these do NOT run:',
    ...missing.flatMap(({ command, atLeast, needed, install }) => [
      '',
      `${command} ${atLeast.join('.')} or newer: ${needed}`,
      `    ${install}`,
    ]),
  ]
  const width = Math.max(...lines.map((line) => line.length))
  const edge = '#'.repeat(width + 6)
  return ['', edge, ...lines.map((line) => `#  ${line.padEnd(width)}  #`), edge, ''].join('\n')
}
