import { FORM } from '@warung/forms/texts'
import { defineMessages, textOf, useText } from './language.ts'

/**
 * Reasons of payments that were rejected or failed, by their remarks on the wire. Remarks that are not here are the
 * supplier's or the reseller's own words, and are shown as they are.
 */
export const REMARKS = defineMessages({
  en: {
    Account_Suspended: 'The account is suspended or may not pay.',
    Insufficient_Balance: 'The wallet balance is too low.',
    Invalid_Format: 'The data of the request is not valid.',
    Invalid_Product: 'There is no such product.',
    Product_Unavailable: 'The product is not available.',
    'Several plans available for this amount and a plan code is needed':
      'Several plans have this amount: a plan code is needed.',
    'Unknown or inactive option code': 'The plan code is unknown or inactive.',
    'Option code does not match amount': 'The amount is not that of the plan code.',
    Biller_Code_Required: 'A biller code is needed.',
    Invalid_Biller_Code: 'The biller code is unknown or inactive.',
    IC_Number_Required: 'An IC or passport number is needed.',
    Invalid_IC_Number: 'The IC or passport number is not valid.',
    Ref2_Required: 'This biller needs a second reference.',
    Quote_Unknown: 'There is no such quote.',
    Quote_Mismatch: 'The quote is for another payment.',
    Quote_Used: 'The quote was paid already.',
    Quote_Expired: 'The quote has expired.',
    Cost_Above_Maximum: 'The payment costs more than its highest cost.',
    Out_Of_Stock: 'The product is out of stock.',
    'Out of stock': 'The product is out of stock.',
    Temporary_Error_Please_Try_Again: 'A passing error: send the same request again.',
    Invalid_Account: 'The account is not valid for this product.',
    'Invalid account number': 'The account number is not valid.',
    Possible_Duplicate: 'The same payment was taken a moment ago.',
    Key_Product_Not_Allowed: 'The API key is for other products.',
    Account_Daily_Limit: 'The account has reached its limit of the day.',
    Account_Monthly_Limit: 'The account has reached its limit of the month.',
    Daily_Limit: 'Your limit of the day is reached.',
    Monthly_Limit: 'Your limit of the month is reached.',
    Member_Daily_Limit: 'Your own limit of the day is reached. Ask your manager.',
    Member_Monthly_Limit: 'Your own limit of the month is reached. Ask your manager.',
    Key_Amount_Cap: 'The payment costs more than its key may pay at once.',
    Key_Daily_Cap: 'The key has paid what it may in a day.',
    Key_Monthly_Cap: 'The key has paid what it may in a month.',
    Duplicate_Or_Daily_Limit: 'The account was just paid for, or has reached its limit of the day.',
    'Duplicate payment or daily limit reached':
      'The account was just paid for, or has reached its limit of the day.',
    Account_Blacklisted: 'The account is not served.',
    'Account blacklisted': 'The account is not served.',
    Invalid_Denomination: 'The amount is not one of the product.',
    'Invalid denomination': 'The amount is not one of the product.',
    Identity_Check_Failed: 'The payee did not pass the check of identity.',
    'Identity check failed': 'The payee did not pass the check of identity.',
    Service_Unavailable: 'No supplier could fulfil it, and nothing was done.',
    'Service unavailable': 'No supplier could fulfil it, and nothing was done.',
    'Rejected by the provider': 'The supplier refused it without a reason of its own.',
    'Timed out at the provider': 'The supplier took too long, and nothing was done.',
    'Number not eligible': 'The number is not eligible for this product.',
    Refund: 'The payment was taken back, and its cost is in the wallet.',
    'Only a fulfilled order can be voided': 'Only a fulfilled order can be taken back.',
    'The biller does not take it back': 'The biller does not take it back.',
  },
  ms: {
    Account_Suspended: 'Akaun digantung atau tidak boleh membayar.',
    Insufficient_Balance: 'Baki dompet tidak mencukupi.',
    Invalid_Format: 'Data permintaan tidak sah.',
    Invalid_Product: 'Produk itu tidak wujud.',
    Product_Unavailable: 'Produk tidak tersedia.',
    'Several plans available for this amount and a plan code is needed':
      'Beberapa pelan mempunyai amaun ini: kod pelan diperlukan.',
    'Unknown or inactive option code': 'Kod pelan tidak dikenali atau tidak aktif.',
    'Option code does not match amount': 'Amaun tidak sepadan dengan kod pelan.',
    Biller_Code_Required: 'Kod pengebil diperlukan.',
    Invalid_Biller_Code: 'Kod pengebil tidak dikenali atau tidak aktif.',
    IC_Number_Required: 'Nombor kad pengenalan atau pasport diperlukan.',
    Invalid_IC_Number: 'Nombor kad pengenalan atau pasport tidak sah.',
    Ref2_Required: 'Pengebil ini memerlukan rujukan kedua.',
    Quote_Unknown: 'Sebut harga itu tidak wujud.',
    Quote_Mismatch: 'Sebut harga itu untuk bayaran lain.',
    Quote_Used: 'Sebut harga itu sudah dibayar.',
    Quote_Expired: 'Sebut harga itu sudah tamat tempoh.',
    Cost_Above_Maximum: 'Kos bayaran melebihi kos tertingginya.',
    Out_Of_Stock: 'Stok produk telah habis.',
    'Out of stock': 'Stok produk telah habis.',
    Temporary_Error_Please_Try_Again: 'Ralat sementara: hantar permintaan yang sama sekali lagi.',
    Invalid_Account: 'Akaun tidak sah untuk produk ini.',
    'Invalid account number': 'Nombor akaun tidak sah.',
    Possible_Duplicate: 'Bayaran yang sama baru sahaja diterima.',
    Key_Product_Not_Allowed: 'Kunci API ini untuk produk lain.',
    Account_Daily_Limit: 'Akaun telah mencapai had hariannya.',
    Account_Monthly_Limit: 'Akaun telah mencapai had bulanannya.',
    Daily_Limit: 'Had harian anda telah dicapai.',
    Monthly_Limit: 'Had bulanan anda telah dicapai.',
    Member_Daily_Limit: 'Had harian anda sendiri telah dicapai. Tanya pengurus anda.',
    Member_Monthly_Limit: 'Had bulanan anda sendiri telah dicapai. Tanya pengurus anda.',
    Key_Amount_Cap: 'Kos bayaran melebihi had sekali bayar kuncinya.',
    Key_Daily_Cap: 'Kunci telah membayar sebanyak yang dibenarkan dalam sehari.',
    Key_Monthly_Cap: 'Kunci telah membayar sebanyak yang dibenarkan dalam sebulan.',
    Duplicate_Or_Daily_Limit: 'Akaun baru sahaja dibayar, atau telah mencapai had hariannya.',
    'Duplicate payment or daily limit reached':
      'Akaun baru sahaja dibayar, atau telah mencapai had hariannya.',
    Account_Blacklisted: 'Akaun ini tidak dilayan.',
    'Account blacklisted': 'Akaun ini tidak dilayan.',
    Invalid_Denomination: 'Amaun ini tiada bagi produk tersebut.',
    'Invalid denomination': 'Amaun ini tiada bagi produk tersebut.',
    Identity_Check_Failed: 'Penerima bayaran tidak melepasi semakan identiti.',
    'Identity check failed': 'Penerima bayaran tidak melepasi semakan identiti.',
    Service_Unavailable: 'Tiada pembekal dapat memenuhinya, dan tiada apa-apa dilakukan.',
    'Service unavailable': 'Tiada pembekal dapat memenuhinya, dan tiada apa-apa dilakukan.',
    'Rejected by the provider': 'Pembekal menolaknya tanpa memberi sebab.',
    'Timed out at the provider': 'Pembekal mengambil masa terlalu lama, dan tiada apa-apa dilakukan.',
    'Number not eligible': 'Nombor ini tidak layak untuk produk tersebut.',
    Refund: 'Bayaran telah ditarik balik, dan kosnya ada di dalam dompet.',
    'Only a fulfilled order can be voided': 'Hanya pesanan yang telah dipenuhi boleh ditarik balik.',
    'The biller does not take it back': 'Pengebil tidak menerimanya kembali.',
  },
})

