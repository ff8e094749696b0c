import { toast } from '#web/ui/toast.ts'
import { openWolfy } from './WolfyButton.tsx'

/** Opens Wolfy beside the page, with a new conversation about a contact. */
export async function askAbout({ id, name, email }: { id: number; name: string; email: string }) {
  try {
    const { beginAbout } = await import('./wolfy.ts')
    beginAbout({ name, email, contactId: id })
    openWolfy()
  } catch {
    toast.error('Wolfy could not be loaded. Please try again.')
  }
}
