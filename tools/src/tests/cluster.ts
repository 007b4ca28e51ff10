// `npm run test:cluster -- --kills 10 --seed 1`: starts the cluster of deploy/cluster on this machine, kills its parts
// and cuts its links while clients pay, and compares all books. `--only leader,links` runs these parts alone. It is not
// a part of `npm test`: it takes minutes, and needs programs that npm does not bring.
import { spawn } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sweep } from './sweep.ts'

const PARTS = ['leader', 'standby', 'etcd', 'service', 'machine', 'links']
const PROGRAMS = ['patroni', 'etcd', 'haproxy', 'psql']
const PACKAGES = 'apt-get install -y patroni python3-etcd etcd-server etcd-client haproxy postgresql'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
  },
})
for (const name of ['kills', 'seed'] as const) {
  if (!/^\d{1,9}$/.test(values[name])) throw new Error(`--${name} is a whole number`)
}

const unknown = values.only.split(',').filter((part) => part !== '' && !PARTS.includes(part))
if (unknown.length > 0) throw new Error(`--only: some of ${PARTS.join(', ')}, with commas`)

const missing = PROGRAMS.filter((program) => !isInstalled(program))
if (missing.length > 0) {
  const edge = '#'.repeat(PACKAGES.length + 10)
  const text = `NOT INSTALLED: ${missing.join(', ')}. The test of the cluster does NOT run.`
  process.stderr.write(`\n${edge}\n#  ${text}\n#    ${PACKAGES}\n${edge}\n\n`)
  process.exit(0)
}
// Everything that the run makes is below one directory, so that nothing is left behind, however it ends.
const runDir = mkdtempSync(join(tmpdir(), 'warung-run-'))
chmodSync(runDir, 0o755)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'vitest.cluster.config.ts']
const child = spawn(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    TMPDIR: runDir,
    WARUNG_TEST_CLUSTER_KILLS: values.kills,
    WARUNG_TEST_CLUSTER_SEED: values.seed,
    WARUNG_TEST_CLUSTER_ONLY: values.only,
  },
})
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => child.kill('SIGINT'))
const code = await new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? 1)))
await sweep(runDir)
process.exit(code)

function isInstalled(program: string) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
