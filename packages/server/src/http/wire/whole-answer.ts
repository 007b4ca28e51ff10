import { EventEmitter } from 'node:events'
import { dateNow, isHeaderText, isPlain, isValue, statusLine } from '../streams/head.ts'
import type { WholeMessage } from './whole-request.ts'

export type WholeAnswerOptions = {
  readonly keepAliveLines: string
  /** Tells that bytes of another request wait on the connection. */
  readonly isFollowed: () => boolean
  /** Called once, when the answer was handed to the system or its reader has gone. */
  readonly onOver: (answer: WholeAnswer) => void
}

const LENGTH_NAME_LENGTH = 'Content-Length'.length
const CLOSE_LINES = 'Connection: close\r\n'

/**
 * Answer to a request that Node did not read. It has those fields and methods of Node's answer that the edge uses, and
 * sends the same lines in the same order. Head and body leave in one write where the body is a text.
 */
export class WholeAnswer extends EventEmitter {
  readonly req: WholeMessage
  statusCode = 200
  headersSent = false
  /** True when the system has taken all bytes. */
  writableFinished = false
  /** True when the connection closed before that. */
  destroyed = false
  shouldKeepAlive = true
  private readonly options: WholeAnswerOptions
  /** Head that waits for the first bytes of its body. */
  private head = ''
  private isChunked = false
  /** False for a status that has none. */
  private hasBody = true
  private isEnded = false
  private isOver = false

  constructor(req: WholeMessage, options: WholeAnswerOptions) {
    super()
    this.req = req
    this.options = options
  }

  setHeader(_name: 'Connection', value: 'close'): void {
    this.shouldKeepAlive = value !== 'close'
  }

  getHeader(_name: 'Connection'): string | undefined {
    return this.shouldKeepAlive ? undefined : 'close'
  }

  removeHeader(_name: 'Connection'): void {
    this.shouldKeepAlive = true
  }

  /** Takes the head, which leaves with the first bytes after it. Throws for a header that HTTP does not allow. */
  writeHead(status: number, lines: readonly (string | number)[]): this {
    let head = statusLine(status)
    let hasLength = status === 204 || status === 304
    this.hasBody = !hasLength
    for (let at = 0; at < lines.length; at += 2) {
      const name = lines[at] as string
      const value = lines[at + 1] as string | number
      if (name === 'Content-Length') hasLength = true
      else if (name.length === LENGTH_NAME_LENGTH && name.toLowerCase() === 'content-length') {
        throw new Error(`the header ${name} is spelled Content-Length here`)
      }
      if (typeof value === 'string' && !isValue(value) && !isHeaderText(value)) {
        throw new Error(`the value of the header ${name} has a character that is not allowed`)
      }
      if (isPlain(name)) head += `${name}: ${value}\r\n`
      else if (name === 'Connection' && value === 'close') this.shouldKeepAlive = false
      else throw new Error(`the header ${name} is not for an operation to set`)
    }
    // The request that follows closes the connection instead; it would be lost otherwise.
    if (!this.shouldKeepAlive && this.options.isFollowed()) this.shouldKeepAlive = true
    head += `Date: ${dateNow()}\r\n`
    head += this.shouldKeepAlive ? this.options.keepAliveLines : CLOSE_LINES
    this.isChunked = !hasLength
    this.head = hasLength ? `${head}\r\n` : `${head}Transfer-Encoding: chunked\r\n\r\n`
    this.statusCode = status
    this.headersSent = true
    return this
  }

  /** Returns false when the caller should wait for `drain`. */
  write(piece: Buffer): boolean {
    const { socket } = this.req
    if (this.isEnded || !socket.writable) return true
    // An empty chunk would end the answer.
    if (piece.length === 0 || !this.hasBody) return true
    socket.cork()
    this.writeText(this.isChunked ? `${piece.length.toString(16)}\r\n` : '')
    let hasRoom = socket.write(piece)
    if (this.isChunked) hasRoom = socket.write('\r\n', 'latin1')
    socket.uncork()
    return hasRoom
  }

  /** Ends the answer with a text of ASCII characters. */
  endAscii(text: string): void {
    if (this.isEnded) return
    this.isEnded = true
    const { socket } = this.req
    // Otherwise the connection is closing, and its end is the end of this answer.
    if (socket.writable) socket.write(this.takeHead() + (this.hasBody ? text : ''), 'latin1', this.whenSent)
  }

  end(body?: Buffer | string): void {
    if (this.isEnded) return
    this.isEnded = true
    const { socket } = this.req
    if (!socket.writable) return
    socket.cork()
    if (body !== undefined && body.length > 0 && this.hasBody) {
      this.writeText('')
      socket.write(body)
    }
    socket.write(this.takeHead() + (this.isChunked ? '0\r\n\r\n' : ''), 'latin1', this.whenSent)
    socket.uncork()
  }

  /** Ends the exchange when its connection has closed. */
  hangUp(): void {
    if (this.isOver) return
    this.destroyed = true
    this.finish()
  }

  private readonly whenSent = (error?: Error | null): void => {
    // The socket closes after an error, and that ends the exchange.
    if (error || this.isOver) return
    this.writableFinished = true
    this.finish()
  }

  private finish(): void {
    this.isOver = true
    this.emit('close')
    this.options.onOver(this)
  }

  private takeHead(): string {
    const { head } = this
    this.head = ''
    return head
  }

  private writeText(after: string): void {
    const text = this.takeHead() + after
    if (text !== '') this.req.socket.write(text, 'latin1')
  }
}
