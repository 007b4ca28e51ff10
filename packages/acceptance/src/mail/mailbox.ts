import { expect } from 'vitest'
import type { Service } from '../service.ts'
import { until } from '../service.ts'

// Mailbox of a staging service, opened with the link that the service printed.

/** Parts of a service that the mailbox needs: its pages, and the output of its start. */
export type MailboxService = Pick<Service, 'get' | 'output'>

/** Adds the token of the printed link to a path of the mailbox. */
export function withToken(service: Pick<Service, 'output'>, path: string): string {
  const token = /mailbox\s+\S+\/mailbox\?token=([\w-]+)/.exec(service.output())?.[1]
  if (token === undefined) throw new Error('the service printed no link to its mailbox')
  return `${path}?token=${token}`
}

/** Mail as its page shows it. */
export type ShownMail = {
  readonly to: string
  readonly kind: string
  readonly subject: string
  /** Text with its line breaks. */
  readonly text: string
}

/** Reads all mails of the mailbox, newest first. */
export async function readMailbox(service: MailboxService): Promise<ShownMail[]> {
  const { text } = await page(service, '/mailbox')
  const paths = [...text.matchAll(/<a href="(\/mailbox\/\d+)">/g)].map((match) => String(match[1]))
  return Promise.all(paths.map((path) => readMail(service, path)))
}

async function readMail(service: MailboxService, path: string): Promise<ShownMail> {
  const { text } = await page(service, path)
  const fact = (name: string) => plain(new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`).exec(text)?.[1] ?? '')
  const body = /<\/dl>\n([\s\S]*)\n<\/main>/.exec(text)?.[1] ?? ''
  return {
    to: fact('To'),
    kind: fact('Kind'),
    subject: plain(/<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? ''),
    text: plain(body.replace(/<\/p>\n?/g, '\n').replace(/<br>\n|<p>/g, (tag) => (tag === '<p>' ? '' : '\n'))),
  }
}

export async function page(service: MailboxService, path: string) {
  const answer = await service.get(withToken(service, path))
  expect(answer.status, path).toBe(200)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'/)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.text).not.toContain('<script')
  return answer
}

function plain(text: string): string {
  const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name] ?? '')
}

/** Waits until an account has `count` mails of a kind; returns them oldest first. */
export function untilMails(
  service: MailboxService,
  account: string,
  kind: string,
  count: number,
): Promise<ShownMail[]> {
  return until(`account ${account} has ${count} mails about ${kind}`, async () => {
    const mails = (await readMailbox(service)).filter(
      (mail) => mail.kind === kind && mail.subject.endsWith(`(account ${account})`),
    )
    expect(mails.length).toBeLessThanOrEqual(count)
    return mails.length === count && mails.reverse()
  })
}
