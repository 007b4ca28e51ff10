import { Type } from 'typebox'
import { documentedAs } from '../../../http/parameters.ts'
import { SAMPLE_TYPES } from '../messages/samples.rules.ts'

export const TestEventBody = Type.Object({
  type: Type.Optional(
    documentedAs(
      { schema: { type: 'string', enum: [...new Set(Object.values(SAMPLE_TYPES).flat())] } },
      Type.Unknown({ description: "An event type of the stream; left out, the stream's usual one" }),
    ),
  ),
})

export const TestEventResponse = Type.Object(
  {
    jobId: Type.String({ description: 'The delivery, as the log has it' }),
    eventId: Type.String({ description: 'Begins with evt_test_' }),
  },
  { title: 'Test event' },
)
