// Moves the wall clock of a node: Node loads this file before the service. The file that FAULTS_CLOCK_FILE names holds
// the milliseconds by which the clock is off. Monotonic clocks stay as they are, as they do when somebody sets the time.
const { readFileSync } = require('node:fs')

const READ_EVERY_MS = 200
const now = Date.now.bind(Date)
let offByMs = 0

setInterval(() => {
  try {
    offByMs = Number(readFileSync(process.env.FAULTS_CLOCK_FILE, 'utf8')) || 0
  } catch {
    offByMs = 0
  }
}, READ_EVERY_MS).unref()

Date.now = () => now() + offByMs
globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) =>
    Reflect.construct(
      target,
      args.length === 0 ? [target.now()] : args,
      made === globalThis.Date ? target : made,
    ),
})
