import type { Project, Violation } from './project.ts'
import { isTest, violation } from './project.ts'

const WHOLE_VALUE = /^\/\^.*\$\/$/s

/**
 * Rule: the form of a whole value, `/^…$/`, stands once in the server. It belongs to the rule of its field
 * (lib/input/fields.ts), which the edge, the commands, the imports and the environment share. Two places that write it
 * down disagree some day.
 */
export function formsOnce(project: Project): Violation[] {
  const first = new Map<string, string>()
  const found: Violation[] = []
  const sources = project
    .list(/^packages\/server\/src\/(?!testing\/).*\.ts$/)
    .filter(({ path }) => !isTest(path))
  for (const file of sources) {
    for (const { value, offset } of file.regexes.filter((each) => WHOLE_VALUE.test(each.value))) {
      const earlier = first.get(value)
      if (earlier === undefined) first.set(value, `${file.path}:${file.lineOf(offset)}`)
      else {
        const message = `${value} stands in ${earlier} too: use the rule of the field, or its parser`
        found.push(violation(file, offset, 'form-once', message))
      }
    }
  }
  return found
}
