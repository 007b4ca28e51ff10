import type { Project, SourceFile, Violation } from './project.ts'
import { isTest, violation } from './project.ts'

const ROLES = 'acts|reads|codec|routes|schemas|view|service|rules|sql|types|jobs|directory'
const MODULE_FILE = new RegExp(`^([a-z][a-z0-9-]*\\.)?(${ROLES})\\.ts$`)
const TEST_KINDS = 'vectors|property|concurrency|crash|conformance'
const TEST_FILE = new RegExp(`^(?<subject>.+?)(\\.(${TEST_KINDS}))?\\.test\\.ts$`)

/** Rule: every file of a module has one of a few roles, so that a reader knows where a line belongs. */
export function fileRoles(project: Project): Violation[] {
  const found: Violation[] = []
  for (const file of project.list(/^packages\/server\/src\/modules\//)) {
    const [, name, ...rest] = file.path.slice('packages/server/src/'.length).split('/')
    // Half a page about the module stands above its rooms.
    if (rest.join('/') === 'README.md') continue
    const message = isModulePath(rest)
      ? roleTrouble(project, file.path, rest.at(-1) ?? '')
      : 'a module has one level of rooms: modules/<name>/[<room>/][subject.]role.ts'
    if (message !== undefined) found.push(violation(file, 0, 'file-role', `module ${name}: ${message}`))
  }
  return found
}

function isModulePath([room = '', file, ...deeper]: string[]) {
  return file === undefined || (deeper.length === 0 && /^[a-z][a-z0-9-]*$/.test(room))
}

// Limit of files in a room. About twenty files are a full room; a few more are allowed before it must be split.
const ROOM_FILES_MAX = 24

/** Rule: a folder of the server or of the tools has no more files, tests not counted, than a reader can keep in mind. */
export function roomSizes(project: Project): Violation[] {
  const folders = new Map<string, SourceFile[]>()
  for (const file of project.list(/^(packages\/server|tools)\/src\/.*\.ts$/)) {
    if (isTest(file.path)) continue
    const folder = file.path.slice(0, file.path.lastIndexOf('/'))
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  return [...folders]
    .filter(([, files]) => files.length > ROOM_FILES_MAX)
    .flatMap(([folder, files]) => {
      const [first] = files
      if (first === undefined) return []
      const message = `${folder} holds ${files.length} files, and a room holds ${ROOM_FILES_MAX}; cut it where data flows`
      return [violation(first, 0, 'room-size', message)]
    })
}

function roleTrouble(project: Project, path: string, name: string) {
  const tested = TEST_FILE.exec(name)?.groups?.subject
  if (tested === undefined) {
    return MODULE_FILE.test(name) ? undefined : `${name} is not [subject.]role.ts, with a role of ${ROLES}`
  }
  if (project.files.has(path.replace(name, `${tested}.ts`))) return undefined
  return `${name} stands beside no ${tested}.ts (kinds of tests: ${TEST_KINDS})`
}

const PURE_BUILT_INS = new Set(['node:crypto'])
const PURE_FILE = /^packages\/server\/src\/lib\/|(^|[/.])(rules|types)\.ts$/

/** Rule: rules only decide: no clock of the database, no network, no file, no service. */
export function pureRules(project: Project): Violation[] {
  const found: Violation[] = []
  for (const file of project.list(/^packages\/server\/src\/modules\/.*[/.]rules\.ts$/)) {
    if (isTest(file.path)) continue
    for (const entry of file.imports) {
      const pure =
        entry.target === undefined ? PURE_BUILT_INS.has(entry.specifier) : PURE_FILE.test(entry.target)
      if (pure) continue
      const message = `rules import only lib, node:crypto, types and other rules, not ${entry.specifier}`
      found.push(violation(file, entry.offset, 'pure-rules', message))
    }
  }
  return found
}

// Rows of the faces: the back office, the portal and the commands.
const FACE = /^packages\/server\/src\/(modules\/(operator|portal)\/[^/]+\/|cli\/commands\/)/
// Words of an act's own work: its transaction, its lock and its line in the audit log.
const WORK_OF_AN_ACT =
  /\b(audited|appendAudit|logged|recorded|recordedAccounts|openAct|openLine|lockSubject)\(|\.transaction\(/g

/** Rule: faces are rows over acts and reads. A change that a face makes itself is missing in the other faces. */
export function rowsOfFaces(project: Project): Violation[] {
  return project
    .list(FACE)
    .filter(({ path }) => !isTest(path))
    .flatMap((file) =>
      [...file.code.matchAll(WORK_OF_AN_ACT)].map((match) => {
        const message = `${match[0]}…): a face does acts and reads; transaction, lock and audit line stand in an act`
        return violation(file, match.index, 'face-acts', message)
      }),
    )
}
