import { formsOfCitus } from './citus.ts'
import { formsOnce } from './fields.ts'
import { functionFiles, functionLocations, namedArguments } from './functions.ts'
import { marksOfSchemas } from './groups.ts'
import {
  environmentReads,
  fileLength,
  generatedFilesMarked,
  markdownWords,
  namedWaiters,
  noConsole,
  noIdleTests,
  noLocalPaths,
  noMarkers,
  patientTests,
  plainComments,
  plainTitles,
} from './hygiene.ts'
import {
  fileCycles,
  layers,
  moduleCycles,
  moduleDoors,
  packageWalls,
  roomCycles,
  roomDoors,
} from './imports.ts'
import { fileRoles, pureRules, roomSizes, rowsOfFaces } from './modules.ts'
import { lockForAllPlatforms, lockWithoutRegistry, pinnedDependencies } from './packages.ts'
import type { Violation } from './project.ts'
import { readProject } from './project.ts'
import { recordedSizes } from './records.ts'
import { keyedByReseller } from './resellers.ts'
import { listTables, migrationNumbers, sqlLocations, tablesHaveOwners, tablesOfOwnModule } from './sql.ts'
import { noMarkupFromText, pagesOfOthers, translatedTexts, webLayers } from './web.ts'

/**
 * Exception from a rule, with its reason. `rule` and `path` are as the check prints them; `about`, if given, is a word
 * that the message must contain. An exception that is not needed any more is a violation.
 */
export type Exception = { rule: string; path: string; about?: string; reason: string }

export const EXCEPTIONS_FILE = 'tools/data/structure-exceptions.json'

/**
 * Rules. To add one: write a function that takes the project (project.ts) and returns violations, list it here, and add
 * a tree that breaks it to structure.test.ts.
 */
const RULES = [
  layers,
  moduleDoors,
  moduleCycles,
  roomDoors,
  roomCycles,
  fileCycles,
  packageWalls,
  fileRoles,
  roomSizes,
  rowsOfFaces,
  pureRules,
  sqlLocations,
  migrationNumbers,
  tablesHaveOwners,
  tablesOfOwnModule,
  keyedByReseller,
  functionFiles,
  functionLocations,
  namedArguments,
  marksOfSchemas,
  formsOfCitus,
  fileLength,
  formsOnce,
  environmentReads,
  noConsole,
  noIdleTests,
  patientTests,
  namedWaiters,
  noMarkers,
  plainComments,
  plainTitles,
  noLocalPaths,
  generatedFilesMarked,
  markdownWords,
  recordedSizes,
  pinnedDependencies,
  lockWithoutRegistry,
  lockForAllPlatforms,
  webLayers,
  pagesOfOthers,
  translatedTexts,
  noMarkupFromText,
]

/**
 * Returns every violation of the repository's own rules below `rootDir` without the exceptions, and how much was
 * checked.
 */
export function checkStructure(rootDir: string, exceptions: Exception[]) {
  const project = readProject(rootDir)
  const all = RULES.flatMap((rule) => rule(project))
  const violations = all.filter((found) => !exceptions.some((exception) => covers(exception, found)))
  for (const exception of exceptions) {
    if (!all.some((found) => covers(exception, found))) violations.push(staleException(exception))
  }
  violations.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
  const counts = { rules: RULES.length, files: project.files.size, tables: listTables(project).length }
  return { violations, counts }
}

function covers(exception: Exception, found: Violation) {
  if (exception.rule !== found.rule || exception.path !== found.path) return false
  return exception.about === undefined || found.message.includes(exception.about)
}

function staleException({ rule, path }: Exception): Violation {
  const message = `nothing in ${path} breaks ${rule} any more; take the exception out`
  return { path: EXCEPTIONS_FILE, line: 1, rule: 'stale-exception', message }
}
