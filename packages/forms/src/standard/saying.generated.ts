// Generated from packages/server/src/modules/catalog/texts/saying.rules.ts by npm run web-api. Do not edit.

// The contract's catalogue has one text for each label, in one language. The lists beside this file are the texts that
// catalogues of this trade share, such as those of the demo, in other languages: a catalogue that uses them is read in
// each. A text that is not there is shown as it is.

const AMOUNT = /^Enter an amount from RM ([\d.,]+) to RM ([\d.,]+)$/
const AMOUNT_KEY = 'Enter an amount from RM {from} to RM {to}'

/** Makes the function that says the texts of a list in its language, and any other text as it is. */
export function saying(texts: Readonly<Record<string, string>>): (text: string) => string {
  const amount = (texts[AMOUNT_KEY] ?? AMOUNT_KEY).replace('{from}', '$1').replace('{to}', '$2')
  return (text) => (Object.hasOwn(texts, text) ? (texts[text] ?? text) : text.replace(AMOUNT, amount))
}
