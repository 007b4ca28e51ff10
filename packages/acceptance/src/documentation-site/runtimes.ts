import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { hasTool } from '../tools/installed.ts'
import type { ToolName } from '../tools/tools.ts'
import type { Block } from './blocks.ts'

const run = promisify(execFile)

/** Runs programs of one language in a folder. */
export type Runtime = {
  /** Tool without which its programs cannot run. */
  readonly tool?: ToolName
  /** Name and text of a file as the language wants it; undefined keeps them. */
  readonly save?: (name: string, text: string) => readonly [name: string, text: string]
  /** Runs a program's text; returns what it printed. */
  readonly start: (folder: string, text: string, env: NodeJS.ProcessEnv) => Promise<string>
}

async function output(command: string, args: readonly string[], folder: string, env: NodeJS.ProcessEnv) {
  const { stdout } = await run(command, [...args], { cwd: folder, env, maxBuffer: 32 * 1024 * 1024 })
  return stdout
}

/** Saves a text under a name of its own, then runs it. */
async function startFile(
  file: string,
  command: readonly string[],
  folder: string,
  text: string,
  env: NodeJS.ProcessEnv,
) {
  await writeFile(join(folder, file), text)
  const [program = '', ...args] = command
  return output(program, args, folder, env)
}

/** Shell state that lasts from block to block, as in a terminal. */
const STATE = '.exported'

async function startShell(folder: string, text: string, env: NodeJS.ProcessEnv): Promise<string> {
  const script = `set -ea\n[ ! -f ${STATE} ] || . ./${STATE}\n${text}\nexport -p > ${STATE}\n`
  return output('bash', ['-c', script], folder, env)
}

function transpile(text: string): string {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  })
  return outputText.replaceAll(/from '(\.\/[\w-]+)\.ts'/g, "from '$1.mjs'")
}

const SHELL: Runtime = { start: startShell }

export const RUNTIMES: Readonly<Record<string, Runtime>> = {
  sh: SHELL,
  bash: SHELL,
  js: {
    start: (folder, text, env) => startFile('block.mjs', ['node', 'block.mjs'], folder, text, env),
  },
  ts: {
    save: (name, text) => [name.replace(/\.ts$/, '.mjs'), transpile(text)],
    start: (folder, text, env) => startFile('block.mjs', ['node', 'block.mjs'], folder, transpile(text), env),
  },
  py: {
    tool: 'python',
    start: (folder, text, env) => startFile('block.py', ['python3', 'block.py'], folder, text, env),
  },
  php: {
    tool: 'php',
    start: (folder, text, env) => startFile('block.php', ['php', 'block.php'], folder, text, env),
  },
  go: {
    tool: 'go',
    async start(folder, text, env) {
      await writeFile(join(folder, 'go.mod'), 'module example\n\ngo 1.19\n')
      return startFile('main.go', ['go', 'run', '.'], folder, text, { ...env, GOFLAGS: '-mod=mod' })
    },
  },
  java: {
    tool: 'java',
    async start(folder, text, env) {
      const classes = join(folder, 'classes')
      await mkdir(classes, { recursive: true })
      await startFile('Main.java', ['javac', '-d', 'classes', 'Signing.java', 'Main.java'], folder, text, env)
      return output('java', ['-cp', 'classes', 'Main'], folder, env)
    },
  },
}

/** Programs that a shell block calls, by themselves or through the script of the guide to signing. */
const SHELL_TOOLS: readonly (readonly [form: RegExp, tool: ToolName])[] = [
  [/\bcurl\b|\bsigned\.sh\b/, 'curl'],
  [/\bopenssl\b|\bsigned\.sh\b/, 'openssl'],
]

/** Tells whether this machine can run a block. The set-up of the run said loudly which tools are missing. */
export function canRun({ language, text }: Pick<Block, 'language' | 'text'>): boolean {
  const runtime = RUNTIMES[language]
  if (runtime === undefined) throw new Error(`no block can be run in "${language}"`)
  const called =
    runtime === SHELL ? SHELL_TOOLS.filter(([form]) => form.test(text)).map(([, tool]) => tool) : []
  return [...called, ...(runtime.tool === undefined ? [] : [runtime.tool])].every(hasTool)
}
