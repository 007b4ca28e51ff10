import type { Entry, Project, Violation } from './project.ts'
import { isTest, violation } from './project.ts'

// Areas of packages/web/src, and the areas that each one may import. The two entries share everything below them and
// never import each other.
type Layers = Record<string, string[]>

const WEB_LAYERS: Layers = {
  fonts: [],
  styles: ['fonts', 'styles'],
  text: ['text'],
  api: ['api'],
  ui: ['text', 'api', 'ui'],
  shell: ['text', 'api', 'ui', 'shell'],
  limits: ['text', 'api', 'ui', 'limits'],
  people: ['text', 'api', 'ui', 'shell', 'people'],
  portal: ['text', 'api', 'ui', 'shell', 'limits', 'people', 'portal'],
  languages: ['text', 'api', 'ui', 'shell', 'limits', 'people', 'portal', 'languages'],
  console: ['text', 'api', 'ui', 'shell', 'limits', 'people', 'console'],
  design: ['text', 'api', 'ui', 'shell', 'design'],
  entries: [
    'styles',
    'text',
    'api',
    'ui',
    'shell',
    'people',
    'portal',
    'languages',
    'console',
    'design',
    'entries',
  ],
}

// Areas of packages/checkout/src. Rules and texts know nothing of the page; views describe it, and only the element
// touches it.
const CHECKOUT_LAYERS: Layers = {
  text: ['text'],
  api: ['api'],
  rules: ['api', 'rules'],
  state: ['text', 'api', 'rules', 'state'],
  views: ['text', 'api', 'rules', 'state', 'views'],
  element: ['text', 'api', 'rules', 'state', 'views', 'element'],
  entries: ['element', 'entries'],
}

/** Rule: imports inside the dashboard and the checkout follow their layers; portal and console stand side by side. */
export function webLayers(project: Project): Violation[] {
  return [
    ...judgeLayers(project, 'packages/web/src/', WEB_LAYERS),
    ...judgeLayers(project, 'packages/checkout/src/', CHECKOUT_LAYERS),
  ]
}

function judgeLayers(project: Project, root: string, layers: Layers): Violation[] {
  const areaOf = (path: string) => path.slice(root.length).replace(/\/.*/, '')
  const found: Violation[] = []
  for (const file of project.list(new RegExp(`^${root}.*\\.tsx?$`))) {
    const from = areaOf(file.path)
    const allowed = layers[from]
    if (allowed === undefined) {
      found.push(violation(file, 0, 'web-layers', `"${from}" is no known area of ${root}`))
      continue
    }
    for (const { target, offset } of file.imports) {
      if (target === undefined || !target.startsWith(root) || allowed.includes(areaOf(target))) continue
      found.push(violation(file, offset, 'web-layers', `${from} may not import ${areaOf(target)}`))
    }
  }
  return found
}

// Packages that code of pages of others may import: Preact draws the checkout, and the types of React describe what it
// draws, because the dashboard draws the same fields.
const DRAWN_BY = /^preact$/
const DESCRIBED_BY = /^react$/

/**
 * Rule: forms import nothing but each other, and the checkout nothing but these and what draws it. Both run in pages of
 * others, where every byte and every dependency counts.
 */
export function pagesOfOthers(project: Project): Violation[] {
  return project
    .list(/^packages\/(forms|checkout)\/src\/.*\.tsx?$/)
    .filter((file) => !isTest(file.path))
    .flatMap((file) => {
      const isCheckout = file.path.startsWith('packages/checkout/')
      const may = ({ specifier, typeOnly }: Entry) =>
        specifier.startsWith('.') ||
        (typeOnly && DESCRIBED_BY.test(specifier)) ||
        (isCheckout && (specifier.startsWith('@warung/forms/') || DRAWN_BY.test(specifier)))
      return file.imports
        .filter((each) => !may(each))
        .map(({ specifier, offset }) =>
          violation(
            file,
            offset,
            'no-dependency',
            `${specifier}: code of pages of others imports Preact alone`,
          ),
        )
    })
}

// Text between tags: a letter that follows a tag's end, before any brace. Names of keys and languages are no words.
const LITERAL = />\s*([A-Za-z][^<>{}=;]*)<\//g
const NO_WORDS =
  /^(Warung|Esc|Enter|Ctrl K|Ctrl Enter|[A-Z]|Bahasa Melayu|English|PIN|JSON|CSV|PDF|ID|Node|Python|PHP|curl|GMT\+8)$/

/**
 * Rule: texts of pages stand in messages, in every language; a literal in a view is in one only. The page of all
 * components is for those who write them, and in English.
 */
export function translatedTexts(project: Project): Violation[] {
  return [...textsBetweenTags(project), ...textsOfViews(project)]
}

// A string of the checkout that begins like a sentence or a label is a text.
const WORDING = /^[A-Z][a-z]+(?:\b(?!-)|$)/
const KEYS = /^(Enter|Escape)$/

function textsOfViews(project: Project) {
  return project
    .list(/^packages\/(checkout\/src\/(views|state|element|entries)\/.*\.tsx?|forms\/src\/.*\.tsx)$/)
    .filter((file) => !isTest(file.path))
    .flatMap((file) =>
      file.strings
        .filter(({ value }) => WORDING.test(value) && !KEYS.test(value))
        .map(({ value, offset }) =>
          violation(file, offset, 'translated-text', `"${value}": put it into messages.ts`),
        ),
    )
}

function textsBetweenTags(project: Project) {
  return project
    .list(/^packages\/(web|checkout|forms)\/src\/(?!design\/).*\.tsx$/)
    .filter((file) => !isTest(file.path))
    .flatMap((file) =>
      [...file.code.matchAll(LITERAL)]
        .map(({ 1: words = '', index }) => ({ words: words.trim(), index }))
        .filter(({ words }) => !NO_WORDS.test(words))
        .map(({ words, index }) =>
          violation(file, index, 'translated-text', `"${words}": put it into messages.ts`),
        ),
    )
}

const MARKUP = /\b(dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval)\b/g

/** Rule: no script of a page makes markup or code from text; hostile names stay text. */
export function noMarkupFromText(project: Project): Violation[] {
  return project
    .list(/^packages\/(web\/src|checkout\/src|forms\/src|docs\/src\/client)\/.*\.tsx?$/)
    .flatMap((file) =>
      [...file.code.matchAll(MARKUP)].map((match) =>
        violation(file, match.index, 'markup', `${match[0]}: show text as text`),
      ),
    )
}
