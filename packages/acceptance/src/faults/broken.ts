import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'
import type { BrokenBuild, Edit } from './broken-builds.ts'
import { BUILDS } from './broken-builds.ts'

// Deliberately broken builds of the service. They prove that the harness can fail: each one must be caught.

const SERVER = new URL('../../../server/', import.meta.url)

/** Replaces a text that is there once. Throws when it is not there, or more than once: the edit is out of date. */
export function applyEdit(text: string, { file, find, replace }: Edit): string {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`${file} has ${JSON.stringify(find)} ${parts.length - 1} times, not once`)
  return parts.join(replace)
}

export function findBuild(name: string): BrokenBuild {
  const found = BUILDS.find((build) => build.name === name)
  if (found === undefined) {
    throw new Error(
      `there is no broken build ${name}; there are ${BUILDS.map((build) => build.name).join(', ')}`,
    )
  }
  return found
}

/** Makes the statements that put the broken functions into a database. */
export async function statementsOf({ functions = [], statements = [] }: BrokenBuild): Promise<string[]> {
  const texts = new Map<string, string>()
  for (const edit of functions) {
    const text = texts.get(edit.file) ?? (await readFile(new URL(`functions/${edit.file}`, SERVER), 'utf8'))
    texts.set(edit.file, applyEdit(text, edit))
  }
  return [...statements, ...texts.values()]
}

/** Makes the step of the bundler that changes the compiled files. */
export function editing({ code = [] }: BrokenBuild): Plugin {
  const paths = new Map(code.map(({ file }) => [fileURLToPath(new URL(`dist/${file}`, SERVER)), file]))
  return {
    name: 'broken-build',
    transform(text, id) {
      const file = paths.get(id)
      if (file === undefined) return null
      return code.filter((edit) => edit.file === file).reduce(applyEdit, text)
    },
  }
}

/** Reads a compiled file with all edits of a build, to see that they apply. */
export async function editedFiles({ code = [] }: BrokenBuild): Promise<string[]> {
  const files = [...new Set(code.map(({ file }) => file))]
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(`dist/${file}`, SERVER), 'utf8')
      return code.filter((edit) => edit.file === file).reduce(applyEdit, text)
    }),
  )
}
