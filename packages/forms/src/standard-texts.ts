// The contract's catalogue has one text for each label, in one language. These are the texts that catalogues of this
// trade share, such as those of the demo, with their Malay ones: a catalogue that uses them is read in both languages.
// A text that is not here is shown as it is. The words are those of docs/malay.md.

const MALAY: Readonly<Record<string, string>> = {
  // Labels
  'Mobile number': 'Nombor telefon bimbit',
  Amount: 'Amaun',
  Plan: 'Pelan',
  'Your offers': 'Tawaran anda',
  Biller: 'Pengebil',
  'Bill or account number': 'Nombor bil atau akaun',
  'Second reference': 'Rujukan kedua',
  'IC or passport number of the payee': 'Nombor kad pengenalan atau pasport penerima bayaran',
  'Account number': 'Nombor akaun',
  'Customer number': 'Nombor pelanggan',
  'Smartcard number': 'Nombor kad pintar',
  'Property account': 'Akaun harta',
  'Meter number': 'Nombor meter',
  'IC number': 'Nombor kad pengenalan',
  'Loan account': 'Akaun pinjaman',
  'Student number': 'Nombor pelajar',
  'Player ID': 'ID pemain',
  Package: 'Pakej',
  'E-mail address': 'Alamat e-mel',
  'Card number': 'Nombor kad',
  'Vehicle number': 'Nombor kenderaan',
  Coupons: 'Kupon',
  'Policy number': 'Nombor polisi',
  'Agreement number': 'Nombor perjanjian',
  'Bank account number': 'Nombor akaun bank',
  'Bill number': 'Nombor bil',
  'Invoice number': 'Nombor invois',
  'Membership number': 'Nombor keahlian',
  'Bill year': 'Tahun bil',
  'Class or semester': 'Kelas atau semester',
  'Donor reference': 'Rujukan penderma',
  'IC number of the policy holder': 'Nombor kad pengenalan pemegang polisi',
  'Unit number': 'Nombor unit',
  'Reference number': 'Nombor rujukan',
  'Only where the biller asks for one': 'Hanya jika diminta oleh pengebil',
  // Messages of fields
  'Enter a mobile number such as 60123456789': 'Masukkan nombor telefon bimbit seperti 60123456789',
  'Enter 4 to 30 letters and digits': 'Masukkan 4 hingga 30 huruf dan angka',
  'Enter 1 to 40 letters and digits': 'Masukkan 1 hingga 40 huruf dan angka',
  'Enter the IC or passport number, without dashes or spaces':
    'Masukkan nombor kad pengenalan atau pasport, tanpa sempang atau ruang',
  'Enter the 6 to 20 digits of the number': 'Masukkan 6 hingga 20 angka nombor itu',
  'Enter the 12 digits of the IC number, without dashes':
    'Masukkan 12 angka nombor kad pengenalan, tanpa sempang',
  'Enter the 4 to 12 digits of the ID': 'Masukkan 4 hingga 12 angka ID itu',
  'Enter an e-mail address': 'Masukkan alamat e-mel',
  'Enter a number from 1 to 100': 'Masukkan nombor dari 1 hingga 100',
  // Answers about an account
  'Invalid account no': 'Nombor akaun tidak sah',
  // Notes of products and payments
  'Credit arrives within seconds.': 'Kredit diterima dalam beberapa saat.',
  'The network of this operator is always interrupted.': 'Rangkaian pengendali ini sentiasa terganggu.',
  'Plans that Nova offers to this number.': 'Pelan yang Nova tawarkan kepada nombor ini.',
  'Dial the PIN as printed to reload.': 'Dail PIN seperti yang dicetak untuk menambah nilai.',
  'More than 21,000 billers.': 'Lebih daripada 21,000 pengebil.',
  'What is owed can be looked up before it is paid.': 'Jumlah tertunggak boleh disemak sebelum dibayar.',
  'Type the token on the meter.': 'Taip token pada meter.',
  'Loan types K, U, S and SP.': 'Jenis pinjaman K, U, S dan SP.',
  'For accounts of the Japanese store.': 'Untuk akaun kedai Jepun.',
  'Open the link on the phone that is to use the eSIM.':
    'Buka pautan pada telefon yang akan menggunakan eSIM.',
  'Enter the PIN where it is redeemed.': 'Masukkan PIN di tempat ia ditebus.',
  'Open the link to redeem.': 'Buka pautan untuk menebus.',
  // Groups and categories
  Mobile: 'Telefon bimbit',
  'Prepaid reload': 'Tambah nilai prabayar',
  'Mobile data': 'Data mudah alih',
  'Offers for your number': 'Tawaran untuk nombor anda',
  'Prepaid PIN': 'PIN prabayar',
  'Postpaid bill': 'Bil pascabayar',
  Bills: 'Bil',
  'All billers': 'Semua pengebil',
  Electricity: 'Elektrik',
  Water: 'Air',
  Gas: 'Gas',
  'Internet and TV': 'Internet dan TV',
  'Local council': 'Pihak berkuasa tempatan',
  Education: 'Pendidikan',
  'Student loan': 'Pinjaman pelajar',
  'School fees': 'Yuran sekolah',
  Games: 'Permainan',
  'Game credit': 'Kredit permainan',
  'Game PIN': 'PIN permainan',
  'Gift cards': 'Kad hadiah',
  Shopping: 'Beli-belah',
  'Music and films': 'Muzik dan filem',
  Travel: 'Perjalanan',
  eSIM: 'eSIM',
  'Transport and parking': 'Pengangkutan dan parkir',
  'E-wallets': 'E-dompet',
  'E-wallet reload': 'Tambah nilai e-dompet',
  Vouchers: 'Baucar',
  'Food and drink': 'Makanan dan minuman',
  Entertainment: 'Hiburan',
  'Financial services': 'Perkhidmatan kewangan',
  Insurance: 'Insurans',
  Financing: 'Pembiayaan',
  Donations: 'Derma',
  'Fund disbursement': 'Pengeluaran dana',
  // Loan types
  'Conventional loan': 'Pinjaman konvensional',
  'Ujrah financing': 'Pembiayaan ujrah',
  'Skills loan': 'Pinjaman kemahiran',
}

const AMOUNT = /^Enter an amount from RM ([\d.,]+) to RM ([\d.,]+)$/

/** Returns the Malay text of a standard text of catalogues; any other text as it is. */
export function inMalay(text: string): string {
  return Object.hasOwn(MALAY, text)
    ? (MALAY[text] ?? text)
    : text.replace(AMOUNT, 'Masukkan amaun dari RM $1 hingga RM $2')
}

type Worded = {
  readonly label: string
  readonly placeholder: string
  readonly validation: { readonly message?: string | undefined }
}

/** Returns a field with its texts in the reader's language; `standard` translates the texts that it knows. */
export function inWords<F extends Worded>(field: F, standard: (text: string) => string): F {
  const { message } = field.validation
  return {
    ...field,
    label: standard(field.label),
    placeholder: standard(field.placeholder),
    validation: { ...field.validation, ...(message === undefined ? {} : { message: standard(message) }) },
  }
}
