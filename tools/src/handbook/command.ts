// `npm run test:handbook`: types the blocks of PAGES that are marked `run`, in their order and in one shell, on an empty
// Debian of its own: debootstrap makes it, systemd-nspawn boots it. It is not a part of `npm test`: it takes a quarter of
// an hour, needs root and the network, and programs that npm does not bring.
//
//   --machine DIR    directory of the machine; one that exists is used as it is (default: a new one, removed at the end)
//   --suite NAME     release of Debian (default trixie)
//   --mirror URL     mirror of Debian
//   --netns PATH     network namespace of the machine, as `ip netns add` makes it (default: the network of this machine,
//                    whose ports 80, 443, 3000, 5432, 9090, 9093 and 9464 have to be free)
//   --here           types them on this machine itself: one that is empty and can be thrown away
//   --from STEP      begins at a step, on a machine that has the ones before
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bootMachine, makeMachine, missingPrograms } from './machine.ts'
import type { Shell } from './shell.ts'
import { openShell } from './shell.ts'
import type { Step } from './steps.ts'
import { findFault, readSteps } from './steps.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PAGES = ['production', 'drills', 'backups', 'observability'].map((name) => `docs/guides/${name}.md`)

/** Shell into which the blocks are typed, with the address of the repository as it sees it. */
type Place = { shell: Shell; copy: string; close(): Promise<void> }

const { values } = parseArgs({
  options: {
    machine: { type: 'string' },
    suite: { type: 'string', default: 'trixie' },
    mirror: { type: 'string', default: 'http://deb.debian.org/debian' },
    netns: { type: 'string' },
    here: { type: 'boolean', default: false },
    from: { type: 'string', default: '1' },
  },
})

async function main() {
  const missing = values.here ? [] : missingPrograms()
  if (process.getuid?.() !== 0) missing.push('the rights of root')
  if (missing.length > 0) {
    notice(
      `MISSING: ${missing.join(', ')}. The handbook is NOT typed.`,
      'apt-get install -y debootstrap systemd-container',
    )
    return 0
  }
  const steps = PAGES.flatMap((page) => readSteps(readFileSync(join(ROOT, page), 'utf8')))
  const place = values.here ? hereItself() : await openMachine()
  try {
    return await typeAll(place, steps)
  } finally {
    await place.close()
  }
}

/** Text for a machine that has some steps already: the directory in which they end, and a service that is ready. */
const GO_ON = `
if [ -e /opt/warung ]; then cd /opt/warung; fi
if systemctl is-enabled -q warung; then until curl -fs http://127.0.0.1:3000/readyz; do sleep 1; done; fi
`

/** Types the steps, and prints how long each took. */
async function typeAll({ shell, copy }: Place, steps: readonly Step[]) {
  let total = 0
  if (values.from !== '1') await shell.type(GO_ON, () => {})
  for (const [index, step] of steps.entries()) {
    if (index + 1 < Number(values.from)) continue
    const begun = performance.now()
    process.stdout.write(`\n── ${index + 1}/${steps.length} ${step.title}\n`)
    const text = step.text.replaceAll('YOUR-COPY', copy)
    const { output, status } = await shell.type(text, (chunk) => process.stdout.write(chunk))
    const seconds = (performance.now() - begun) / 1_000
    total += seconds
    const fault = findFault(step, { output, status })
    process.stdout.write(`── ${index + 1}/${steps.length} ${step.title}: ${seconds.toFixed(1)} s\n`)
    if (fault !== undefined) {
      notice(
        `step ${index + 1}, ${step.title}: ${fault}`,
        'go on after a repair with --machine DIR --from STEP',
      )
      return 1
    }
  }
  process.stdout.write(`\nAll ${steps.length} steps, ${(total / 60).toFixed(1)} minutes\n`)
  return 0
}

function hereItself(): Place {
  return { shell: openShell(['/bin/bash']), copy: ROOT, close: async () => {} }
}

async function openMachine(): Promise<Place> {
  const isOurs = values.machine === undefined
  const dir = values.machine ?? mkdtempSync(join(tmpdir(), 'warung-handbook-'))
  if (!existsSync(join(dir, 'usr'))) makeMachine(dir, values)
  // The machine clones what is committed here.
  const copy = '/srv/warung.git'
  rmSync(join(dir, copy), { recursive: true, force: true })
  mkdirSync(join(dir, 'srv'), { recursive: true })
  execFileSync('git', ['clone', '--quiet', '--bare', '--no-local', ROOT, join(dir, copy)])
  const machine = await bootMachine(dir, values)
  const shell = openShell(machine.enter)
  return {
    shell,
    copy,
    async close() {
      shell.end()
      await machine.stop()
      if (isOurs) rmSync(dir, { recursive: true, force: true })
    },
  }
}

function notice(text: string, remedy: string) {
  const edge = '#'.repeat(Math.max(text.length, remedy.length) + 8)
  process.stderr.write(`\n${edge}\n#  ${text}\n#    ${remedy}\n${edge}\n\n`)
}

process.exit(await main())
