import { findBrowser } from './find-browser.mjs'

/** Whose browser it is. Nothing is waited for that only moves. */
export const READER = { locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' } as const

/** How the browser of the tests is started: nothing of itself may talk to the network, and a machine without a GPU must do. */
export async function browserLaunch(): Promise<{ executablePath: string; args: string[] }> {
  const { executablePath, args } = await findBrowser()
  return {
    executablePath,
    args: [
      ...args,
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  }
}
