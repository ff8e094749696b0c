import { BASE_PATH } from '#contract/platform/endpoint.ts'
import { isSessionLive } from '../../../accounts/auth/auth.ts'
import type { Context } from '../../../platform/context.ts'
import { notFound, TooManyRequests } from '../../../platform/errors.ts'
import { runMailTask, MailTaskFailed } from '../../../formats/mail-tasks/run-mail-task.ts'
import { inlineImages } from './read-attachment.ts'
import { readBody } from './read-body.ts'
import { findListed, type ListedEmail } from '../messages/store.ts'

/** The user who reads a mail, and the session. */
export type FrameReader = { id: number; sessionId: string }

const PURPOSE = 'mail frames'
/** A frame loads right after its mail is opened; a leaked link soon expires. */
const VALID_MS = 10 * 60_000

/** A frame cannot send the bearer token, so its URL is signed: for a user, a mail, an expiry time and a session. */
export function frameUrl(context: Context, { id: userId, sessionId }: FrameReader, emailId: number): string {
  const until = Math.ceil((context.clock.now().getTime() + VALID_MS) / 1000)
  const name = `${userId.toString(36)}.${emailId.toString(36)}.${until.toString(36)}.${sessionId}`
  return `${BASE_PATH}/emails/${emailId}/frame?key=${name}.${context.secrets.sign(name, PURPOSE)}`
}

/** The reader that a frame's key admits to this mail; null when the key is not ours, for another mail, or expired. */
function readFrameKey(context: Context, emailId: number, key: string): FrameReader | null {
  const [user = '', email = '', until = '', sessionId = '', signature = ''] = key.split('.')
  if (!context.secrets.verify(`${user}.${email}.${until}.${sessionId}`, signature, PURPOSE)) return null
  const isLate = parseInt(until, 36) * 1000 < context.clock.now().getTime()
  return isLate || parseInt(email, 36) !== emailId ? null : { id: parseInt(user, 36), sessionId }
}

/**
 * The content security policy of a mail: no scripts, and no remote content unless the reader asked for it. The frame keeps
 * our origin, so that the page around it can sanitize it a second time and measure it.
 */
export const FRAME_HEADERS = (remote: boolean) => ({
  'Content-Security-Policy':
    `default-src 'none'; img-src data:${remote ? ' https: http:' : ''}; style-src 'unsafe-inline'; font-src 'none'; ` +
    `form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox`,
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
})

const STYLE = `body{margin:0;padding:16px;font:15px/1.55 system-ui,sans-serif;color:#1b1a17;background:#fff;overflow-wrap:anywhere}
img{max-width:100%;height:auto}table{max-width:100%}pre{white-space:pre-wrap}blockquote{margin:0 0 0 8px;padding-left:12px;border-left:2px solid #e8e4dc;color:#5f5b53}
.howl-host{color:#5f5b53;font-size:13px}.howl-quote>summary{cursor:pointer;color:#5f5b53;font-size:13px;margin:8px 0}`

/**
 * The page in a mail's frame: its sanitized HTML with its inline pictures.
 *
 * @throws Refusal 404 for a key that does not open this mail, or whose session has ended
 */
export async function frameHtml(
  context: Context,
  emailId: number,
  key: string,
  remote: boolean,
  signal?: AbortSignal,
): Promise<string> {
  const reader = readFrameKey(context, emailId, key)
  const mayRead = reader !== null && (await isSessionLive(context, reader.id, reader.sessionId))
  const row = mayRead ? await findListed(context.db, reader.id, emailId) : undefined
  if (row === undefined) throw notFound('Email not found')
  const html = await sanitizedHtml(context, row, remote, signal)
  return `<!doctype html><html><head><meta charset="utf-8"><title>Mail</title><style>${STYLE}</style></head><body>${html}</body></html>`
}

async function sanitizedHtml(
  context: Context,
  row: ListedEmail,
  remote: boolean,
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    const body = await readBody(context.db, row.user_id, row.id, { signal })
    if (body?.html == null) throw notFound('Email not found')
    const images = await inlineImages(context, body, signal)
    return await runMailTask({ userId: row.user_id, signal }, 'sanitizeForFrame', body.html, remote, images)
  } catch (error) {
    // What the reader sees is the frame: the sentence stands there.
    if (!(error instanceof MailTaskFailed || error instanceof TooManyRequests)) throw error
    return `<p>${error.message}</p>`
  }
}
