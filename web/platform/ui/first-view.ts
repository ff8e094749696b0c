const firstView = Promise.withResolvers<void>()

/** Every page calls this when it shows its content, or says why it cannot. */
export const firstViewIsShown = (): void => firstView.resolve()

/** Resolves once the page shows its content and the browser is idle. Less urgent work waits for it. */
export async function afterFirstView(): Promise<void> {
  await firstView.promise
  await idle()
}

/**
 * Loads code that is likely to be needed soon, one module at a time and each while the browser is idle, so that more
 * urgent requests come in between. Code needed at once is requested again.
 */
export async function fetchAhead(loads: readonly (() => Promise<unknown>)[]): Promise<void> {
  await afterFirstView()
  for (const load of loads) {
    // Failures are ignored here: the component that needs the code reports them.
    await load().catch(() => undefined)
    await idle()
  }
}

/** On a page that is never idle, the wait ends after this time. */
const IDLE_WAIT_MS = 2_000
/** The wait in Safari, which has no requestIdleCallback. */
const INSTEAD_OF_IDLE_MS = 200

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window)
      window.requestIdleCallback(() => resolve(), { timeout: IDLE_WAIT_MS })
    else setTimeout(resolve, INSTEAD_OF_IDLE_MS)
  })
}