/** Texts that the service itself writes into cases, in English. Messages of people stay as they were written. */
export const CASE_TEXTS = defineMessages({
  en: {
    'The biller approved the void. The transaction was refunded to the wallet.':
      'The biller approved the void. The transaction was refunded to the wallet.',
    'An operator is looking into it.': 'An operator is looking into it.',
    'A check of the transaction is requested.': 'A check of the transaction is requested.',
    refused: (reason: string) => `The biller refused the void: ${reason}`,
  },
  ms: {
    'The biller approved the void. The transaction was refunded to the wallet.':
      'Pengebil meluluskan pembatalan. Kos transaksi telah dipulangkan ke dompet.',
    'An operator is looking into it.': 'Pengendali sedang menyiasatnya.',
    'A check of the transaction is requested.': 'Semakan transaksi diminta.',
    refused: (reason) => `Pengebil menolak pembatalan: ${reason}`,
  },
})

/** Returns a function that says remarks of a payment in the reader's language. */
export function useRemarks(): (remarks: string) => string {
  const text = useText(REMARKS)
  return (remarks) => known(text, remarks) ?? remarks
}

/** Returns a function that says the note of a payment, or another standard text of catalogues, in the reader's language. */
export function useStandardText(): (text: string) => string {
  return useText(FORM).standard
}

type Refusal = { readonly token: string; readonly message: string }

/** Returns a function that says why a payment would be refused; the service's message is in English. */
export function useRefusalText(): (refusal: Refusal) => string {
  useText(REMARKS)
  return refusalText
}

/** Says a refusal in the reader's language: by its text where it is known, else by its reason. */
export function refusalText({ token, message }: Refusal): string {
  const text = textOf(REMARKS)
  const standard = textOf(FORM).standard(message)
  if (text === REMARKS.en || standard !== message) return standard
  return known(text, token) ?? message
}

/** Says a text of the service in the reader's language; any other text as it is. */
export function caseText(text: string): string {
  const texts = textOf(CASE_TEXTS)
  const refused = CASE_TEXTS.en.refused('')
  if (!text.startsWith(refused)) return known(texts, text) ?? text
  const reason = text.slice(refused.length)
  return texts.refused(known(textOf(REMARKS), reason) ?? reason)
}

function known(texts: object, name: string): string | undefined {
  const found: unknown = Object.hasOwn(texts, name) ? texts[name as keyof typeof texts] : undefined
  return typeof found === 'string' ? found : undefined
}
