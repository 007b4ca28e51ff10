import { formsOnce } from './fields.js'
import { functionFiles, functionLocations, namedArguments } from './functions.js'
import {
  environmentReads,
  fileLength,
  generatedFilesMarked,
  namedWaiters,
  noConsole,
  noIdleTests,
  noLocalPaths,
  noMarkers,
  patientTests,
  plainComments,
  plainTitles,
} from './hygiene.js'
import {
  fileCycles,
  layers,
  moduleCycles,
  moduleDoors,
  packageWalls,
  roomCycles,
  roomDoors,
} from './imports.js'
import { fileRoles, pureRules, roomSizes } from './modules.js'
import { lockForAllPlatforms, lockWithoutRegistry, pinnedDependencies } from './packages.js'
import { readProject } from './project.js'
import { keyedByReseller } from './resellers.js'
import { listTables, migrationNumbers, sqlLocations, tablesHaveOwners, tablesOfOwnModule } from './sql.js'
import { noMarkupFromText, pagesOfOthers, translatedTexts, webLayers } from './web.js'

/**
 * Rules. To add one: write a function that takes the project (see project.js) and returns violations, list it here, and
 * add a tree that breaks it to check-structure.test.js.
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
  pureRules,
  sqlLocations,
  migrationNumbers,
  tablesHaveOwners,
  tablesOfOwnModule,
  keyedByReseller,
  functionFiles,
  functionLocations,
  namedArguments,
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
export function checkStructure(rootDir, exceptions) {
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

function covers(exception, found) {
  if (exception.rule !== found.rule || exception.path !== found.path) return false
  return exception.about === undefined || found.message.includes(exception.about)
}

function staleException({ rule, path }) {
  const message = `nothing in ${path} breaks ${rule} any more; take the exception out`
  return { path: 'scripts/structure/exceptions.js', line: 1, rule: 'stale-exception', message }
}
