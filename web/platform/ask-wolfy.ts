type About = { contactId: number; name: string; email: string }
type Ask = (about: About) => Promise<void>

let ask: Ask = async () => {}

/** Wolfy's button hears which contact is asked about. */
export function onAskWolfy(listener: Ask): void {
  ask = listener
}

/**
 * Opens Wolfy beside the page, with a new conversation about a contact.
 *
 * @throws where Wolfy cannot be loaded
 */
export async function askWolfyAbout(contact: About): Promise<void> {
  return ask(contact)
}
