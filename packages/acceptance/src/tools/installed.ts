import { inject } from 'vitest'
import type { ToolName } from './tools.ts'
import { searchPath } from './tools.ts'

/** Tells whether a tool is installed. The set-up of the run said loudly which are not (setup.ts). */
export function hasTool(name: ToolName): boolean {
  return inject('tools')[name] !== undefined
}

/** Returns the path of an installed tool. */
export function toolPath(name: ToolName): string {
  const path = inject('tools')[name]
  if (path === undefined) throw new Error(`${name} is not installed`)
  return path
}

/** PATH of programs that tests start: the tools are on it. */
export const TOOLS_PATH = searchPath(process.env)
