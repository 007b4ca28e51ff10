import { posix } from 'node:path'
import type { Project, SourceFile, Violation } from './project.ts'
import { isTest, violation } from './project.ts'

const LINES_MAX = 400

/** Rule: a file that is too long to read in one sitting has two ideas. */
export function fileLength(project: Project): Violation[] {
  return project
    .list(/^(packages\/[^/]+|tools|deploy\/[^/]+)\/src\/.*\.tsx?$/)
    .filter(({ path }) => !path.includes('.generated.'))
    .map((file) => ({ file, lines: file.text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > LINES_MAX)
    .map(({ file, lines }) => ({
      path: file.path,
      line: LINES_MAX + 1,
      rule: 'file-length',
      message: `${lines} lines, at most ${LINES_MAX}: find the second idea and give it a file`,
    }))
}

// Riddles begin like this. The dashes are those of a section title ("── Claims ──").
const RIDDLE = /^(?:\/\*\*?|\/\/)[\s*─]*(What|Whatever|Whoever|Whose|Who|Those|Of|Where)\b(?!['’`.(])/

/** Rule: a comment starts with a noun or a verb. One that starts with "What …" must be read three times. */
export function plainComments(project: Project): Violation[] {
  return project.list(/^(packages\/[^/]+\/src|scripts|tools|deploy)\/.*\.[cm]?[jt]sx?$/).flatMap((file) =>
    file.comments
      .filter(({ value }) => RIDDLE.test(value))
      .map(({ value, offset }) => {
        const word = RIDDLE.exec(value)?.[1]
        const message = `a comment starts with a noun or a verb, not with "${word}"`
        return violation(file, offset, 'plain-comment', message)
      }),
  )
}

const TITLE_RIDDLE = /^(what|whatever|whoever|whose|who|those|of|where|that|which|whichever|nobody)\b/i
const BEFORE_TITLE = /(?:\b(?:it|test|describe)(?:\.\w+)*|[)`])\(\s*$/
const BEFORE_TITLE_MAX = 200

/** Rule: the title of a test is a guarantee that is understood without the title around it. */
export function plainTitles(project: Project): Violation[] {
  return project
    .list(/^(packages\/[^/]+\/src|scripts|tools|deploy)\/.*\.[cm]?[jt]sx?$/)
    .filter((file) => file.imports.some(({ specifier }) => specifier === 'vitest'))
    .flatMap((file) =>
      file.strings
        .filter(({ value, offset }) => TITLE_RIDDLE.test(value) && isTitle(file.code, offset))
        .map(({ value, offset }) => {
          const message = `a title names its subject first, not "${TITLE_RIDDLE.exec(value)?.[1]}"`
          return violation(file, offset, 'plain-title', message)
        }),
    )
}

function isTitle(code: string, offset: number) {
  return BEFORE_TITLE.test(code.slice(Math.max(0, offset - BEFORE_TITLE_MAX), offset))
}

const ENVIRONMENT_READERS =
  /^packages\/server\/src\/config\.ts$|^packages\/cli\/src\/environment\.ts$|^packages\/acceptance\/|\/(testing|bench)\/|^(scripts|tools|(docs\/)?examples|deploy)\/|(^|\/)vitest\.[\w.]+$/

/** Rule: settings are read in one place, where each one has a name, a default and a check. */
export function environmentReads(project: Project): Violation[] {
  const message = 'process.env is read in config.ts only'
  return project
    .list(/\.[jt]sx?$/)
    .filter((file) => !ENVIRONMENT_READERS.test(file.path))
    .flatMap((file) => [
      ...matches(file, file.code, /\bprocess\s*(\?\.|\.|\[)\s*(env\b|')/g, 'environment', message),
      ...file.imports
        .filter((entry) => /^(node:)?process$/.test(entry.specifier))
        .map((entry) => violation(file, entry.offset, 'environment', `${entry.specifier}: ${message}`)),
    ])
}

/** Rule: output goes through the logger or, in a command, to process.stdout. A stray print leaks secrets. */
export function noConsole(project: Project): Violation[] {
  return project
    .list(/^packages\/[^/]+\/src\/.*\.[jt]sx?$/)
    .flatMap((file) =>
      matches(file, file.code, /\bconsole\s*[.[]/g, 'console', 'use the logger, or process.stdout'),
    )
}

/** Rule: every test runs. A skipped test guards nothing. */
export function noIdleTests(project: Project): Violation[] {
  const pattern = /\b(it|test|describe|suite)(\.\w+)*\.(skip|only|todo)\b/g
  return project
    .list(/\.[jt]sx?$/)
    .filter((file) => isTest(file.path))
    .flatMap((file) => matches(file, file.code, pattern, 'idle-test', 'every test runs, or goes'))
}

const PATIENCE_MS_MIN = 30_000

/** Rule: a test that waits for a condition gives up late. A busy machine takes ten times as long as a quiet one. */
export function patientTests(project: Project): Violation[] {
  const pattern = /\b(?:giveUp|deadline)\w*\s*=\s*(?:Date|performance)\.now\(\)\s*\+\s*(\d[\d_]*)/g
  return listTests(project).flatMap((file) =>
    [...file.code.matchAll(pattern)]
      .filter(([, ms = '']) => Number(ms.replaceAll('_', '')) < PATIENCE_MS_MIN)
      .map(({ index }) => violation(file, index, 'hurried-test', 'wait for half a minute at least')),
  )
}

/**
 * Rule: a test of the running service that waits until somebody waits for a lock says who. The service's own jobs wait
 * for the same tables, and may be there before the request that the test is about.
 */
export function namedWaiters(project: Project): Violation[] {
  const pattern = /`[^`]*wait_event_type = 'Lock'[^`]*`/g
  return listTests(project)
    .filter((file) => file.path.startsWith('packages/acceptance/'))
    .flatMap((file) =>
      [...file.text.matchAll(pattern)]
        .filter(([sql]) => !/\b(query like|application_name =)/.test(sql))
        .map(({ index }) => violation(file, index, 'any-waiter', 'name the statement that waits')),
    )
}

function listTests(project: Project) {
  return project
    .list(/\.[jt]sx?$/)
    .filter((file) => isTest(file.path) || /\/testing\/|^packages\/acceptance\//.test(file.path))
}

const LOCK_FILE = 'package-lock.json'

/** Rule: open work is written in the tracker, where it is looked for. */
export function noMarkers(project: Project): Violation[] {
  // The brackets keep this line from finding itself.
  const pattern = /\b(TO[D]O|FI[X]ME|X[X]X)\b/g
  return listProse(project).flatMap((file) =>
    matches(file, file.text, pattern, 'marker', 'finish it, or write it down where work is planned'),
  )
}

/** Rule: no path of one machine, because it means nothing on another. */
export function noLocalPaths(project: Project): Violation[] {
  const pattern = /(?<![\w.~}\])$*-])(\/(work|home|root|Users)\/\w|[A-Z]:\\Users\\)/g
  return listProse(project).flatMap((file) =>
    matches(file, file.text, pattern, 'local-path', 'a path of one machine; make it relative or a setting'),
  )
}

const GENERATED =
  /^docs\/openapi[a-z-]*\.json$|^deploy\/(prometheus\/.*\.rules\.yml|grafana\/.*\.json)$|^packages\/server\/examples\/|^vectors\/.*\.json$|[/.]generated[/.]/
const HEAD_LINES = 10

/**
 * Rule: the head of a generated file, or the README beside it, says what wrote it, so that it is not edited by hand.
 */
export function generatedFilesMarked(project: Project): Violation[] {
  return project
    .list(GENERATED)
    .filter((file) => !headSaysSo(file.text) && !readmeSaysSo(project, file.path))
    .map((file) =>
      violation(file, 0, 'generated', 'say what generated it in its first lines, or in the README beside it'),
    )
}

function headSaysSo(text: string) {
  return /\bgenerated\b/i.test(text.split('\n').slice(0, HEAD_LINES).join('\n'))
}

// A JSON file that is a list has no place for a remark.
function readmeSaysSo(project: Project, path: string) {
  const name = posix.basename(path)
  const readme = project.files.get(posix.join(posix.dirname(path), 'README.md'))?.text ?? ''
  return readme.split('\n').some((line) => line.includes(name) && /\bgenerated\b/i.test(line))
}

/** Words of all Markdown but the records of decisions, counted as `wc -w` does. */
export const MARKDOWN_WORDS_MAX = 75_000
const LARGEST_SHOWN = 5

/** Rule: the documents fit a reader. To add a page, cut another, or let the site draw a list from its data. */
export function markdownWords(project: Project): Violation[] {
  const counts = project
    .list(/^(?!docs\/adr\/).*\.md$/)
    .map(({ path, text }) => ({ path, words: text.split(/\s+/).filter((word) => word !== '').length }))
    .sort((a, b) => b.words - a.words)
  const sum = counts.reduce((all, { words }) => all + words, 0)
  const [largest] = counts
  if (largest === undefined || sum <= MARKDOWN_WORDS_MAX) return []
  const shown = counts.slice(0, LARGEST_SHOWN).map(({ path, words }) => `${path} ${words}`)
  const message = `${sum} words of Markdown, at most ${MARKDOWN_WORDS_MAX}; the largest: ${shown.join(', ')}`
  return [{ path: largest.path, line: 1, rule: 'markdown-words', message }]
}

function listProse(project: Project) {
  return [...project.files.values()].filter((file) => file.path !== LOCK_FILE)
}

function matches(file: SourceFile, text: string, pattern: RegExp, rule: string, message: string) {
  return [...text.matchAll(pattern)].map((match) =>
    violation(file, match.index, rule, `${match[0].trim()}: ${message}`),
  )
}
