import { useAddressQuery } from '#web/platform/address.ts'
import { ABOUT_YOU, type WrittenFrom } from '../runs/written-from.ts'
import { CHOSEN_TEMPLATE } from './template-paths.ts'

/** The template that the address of the contacts names, to write to them with; and how to leave it. */
export function useChosenTemplate(): { from: WrittenFrom; forget: () => void } {
  const [address, setAddress] = useAddressQuery()
  const id = Number(address.get(CHOSEN_TEMPLATE))
  const forget = () => {
    if (!address.has(CHOSEN_TEMPLATE)) return
    setAddress(
      (before) => {
        before.delete(CHOSEN_TEMPLATE)
        return before
      },
      { replace: true },
    )
  }
  return { from: Number.isSafeInteger(id) && id > 0 ? { kind: 'own', id } : ABOUT_YOU, forget }
}
