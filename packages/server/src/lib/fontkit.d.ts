// Types of the part of fontkit that is used; the package brings no types of its own.
declare module 'fontkit' {
  type Glyph = { readonly id: number; readonly advanceWidth: number; readonly codePoints: readonly number[] }
  type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }

  /** Glyphs from left to right. The document changes the positions, and then asks for the width. */
  type GlyphRun = {
    readonly glyphs: readonly Glyph[]
    readonly positions: readonly Position[]
    readonly advanceWidth: number
  }

  /** Part of a font that a document needs. */
  type Subset = {
    /** Ids in the font; the index of each is its id in the document. */
    readonly glyphs: number[]
    /** Returns the id in the document. */
    includeGlyph: (id: number) => number
  }

  type Font = {
    layout(text: string): GlyphRun
    getGlyph(id: number): Glyph
    createSubset(): Subset
  }

  export function create(file: Uint8Array): Font
}
