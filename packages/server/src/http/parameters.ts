import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import type { Rule, RuleSchema } from '../lib/input/fields.ts'

/**
 * Documentation of a value in place of its schema. Rules check some values after the schema has passed them, because
 * the contract words their problems itself. The schema then takes any text, and this holds the rule.
 */
export type Documented = { readonly schema: RuleSchema; readonly isRequired: boolean }

export type DocumentedSchema = { readonly documented?: Documented }

/** Describes a query parameter that `rule` reads: the document shows the rule's type, limits and default. */
export function parameter(rule: Rule<unknown>, description: string) {
  return Type.Optional(Type.String({ description, documented: documentedBy(rule) }))
}

/** Describes such a parameter that may be repeated. */
export function repeatedParameter(rule: Rule<unknown>, description: string) {
  return Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], { description, documented: documentedBy(rule) }),
  )
}

/** Adds the rule's documentation to the schema of a value in a body or a path that `rule` reads. */
export function documentedAs<S extends TSchema>(rule: Pick<Rule<unknown>, 'schema'>, schema: S): S {
  return { ...schema, documented: { schema: rule.schema, isRequired: false } }
}

function documentedBy({ schema, isRequired }: Rule<unknown>): Documented {
  return { schema, isRequired: isRequired === true }
}
