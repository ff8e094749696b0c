const PART_MAX = 100

/**
 * The Idempotency-Key of a mail: recipient, subject and body, each reduced to safe characters and cut to 100. Mails
 * that differ elsewhere share a key; the server tells them apart by a hash of the whole body.
 */
export function idempotencyKeyOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return ''
  const mail = body as Record<string, unknown>
  const parts = [mail['to'] ?? mail['email_id'], mail['subject'], mail['content'] ?? mail['body']]
  return parts.map(safe).join('-')
}

function safe(part: unknown): string {
  const text = typeof part === 'string' || typeof part === 'number' ? String(part) : ''
  return text.replaceAll(/[^A-Za-z0-9._@-]+/g, '_').slice(0, PART_MAX)
}
