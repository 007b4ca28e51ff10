// Preloaded into every process of the service that is profiled. SIGWINCH starts V8's CPU profiler, and a second SIGWINCH
// stops it and writes the profile to PROFILE_DIR. No port is opened, and nothing is recorded outside of these two signals.
// SIGWINCH is used because the service ignores it; SIGUSR2 would reload the service.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const INTERVAL_US = 250

const profiles = process.env.PROFILE_DIR
if (isMainThread && profiles !== undefined) {
  const session = new Session()
  let step: Promise<void> = Promise.resolve()
  let isOn = false
  process.on('SIGWINCH', () => {
    isOn = !isOn
    const next = isOn ? start : stop
    step = step.then(() => next(session, profiles))
  })
}

async function start(session: Session, dir: string) {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US })
  await session.post('Profiler.start')
  writeFileSync(join(dir, `${process.pid}.started`), '')
}

async function stop(session: Session, dir: string) {
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  writeFileSync(join(dir, `${process.pid}.cpuprofile`), JSON.stringify(profile))
  writeFileSync(join(dir, `${process.pid}.stopped`), '')
}
