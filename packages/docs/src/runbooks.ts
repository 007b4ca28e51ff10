import { markdownTable } from './tables.ts'

/** Folder of the kinds of alerts: facts between two lines of dashes, then the runbook. */
const FOLDER = 'packages/server/alerts/'

type Kind = { readonly name: string; readonly facts: ReadonlyMap<string, string>; readonly body: string }

/** Parts of pages that are drawn from the kinds of alerts, by name: `<!-- table: runbooks -->`. */
export function alertMakers(texts: ReadonlyMap<string, string>): Readonly<Record<string, () => string>> {
  const all = [...texts]
    .filter(([path]) => path.startsWith(FOLDER))
    .map(([path, text]) => readKind(path.slice(FOLDER.length, -'.md'.length), text))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const kinds = all.filter(({ facts }) => !facts.has('expression'))
  const rules = all.filter(({ facts }) => facts.has('expression'))
  return {
    'alert-kinds': () =>
      markdownTable(
        ['kind', 'severity', 'mailed'],
        kinds.map(({ name, facts }) => [
          `[\`${name}\`](runbooks.md#${name})`,
          facts.get('severity') ?? '',
          facts.get('mailed') ?? '',
        ]),
      ),
    runbooks: () => kinds.map((kind) => sectionOf(kind)).join('\n\n'),
    'rule-runbooks': () => rules.map((rule) => sectionOf(rule)).join('\n\n'),
  }
}

/** `npm run monitoring` judges the form of a file. */
function readKind(name: string, text: string): Kind {
  const [, head = '', ...rest] = text.split('---\n')
  const facts = head
    .trimEnd()
    .split('\n')
    .map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? [])
  return {
    name,
    facts: new Map(facts.map(([fact = '', value = '']) => [fact, value])),
    body: rest.join('---\n').trim(),
  }
}

function sectionOf({ name, facts, body }: Kind): string {
  const severity = facts.get('severity') === 'critical' ? 'Critical' : 'Warning'
  const minutes = facts.get('minutes')
  const time =
    minutes === undefined ? '.**' : `**, after ${minutes === '1' ? 'a minute' : `${minutes} minutes`}.`
  const words = [`**${severity}${time}`, facts.get('summary'), facts.get('meaning')]
  return `### ${name}\n\n${words.filter((word) => word !== undefined).join(' ')}\n\n${body}`
}
