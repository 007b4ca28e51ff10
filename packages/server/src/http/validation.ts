import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { Compile } from 'typebox/compile'
import { fieldErrorsOf, invalidFields } from '../lib/errors.ts'

export type Validate = (value: unknown) => void

/**
 * Returns a check that throws every problem together, keyed by field. The schema is compiled once, at the first value:
 * compiling all of them is a tenth of the work of a start, and most processes serve few operations.
 */
export function compileValidation(schema: TSchema | undefined): Validate {
  if (schema === undefined) return () => {}
  let compiled: Validator | undefined
  return (value) => {
    compiled ??= Compile(schema)
    if (compiled.Check(value)) return
    throw invalidFields(fieldErrorsOf(compiled.Errors(value).flatMap(problemsOf)))
  }
}

type SchemaError = { keyword: string; instancePath: string; params: object; message: string }

function problemsOf(error: SchemaError): [field: string, text: string][] {
  const path = shortened(error.instancePath.split('/').slice(1).join('.'))
  if (error.keyword === 'required' && 'requiredProperties' in error.params) {
    return (error.params.requiredProperties as string[]).map((name) => {
      const field = path === '' ? name : `${path}.${name}`
      return [field, `The ${field} field is required.`]
    })
  }
  const field = path === '' ? 'body' : path
  return [[field, `The ${field} field ${error.message}.`]]
}

const FIELD_LENGTH_MAX = 200

/** Shortens a field name, so that an answer never repeats a name of megabytes. */
function shortened(path: string): string {
  return path.length <= FIELD_LENGTH_MAX ? path : `${path.slice(0, FIELD_LENGTH_MAX)}…`
}
