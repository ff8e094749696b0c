/** What Playwright's `launch` takes. */
export type Browser = { executablePath: string; args: string[] }

/** Finds a Chromium for the tests; rejects with one sentence that says what to install. */
export function findBrowser(): Promise<Browser>

/** A browser that is there already, without the one that must be unpacked. */
export function findInstalled(): Promise<string | null>
