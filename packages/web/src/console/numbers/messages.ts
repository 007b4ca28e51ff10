import { defineMessages } from '../../text/language.ts'

export const NUMBERS = defineMessages({
  en: {
    about:
      'Which numbers a country has, and which operator got them first. Numbers are ported, so a prefix is a guess.',
    put: 'Replace plans',
    export: 'Download',
    caption: 'Operators and their prefixes',
    of: (country: string, day: string) => `${country}, as of ${day}`,
    own: 'Given by an operator',
    known: 'Known by the service',
    operator: 'Operator',
    prefixes: 'Prefixes',
    products: 'Products',
    isNone: 'No operator is named in this plan.',
    putTitle: 'Replace the plans of countries?',
    putAbout:
      'Every node reads numbers by them within seconds. Countries that are not in the file keep their plans; one with an empty list of ranges has the service’s own plan again.',
    file: 'JSON file, as downloaded here',
    isNoFile: 'This is not a file of plans.',
    replace: 'Replace',
    done: 'The plans are replaced.',
  },
  ms: {
    about:
      'Nombor yang ada di sesebuah negara, dan pengendali yang mula-mula menerimanya. Nombor boleh berpindah, jadi awalan hanya satu tekaan.',
    put: 'Ganti pelan',
    export: 'Muat turun',
    caption: 'Pengendali dan awalannya',
    of: (country, day) => `${country}, setakat ${day}`,
    own: 'Diberi oleh pengendali',
    known: 'Diketahui oleh perkhidmatan',
    operator: 'Pengendali',
    prefixes: 'Awalan',
    products: 'Produk',
    isNone: 'Tiada pengendali dinamakan dalam pelan ini.',
    putTitle: 'Ganti pelan nombor negara?',
    putAbout:
      'Setiap nod membaca nombor mengikutnya dalam beberapa saat. Negara yang tiada dalam fail kekal dengan pelannya; negara dengan senarai julat kosong kembali kepada pelan perkhidmatan.',
    file: 'Fail JSON, seperti yang dimuat turun di sini',
    isNoFile: 'Ini bukan fail pelan.',
    replace: 'Ganti',
    done: 'Pelan telah diganti.',
  },
})
