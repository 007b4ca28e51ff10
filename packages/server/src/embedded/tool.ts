import { spawn } from 'node:child_process'
import { textOf } from './errors.ts'
import type { RunAs } from './runas.ts'
import { credentials } from './runas.ts'

export type ToolResult = { readonly ok: boolean; readonly output: string }

const OUTPUT_CHARS_MAX = 16_000

/**
 * Environment of the programs: settings of the caller's shell (PGDATA, LD_LIBRARY_PATH, a locale) must not reach the
 * server. Windows programs need more variables than can be listed here, so they inherit them.
 */
export const toolEnvironment: { cwd?: string; env?: NodeJS.ProcessEnv } =
  process.platform === 'win32'
    ? {}
    : { cwd: '/', env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } }

/** Runs one of the carried programs to its end. Never throws: a program that cannot run is a result too. */
export function runTool(
  path: string,
  args: readonly string[],
  options: { runAs?: RunAs | undefined; input?: string; signal?: AbortSignal | undefined } = {},
): Promise<ToolResult> {
  return new Promise((resolve) => {
    const child = spawn(path, args, {
      ...toolEnvironment,
      ...credentials(options.runAs),
      stdio: 'pipe',
      signal: options.signal,
      windowsHide: true,
    })
    let output = ''
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-OUTPUT_CHARS_MAX)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    // A program that ends without reading is judged by its exit code.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
    child.on('error', (error) => resolve({ ok: false, output: `${output}${textOf(error)}` }))
    child.on('close', (code) => resolve({ ok: code === 0, output }))
  })
}
