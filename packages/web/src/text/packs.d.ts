/** Malay texts of an entry, which the build collects (`languages.ts` of this package). */
declare module 'virtual:malay/*' {
  const pack: import('./language.ts').LanguagePack
  export default pack
}
