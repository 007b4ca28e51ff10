// Types of the part of bidi-js that is used. Its own types describe a CommonJS module, which its ES module is not.
declare module 'bidi-js/dist/bidi.mjs' {
  interface Bidi {
    /** Returns one level for each UTF-16 unit; odd levels run from right to left. */
    getEmbeddingLevels(text: string, direction: 'ltr' | 'rtl' | 'auto'): { levels: Uint8Array }
    getMirroredCharacter(character: string): string | null
  }

  export default function createBidi(): Bidi
}
