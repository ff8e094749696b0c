const firstView = Promise.withResolvers<void>()

/** To be called by every page when it shows what it is for, or says why it cannot. */
export const firstViewIsShown = (): void => firstView.resolve()

/** Until then everything else waits: the page shows what it is for, and the browser has nothing to do. */
export async function afterFirstView(): Promise<void> {
  await firstView.promise
  await idle()
}

/**
 * Fetches parts that are likely wanted soon, one after another, each while the browser is idle: what is asked for
 * meanwhile comes in between. Who needs a part at once asks for it once more.
 */
export async function fetchAhead(loads: readonly (() => Promise<unknown>)[]): Promise<void> {
  await afterFirstView()
  for (const load of loads) {
    // A failure is no news: who needs the part hears of it.
    await load().catch(() => undefined)
    await idle()
  }
}

/** A page that is never idle waits no longer than this. */
const IDLE_WAIT_MS = 2_000
/** Safari has no requestIdleCallback. */
const INSTEAD_OF_IDLE_MS = 200

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window)
      window.requestIdleCallback(() => resolve(), { timeout: IDLE_WAIT_MS })
    else setTimeout(resolve, INSTEAD_OF_IDLE_MS)
  })
}
