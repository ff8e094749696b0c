import { askedWait } from './asked-wait.ts'
import { readUpTo } from './dial-http.ts'
import { ModelFailure, modelFailure } from './model-failure.ts'

/** Bytes of an answer that comes at once: a server that never stops is cut off. */
const ANSWER_MAX_BYTES = 1024 * 1024

/**
 * An OpenAI-compatible server: base URL including "/v1", a key if one is required, the model's name. `fetch` dials a user's
 * own server by the rules for addresses that users type.
 */
export type ModelConfig = { baseUrl: string; apiKey: string | null; name: string; fetch?: typeof fetch }

/**
 * Asks a model server, by POST where there is a body.
 *
 * @param path after the base URL, as "/chat/completions"
 */
export function requestModel(
  config: Omit<ModelConfig, 'name'>,
  path: string,
  { body, accept = 'application/json', signal }: { body?: object; accept?: string; signal: AbortSignal },
): Promise<Response> {
  return (config.fetch ?? fetch)(config.baseUrl.replace(/\/+$/, '') + path, {
    headers: {
      Accept: accept,
      ...(config.apiKey === null ? {} : { Authorization: `Bearer ${config.apiKey}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    // The address was chosen by the operator or the user; nobody else may send us on.
    redirect: 'error',
    signal,
  })
}

/** The text of an answer. @throws {ModelFailure} for one that is too long */
export async function textOf({ body }: Response): Promise<string> {
  const bytes = await readUpTo(body, ANSWER_MAX_BYTES)
  if (bytes === null) throw new ModelFailure('rubbish', 'The answer was far too long')
  // Some begin with a byte order mark, which goes here.
  return new TextDecoder().decode(bytes)
}

/** What an answer that is an error means. Of its text only its message is told, or else `otherwise`. */
export function refusal({ status, headers }: Response, text: string, otherwise = ''): ModelFailure {
  const message = messageIn(text) ?? (otherwise || 'The language model answered with an error')
  return modelFailure({ statusCode: status, message, waitMs: askedWait(headers, Date.now()) })
}

function messageIn(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string }
    const message = typeof error === 'string' ? error : error?.message
    return typeof message === 'string' ? message : null
  } catch {
    // Whatever it is, it is no JSON.
    return null
  }
}
