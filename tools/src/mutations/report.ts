import { readFileSync } from 'node:fs'
import type { Mutant } from './plan.ts'
import type { Domain, Layer } from './targets.ts'
import { DOMAINS, LAYERS } from './targets.ts'

export type Explanation = { file: string; line: string; original: string; mutant: string; reason: string }
type State = 'found' | 'explained' | 'survived' | 'untried' | 'invalid'
export type Judged = { mutant: Mutant; state: State }

/**
 * Reads the mutants that no test can notice, or that nobody has to, each with its reason. `line` is the line of code in
 * which the change begins.
 */
export function readExplanations(): Explanation[] {
  const file = new URL('../../data/mutations-explained.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Explanation[]
}

/**
 * Sorts mutants into the found, the explained, the surviving and the ones that were not tried. `explanations` name a
 * mutant by its file, its line of code and its change, so they outlive changes of other lines.
 */
export function judgeMutants(
  mutants: readonly Mutant[],
  explanations: readonly Explanation[],
): { judged: Judged[]; unused: Explanation[] } {
  const used = new Set<Explanation | undefined>()
  const judged = mutants.map((mutant): Judged => {
    if (mutant.verdict !== 'survived') return { mutant, state: stateOf(mutant) }
    const explanation = explanations.find((each) => explains(each, mutant))
    used.add(explanation)
    return { mutant, state: explanation ? 'explained' : 'survived' }
  })
  const paths = new Set(mutants.map(({ path }) => path))
  const undecided = new Set(
    judged.filter(({ state }) => state === 'untried').map(({ mutant }) => mutant.path),
  )
  const unused = explanations.filter(
    (each) => !used.has(each) && paths.has(each.file) && !undecided.has(each.file),
  )
  return { judged, unused }
}

function stateOf({ verdict }: Mutant): State {
  if (verdict === undefined) return 'untried'
  return verdict === 'invalid' ? 'invalid' : 'found'
}

function explains({ file, line, original, mutant: changed }: Explanation, mutant: Mutant) {
  return (
    file === mutant.path &&
    line === mutant.lineText &&
    original === oneLine(mutant.original) &&
    changed === changeText(mutant)
  )
}

function changeText({ replacement, isStatement }: Mutant) {
  return isStatement ? '(removed)' : oneLine(replacement) || '(removed)'
}

function oneLine(text: string) {
  return text.replace(/\s+/g, ' ').trim()
}

/** Renders a surviving mutant as one line: where it is, and what could be changed without a test that fails. */
export function renderMutant(mutant: Mutant): string {
  return `${mutant.path}:${mutant.line}:${mutant.column}  ${shortened(mutant)}`
}

/** Shows the part of a long statement that differs. */
function shortened(mutant: Mutant) {
  const original = oneLine(mutant.original)
  const changed = changeText(mutant)
  if (original.length <= 120) return `${original} → ${changed}`
  let from = 0
  while (from < changed.length && original[from] === changed[from]) from++
  const start = Math.max(0, from - 30)
  return `…${original.slice(start, start + 90)}… → …${changed.slice(start, start + 90)}…`
}

/** Renders the score of each domain and layer as a table of Markdown. */
export function renderScore(judged: readonly Judged[]): string {
  const head = '| domain | layer | mutants | found | explained | surviving | not tried | score |'
  const rule = '|---|---|---|---|---|---|---|---|'
  const rows = DOMAINS.flatMap((domain) =>
    LAYERS.flatMap((layer) => {
      const own = judged.filter(({ mutant }) => mutant.domain === domain && mutant.layer === layer)
      return own.length === 0 ? [] : [scoreRow(domain, layer, own)]
    }),
  )
  return [head, rule, ...rows, scoreRow('**all**', '', judged)].join('\n')
}

function scoreRow(domain: Domain | '**all**', layer: Layer | '', own: readonly Judged[]) {
  const count = (wanted: State) => own.filter(({ state }) => state === wanted).length
  const [found, explained, survived, untried] = [
    count('found'),
    count('explained'),
    count('survived'),
    count('untried'),
  ]
  const decided = found + survived
  // A mutant is found by the first test that fails, and survives the last one: a score before the end would flatter.
  const score = untried > 0 || decided === 0 ? 'open' : `${((100 * found) / decided).toFixed(1)} %`
  const all = found + explained + survived + untried
  return `| ${domain} | ${layer} | ${all} | ${found} | ${explained} | ${survived} | ${untried} | ${score} |`
}
