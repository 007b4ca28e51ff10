import { readFileSync } from 'node:fs'

const GOLDEN = new URL('../../server/src/testing/commands/actions.golden.json', import.meta.url)

type Writer = { readonly face: string; readonly name: string; readonly test?: string }

/** Lists what writes into the audit log at this face, each with its action. Writers that have a test elsewhere are left out. */
export function listActions(face: string): [name: string, action: string][] {
  const golden: Record<string, Writer[]> = JSON.parse(readFileSync(GOLDEN, 'utf8'))
  const found = Object.entries(golden).flatMap(([action, writers]) =>
    writers
      .filter((each) => each.face === face && each.test === undefined)
      .map((each): [string, string] => [each.name, action]),
  )
  return found.sort()
}
