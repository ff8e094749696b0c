type AskedAbout = { id: number; name: string; email: string }

let ask: (about: AskedAbout) => void = () => {}

/** Wolfy's button hears which contact is asked about. */
export function onAskWolfy(listener: (about: AskedAbout) => void): void {
  ask = listener
}

/** Opens Wolfy beside the page, with a new conversation about a contact. */
export function askWolfyAbout(contact: AskedAbout): void {
  ask(contact)
}
