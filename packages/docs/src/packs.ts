import { markdownTable } from './tables.ts'

const MANIFEST = /^packages\/suppliers\/([^/]+)\/pack\.json$/

type Manifest = {
  readonly name: string
  readonly countries: readonly string[]
  readonly sells: readonly string[]
  readonly claims: Readonly<Record<string, { readonly state: string }>>
}

/** Draws the packs of suppliers: `<!-- table: supplier-packs -->`. */
export function packMakers(texts: ReadonlyMap<string, string>): Readonly<Record<string, () => string>> {
  return {
    'supplier-packs': () =>
      markdownTable(
        ['pack', 'supplier', 'countries', 'sells', 'claims documented / unknown'],
        [...texts].flatMap(([path, text]) => {
          const id = MANIFEST.exec(path)?.[1]
          return id === undefined ? [] : [rowOf(id, JSON.parse(text) as Manifest)]
        }),
      ),
  }
}

function rowOf(id: string, { name, countries, sells, claims }: Manifest): string[] {
  const states = Object.values(claims).map(({ state }) => state)
  const documented = states.filter((state) => state === 'documented').length
  return [
    `\`${id}\``,
    name,
    countries.map((each) => (each === '*' ? 'many' : each)).join(', '),
    sells.map((each) => each.replaceAll('_', ' ')).join(', '),
    `${documented} / ${states.length - documented}`,
  ]
}
