/** A paragraph of a system mail: text, a link that stands alone, or a code to be typed. */
export type Paragraph = string | { link: string; label: string } | { code: string }

/** What a system mail says, once as plain text and once as HTML. */
export type SystemMailContent = { subject: string; text: string; html: string }

const SIGNATURE = 'Howl'

/**
 * Writes a system mail. Both parts say the same. The first paragraph is what a phone shows beside the subject, so it
 * should hold what the reader needs most.
 */
export function writeSystemMail(subject: string, paragraphs: readonly Paragraph[]): SystemMailContent {
  return {
    subject,
    text: `${paragraphs.map(plainText).join('\n\n')}\n\n${SIGNATURE}\n`,
    html: `<div style="font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#1c1c1a;max-width:34em">${paragraphs
      .map(htmlText)
      .join('')}<p style="color:#6b6b66">${SIGNATURE}</p></div>`,
  }
}

function plainText(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph
  return 'code' in paragraph ? paragraph.code : `${paragraph.label}:\n${paragraph.link}`
}

function htmlText(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`
  if ('code' in paragraph) {
    return `<p style="font:600 24px/1.4 ui-monospace,monospace;letter-spacing:.2em">${escapeHtml(paragraph.code)}</p>`
  }
  const link = escapeHtml(paragraph.link)
  return `<p><a href="${link}">${escapeHtml(paragraph.label)}</a><br><span style="color:#6b6b66;word-break:break-all">${link}</span></p>`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}
