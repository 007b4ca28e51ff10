import { posix } from 'node:path'
import type { Project, Violation } from './project.ts'
import { isTest, violation } from './project.ts'

const RECORDS = /^docs\/adr\/\d{4}-.*\.md$/
/** `[150 lines](../../packages/…)`: a size, and the file or folder that has it. */
const SIZE = /\[(?<count>\d[\d,]*) (?<unit>lines|files)\]\((?<link>[^)#\s]+)\)/g
/** A size right behind the name of a file of ours, without the link that lets it be counted. */
const BARE = /`[\w./-]+\.(?:ts|tsx|sql|js)`[,:]? (?:\()?(?:about |under |some )?\d[\d,]* lines/g
const COUNTED = /\.(?:ts|tsx|js|sql|css)$/
/** Part by which a number may differ: code grows by a line without making its record wrong. */
const TOLERANCE = 0.2

/** Rule: a record that says what own code costs links the code, and is right: a number that nobody counts only flatters. */
export function recordedSizes(project: Project): Violation[] {
  return project.list(RECORDS).flatMap((file) => {
    const sizes = [...file.text.matchAll(SIZE)].flatMap(({ index, groups = {} }) => {
      const { count = '', unit = '', link = '' } = groups
      const said = Number(count.replaceAll(',', ''))
      const found = sizeOf(project, posix.join(posix.dirname(file.path), link), unit)
      if (Math.abs(found - said) <= said * TOLERANCE) return []
      return [violation(file, index, 'recorded-size', `${count} ${unit}: ${link} has ${found}`)]
    })
    const bare = [...file.text.matchAll(BARE)].map(({ index, 0: text }) =>
      violation(file, index, 'recorded-size', `${text}: link the number to the file, so that it is counted`),
    )
    return [...sizes, ...bare]
  })
}

/** Counts the lines or files of a file or folder, without its tests. */
function sizeOf(project: Project, path: string, unit: string) {
  const files = [...project.files.values()].filter(
    (each) => (each.path === path || each.path.startsWith(`${path}/`)) && COUNTED.test(each.path),
  )
  const own = files.filter((each) => !isTest(each.path))
  return unit === 'files' ? own.length : own.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
}
