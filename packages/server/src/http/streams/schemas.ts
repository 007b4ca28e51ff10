import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { enumOf } from '../schemas.ts'
import { FAREWELLS } from './event-stream.ts'

/** Describes one kind of message: its `event:` line, and the JSON of its `data:` line. */
export function messageSchema(event: string, data: TSchema, description: string) {
  return Type.Object({ event: Type.Literal(event), data }, { title: `Live ${event} message`, description })
}

const COMMON = [
  messageSchema(
    'hello',
    Type.Object({
      resumed: Type.Boolean({ description: 'true: the messages since `Last-Event-ID` follow' }),
    }),
    'First of every connection',
  ),
  messageSchema(
    'reset',
    Type.Object({ reason: Type.Literal('lost') }),
    'Something was missed that cannot be told any more: read everything again',
  ),
  messageSchema(
    'bye',
    Type.Object({ reason: enumOf(FAREWELLS) }),
    'Last of a connection. `session_ended`: sign in again; else connect again',
  ),
]

/** Describes an answer that is a stream of these messages. */
export function streamSchema(messages: readonly TSchema[]) {
  return Type.Union([...messages, ...COMMON], {
    contentMediaType: 'text/event-stream',
    description:
      'Messages as browsers read them with EventSource, one of these each: `event` is its `event:` line, `data` the ' +
      'JSON of its `data:` line. A comment comes every 15 seconds when nothing happens.',
  })
}

/** Header by which a page that connects again says where it was cut off. */
export const StreamHeaders = Type.Object({
  'Last-Event-ID': Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'The last `id:` that was received; browsers send it by themselves',
    }),
  ),
})
