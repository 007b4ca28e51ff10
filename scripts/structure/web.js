import { isTest, violation } from './project.js'

// Areas of packages/web/src, and the areas that each one may import. The two entries share everything below them and
// never import each other.
const WEB_LAYERS = {
  fonts: [],
  styles: ['fonts', 'styles'],
  text: ['text'],
  api: ['api'],
  ui: ['text', 'api', 'ui'],
  shell: ['text', 'api', 'ui', 'shell'],
  people: ['text', 'api', 'ui', 'shell', 'people'],
  portal: ['text', 'api', 'ui', 'shell', 'people', 'portal'],
  console: ['text', 'api', 'ui', 'shell', 'people', 'console'],
  entries: ['styles', 'text', 'api', 'ui', 'shell', 'people', 'portal', 'console', 'entries'],
}

const WEB = 'packages/web/src/'
const areaOf = (path) => path.slice(WEB.length).split('/')[0]

/** Rule: imports inside the dashboard follow its layers; portal and console stand side by side. */
export function webLayers(project) {
  const found = []
  for (const file of project.list(/^packages\/web\/src\/.*\.tsx?$/)) {
    const from = areaOf(file.path)
    const allowed = WEB_LAYERS[from]
    if (allowed === undefined) {
      found.push(violation(file, 0, 'web-layers', `"${from}" is no known area of the dashboard`))
      continue
    }
    for (const { target, offset } of file.imports) {
      if (target === undefined || !target.startsWith(WEB) || allowed.includes(areaOf(target))) continue
      found.push(violation(file, offset, 'web-layers', `${from} may not import ${areaOf(target)}`))
    }
  }
  return found
}

// Text between tags: a letter that follows a tag's end, before any brace. Names of keys and languages are no words.
const LITERAL = />\s*([A-Za-z][^<>{}=;]*)<\//g
const NO_WORDS =
  /^(Warung|Esc|Enter|Ctrl K|Ctrl Enter|[A-Z]|Bahasa Melayu|English|PIN|JSON|CSV|PDF|ID|Node|Python|PHP|curl|GMT\+8)$/

/** Rule: the dashboard's texts stand in messages, in every language; a literal between tags is in one only. */
export function translatedTexts(project) {
  return project
    .list(/^packages\/web\/src\/.*\.tsx$/)
    .filter((file) => !isTest(file.path))
    .flatMap((file) =>
      [...file.code.matchAll(LITERAL)]
        .filter((match) => !NO_WORDS.test(match[1].trim()))
        .map((match) =>
          violation(file, match.index, 'translated-text', `"${match[1].trim()}": put it into messages.ts`),
        ),
    )
}

const MARKUP = /\b(dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval)\b/g

/** Rule: no script of a page makes markup or code from text; hostile names stay text. */
export function noMarkupFromText(project) {
  return project
    .list(/^packages\/(web\/src|docs\/src\/client)\/.*\.tsx?$/)
    .flatMap((file) =>
      [...file.code.matchAll(MARKUP)].map((match) =>
        violation(file, match.index, 'markup', `${match[0]}: show text as text`),
      ),
    )
}
