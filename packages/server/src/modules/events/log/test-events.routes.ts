import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { documentedAs } from '../../../http/parameters.ts'
import type { Authenticator } from '../../auth/service.ts'
import { HOOKS } from '../endpoints/endpoints.schemas.ts'
import { SAMPLE_TYPES } from '../messages/samples.rules.ts'
import type { TestEvents } from './test-events.service.ts'

const TestEventBody = Type.Object({
  type: Type.Optional(
    documentedAs(
      { schema: { type: 'string', enum: [...new Set(Object.values(SAMPLE_TYPES).flat())] } },
      Type.Unknown({ description: "An event type of the stream; left out, the stream's usual one" }),
    ),
  ),
})

const TestEventResponse = Type.Object(
  {
    jobId: Type.String({ description: 'The delivery, as the log has it' }),
    eventId: Type.String({ description: 'Begins with evt_test_' }),
  },
  { title: 'Test event' },
)

export function testEventOperations(authenticate: Authenticator, testEvents: TestEvents): Operation[] {
  return HOOKS.map(({ stream, base, name, tag }) =>
    operation({
      method: 'POST',
      path: `${base}/test`,
      docs: {
        operationId: `test${name}`,
        summary: 'Send a test event',
        description:
          `A sample goes to your receiver, signed like any other, with the header X-Webhook-Test: true. It is tried ` +
          `once, cannot be replayed and is not in the event feed. Types: ${SAMPLE_TYPES[stream].join(', ')}. At most ` +
          '10 a minute. One that arrives resumes an endpoint that was paused. 409: it is disabled.',
        tag,
      },
      schemas: {
        body: TestEventBody,
        responses: { 200: TestEventResponse },
      },
      also: [404, 409, 429],
      authenticate: authenticate('configure'),
      async handle({ caller, body, request }) {
        const wanted = { type: body.type, deadlineMs: request.deadlineMs }
        return { status: 200, body: await testEvents.send(caller.reseller, stream, wanted) }
      },
    }),
  )
}
