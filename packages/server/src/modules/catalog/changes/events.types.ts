import type { EventResource, EventType } from '../model/changes.types.ts'

/** Catalogue event as its account gets it. */
export type AccountEvent = {
  readonly version: bigint
  readonly position: number
  readonly type: EventType
  readonly resource: EventResource
  readonly id: string
  readonly data: Readonly<Record<string, unknown>> | null
  readonly createdAt: Date
}
