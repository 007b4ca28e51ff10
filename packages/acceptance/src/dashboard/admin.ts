import pg from 'pg'
import type { Demo } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import { signInOperator } from '../portal/people.ts'
import type { Visitor } from './browser.ts'
import { openVisitor } from './browser.ts'

/** Admin at the console, with a fresh proof, of a demo of their own, and its database. */
export type Admin = {
  readonly demo: Demo
  readonly client: pg.Client
  readonly visitor: Visitor
  close(): Promise<void>
}

export async function openAdmin(environment: Record<string, string>): Promise<Admin> {
  const demo = await openDemo(environment)
  const client = new pg.Client({ connectionString: demo.service.environment.DATABASE_URL })
  await client.connect()
  const visitor = await openVisitor(demo.service)
  const session = await signInOperator(demo.service)
  await session.prove()
  await visitor.letIn(session)
  const close = async () => {
    await visitor.close()
    await client.end()
    await demo.end()
  }
  return { demo, client, visitor, close }
}
