// @ts-check
// `npm start`: bundles the service if it changed, and runs it in this same process, so that signals reach it. The pages
// and the SDK are built beside it.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { mayWrite } from './checkout.js'
import { prepareProgram, runProgram } from './program.js'

process.argv.splice(2, 0, 'serve')
// The checkout may belong to another user, who has built it.
if (!mayWrite()) await import('../packages/server/bin/warungd.js')
else {
  const program = await prepareProgram()
  if (program === undefined) process.exit(1)
  const build = fileURLToPath(new URL('build.js', import.meta.url))
  const child = spawn(process.execPath, [build, '--beside'], { stdio: ['ignore', 'inherit', 'inherit'] })
  process.once('exit', () => child.kill())
  child.unref()
  await runProgram(program)
}
