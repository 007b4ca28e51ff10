import type { TestProject } from 'vitest/node'
import { findTools, noticeOf, TOOLS } from './tools.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Paths of the tools that are installed, by name. */
    tools: Readonly<Record<string, string>>
  }
}

/** Sets up vitest globally: finds the tools that some tests need, and says loudly which are missing. */
export default async function provideTools(project: TestProject): Promise<void> {
  const found = await findTools(TOOLS, process.env)
  project.provide('tools', found)
  process.stderr.write(noticeOf(TOOLS.filter(({ name }) => found[name] === undefined)))
}
