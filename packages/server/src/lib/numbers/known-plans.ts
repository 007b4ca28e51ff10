import type { NumberKind, NumberPlan, NumberRange } from './plans.ts'
import { compilePlans } from './plans.ts'

// Plans that the service knows by itself. An operator's own plan of a country takes the place of the one here.

type Row = readonly [
  prefixes: string,
  kind: NumberKind,
  digitsMin: number,
  digitsMax: number,
  operator?: string,
]

function rangesOf(rows: readonly Row[]): NumberRange[] {
  return rows.flatMap(([prefixes, kind, digitsMin, digitsMax, operator = null]) =>
    prefixes.split(' ').map((prefix) => ({ prefix, kind, digitsMin, digitsMax, operator })),
  )
}

function operatorsOf(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([code, name]) => ({ code, name, products: [] }))
}

export const MALAYSIA: NumberPlan = {
  country: 'MY',
  callingCode: '60',
  trunk: '0',
  source: 'Numbers assigned by the Malaysian Communications and Multimedia Commission; main blocks',
  asOf: '2025-01-01',
  operators: operatorsOf({
    CELCOM: 'Celcom',
    DIGI: 'Digi',
    MAXIS: 'Maxis',
    TUNETALK: 'Tune Talk',
    UMOBILE: 'U Mobile',
    UNIFI: 'Unifi Mobile',
    YES: 'Yes',
  }),
  ranges: rangesOf([
    ['10 14 18', 'mobile', 9, 9],
    ['11', 'mobile', 10, 10],
    ['15', 'mobile', 9, 10],
    ['1030 1031 1032 1033 1034 1040 1041 1057 1058 1059', 'mobile', 9, 9, 'CELCOM'],
    ['13 145 148 19', 'mobile', 9, 9, 'CELCOM'],
    ['1119 1132 1140 1141 1154', 'mobile', 10, 10, 'CELCOM'],
    ['102 1036 1037 1038 1039 1046 1056 1066 109 143 146 149 16', 'mobile', 9, 9, 'DIGI'],
    ['1116 1122 1126 1131 1133 1136 1150 1151', 'mobile', 10, 10, 'DIGI'],
    ['1042 1043 1070 1071 12 142 147 17', 'mobile', 9, 9, 'MAXIS'],
    ['1112 1123 1125', 'mobile', 10, 10, 'MAXIS'],
    ['1050 1051 1052 1053 1054 144', 'mobile', 9, 9, 'TUNETALK'],
    ['1135 1153', 'mobile', 10, 10, 'TUNETALK'],
    ['182 183 184 189', 'mobile', 9, 9, 'UMOBILE'],
    ['1111 1121 1128 1137 1138 1139 1142 1160 1161', 'mobile', 10, 10, 'UMOBILE'],
    ['1035 1044 1045 1055', 'mobile', 9, 9, 'UNIFI'],
    ['1165 1166 1167 1168', 'mobile', 10, 10, 'UNIFI'],
    ['186', 'mobile', 9, 9, 'YES'],
    ['1130 1173 1174 1175', 'mobile', 10, 10, 'YES'],
    ['3', 'fixed', 9, 9],
    ['4 5 6 7 82 83 84 85 86 87 88 89 9', 'fixed', 8, 8],
  ]),
}

export const INDONESIA: NumberPlan = {
  country: 'ID',
  callingCode: '62',
  trunk: '0',
  source: 'Prefixes assigned by the Indonesian ministry of communication, after the mergers of operators',
  asOf: '2025-01-01',
  operators: operatorsOf({
    AXIS: 'Axis',
    INDOSAT: 'Indosat',
    SMARTFREN: 'Smartfren',
    TELKOMSEL: 'Telkomsel',
    TRI: 'Tri',
    XL: 'XL',
  }),
  ranges: rangesOf([
    ['8', 'mobile', 9, 12],
    ['831 832 833 838', 'mobile', 9, 12, 'AXIS'],
    ['814 815 816 855 856 857 858', 'mobile', 9, 12, 'INDOSAT'],
    ['881 882 883 884 885 886 887 888 889', 'mobile', 9, 12, 'SMARTFREN'],
    ['811 812 813 821 822 823 851 852 853', 'mobile', 9, 12, 'TELKOMSEL'],
    ['895 896 897 898 899', 'mobile', 9, 12, 'TRI'],
    ['817 818 819 859 877 878', 'mobile', 9, 12, 'XL'],
    ['2 3 4 5 6 7 9', 'fixed', 8, 11],
  ]),
}

export const KNOWN_PLANS: readonly NumberPlan[] = [MALAYSIA, INDONESIA]

export const KNOWN_NUMBERS = compilePlans(KNOWN_PLANS)
