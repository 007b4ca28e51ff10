// Words for names of places, people and firms that do not exist, made from ordinary words.

export const PLACE_HEADS = [
  'Batu',
  'Bukit',
  'Kampung',
  'Kuala',
  'Lembah',
  'Padang',
  'Parit',
  'Permatang',
  'Pulau',
  'Seri',
  'Simpang',
  'Sungai',
  'Taman',
  'Tanjung',
  'Teluk',
  'Tebing',
] as const

export const PLACE_TAILS = [
  'Anggerik',
  'Belimbing',
  'Cempedak',
  'Cendana',
  'Delima',
  'Embun',
  'Gaharu',
  'Helang',
  'Intan',
  'Jelatang',
  'Kelicap',
  'Kenari',
  'Keranji',
  'Langsat',
  'Lestari',
  'Merbah',
  'Meranti',
  'Nilam',
  'Pandan',
  'Pelangi',
  'Pinang',
  'Rambai',
  'Rentas',
  'Rusa',
  'Salak',
  'Sawit',
  'Selasih',
  'Senduduk',
  'Tempua',
  'Teratai',
  'Tualang',
  'Zamrud',
] as const

export const FIRM_WORDS = [
  'Amanah',
  'Bestari',
  'Bintang',
  'Cahaya',
  'Cekap',
  'Damai',
  'Dinamik',
  'Fajar',
  'Gemilang',
  'Harapan',
  'Ikhlas',
  'Jaya',
  'Kasih',
  'Kencana',
  'Lagenda',
  'Maju',
  'Makmur',
  'Mesra',
  'Nadi',
  'Nusa',
  'Prima',
  'Ria',
  'Saujana',
  'Sejati',
  'Setia',
  'Sinar',
  'Sutera',
  'Tegas',
  'Tulus',
  'Unggul',
  'Wawasan',
  'Yakin',
] as const

export type Trade = {
  /** Category of the billers; null: they are not sorted yet. */
  readonly category: string | null
  /** Percentage of the billers that are of this trade. */
  readonly share: number
  /** Name patterns; {place}, {firm} and {other} are replaced. */
  readonly names: readonly string[]
  /** Label that the biller uses for the number to be paid. */
  readonly reference: string
  /** Label of a second number that some billers of this trade ask for. */
  readonly secondReference?: string
  readonly limits: readonly (readonly [min: number | null, max: number | null])[]
}

export const TRADES: readonly Trade[] = [
  {
    category: 'Education',
    share: 26,
    names: [
      'SK {place}',
      'SMK {place}',
      'Tadika {firm} {place}',
      'Kolej {firm} {place}',
      'Pusat Tuisyen {firm} {place}',
    ],
    reference: 'Student number',
    secondReference: 'Class or semester',
    limits: [
      [1, 5_000],
      [10, 10_000],
      [1, 1_000],
    ],
  },
  {
    category: 'Property management',
    share: 22,
    names: [
      'JMB Residensi {firm} {place}',
      'JMB Pangsapuri {place} {other}',
      'Perbadanan Pengurusan {firm} {place}',
      'Menara {firm} {place} Management',
    ],
    reference: 'Unit number',
    secondReference: 'Invoice number',
    limits: [
      [10, 5_000],
      [1, 10_000],
      [20, null],
    ],
  },
  {
    category: 'Local council',
    share: 6,
    names: [
      'Majlis Daerah {place} {other}',
      'Majlis Perbandaran {place} {other}',
      'Pejabat Tanah {place} {other}',
    ],
    reference: 'Property account',
    secondReference: 'Bill year',
    limits: [
      [1, 30_000],
      [10, 20_000],
    ],
  },
  {
    category: 'Utilities',
    share: 5,
    names: ['Air {firm} {place}', 'Gas {firm} {place}', 'Tenaga {firm} {place}'],
    reference: 'Account number',
    limits: [
      [1, 5_000],
      [5, 10_000],
    ],
  },
  {
    category: 'Health',
    share: 7,
    names: ['Klinik {firm} {place}', 'Pusat Dialisis {firm} {place}', 'Hospital {firm} {place}'],
    reference: 'Bill number',
    limits: [
      [1, 20_000],
      [10, 5_000],
    ],
  },
  {
    category: 'Co-operative',
    share: 6,
    names: ['Koperasi {firm} {place}', 'Koperasi Pekerja {firm} {other} {place}'],
    reference: 'Membership number',
    limits: [
      [5, 10_000],
      [10, 30_000],
    ],
  },
  {
    category: 'Charity',
    share: 6,
    names: ['Yayasan {firm} {place}', 'Rumah {firm} {place}', 'Tabung {firm} {place}'],
    reference: 'Donor reference',
    limits: [
      [1, null],
      [1, 10_000],
    ],
  },
  {
    category: 'Insurance',
    share: 3,
    names: ['Takaful {firm} {other} {place}', 'Insurans {firm} {other} {place}'],
    reference: 'Policy number',
    secondReference: 'IC number of the policy holder',
    limits: [
      [10, 30_000],
      [50, 20_000],
    ],
  },
  {
    category: 'Telecommunications',
    share: 3,
    names: ['Jalur {firm} {place}', '{firm} {other} Net {place}'],
    reference: 'Account number',
    limits: [[10, 3_000]],
  },
  {
    category: 'Clubs and associations',
    share: 6,
    names: ['Kelab {firm} {place}', 'Persatuan {firm} {place}', 'Persatuan Penduduk {place} {other}'],
    reference: 'Membership number',
    limits: [
      [1, 2_000],
      [null, null],
    ],
  },
  {
    category: null,
    share: 10,
    names: [
      '{firm} {other} Sdn Bhd ({place})',
      '{firm} {other} Enterprise ({place})',
      '{firm} Trading {place}',
    ],
    reference: 'Invoice number',
    secondReference: 'Customer number',
    limits: [
      [1, 30_000],
      [5, 5_000],
      [null, 30_000],
    ],
  },
]
