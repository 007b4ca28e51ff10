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
    runOf: '执行时间',
    lines: '行数',
    unpaid: '未付',
    cost: '成本',
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
  schedule: {
    named: (name) => `定时付款 ${name}`,
    unnamed: '定时付款',
    ran: {
      subject: (name, paid, lines) => `${name}：${lines} 行中已付 ${paid} 行`,
      happened: (whose, name, paid, lines) => `${whose} 的${name}已执行：${lines} 行中已付 ${paid} 行。`,
      todo: '“批量”页面有每一行的结果。',
    },
    stopped: {
      subject: (name) => `${name}已停止`,
      happened: (whose, name, reason) => `${whose} 的${name}已停止：${reason}。`,
      todo: '在有人于“批量”页面继续之前，不再付款。已付的保持已付，不会重复付款。',
    },
    reasons: {
      member: '设定它的人已被移除，或不再可以付批量文件',
      account: '账户已停用或不可付款',
      not_allowed: '账户只接受 API 密钥的付款，或不接受设定它的地址',
      balance: '余额不足',
      limit: '已达到限额',
      product: '某个产品不再照原样出售',
      price: '某一行比设定时更贵',
      unavailable: '某一行在一小时内无法付款',
      late: '已错过其时间一天',
    },
    earlier: (times) => `此前一小时内有过这样的消息：${times} 次。`,
  },
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
