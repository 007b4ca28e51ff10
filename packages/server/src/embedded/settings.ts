import type { Endpoint } from './socket.ts'

export type Settings = Readonly<Record<string, string>>

export const LOG_DIR = 'log'
export const LOG_FILES_KEPT = 5

/** Default settings: durable, and sized for a small machine that commits in groups. */
const DEFAULTS: Settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  checkpoint_completion_target: '0.9',
  max_connections: '100',
  // A slot keeps the log of a copy under way; one that nobody reads does not fill the disk.
  max_slot_wal_keep_size: '16GB',
  // Statements here are short: compiling them costs more than it saves.
  jit: 'off',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A log file is closed at 10 MB; the supervisor deletes all but the last few.
  logging_collector: 'on',
  log_directory: LOG_DIR,
  log_filename: 'postgresql-%Y%m%d-%H%M%S.log',
  log_rotation_size: '10MB',
  log_rotation_age: '0',
  log_line_prefix: '%m [%p] %a ',
}

/** Chooses the settings that a running server must have to be adopted; the endpoint is not part of them. */
export function chooseSettings(
  clusterName: string,
  walCompression: 'lz4' | 'off',
  extra: Settings | undefined,
): Settings {
  return { ...DEFAULTS, wal_compression: walCompression, ...extra, cluster_name: clusterName }
}

/** Returns the settings of the endpoint: no network where sockets exist, otherwise the loopback address alone. */
function endpointSettings({ host, port }: Endpoint): Settings {
  return host.startsWith('/')
    ? { listen_addresses: '', unix_socket_directories: quoteListItem(host), port: String(port) }
    : { listen_addresses: host, unix_socket_directories: '', port: String(port) }
}

export function renderConf(settings: Settings, endpoint: Endpoint): string {
  const lines = Object.entries({ ...settings, ...endpointSettings(endpoint) }).map(([name, value]) => {
    if (!/^[a-z][a-z0-9_.]*$/i.test(name)) throw new Error(`"${name}" is not the name of a server setting`)
    if (/[\r\n]/.test(value)) throw new Error(`the server setting ${name} must be one line`)
    return `${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  })
  return `# Written at each start of the service: changes here are lost.\n${lines.join('\n')}\n`
}

/** Requires the password for every connection. */
export function renderHba(): string {
  const place = process.platform === 'win32' ? ['host', ' 127.0.0.1/32'] : ['local', '']
  return `# Written at each start of the service: changes here are lost.\n${place[0]} all all${place[1]} scram-sha-256\n`
}

/** Quotes a list item: a comma or a space in the path must not split it. */
function quoteListItem(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}
