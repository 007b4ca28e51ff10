import type { Actor } from '../actors.ts'
import type { PreparedRequest } from '../cases.ts'
import type { Target } from '../target.ts'

// Preparation of requests that need a step before them. A recipe makes that step and returns the valid request, which
// the fuzzer then sends as it is or changes.

export type Prepared = PreparedRequest & { readonly actor: Actor }

export type Recipe = (target: Target) => Promise<Prepared>
export type Recipes = Readonly<Record<string, Recipe>>
