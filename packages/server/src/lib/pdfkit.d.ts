// The part of pdfkit that is used; the package brings no types of its own.
declare module 'pdfkit' {
  import type { Readable } from 'node:stream'
  import type { Font } from 'fontkit'

  type TextOptions = {
    width?: number
    align?: 'left' | 'right' | 'center'
    lineBreak?: boolean
    /** Height of the top of the text above its baseline, negative; the font's own ascent unless given. */
    baseline?: number
  }

  type DocumentOptions = {
    size: 'A4'
    margins: { top: number; right: number; bottom: number; left: number }
    /** Pages stay open until the end, for their numbers. */
    bufferPages: boolean
    info: { Title: string; Author: string; Subject: string; CreationDate: Date }
    lang: string
  }

  /** A PDF that is read while it is written. */
  interface PDFDocument extends Readable {
    /** A standard font, or one that was registered. */
    font(name: string): this
    registerFont(name: string, font: Font): this
    fontSize(size: number): this
    fillColor(color: string): this
    widthOfString(text: string): number
    text(text: string, x: number, y: number, options?: TextOptions): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    lineWidth(width: number): this
    strokeColor(color: string): this
    stroke(): this
    addPage(): this
    bufferedPageRange(): { start: number; count: number }
    switchToPage(index: number): this
    end(): void
  }

  const PDFDocument: new (options: DocumentOptions) => PDFDocument
  export default PDFDocument
}
