import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request as requestPlain } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AUTHORITY } from '../receiver/receiver.ts'
import { makeDirectory, until } from '../service.ts'
import { toolPath } from '../tools/installed.ts'

// Proxies of the handbook, run with the very files in deploy/. Only ports, certificates and the place of logs are
// replaced.

export type ProxyKind = 'nginx' | 'caddy'

export type ProxyRequest = {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export type Proxied = { status: number; headers: IncomingMessage['headers']; text: string }

export type TestProxy = {
  /** Sends a request over TLS, as a client of the public address. */
  send(input: ProxyRequest): Promise<Proxied>
  /** Begins a GET over TLS; resolves with its head. */
  open(path: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage>
  /** Sends a GET without TLS. */
  sendPlain(path: string): Promise<Proxied>
  stop(): Promise<void>
}

export const PUBLIC_NAME = 'api.example.com'
const DEPLOY = fileURLToPath(new URL('../../../../deploy/', import.meta.url))
const TLS = fileURLToPath(new URL('../receiver/tls/', import.meta.url))
const CERTIFICATE = { cert: join(TLS, 'server.pem'), key: join(TLS, 'server.key') }

type Ports = { readonly plain: number; readonly secure: number; readonly upstream: number }

/** Starts a proxy in front of the service at `baseUrl`. */
export async function startProxy(kind: ProxyKind, baseUrl: string): Promise<TestProxy> {
  const directory = await makeDirectory()
  const upstream = Number(new URL(baseUrl).port)
  const [plain, secure] = await freePorts()
  const ports = { plain, secure, upstream }
  const file = join(directory, kind === 'nginx' ? 'nginx.conf' : 'Caddyfile')
  await writeFile(file, await (kind === 'nginx' ? nginxFile(ports, directory) : caddyFile(ports)))
  const child = launchProxy(kind, file, directory)
  const output = collect(child)
  const proxy = proxyAt(ports, child)
  await until(
    `${kind} answers`,
    async () => {
      if (child.exitCode !== null) throw new Error(`${kind} ended with ${child.exitCode}: ${output()}`)
      return proxy.send({ path: '/healthz' }).then(
        ({ status }) => status > 0,
        () => false,
      )
    },
    60_000,
  )
  return proxy
}

function launchProxy(kind: ProxyKind, file: string, directory: string): ChildProcess {
  const args =
    kind === 'nginx'
      ? ['-p', directory, '-c', file, '-e', 'stderr']
      : ['run', '--adapter', 'caddyfile', '--config', file]
  const env = { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
  return spawn(toolPath(kind), args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

function collect(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece) => {
      text += String(piece)
    })
  }
  return () => text
}

function proxyAt(ports: Ports, child: ChildProcess): TestProxy {
  const secure = {
    host: '127.0.0.1',
    port: ports.secure,
    servername: PUBLIC_NAME,
    agent: false,
    // The test's certificate has another name.
    checkServerIdentity: () => undefined,
  } as const
  const open = async (input: ProxyRequest) => {
    const { method = 'GET', path, headers, body } = input
    const ca = await readFile(AUTHORITY)
    const outgoing = request({ ...secure, ca, method, path, headers: { Host: PUBLIC_NAME, ...headers } })
    outgoing.end(body)
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    return incoming
  }
  return {
    send: async (input) => readWhole(await open(input)),
    open: (path, headers) => open({ path, headers }),
    async sendPlain(path) {
      const headers = { Host: PUBLIC_NAME }
      const outgoing = requestPlain({ host: '127.0.0.1', port: ports.plain, agent: false, path, headers })
      outgoing.end()
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
      return readWhole(incoming)
    },
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function readWhole(incoming: IncomingMessage): Promise<Proxied> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    text: Buffer.concat(pieces).toString('utf8'),
  }
}

/** Returns a part of a file with other content. Throws when the file does not have it. */
function replaced(text: string, from: string | RegExp, to: string): string {
  const changed = text.replaceAll(from, to)
  if (changed === text) throw new Error(`the file has no ${from}`)
  return changed
}

async function nginxFile(ports: Ports, directory: string): Promise<string> {
  let text = await readFile(join(DEPLOY, 'nginx/warung.conf'), 'utf8')
  text = replaced(text, /^ *listen \[::\].*\n/gm, '')
  text = replaced(text, 'listen 80;', `listen 127.0.0.1:${ports.plain};`)
  text = replaced(text, 'listen 443 ', `listen 127.0.0.1:${ports.secure} `)
  text = replaced(text, 'server 127.0.0.1:3000;', `server 127.0.0.1:${ports.upstream};`)
  text = replaced(text, /ssl_certificate [^;]+;/g, `ssl_certificate ${CERTIFICATE.cert};`)
  text = replaced(text, /ssl_certificate_key [^;]+;/g, `ssl_certificate_key ${CERTIFICATE.key};`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(directory, name)};`)
    .join('\n')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `${user}
daemon off;
worker_processes 1;
pid ${join(directory, 'nginx.pid')};
events { worker_connections 512; }
http {
${temporary}
access_log off;
${text}
}
`
}

async function caddyFile(ports: Ports): Promise<string> {
  let text = await readFile(join(DEPLOY, 'caddy/Caddyfile'), 'utf8')
  text = replaced(text, 'reverse_proxy 127.0.0.1:3000', `reverse_proxy 127.0.0.1:${ports.upstream}`)
  text = replaced(text, /^(api\.example\.com.*\{)$/gm, `$1\n\ttls ${CERTIFICATE.cert} ${CERTIFICATE.key}`)
  return `{
	admin off
	http_port ${ports.plain}
	https_port ${ports.secure}
}
${text}`
}

async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()]
  const ports: number[] = []
  for (const server of servers) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ports.push((server.address() as AddressInfo).port)
  }
  for (const server of servers) {
    server.close()
    await once(server, 'close')
  }
  const [plain = 0, secure = 0] = ports
  return [plain, secure]
}
