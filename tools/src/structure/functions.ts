import type { Project, SourceFile, Violation } from './project.ts'
import { isTest, violation } from './project.ts'
import { blankSqlComments, FUNCTIONS, folderOf, listOwners } from './sql.ts'

const PATH = /^packages\/server\/functions\/[a-z]+\/([a-z_]+)\.sql$/
const SQL_SOURCE = /^packages\/server\/(migrations\/.*\.sql|src\/.*[/.]sql\.ts)$/
const ROUTINE = /\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure|(?:constraint\s+)?trigger)\b/gi
const FUNCTION_START = /\bcreate or replace function (\w+)\s*\(/g
const PARAMETERS_MAX = 5

/** Rule: a file of functions/ has one function, named as the file; its folder is the module that owns it. */
export function functionFiles(project: Project): Violation[] {
  const owners = listOwners(project)
  return project.list(FUNCTIONS).flatMap((file) => {
    const say = (message: string) => [violation(file, 0, 'function-file', message)]
    const name = PATH.exec(file.path)?.[1]
    if (name === undefined) return say('the path must look like functions/<module>/<name>.sql')
    if (!owners.has(folderOf(file.path))) return say(`its folder "${folderOf(file.path)}" is no module`)
    const found = [...blankSqlComments(file.text).matchAll(FUNCTION_START)].map((match) => match[1])
    if (found.length !== 1 || found[0] !== name)
      return say(`holds "create or replace function ${name}" alone`)
    if (!file.text.startsWith('--')) return say('begins with a comment that says what the function does')
    return []
  })
}

/** Rule: functions and triggers are only in functions/, so that each is found by its name and not by its history. */
export function functionLocations(project: Project): Violation[] {
  return project
    .list(SQL_SOURCE)
    .filter((file) => !isTest(file.path))
    .flatMap((file) =>
      [...blankSqlComments(file.text).matchAll(ROUTINE)].map((match) =>
        violation(
          file,
          match.index,
          'function-place',
          'functions and triggers stand in packages/server/functions',
        ),
      ),
    )
}

/** Rule: a call with many arguments names them. Two swapped arguments of equal type would not be noticed. */
export function namedArguments(project: Project): Violation[] {
  const long = listFunctions(project)
    .filter(({ parameters }) => parameters > PARAMETERS_MAX)
    .map(({ name }) => name)
  if (long.length === 0) return []
  const call = new RegExp(String.raw`(?<!function )\b(${long.join('|')})\((?!\.\.\.\)|\s*\w+\s*=>)`, 'g')
  const judge = (file: SourceFile, text: string, offset?: number) =>
    [...text.matchAll(call)].map((match) =>
      violation(
        file,
        offset ?? match.index,
        'named-arguments',
        `${match[1]}: call it by names (p_name => …)`,
      ),
    )
  const inFunctions = project.list(FUNCTIONS).flatMap((file) => judge(file, blankSqlComments(file.text)))
  const inStatements = project
    .list(/^packages\/server\/src\/.*[/.]sql\.ts$/)
    .filter((file) => !isTest(file.path))
    .flatMap((file) => file.strings.flatMap((string) => judge(file, string.value, string.offset)))
  return [...inFunctions, ...inStatements]
}

function listFunctions(project: Project) {
  return project.list(FUNCTIONS).flatMap((file) => {
    const text = blankSqlComments(file.text)
    return [...text.matchAll(FUNCTION_START)].map((match) => ({
      name: match[1] ?? '',
      parameters: countParameters(text, match.index + match[0].length),
    }))
  })
}

/** Counts the parameters after the opening bracket. Output parameters are not counted. */
function countParameters(text: string, from: number) {
  let depth = 1
  let to = from
  while (depth > 0 && to < text.length) {
    if (text[to] === '(') depth++
    if (text[to] === ')') depth--
    to++
  }
  const parameters = text
    .slice(from, to - 1)
    .split(',')
    .map((each) => each.trim())
  return parameters.filter((each) => each !== '' && !each.startsWith('out ')).length
}
