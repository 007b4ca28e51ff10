import { saying } from '../standard/saying.generated.ts'
import { STANDARD } from '../standard/zh.generated.ts'
import type { FormTexts } from '../texts.ts'

/** Simplified Chinese of the texts of every form. */
export const FORM: FormTexts = {
  standard: saying(STANDARD),
  clear: '清除搜索',
  groups: '分组',
  allGroups: '全部',
  noProduct: '没有此名称的产品。',
  optional: '选填',
  choose: '输入即可搜索',
  foundOptions: (shown, total) => `显示 ${shown} 项，共 ${total} 项。继续输入可查找更多。`,
  loading: '加载中',
  noMatch: '没有此名称的选项。',
  optionsFailed: '无法加载选项。',
  fillFirst: (label) => `请先填写：${label}`,
  noOptions: '没有可选的项目。',
  required: '此项必填',
  chooseOne: '请选择一项',
  pattern: '格式不正确',
  range: (from, to) => `请输入 ${from} 至 ${to} 的金额`,
  atLeast: (from) => `请至少输入 ${from}`,
  atMost: (to) => `请最多输入 ${to}`,
  rangeHint: (from, to) => `${from} 至 ${to}`,
  billExists: '此账单存在',
  askingBill: '正在向收费机构查询',
  priceLater: '填写表格后即可查看价格。',
  askingPrice: '正在查询价格。',
  mend: (count, first) =>
    count === 1 ? `有一项需要更正：${first}` : `有 ${count} 项需要更正。第一项：${first}`,
}
