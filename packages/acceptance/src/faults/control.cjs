// Controls a node from outside: Node loads this file before the service. The file that FAULTS_CONTROL_FILE names holds JSON:
//   offByMs       milliseconds by which the wall clock is off; monotonic clocks stay as they are then, as they do when
//                 somebody sets the time
//   isSuspending  true while a stop of the process is a suspension of its machine: the monotonic clock stands still in
//                 it, and the wall clock does not
//   trap          place of the code at which the process gets a signal, after so many times; its number says that it
//                 is a new one
const { readFileSync } = require('node:fs')

const READ_EVERY_MS = 100
const TICK_MS = 50
/** Time without a tick that is a stop. A process that waits so long for its turn is treated like a stopped one. */
const STOP_MS = 1_000
const wallNow = Date.now.bind(Date)
const monotonicNow = performance.now.bind(performance)
let offByMs = 0
let isSuspending = false
let suspendedMs = 0
let tickedMs = monotonicNow()
let trapNumber = 0
let trap

function readFile() {
  let given
  try {
    given = JSON.parse(readFileSync(process.env.FAULTS_CONTROL_FILE, 'utf8'))
  } catch {
    // It does not exist yet, or is just being written.
    return
  }
  offByMs = given.offByMs
  isSuspending = given.isSuspending
  if (given.trap === undefined || given.trap.number === trapNumber) return
  trapNumber = given.trap.number
  trap = given.trap.place === undefined ? undefined : { ...given.trap }
}

globalThis.failpointReached = (place) => {
  if (trap === undefined || trap.place !== place) return
  trap.times -= 1
  if (trap.times > 0) return
  // A trap that was taken away meanwhile does nothing, also in a process that had no time to read so.
  readFile()
  if (trap === undefined || trap.times > 0) return
  const { signal } = trap
  trap = undefined
  process.kill(process.pid, signal)
}

function tick() {
  const nowMs = monotonicNow()
  if (isSuspending && nowMs - tickedMs > STOP_MS) suspendedMs += nowMs - tickedMs
  tickedMs = nowMs
  return nowMs - suspendedMs
}

readFile()
setInterval(readFile, READ_EVERY_MS).unref()
setInterval(tick, TICK_MS).unref()

performance.now = tick
Date.now = () => wallNow() + offByMs
globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) =>
    Reflect.construct(
      target,
      args.length === 0 ? [target.now()] : args,
      made === globalThis.Date ? target : made,
    ),
})
