// Writes what follows from the kinds of alerts (the server's table, the console's texts, the rules of Prometheus), and
// the dashboard of Grafana from dashboard.ts; with --check only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { dashboard } from './dashboard.ts'
import { consoleTexts, prometheusRules, readKinds, serverTable } from './kinds.ts'

const ROOT = new URL('../../..', import.meta.url)
const all = readKinds(ROOT)

const FILES = {
  'packages/server/src/modules/alerts/generated/kinds.types.ts': serverTable(all.kinds),
  'packages/web/src/console/alerts/kinds.generated.ts': consoleTexts(all.kinds),
  'deploy/prometheus/warung.rules.yml': prometheusRules(all.rules),
  'deploy/grafana/warung.json': `${JSON.stringify(dashboard(), null, 2)}\n`,
}

for (const [file, text] of Object.entries(FILES)) {
  if (!process.argv.includes('--check')) {
    writeFileSync(new URL(file, ROOT), text)
    process.stdout.write(`${file}: ${text.length} characters\n`)
  } else if (readFileSync(new URL(file, ROOT), 'utf8') !== text) {
    process.stderr.write(`${file} differs from its declaration: run npm run monitoring\n`)
    process.exitCode = 1
  }
}
