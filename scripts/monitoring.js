// Writes the runbooks, the rules of Prometheus and the dashboard of Grafana; with --check only compares. The runbooks and
// the rules are declared beside the kinds of alerts in the built server, the dashboard in monitoring/dashboard.js.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import {
  prometheusRules,
  runbooksPage,
} from '../packages/server/dist/modules/alerts/runbooks/runbooks.view.js'
import { dashboard } from './monitoring/dashboard.js'

const FILES = {
  'docs/runbooks.md': runbooksPage(),
  'deploy/prometheus/warung.rules.yml': prometheusRules(),
  'deploy/grafana/warung.json': `${JSON.stringify(dashboard(), null, 2)}\n`,
}

for (const [file, text] of Object.entries(FILES)) {
  if (!process.argv.includes('--check')) {
    mkdirSync(new URL('.', urlOf(file)), { recursive: true })
    writeFileSync(urlOf(file), text)
    process.stdout.write(`${file}: ${text.length} characters\n`)
  } else if (readIfThere(file) !== text) {
    process.stderr.write(`${file} differs from its declaration: run npm run build && npm run monitoring\n`)
    process.exitCode = 1
  }
}

function urlOf(file) {
  return new URL(`../${file}`, import.meta.url)
}

function readIfThere(file) {
  try {
    return readFileSync(urlOf(file), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
