import { withToken } from '../mail/mailbox.ts'
import type { Service, TestDatabase } from '../service.ts'
import { until } from '../service.ts'

const LINK = /https?:\/\/[^\s<"]+#w(?:pr|iv|st)_[\w-]{43}/

/** Returns the link of the newest mail of a kind that contains a name. */
export function untilLinked(
  service: Service,
  database: Pick<TestDatabase, 'query'>,
  kind: string,
  name: string,
): Promise<URL> {
  return until(`${name} has a mail of ${kind} with a link`, async () => {
    const { rows } = await database.query<{ id: string }>(
      'select id::text as id from mails where kind = $1 order by id desc',
      [kind],
    )
    for (const { id } of rows) {
      const { text } = await service.get(withToken(service, `/mailbox/${id}`))
      const link = LINK.exec(text)?.[0]
      if (link !== undefined && text.includes(name)) return new URL(link)
    }
    return undefined
  })
}
