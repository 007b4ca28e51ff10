import { DELIVERIES } from './recipes/deliveries.ts'
import { MONEY } from './recipes/money.ts'
import { PEOPLE } from './recipes/people.ts'
import type { Recipes } from './recipes/recipe.ts'
import { SETTINGS } from './recipes/settings.ts'

/** Preparations of requests, by the operation. */
export const RECIPES: Recipes = { ...PEOPLE, ...DELIVERIES, ...MONEY, ...SETTINGS }
