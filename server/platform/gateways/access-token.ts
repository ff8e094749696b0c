/**
 * Gives an access token that is still good. With `refused`, a token that a server did not accept, it gives a newer one.
 *
 * @throws NoAccessToken
 */
export type AccessTokens = (refused?: string) => Promise<string>

/**
 * There is no token to sign in with. `withdrawn`: the owner has to consent again. `later`: the sign-in service does not
 * answer, and is asked again at `retryAt`. `words` is a sentence for the owner.
 */
export class NoAccessToken extends Error {
  override readonly name = 'NoAccessToken'
  readonly kind: 'withdrawn' | 'later'
  readonly words: string
  readonly retryAt: Date | null

  constructor(kind: 'withdrawn' | 'later', words: string, retryAt: Date | null = null) {
    super(`${kind}: ${words}`)
    this.kind = kind
    this.words = words
    this.retryAt = retryAt
  }
}

/**
 * Opens a session with the account's password or, where it has tokens, with one of them. A token that looked good may
 * have been withdrawn: when `isRefused` says so, a new one is tried, once.
 */
export async function signedIn<T>(
  { accessToken }: { accessToken?: AccessTokens | undefined },
  isRefused: (error: unknown) => boolean,
  open: (token: string | null) => Promise<T>,
): Promise<T> {
  if (accessToken === undefined) return open(null)
  const token = await accessToken()
  try {
    return await open(token)
  } catch (error) {
    if (!isRefused(error)) throw error
    return open(await accessToken(token))
  }
}

/** What a failed test says where an account has tokens: no password is to blame. Undefined for any other failure. */
export function signInDetail(
  { accessToken }: { accessToken?: AccessTokens | undefined },
  failure: { kind: string; words: string; cause?: unknown },
): string | undefined {
  if (failure.cause instanceof NoAccessToken) return failure.words
  if (accessToken === undefined || failure.kind !== 'auth') return undefined
  return `The server did not accept the sign-in. (${failure.words})`
}
