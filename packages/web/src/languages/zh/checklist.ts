import type { PortalTexts } from '../dictionaries.ts'

export const CHECKLIST: PortalTexts['CHECKLIST'] = {
  title: '入门',
  count: (done, all) => `${done} / ${all}`,
  open: '设置',
  steps: {
    key_made: '创建 API 密钥',
    first_signed_call: '发送第一个已签名的请求',
    callback_verified: '接收回调',
    first_payment: '发送第一笔付款',
    second_factor: '开启第二重验证',
    low_balance_threshold: '设定余额提醒额',
    allowlist: '只允许您自己的地址',
    go_live: '正式启用',
  },
  why: {
    key_made: '程序用它为请求签名',
    first_signed_call: '证明您的签名正确',
    callback_verified: '您的接收端以 2xx 回应已签名的推送',
    first_payment: '从销售页，或通过 API',
    second_factor: '密码泄露时保护付款',
    low_balance_threshold: '在余额用完之前以邮件通知您',
    allowlist: '被盗的密钥在别处没有用',
    go_live: '由运营商开放账户进行真实付款',
  },
}
