import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { listPacks } from './library.service.ts'

const GUIDE = new URL('../../../../../../docs/guides/supplier-packs.md', import.meta.url)

it('the guide lists every pack as it is', async () => {
  const lines = (await listPacks()).map(({ id, manifest }) => {
    const { name, countries, sells, claims } = manifest
    const states = Object.values(claims).map(({ state }) => state)
    const documented = states.filter((state) => state === 'documented').length
    return [
      `\`${id}\``,
      name,
      countries.map((each) => (each === '*' ? 'many' : each)).join(', '),
      sells.map((each) => each.replaceAll('_', ' ')).join(', '),
      `${documented} / ${states.length - documented}`,
    ].join(' | ')
  })
  const listed = readFileSync(GUIDE, 'utf8').matchAll(/^\| (`.*) \|$/gm)
  expect([...listed].map(([, line]) => line)).toEqual(lines)
})
