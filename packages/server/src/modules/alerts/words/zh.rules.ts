import type { MailWords } from './types.ts'

export const CHINESE: MailWords = {
  account: (account) => `（账户 ${account}）`,
  facts: {
    balance: '余额',
    threshold: '提醒值',
    time: '时间',
    lasts: '可用',
    amount: '金额',
    entry: '账单条目',
    bankReference: '银行参考号',
    reason: '原因',
    depositRequest: '充值申请',
    sentTo: '发送至',
    error: '错误',
    failingSince: '失败始于',
    request: '请求',
    reference: '参考号',
    state: '状态',
    message: '消息',
  },
  forecast(days, perDay) {
    const rate = `（按目前每天 ${perDay} 计）`
    if (days === undefined) return `一年以上${rate}`
    return days === 0 ? `不到一天${rate}` : `约 ${days} 天${rate}`
  },
  low: {
    subject: (threshold, balance) => `余额低于 ${threshold}：剩余 ${balance}`,
    happened: (whose, threshold) => `${whose}的余额已低于 ${threshold}。`,
    earlier: (count) => `在此之前的一小时内，余额还曾 ${count} 次低于该值。`,
    todo: '请充值以继续销售：成本超过余额的付款会被拒绝。',
  },
  deposit: {
    subject: (amount) => `已收到充值 ${amount}`,
    happened: (whose) => `一笔充值已加入${whose}的余额。`,
    earlier: (count) => `在此之前的一小时内还收到 ${count} 次充值；账单列出全部。`,
    todo: '无需任何操作。',
  },
  refused: {
    subject: (amount) => `充值申请 ${amount} 被拒绝`,
    happened: (whose) => `${whose}报告的转账未加入余额。`,
    earlier: (count) => `在此之前的一小时内，充值申请还被拒绝 ${count} 次。`,
    todo: '请将原因与您的银行对账单核对，更正后可再次报告该转账。',
  },
  streams: { callback: '交易回调', catalog: '目录 Webhook', balance: '余额 Webhook', other: 'Webhook' },
  failed: {
    subject: (stream) => `${stream}无法送达`,
    happened: (whose, stream) => `${whose}的${stream}无法送达您的服务器。`,
    todo: '请检查您的服务器是否以 2xx 状态应答。失败的投递保留在投递日志中，可以重新发送。在持续失败期间，此邮件每天最多发送一次。',
  },
  paused: {
    subject: (stream) => `${stream}已暂停`,
    happened: (whose, stream) => `${whose}的${stream}已暂停：数天未被接收。`,
    todo: '请修复您的服务器，然后向它发送测试事件、重新设置其网址或重新启用 Webhook：任何一项都会结束暂停。这段时间的事件在投递日志中，可以重新发送。',
  },
  news: {
    subject: (number, state) => `个案 ${number}：${state}`,
    happened: (whose, number) => `${whose}的个案 ${number} 有新消息。`,
    todo: '来信时请注明个案编号。',
  },
  kinds: { dispute: '争议', void: '作废' },
  states: { open: '已开启', in_progress: '处理中', resolved: '已解决', refused: '已拒绝' },
  token: (token) => `令牌：${token}`,
  forPrograms: (request) => `供程序使用：POST ${request}，格式为 JSON。`,
  reset: {
    subject: 'Warung 的新密码',
    asked: (login) => `有人为 ${login} 请求新密码。`,
    once: '仅可使用一次，30 分钟内有效。如果不是您本人，无需任何操作：密码保持不变。',
  },
  portalOf: (company) => `${company}的门户`,
  invitation: {
    subject: (where) => `邀请您加入${where}`,
    invites: (who, where) => `${who} 邀请您加入${where}。`,
    login: (login) => `您在那里的用户名是 ${login}。`,
    choose: '请使用此令牌选择密码。',
    once: '仅可使用一次，7 天内有效。如果您不知道此事，无需任何操作。',
  },
}
