/**
 * Where providers send delivery reports and complaints from: addresses that none of their customers can have, whole or by
 * domain. An authentic mail from there is not written by somebody whom the user has mailed.
 */
const ADDRESSES = new Set([
  'staff@hotmail.com',
  'mailer-daemon@googlemail.com',
  'mailer-daemon@google.com',
  'postmaster@outlook.com',
])
const DOMAINS = [
  'arf.mail.yahoo.com',
  'amazonses.com',
  'sns.amazonaws.com',
  'senderscore.net',
  'corp.mail.ru',
]

/** True for an address that only a provider of feedback writes from; whether a mail really is from there is another question. */
export function isFeedbackSource(address: string): boolean {
  const key = address.toLowerCase()
  const domain = key.slice(key.lastIndexOf('@') + 1)
  return ADDRESSES.has(key) || DOMAINS.some((each) => `.${domain}`.endsWith(`.${each}`))
}
