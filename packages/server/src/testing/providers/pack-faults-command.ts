import { appendFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { listPackIds } from '../../modules/providers/packs/library.service.ts'
import { expectSoundMoney, openPaymentsBench } from '../payments/payments.ts'
import { runPackFaults } from './pack-faults.ts'

// Body of `npm run test:faults -- --pack NAME`.

const read = (name: string, usual: string) => process.env[`FAULTS_${name}`] ?? usual
const SEED = Number(read('SEED', '1'))
const SEEDS = Number(read('SEEDS', '1'))
const PAYMENTS = Number(read('PAYMENTS', '1000'))
const LOG = process.env.FAULTS_LOG
const named = read('PACK', '')
const PACKS = named === '' ? await listPackIds() : named.split(',')

function print(text: string): void {
  process.stdout.write(`${text}\n`)
  if (LOG !== undefined) appendFileSync(LOG, `${text}\n`)
}

it.each(PACKS)('payments through the pack %s are neither lost nor doubled, whatever breaks', async (pack) => {
  for (let seed = SEED; seed < SEED + SEEDS; seed += 1) {
    // A database of its own: open payments of another run would be asked about at this supplier.
    const bench = await openPaymentsBench()
    try {
      const { figures, violations } = await runPackFaults(bench, { pack, payments: PAYMENTS, seed })
      print(`${pack}, seed ${seed}: ${violations.length} violations; ${JSON.stringify(figures)}`)
      for (const violation of violations) print(`  ${violation}`)
      await expectSoundMoney(bench.database)
      expect(violations).toEqual([])
    } finally {
      await bench.close()
    }
  }
})
